"""What rests on what, and when that becomes doubtful: the rules behind `needs_review`, and what else asks for a look.

A store applies them inside the transaction that writes the cause, so no writer can forget to.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final

from agentmem.domain.change import Act, Change
from agentmem.domain.memory import GRAPH, Ending, MemoryNode, MemoryType, StoreStatus

DERIVED_ANEW: Final[frozenset[Act]] = frozenset({"add", "refresh", "undo"})
"""A memory written so is what its writer made of its sources as they are now: the same commit puts it in no doubt."""

REFLECTED: Final = "reflected"
"""The kind of an insight that reflection drew."""

PROVEN_FOR = timedelta(days=14)
"""So long nothing about an insight has changed when it proves stable."""

FADES_AFTER = timedelta(days=90)
LITTLE = 2
"""Importance up to which an observation that fills no slot goes out of scope when it is `FADES_AFTER` old, and nobody
has recalled it for so long."""


class Attention(IntEnum):
    """Why reflection should look at a memory."""

    NEW = 1
    """An observation no reflection has looked at."""

    DOUBT = 2
    """Something it rests on ended or changed."""

    OPEN = 3
    """A question was left open before: looked at again when there is other news, and no news by itself."""


def rests_on(node: MemoryNode) -> frozenset[str]:
    """The memories this one was made from."""
    return frozenset((*node.source_ids, *node.depends_on)) - {node.memory_id}


def undermines(change: Change) -> bool:
    """Whether what rests on the memory cannot be relied on any more: it ended, was taken over, or says something else.

    What only faded out of scope is as true as it was.
    """
    before, after = change.before, change.after
    if before is None or change.act == "decay":
        return False
    if after is None:
        return before.store_status is StoreStatus.VALID
    over = before.store_status is StoreStatus.VALID and after.store_status is not StoreStatus.VALID
    return over or _said(before) != _said(after)


def holds(node: MemoryNode) -> bool:
    """Whether it is still believed; what only faded out of scope is."""
    return node.ending in (None, Ending.FADED)


def undermined(before: MemoryNode | None, now: MemoryNode | None) -> bool:
    """Whether what rested on the earlier state of a memory cannot rely on the later one."""
    if before is None or not holds(before):
        return False
    return now is None or not holds(now) or _said(before) != _said(now)


def doubted(node: MemoryNode, causes: Iterable[str]) -> MemoryNode | None:
    """The memory, put in doubt by these others; None where nothing is added, where it does not hold anyway, and for
    what lies between memories: that there is such a thing does not hang on what is said of it."""
    if node.memory_type in GRAPH:
        return None
    known = node.needs_review or ()
    added = sorted(set(causes).difference(known, (node.memory_id,)))
    if not added or node.store_status is not StoreStatus.VALID:
        return None
    return node.revised(needs_review=(*known, *added), revision=node.revision + 1)


def attention(node: MemoryNode, act: Act) -> Attention | None:
    """Why reflection should look at this state of a memory. What an undo restored is to stay as it is."""
    if act == "undo" or node.store_status is not StoreStatus.VALID:
        return None
    if node.memory_type is MemoryType.OBSERVATION and not node.obs_reflected:
        return Attention.NEW
    if node.needs_review:
        return Attention.OPEN if act == "reflect" else Attention.DOUBT
    return Attention.OPEN if node.conflicts_with else None


def fades_at(node: MemoryNode, act: Act) -> datetime | None:
    """From when on time does something to this state by itself: it may go out of scope, or, an insight, prove stable;
    never, where an undo brought it back, or where a reflection has seen that the insight rests on too little."""
    if act == "undo" or node.store_status is not StoreStatus.VALID:
        return None
    if node.memory_type is MemoryType.PERCEPTUAL:
        return node.invalid_at
    if node.memory_type is MemoryType.INSIGHT:
        return node.created_at + PROVEN_FOR if node.kind == REFLECTED and act != "reflect" else None
    slight = node.importance <= LITTLE and node.attribute is None
    return node.created_at + FADES_AFTER if slight and node.memory_type is MemoryType.OBSERVATION else None


def _said(node: MemoryNode) -> tuple[str | None, ...]:
    return node.content, node.attribute, node.value, node.relation, node.modality
