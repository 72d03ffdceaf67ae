"""Memories that may not both hold, and about which nobody could decide: linked on both sides until somebody does."""

from collections.abc import Iterable

from agentmem.domain.change import Act
from agentmem.domain.memory import MemoryNode, StoreStatus
from agentmem.ledger.plan import Plan
from agentmem.memory.reconcile import Decision, Open

UndecidedPair = tuple[str, str]
"""The ids of a newer and an older memory."""


def undecided(asked: Iterable[Open], decisions: Iterable[Decision]) -> tuple[UndecidedPair, ...]:
    """The pairs that were put before cognition and came back without a verdict."""
    answered = {(item.new_id, item.old_id) for item in decisions}
    return tuple((item.new_id, item.old_id) for item in asked if (item.new_id, item.old_id) not in answered)


def link(plan: Plan, pairs: Iterable[UndecidedPair]) -> None:
    """Link each pair of which both still hold in the plan."""
    for one, other in pairs:
        first, second = plan.get(one), plan.get(other)
        if first is not None and second is not None and _hold(first, second):
            _add(plan, first, other)
            _add(plan, second, one)


def unlink(plan: Plan, decisions: Iterable[Decision]) -> None:
    """Take the links off pairs about which a verdict came, and off all that no longer hold."""
    for item in decisions:
        _part(plan, item.new_id, item.old_id)
    for node in plan.touched():
        if node.store_status is not StoreStatus.VALID:
            for other in node.conflicts_with:
                _part(plan, node.memory_id, other)


def _hold(*nodes: MemoryNode) -> bool:
    return all(node.store_status is StoreStatus.VALID for node in nodes)


def _add(plan: Plan, node: MemoryNode, other: str) -> None:
    if other not in node.conflicts_with:
        _write(plan, node, (*node.conflicts_with, other), "link", "nobody could decide between the two")


def _part(plan: Plan, one: str, other: str) -> None:
    for memory_id, partner in ((one, other), (other, one)):
        node = plan.get(memory_id)
        if node is not None and partner in node.conflicts_with:
            rest = tuple(key for key in node.conflicts_with if key != partner)
            _write(plan, node, rest, "link", "decided")


def _write(plan: Plan, node: MemoryNode, linked: tuple[str, ...], act: Act, reason: str) -> None:
    plan.touch(node.revised(conflicts_with=linked), act, reason)
