"""What time does to memories: insights that proved stable last, readings and small talk go out of scope."""

from collections.abc import Iterable
from datetime import datetime

from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus, Trust
from agentmem.ledger.plan import Plan


def promote(plan: Plan, proven: Iterable[MemoryNode], slight: Iterable[MemoryNode]) -> None:
    """Of the insights that this run has left as they were those that are `proven` become long-term; one that changes
    later is an insight again. What rests on what others told stays what it is, however often they tell it; it and the
    `slight` are not looked at again before they change."""
    for node in proven:
        if plan[node.memory_id] is node and node.trust is Trust.UNTRUSTED:
            plan.put(node, "reflect", "rests on what others told")
        elif plan[node.memory_id] is node:
            plan.put(node.revised(memory_type=MemoryType.LONGTERM), "promote", "proved stable")
    for node in slight:
        if plan[node.memory_id] is node:
            plan.put(node, "reflect", "rests on too little to last")


def decay(plan: Plan, fading: Iterable[MemoryNode], now: datetime) -> None:
    """Take what is due out of scope. It is as true as it was, so its interval stays as it is."""
    for node in fading:
        if plan[node.memory_id] is node:
            faded = node.revised(store_status=StoreStatus.EXPIRED, expired_at=now)
            plan.put(faded, "decay", "over" if node.memory_type is MemoryType.PERCEPTUAL else "of little importance")
