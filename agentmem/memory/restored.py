"""What returns when a forgetting is taken back meets what was said meanwhile: the claims of one slot are laid out by
time as if they had come in together, so the newer value holds and the older one is over.
"""

from collections.abc import Collection, Iterable
from datetime import datetime

from agentmem.domain.change import Change
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.ledger.plan import Plan
from agentmem.memory.reconcile import lay_out
from agentmem.memory.relation import Relations


def settled(held: Iterable[MemoryNode], returned: Collection[str], relations: Relations, now: datetime) -> list[Change]:
    """What becomes of observations about one person once those in `returned` are among them again."""
    plan = Plan(node for node in held if node.memory_type is MemoryType.OBSERVATION and not node.is_forgotten)
    slots = {relations.slot(plan[key]) for key in returned if key in plan and _holds(plan[key])} - {None}
    for slot in sorted(filter(None, slots)):
        matter = [node for node in plan.held() if relations.slot(node) == slot]
        if sum(map(_holds, matter)) > 1:
            lay_out(plan, matter, relations, {}, now)
    return list(plan.changes())


def _holds(node: MemoryNode) -> bool:
    return node.store_status is StoreStatus.VALID
