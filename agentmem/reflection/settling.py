"""Each new observation is settled with those it may concern, and what is in doubt is looked at again."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.memory import MemoryNode, StoreStatus
from agentmem.domain.staleness import holds, rests_on
from agentmem.domain.statement import Review
from agentmem.ledger.plan import Plan
from agentmem.memory.candidates import Open, open_pairs, undecided_pairs
from agentmem.memory.reconcile import lay_out
from agentmem.memory.relation import Relation, Relations
from agentmem.reflection.inputs import ReflectionInputs, age


@dataclass(frozen=True, slots=True)
class Concern:
    """Two memories that concern each other, and how. What a run does to them changes neither's words, nor this."""

    new: MemoryNode
    old: MemoryNode
    relation: Relation


def concerns(sight: ReflectionInputs, relations: Relations) -> list[Concern]:
    """Each newer and older memory that are not plainly unrelated, or fill one slot."""
    found = (Concern(new, old, relations.of(new, old)) for new, old in _newer_and_older(sight))
    return [item for item in found if item.relation != "unrelated" or _one_slot(item, relations)]


def _one_slot(item: Concern, relations: Relations) -> bool:
    slot = relations.slot(item.new)
    return slot is not None and slot == relations.slot(item.old)


def pairs(found: Iterable[Concern], relations: Relations, *, compared: bool) -> list[Open]:
    """The pairs worth a judgement; of memories that were `compared` while they were read those still in dispute."""
    left = ((item.new, item.old) for item in found if item.relation == "undecided")
    asked = (pair for pair in left if not compared or pair[0].memory_id in pair[1].conflicts_with)
    return open_pairs(undecided_pairs(asked, relations))


def settle(
    plan: Plan,
    found: Iterable[Concern],
    relations: Relations,
    verdicts: Mapping[tuple[str, str], Relation],
    now: datetime,
) -> None:
    """Lay out what concerns each other, directly or by others; nothing is removed, what loses is ended."""
    met: dict[str, set[str]] = defaultdict(set)
    for item in found:
        new, old = item.new.memory_id, item.old.memory_id
        if item.relation != "undecided" or verdicts.get((new, old), "unrelated") != "unrelated":
            met[new].add(old)
            met[old].add(new)
    while met:
        matter = _reached(next(iter(met)), met)
        lay_out(plan, [plan[key] for key in sorted(matter)], relations, verdicts, now)


def _reached(start: str, met: dict[str, set[str]]) -> set[str]:
    """All that is reached from there, taken out of what is left."""
    reached, ahead = {start}, [start]
    while ahead:
        new = met.pop(ahead.pop()) - reached
        reached |= new
        ahead += new
    return reached


def _newer_and_older(sight: ReflectionInputs) -> Iterator[tuple[MemoryNode, MemoryNode]]:
    """Each new observation with what is near it, the newer of two first; then what earlier runs left in dispute."""
    fresh = {node.memory_id for node in sight.fresh}
    for node in sight.fresh:
        for other in (*sight.near_to(node), *sight.over):
            if other.memory_id == node.memory_id:
                continue
            if age(other) < age(node):
                yield node, other
            elif other.memory_id not in fresh:
                yield other, node
    known = {node.memory_id: node for node in sight.observations}
    for node in sight.disputed:
        for other in (known[key] for key in node.conflicts_with if key in known):
            new, old = (node, other) if age(other) < age(node) else (other, node)
            if fresh.isdisjoint((new.memory_id, old.memory_id)) and new.memory_id in known:
                yield new, old


@dataclass(frozen=True, slots=True)
class Support:
    """What a doubtful memory rests on: ids that hold as they did, that hold but changed or were taken over by others
    (those), and that are gone."""

    standing: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def left(self) -> tuple[str, ...]:
        """What it could be made anew from."""
        return (*self.standing, *self.changed)


def support(node: MemoryNode, known: Mapping[str, MemoryNode]) -> Support:
    """How things stand with what the memory rests on."""
    standing, changed, gone = list[str](), list[str](), list[str]()
    for key in sorted(rests_on(node)):
        source = known.get(key)
        successor = known.get(source.superseded_by) if source is not None and source.superseded_by else None
        if source is not None and holds(source):
            (changed if key in (node.needs_review or ()) else standing).append(key)
        elif successor is not None and holds(successor) and successor.memory_id != node.memory_id:
            changed.append(successor.memory_id)
        else:
            gone.append(key)
    return Support(tuple(standing), tuple(changed), tuple(gone))


def askable(doubtful: Sequence[MemoryNode], known: Mapping[str, MemoryNode]) -> list[MemoryNode]:
    """Those about which code alone cannot decide."""
    supports = [(node, support(node, known)) for node in doubtful]
    return [node for node, found in supports if found.left and (found.changed or found.gone)]


def review(
    plan: Plan,
    doubtful: Sequence[MemoryNode],
    known: Mapping[str, MemoryNode],
    reviews: Mapping[str, Review],
    now: datetime,
    *,
    asked: bool,
) -> None:
    """Decide on each, what it rests on first. `asked`: cognition was; what it left open is then not asked again before
    there is other news."""
    waiting = {node.memory_id for node in doubtful if _doubted(plan[node.memory_id])}
    while waiting:
        ready = {key for key in waiting if not rests_on(plan[key]) & waiting} or set(waiting)
        for key in sorted(ready):
            _decide(plan, plan[key], {**known, **plan.nodes()}, reviews.get(key), now, asked=asked)
        waiting -= ready


def _decide(
    plan: Plan, node: MemoryNode, known: Mapping[str, MemoryNode], answer: Review | None, now: datetime, *, asked: bool
) -> None:
    found = support(node, known)
    rests = [] if answer is None else [key for key in answer.source_ids if key in known and holds(known[key])]
    if not found.left:
        plan.put(_over(node, now), "end", "nothing it was based on still holds")
    elif not (found.changed or found.gone):
        plan.put(node.revised(needs_review=None), "refresh", "what it is based on holds")
    elif answer is not None and answer.stands and rests:
        plan.put(_resting_on(node, tuple(dict.fromkeys(rests))), "refresh", "still supported by the rest")
    elif answer is not None and not answer.stands:
        plan.put(_over(node, now), "end", "no longer supported by the rest")
    elif asked:
        plan.put(node, "reflect", "looked at, not decided")


def _over(node: MemoryNode, now: datetime) -> MemoryNode:
    return node.ended(at=now, now=now).revised(needs_review=None)


def _resting_on(node: MemoryNode, sources: tuple[str, ...]) -> MemoryNode:
    depends = sources if node.depends_on else ()
    return node.revised(needs_review=None, source_ids=sources if node.source_ids else (), depends_on=depends)


def _doubted(node: MemoryNode) -> bool:
    return node.store_status is StoreStatus.VALID and bool(node.needs_review)
