"""Each new observation is settled with those it may concern, and disputes are taken up again."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.memory import MemoryNode, StoreStatus
from agentmem.ledger.plan import Plan
from agentmem.memory.reconcile import Open, lapsed, open_pairs, settle
from agentmem.memory.relate import Relation, Relations
from agentmem.reflection.sight import Sight, age


@dataclass(frozen=True, slots=True)
class Concern:
    """Two memories that concern each other, and how. What a run does to them changes neither's words, nor this."""

    new: MemoryNode
    old: MemoryNode
    relation: Relation


def concerns(sight: Sight, relations: Relations) -> list[Concern]:
    """Each newer and older memory that are not plainly unrelated."""
    found = (Concern(new, old, relations.of(new, old)) for new, old in _newer_and_older(sight))
    return [item for item in found if item.relation != "unrelated"]


def pairs(found: Iterable[Concern], relations: Relations) -> list[Open]:
    """The pairs worth a judgement."""
    return open_pairs(((item.new, item.old) for item in found if item.relation == "undecided"), relations)


def tidy(plan: Plan, found: Iterable[Concern], verdicts: Mapping[tuple[str, str], Relation], now: datetime) -> None:
    """Settle each pair as things stand in the plan; nothing is removed, what loses is ended."""
    for item in found:
        new, old = plan[item.new.memory_id], plan[item.old.memory_id]
        if not _both_hold(new, old) or lapsed(old, new):
            continue
        relation = item.relation
        if relation == "undecided":
            relation = verdicts.get((new.memory_id, old.memory_id), "undecided")
        survivor = settle(plan, new, old, relation, now)
        if survivor is None:
            plan.put(new.retired(now=now, by=old.memory_id), "retire", "said before")
        elif survivor is not new:
            plan.put(survivor, "merge", "took over an older statement")


def _newer_and_older(sight: Sight) -> Iterator[tuple[MemoryNode, MemoryNode]]:
    """Each new observation with what is older and near it, oldest first; then what earlier runs left in dispute."""
    for new in sight.fresh:
        near = None if sight.near is None else sight.near[new.memory_id]
        for old in sight.observations:
            if (near is None or old.memory_id in near) and age(old) < age(new):
                yield new, old
    known = {node.memory_id: node for node in sight.observations}
    fresh = {node.memory_id for node in sight.fresh}
    for node in sight.disputed:
        for other in (known[key] for key in node.conflicts_with if key in known):
            new, old = (node, other) if age(other) < age(node) else (other, node)
            if new.memory_id not in fresh and new.memory_id in known:
                yield new, old


def _both_hold(new: MemoryNode, old: MemoryNode) -> bool:
    return new.store_status is StoreStatus.VALID and old.store_status is StoreStatus.VALID
