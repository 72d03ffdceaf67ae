"""Memories as Qdrant sees them: vector names, payload fields, and the one place where scope becomes a filter.

Neighbours: `conditions` (what filters are made of), `filter_terms` (what a caller's own filter becomes).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final, TypeVar

import numpy as np

from agentmem.adapters.memory_index.conditions import AnyOf, Bound, Condition, Every
from agentmem.adapters.memory_index.filter_terms import CREATED, KEY_NAMES, RUN, VALID_FROM, condition_of, filter_fields
from agentmem.domain.document import is_document_fact
from agentmem.domain.ids import SEPARATOR
from agentmem.domain.memory import (
    GRAPH,
    LAYERS,
    TRANSIENT,
    ActionStatus,
    MemoryNode,
    Modality,
    StoreStatus,
    microseconds,
)
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from agentmem.ports.embedder import Matrix
from agentmem.ports.memory_index import CUES, PLACE, AsOf, Point, Where

_T = TypeVar("_T")

CONTENT: Final = "content"
KEYS: Final = "keys"
LEXICAL: Final = "lexical"

TENANT: Final = "tenant"
AGENT: Final = "agentId"
TARGET: Final = "targetId"
TYPE: Final = "memoryType"
MODALITY: Final = "modality"
ATTRIBUTE: Final = "attribute"
ENTITIES: Final = "entityIds"
STATUS: Final = "storeStatus"

# Fields the index adds for its filters begin with an underscore, which no wire name does.
SCOPES: Final = "_scopes"
"""The scopes a memory lies in, its agent's and its target's, each as one text. A condition of its own for tenant,
agent and target each takes Edge half as long again: what holds for one of them is checked against the others.
What is between memories, entities and communities, lies in a scope of its own, and so do the facts of documents, so
that a search in a layer neither sees them nor counts their words."""

BETWEEN: Final = "\x1fgraph"
FACTS: Final = "\x1ffacts"
"""End the texts of those scopes; no target's id is like them."""

VALID_TO: Final = "_validTo"
END_LEARNED: Final = "_endLearned"

KEYWORDS: Final = (SCOPES, TENANT, AGENT, TARGET, RUN, TYPE, MODALITY, STATUS, ATTRIBUTE, PLACE, KEY_NAMES, ENTITIES)
TIMES: Final = (VALID_FROM, VALID_TO, CREATED, END_LEARNED)

NO_RUN: Final = ""
"""Stands for an absent run, so that one keyword match finds it; no run is named so."""

NEVER: Final = 2**60
"""Stands for an absent end, in microseconds: later than any year a datetime can name. Qdrant compares in float64,
exact to the microsecond until the year 2255."""

BATCH: Final = 500
"""Points per write: small enough that nothing else waits long."""


@dataclass(frozen=True, slots=True)
class ScopedFilter:
    """What a search may see: one tenant's memories of one agent, about all targets where it names none, narrowed
    further. There is no other filter.

    Times and types are said by what they must not be: where most memories pass, Edge checks 100,000 of them in
    10 ms so, and in 40 ms the other way round.
    """

    tenant: str
    agent: str
    targets: tuple[str, ...] = ()
    between: bool = False
    facts: bool = False
    must: tuple[AnyOf, ...] = ()
    must_not: tuple[Condition, ...] = ()
    narrowed: tuple[Condition, ...] = ()

    @property
    def corpus(self) -> tuple[AnyOf, ...]:
        """The memories whose words tell how rare a word is: other agents' texts do not sway a score."""
        owner, ends = (self.tenant, self.agent), (BETWEEN,) if self.between else ("", FACTS) if self.facts else ("",)
        texts = (scope_text(*owner, target) + end for target in self.targets or (None,) for end in ends)
        return (AnyOf(SCOPES, tuple(texts)),)

    @property
    def all_of(self) -> tuple[Condition, ...]:
        """Everything that has to hold; what a caller asked for stands beside the scope, never around it."""
        return (*self.corpus, *self.must, *self.narrowed)


def scope_text(tenant: str, agent: str, target: str | None = None) -> str:
    """A scope as one text; names hold no control characters, so no two scopes have the same."""
    return SEPARATOR.join((tenant, agent) if target is None else (tenant, agent, target))


def filter_of(where: Where) -> ScopedFilter:
    """The filter that lets through exactly the memories `where` speaks of."""
    scope = where.scope
    statuses = (StoreStatus.VALID,) if where.current else (StoreStatus.VALID, StoreStatus.EXPIRED)
    must = [AnyOf(STATUS, statuses)]
    if scope.run is not None:
        must.append(AnyOf(RUN, (scope.run, NO_RUN)))
    if where.places:
        must.append(AnyOf(PLACE, where.places))
    between = bool(where.types) and set(where.types) <= set(GRAPH)
    if not between and set(where.types) & set(GRAPH):
        raise InvalidInput("a search is either in the layers or among entities and communities")
    must_not = [
        *_others(TYPE, GRAPH if between else LAYERS, where.types),
        *_others(MODALITY, Modality, where.modalities),
    ]
    if where.as_of is not None:
        must_not += _not_holding(where.as_of, upcoming=where.upcoming)
    narrowed = () if where.filter is None else (condition_of(where.filter),)
    return ScopedFilter(
        scope.tenant, scope.agent, scope.targets, between, where.facts, tuple(must), tuple(must_not), narrowed
    )


def _others(field: str, known: Iterable[StrEnum], wanted: Collection[StrEnum]) -> list[Condition]:
    others = tuple(value.value for value in known if value not in wanted)
    return [AnyOf(field, others)] if wanted and others else []


def _not_holding(as_of: AsOf, *, upcoming: bool) -> list[Condition]:
    """Not begun, already ended, or, at `known`, not yet heard of; an end counts once it is known."""
    valid = microseconds(as_of.valid)
    not_begun: list[Condition] = [] if upcoming else [Bound(VALID_FROM, "gt", valid)]
    ended = Bound(VALID_TO, "lte", valid)
    if as_of.known is None:
        return [*not_begun, ended]
    known = microseconds(as_of.known)
    return [*not_begun, Bound(CREATED, "gt", known), Every((ended, Bound(END_LEARNED, "lte", known)))]


def payload_of(point: Point) -> dict[str, JsonValue]:
    """The memory's wire form without absent fields, and what filters and ranking need besides."""
    memory = point.memory
    wire: dict[str, JsonValue] = memory.model_dump(mode="json", exclude_none=True, exclude=set(TRANSIENT))
    wire["actionStatus"] = ActionStatus.NONE.value
    place: dict[str, JsonValue] = {} if memory.place is None else {PLACE: memory.place}
    return {
        **wire,
        SCOPES: _scopes(memory),
        RUN: memory.run_id or NO_RUN,
        VALID_FROM: microseconds(memory.valid_at),
        VALID_TO: NEVER if memory.invalid_at is None else microseconds(memory.invalid_at),
        CREATED: microseconds(memory.created_at),
        END_LEARNED: microseconds(memory.expired_at or memory.created_at),
        **place,
        **filter_fields(memory, wire),
        CUES: dict(point.cues),
    }


def _scopes(memory: MemoryNode) -> list[JsonValue]:
    end = BETWEEN if memory.memory_type in GRAPH else FACTS if is_document_fact(memory) else ""
    owner = memory.tenant, memory.agent_id
    return [scope_text(*owner) + end, scope_text(*owner, memory.target_id) + end]


def wire_form(payload: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """The payload without what was added for filters and ranking."""
    return {name: value for name, value in payload.items() if not name.startswith("_")}


def answered(payload: Mapping[str, JsonValue] | None, fields: Collection[str] | None) -> Mapping[str, JsonValue]:
    """What a caller who asked for these fields gets; for none, the wire form."""
    return wire_form(payload or {}) if fields is None else payload or {}


def matrix(rows: Sequence[Sequence[float]], size: int) -> Matrix:
    """Vectors of length `size`, one a row."""
    return np.asarray(rows, dtype=np.float32).reshape(len(rows), size)


def ranked(hits: Iterable[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    """Best first; equal scores in the order of their ids."""
    return tuple(sorted(hits, key=lambda hit: (-hit[1], hit[0])))


def batches(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """The items in runs of at most `size`."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
