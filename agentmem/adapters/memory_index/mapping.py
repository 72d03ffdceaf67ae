"""Memories as Qdrant sees them: vector names, payload fields, and the one place where scope becomes a filter.

Neighbours: `conditions` (what filters are made of), `filter_terms` (what a caller's own filter becomes).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final, TypeVar

import numpy as np
from pydantic_core import from_json, to_json

from agentmem.adapters.memory_index.conditions import Absent, AnyCondition, Bound, Condition, Every, Neither
from agentmem.adapters.memory_index.filter_terms import (
    CREATED,
    DEFAULTS,
    END_LEARNED,
    KEY_NAMES,
    NO_RUN,
    RUN,
    TOLD,
    VALID_FROM,
    VALID_TO,
    condition_of,
    filter_fields,
)
from agentmem.domain.document import is_document_fact
from agentmem.domain.entity import TOLD_IN
from agentmem.domain.filter_fields import META
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

WIRE: Final = "_wire"
"""The wire form as one text. Edge takes in a payload text by text, 4 us each, and a list, even an empty one, in 5 us:
as fields of their own only those are kept that filters name."""

MADE_FROM: Final = "_madeFrom"
"""`Point.made_from`."""

TIMESTAMP: Final = "timestamp"

_ID: Final = "memoryId"
_ACCESS: Final = "lastAccess"
"""Kept beside the wire form where a touch has set it."""

_ACTION: Final = "actionStatus"
_TRANSIENT: Final = {*TRANSIENT}

_READ_ALONE: Final = frozenset({_ID, PLACE, CUES})
"""What can be answered without reading the wire form."""

HEARSAY: Final = (META + TOLD_IN, "trust")
"""What tells hearsay of somebody (`domain.entity.without_hearsay`), which every question about one person leaves out:
without an index Edge reads each of his memories from the disk to see that it has neither, 0.5 s for 50,000."""

KEYWORDS: Final = (
    *(SCOPES, TENANT, AGENT, TARGET, RUN, TYPE, MODALITY, STATUS, ATTRIBUTE, PLACE, KEY_NAMES, ENTITIES),
    *HEARSAY,
)
TIMES: Final = (VALID_FROM, VALID_TO, TOLD, CREATED, END_LEARNED)

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
    must: tuple[AnyCondition, ...] = ()
    must_not: tuple[Condition, ...] = ()
    narrowed: tuple[Condition, ...] = ()

    @property
    def corpus(self) -> tuple[AnyCondition, ...]:
        """The memories whose words tell how rare a word is: other agents' texts do not sway a score."""
        owner, ends = (self.tenant, self.agent), (BETWEEN,) if self.between else ("", FACTS) if self.facts else ("",)
        texts = (scope_text(*owner, target) + end for target in self.targets or (None,) for end in ends)
        return (AnyCondition(SCOPES, tuple(texts)),)

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
    must: list[AnyCondition] = []
    if scope.run is not None:
        must.append(AnyCondition(RUN, (scope.run, NO_RUN)))
    if where.places:
        must.append(AnyCondition(PLACE, where.places))
    between = bool(where.types) and set(where.types) <= set(GRAPH)
    if not between and set(where.types) & set(GRAPH):
        raise InvalidInput("a search is either in the layers or among entities and communities")
    must_not = [
        *_others(STATUS, StoreStatus, statuses),
        *_others(TYPE, GRAPH if between else LAYERS, where.types),
        *_others(MODALITY, Modality, where.modalities),
    ]
    if where.as_of is not None:
        must_not += _not_holding(where.as_of, where)
    narrowed = () if where.filter is None else (condition_of(where.filter),)
    return ScopedFilter(
        scope.tenant, scope.agent, scope.targets, between, where.facts, tuple(must), tuple(must_not), narrowed
    )


def _others(field: str, known: Iterable[StrEnum], wanted: Collection[StrEnum]) -> list[Condition]:
    others = tuple(value.value for value in known if value not in wanted)
    if not wanted or not others:
        return []
    return [AnyCondition(field, others), *([Absent(field)] if DEFAULTS.get(field) in others else [])]


def _not_holding(as_of: AsOf, where: Where) -> list[Condition]:
    """Not begun, already ended, or, at `known`, not yet heard of; an end counts once it is known."""
    valid = microseconds(as_of.valid)
    later = Bound(VALID_FROM, "gt", valid)
    unheard_of = Every((later, Neither((Bound(TOLD, "lte", valid),))))
    not_begun: list[Condition] = [] if where.upcoming else [unheard_of if where.told else later]
    over = Bound(VALID_TO, "lte", valid)
    if as_of.known is None:
        return not_begun if where.ended else [*not_begun, over]
    known = microseconds(as_of.known)
    unheard = [*not_begun, Bound(CREATED, "gt", known)]
    return unheard if where.ended else [*unheard, Every((over, Bound(END_LEARNED, "lte", known)))]


def payload_of(point: Point) -> dict[str, JsonValue]:
    """The memory's wire form without absent fields, as a text, and what filters and ranking need besides."""
    return payload_with(point.memory, to_json(dict(point.cues)).decode(), point.made_from)


def payload_with(memory: MemoryNode, cues: str, made_from: int) -> dict[str, JsonValue]:
    """The same with cues that are a text already."""
    place: dict[str, JsonValue] = {} if memory.place is None else {PLACE: memory.place}
    return {
        WIRE: memory.model_dump_json(exclude_none=True, exclude=_TRANSIENT),
        CUES: cues,
        MADE_FROM: made_from,
        SCOPES: _scopes(memory),
        **filter_fields(memory),
        **place,
    }


def _scopes(memory: MemoryNode) -> list[JsonValue]:
    end = BETWEEN if memory.memory_type in GRAPH else FACTS if is_document_fact(memory) else ""
    owner = memory.tenant, memory.agent_id
    return [scope_text(*owner) + end, scope_text(*owner, memory.target_id) + end]


def read_of(fields: Collection[str] | None) -> list[str] | bool:
    """What of a payload has to be read to answer these fields."""
    if fields is None:
        return [WIRE, _ACCESS]
    kept = [name for name in fields if name in _READ_ALONE]
    return kept if len(kept) == len(fields) else [*kept, WIRE, _ACCESS]


def answered(payload: Mapping[str, JsonValue] | None, fields: Collection[str] | None) -> Mapping[str, JsonValue]:
    """What a caller who asked for these fields gets; for none, the wire form."""
    if not payload:
        return {}
    written, cues = payload.get(WIRE), payload.get(CUES)
    wire: dict[str, JsonValue] = {} if written is None else from_json(str(written))
    if _ACCESS in payload:
        wire[_ACCESS] = payload[_ACCESS]
    if fields is None:
        wire[_ACTION] = ActionStatus.NONE.value
        return wire
    found = {name: wire[name] for name in fields if name in wire}
    found |= {name: payload[name] for name in (_ID, PLACE) if name in payload and name in fields}
    return found if cues is None or CUES not in fields else {**found, CUES: from_json(str(cues))}


def unit(rows: Matrix) -> Matrix:
    """The rows at length 1; those of zeros stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths == 0, 1.0, lengths)).astype(np.float32)


def batches(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """The items in runs of at most `size`."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
