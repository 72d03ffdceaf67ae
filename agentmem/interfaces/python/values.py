"""What `Memory` answers: frozen values, named as Mem0 names them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from agentmem.domain.change import Change, LedgerEntry
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.value import JsonValue

Decision = Literal["ADD", "UPDATE", "DELETE", "NONE"]
"""What became of a memory: it is new, says something else, ended, or was only confirmed."""

ACTOR = "actor"
RAW = "raw"
"""In `metaData`: who spoke in a turn, by the name given with it; whether it was stored with nothing made of it."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """One memory. `user_id` is whom it is about, `agent_id` whose it is. `valid`: it counts as true; it was true from
    `valid_at` until `invalid_at` (None: open). `score` is set by a search. `node` is the whole of it."""

    id: str
    memory: str
    user_id: str
    agent_id: str
    run_id: str | None
    type: MemoryType
    valid: bool
    valid_at: datetime
    invalid_at: datetime | None
    created_at: datetime
    metadata: Mapping[str, JsonValue]
    node: MemoryNode = field(repr=False)
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """Memories, best first. `abstained`: none seems to answer; `confidence`, from 0 to 1, is how likely one does."""

    results: tuple[Remembered, ...]
    abstained: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class Listed:
    """One page of memories, newest first. `next` is the cursor of the following page, None where this is the last."""

    results: tuple[Remembered, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class MemoryEvent:
    """What became of one memory. `memory` is what it says, or said where it ended; `previous_memory` what an updated
    one said before."""

    id: str
    memory: str
    event: Decision
    previous_memory: str | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """What became of memories by what was added. `waits`: not all of it was read yet; it is safe, and will be."""

    results: tuple[MemoryEvent, ...]
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Past:
    """One step in the life of a memory. `actor` is the worker or command that made it, `run` what undo takes back."""

    memory_id: str
    event: Decision
    old_memory: str | None
    new_memory: str | None
    actor: str
    at: datetime
    reason: str
    run: str


def remembered(node: MemoryNode, now: datetime, score: float | None = None) -> Remembered:
    """A memory as callers see it at `now`."""
    return Remembered(
        id=node.memory_id,
        memory=node.content,
        user_id=node.target_name,
        agent_id=node.agent_id,
        run_id=node.run_id,
        type=node.memory_type,
        valid=node.is_valid(now),
        valid_at=node.valid_at,
        invalid_at=node.invalid_at,
        created_at=node.created_at,
        metadata=node.meta_data,
        node=node,
        score=score,
    )


def decision(change: Change) -> Decision:
    """What a change comes to."""
    before, after = change.before, change.after
    if before is None:
        return "ADD"
    if not _held(after):
        return "DELETE" if _held(before) else "NONE"
    if not _held(before):
        return "ADD"
    return "NONE" if after is not None and after.content == before.content else "UPDATE"


def event_of(change: Change) -> MemoryEvent:
    """A change as callers see it."""
    what = decision(change)
    before = change.before.content if change.before else None
    after = change.after.content if change.after else None
    said = before if what == "DELETE" else after or before
    return MemoryEvent(change.memory_id, said or "", what, before if what == "UPDATE" else None)


def past_of(entry: LedgerEntry) -> Past:
    """A row of the ledger as callers see it."""
    before, after = entry.change.before, entry.change.after
    return Past(
        memory_id=entry.memory_id,
        event=decision(entry.change),
        old_memory=before.content if before else None,
        new_memory=after.content if after and _held(after) else None,
        actor=entry.cause,
        at=entry.at,
        reason=entry.change.reason,
        run=entry.run,
    )


def _held(node: MemoryNode | None) -> bool:
    return node is not None and node.store_status is StoreStatus.VALID
