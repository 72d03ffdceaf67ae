"""What `Memory` answers: frozen values, named as Mem0 names them, that turn into JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Literal, TypeVar, cast, overload

from agentmem.agents.talk.forget_in_talk import Forgetting
from agentmem.domain.change import Change, LedgerEntry
from agentmem.domain.event import USER_ID
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.value import JsonValue

Decision = Literal["ADD", "UPDATE", "DELETE", "NONE"]
"""What became of a memory: it is new, says something else, ended, or was only confirmed."""

ACTOR = "actor"
RAW = "raw"
"""In `metaData`: who spoke in a turn, by the name given with it; whether it was stored with nothing made of it."""


T_co = TypeVar("T_co", covariant=True)


class Record:
    """A value whose fields are read as attributes or, as with Mem0, by name: `item.memory`, `item["memory"]`."""

    def to_dict(self) -> dict[str, JsonValue]:
        """The value as plain data that JSON can hold."""
        return _of_fields(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """The value as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def _field(self, name: str) -> Any:
        try:
            return getattr(self, name)
        except AttributeError as error:
            raise KeyError(name) from error


@dataclass(frozen=True)
class Results(Record, Sequence[T_co]):
    """Values in order: iterated over, counted, indexed by place; or read as `results`."""

    results: tuple[T_co, ...]

    def __len__(self) -> int:
        return len(self.results)

    def __str__(self) -> str:
        """One value a line, in order."""
        return "\n".join(map(str, self.results))

    @overload
    def __getitem__(self, place: int) -> T_co: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T_co, ...]: ...
    @overload
    def __getitem__(self, place: str) -> Any: ...
    def __getitem__(self, place: int | slice | str) -> Any:
        return self._field(place) if isinstance(place, str) else self.results[place]


class Item(Record):
    """One value, whose fields are also read by name."""

    def __getitem__(self, name: str) -> Any:
        return self._field(name)

    def get(self, name: str, default: object = None) -> Any:
        """A field, or the default where there is none of that name."""
        return getattr(self, name, default)


@dataclass(frozen=True)
class MemoryItem(Item):
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
    node: MemoryNode = field(repr=False, metadata={"json": False})
    score: float | None = None

    def __str__(self) -> str:
        return self.memory


@dataclass(frozen=True)
class SearchResults(Results[MemoryItem]):
    """Memories, best first. `abstained`: none seems to answer; `confidence`, from 0 to 1, is how likely one does."""

    abstained: bool
    confidence: float


@dataclass(frozen=True)
class MemoryPage(Results[MemoryItem]):
    """One page of memories, newest first. `next` is the cursor of the following page, None where this is the last."""

    next: str | None


@dataclass(frozen=True)
class MemoryEvent(Item):
    """What became of one memory. `memory` is what it says, or said where it ended; `previous_memory` what an updated
    one said before."""

    id: str
    memory: str
    event: Decision
    previous_memory: str | None = None

    def __str__(self) -> str:
        return f"{self.event} {self.memory}"


@dataclass(frozen=True)
class Added(Results[MemoryEvent]):
    """What became of memories by what was added. `waits`: not all of it was read yet; it is safe, and will be.
    `forgotten`: what became of each thing that was asked to be forgotten; `AsyncMemory.app.undo` takes its `run` back.
    """

    waits: bool = False
    forgotten: tuple[Forgetting, ...] = ()


@dataclass(frozen=True)
class HistoryEntry(Item):
    """One step in the life of a memory. `actor` is the worker or command that made it, `run` what undo takes back."""

    memory_id: str
    event: Decision
    old_memory: str | None
    new_memory: str | None
    actor: str
    at: datetime
    reason: str
    run: str


def memory_item(node: MemoryNode, now: datetime, score: float | None = None) -> MemoryItem:
    """A memory as callers see it at `now`."""
    return MemoryItem(
        id=node.memory_id,
        memory=node.content,
        user_id=str(node.meta_data.get(USER_ID, node.target_name)),
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
    if not is_held(after):
        return "DELETE" if is_held(before) or (_is_forgotten(after) and not _is_forgotten(before)) else "NONE"
    if not is_held(before):
        return "ADD"
    return "NONE" if after is not None and after.content == before.content else "UPDATE"


def _is_forgotten(node: MemoryNode | None) -> bool:
    return node is not None and node.is_forgotten


def event_of(change: Change) -> MemoryEvent:
    """A change as callers see it."""
    what = decision(change)
    before = change.before.content if change.before else None
    after = change.after.content if change.after else None
    said = before if what == "DELETE" else after or before
    return MemoryEvent(change.memory_id, said or "", what, before if what == "UPDATE" else None)


def history_entry(entry: LedgerEntry) -> HistoryEntry:
    """A row of the ledger as callers see it."""
    before, after = entry.change.before, entry.change.after
    return HistoryEntry(
        memory_id=entry.memory_id,
        event=decision(entry.change),
        old_memory=before.content if before else None,
        new_memory=after.content if after and is_held(after) else None,
        actor=entry.cause,
        at=entry.at,
        reason=entry.change.reason,
        run=entry.run,
    )


def _of_fields(value: Any) -> dict[str, JsonValue]:
    """The fields of a dataclass by name, but those that are no JSON."""
    shown = (each.name for each in fields(value) if each.metadata.get("json", True))
    return {name: _plain(getattr(value, name)) for name in shown}


def _plain(value: object) -> JsonValue:
    match value:
        case _ if is_dataclass(value):
            return _of_fields(value)
        case Enum():
            return str(value.value)
        case datetime():
            return value.isoformat()
        case Mapping():
            return {str(name): _plain(part) for name, part in cast("Mapping[object, object]", value).items()}
        case tuple() | list():
            return [_plain(part) for part in cast("Sequence[object]", value)]
        case _:
            return cast("JsonValue", value)


def is_held(node: MemoryNode | None) -> bool:
    """Whether there is such a memory, and it is valid."""
    return node is not None and node.store_status is StoreStatus.VALID
