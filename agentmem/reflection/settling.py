"""Each new observation is settled with those it may concern, and disputes are taken up again."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from agentmem.domain.memory import MemoryNode, StoreStatus
from agentmem.memory.plan import Plan
from agentmem.memory.reconcile import Open, lapsed, open_pairs, settle
from agentmem.memory.relate import Relation, Relations
from agentmem.reflection.sight import Sight, age


def pairs(sight: Sight, relations: Relations) -> list[Open]:
    """The pairs worth a judgement, newer and older."""
    return open_pairs(_newer_and_older(sight), relations)


def tidy(
    plan: Plan,
    sight: Sight,
    relations: Relations,
    verdicts: Mapping[tuple[str, str], Relation],
    now: datetime,
) -> None:
    """Settle each pair as things stand in the plan; nothing is removed, what loses is ended."""
    for one, other in _newer_and_older(sight):
        new, old = plan[one.memory_id], plan[other.memory_id]
        if not _both_hold(new, old) or lapsed(old, new):
            continue
        relation = relations.of(new, old)
        if relation == "undecided":
            relation = verdicts.get((new.memory_id, old.memory_id), "undecided")
        survivor = settle(plan, new, old, relation, now)
        if survivor is None:
            plan.put(new.retired(now=now, by=old.memory_id), "retire", "said before")
        elif survivor is not new:
            plan.put(survivor, "merge", "took over an older statement")


def _newer_and_older(sight: Sight) -> Iterator[tuple[MemoryNode, MemoryNode]]:
    """Each new observation with everything older, oldest first; then what earlier runs left in dispute."""
    for new in sight.fresh:
        for old in sight.observations:
            if age(old) < age(new):
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
