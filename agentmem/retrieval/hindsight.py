"""Memories as they stood at another time."""

from datetime import datetime

from agentmem.domain.memory import MemoryNode, StoreStatus


def as_known(node: MemoryNode, at: datetime | None) -> MemoryNode:
    """The memory as it was believed at `at` (None: now): without an end that was learned of later."""
    if at is None or node.expired_at is None or node.expired_at <= at:
        return node
    return node.revised(store_status=StoreStatus.VALID, invalid_at=None, expired_at=None, superseded_by=None)


def is_over(node: MemoryNode, at: datetime) -> bool:
    """Whether it was no longer true at `at`; one that ended nobody knows when is over."""
    return node.store_status is not StoreStatus.VALID if node.invalid_at is None else node.invalid_at <= at


def held_at(node: MemoryNode, at: datetime) -> bool:
    """Whether it was true at `at`."""
    return node.valid_at <= at and not is_over(node, at)
