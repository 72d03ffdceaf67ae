"""What is in doubt, looked at again: it stands, is made anew from what is left, or ends with what it rested on.

Code ends only what has nothing left to stand on; where something is left, cognition decides, and without a decision
the memory stays in doubt.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.memory import MemoryNode, StoreStatus
from agentmem.domain.staleness import holds, rests_on
from agentmem.domain.statement import Review
from agentmem.ledger.plan import Plan


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
        plan.put(_over(node, now), "end", "nothing it rested on holds any more")
    elif not (found.changed or found.gone):
        plan.put(node.revised(needs_review=None), "refresh", "what it rests on holds")
    elif answer is not None and answer.stands and rests:
        plan.put(_resting_on(node, tuple(dict.fromkeys(rests))), "refresh", "holds on what is left")
    elif answer is not None and not answer.stands:
        plan.put(_over(node, now), "end", "what is left does not carry it")
    elif asked:
        plan.put(node, "reflect", "looked at, not decided")


def _over(node: MemoryNode, now: datetime) -> MemoryNode:
    return node.ended(at=now, now=now).revised(needs_review=None)


def _resting_on(node: MemoryNode, sources: tuple[str, ...]) -> MemoryNode:
    depends = sources if node.depends_on else ()
    return node.revised(needs_review=None, source_ids=sources if node.source_ids else (), depends_on=depends)


def _doubted(node: MemoryNode) -> bool:
    return node.store_status is StoreStatus.VALID and bool(node.needs_review)
