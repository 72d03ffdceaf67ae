"""Memories as Qdrant sees them: vector names, payload fields, and the one place where scope becomes a filter.

Conditions are small values of our own, which each adapter translates: `qdrant_client.models` takes 0.6 s to import,
too long for a command that only wants to ask the embedded index.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from agentmem.domain.memory import MemoryNode, StoreStatus, microseconds
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue
from agentmem.ports.memory_index import AsOf, Where

CONTENT: Final = "content"
KEYS: Final = "keys"
LEXICAL: Final = "lexical"

TENANT: Final = "tenant"
AGENT: Final = "agentId"
TARGET: Final = "targetId"
TYPE: Final = "memoryType"
MODALITY: Final = "modality"
STATUS: Final = "storeStatus"

# Fields the index adds for its filters begin with an underscore, which no wire name does.
RUN: Final = "_run"
VALID_FROM: Final = "_validFrom"
VALID_TO: Final = "_validTo"
CREATED: Final = "_created"
EXPIRED: Final = "_expired"

KEYWORDS: Final = (TENANT, AGENT, TARGET, RUN, TYPE, MODALITY, STATUS)
TIMES: Final = (VALID_FROM, VALID_TO, CREATED, EXPIRED)

NO_RUN: Final = ""
"""Stands for an absent run, so that one keyword match finds it; no run is named so."""

NEVER: Final = 2**53
"""Stands for an absent end: the year 2255 in microseconds, and the last whole number that a range of Qdrant, which
counts in float64, tells from its neighbours. Later times are kept at it; nobody asks as of then."""

BATCH: Final = 500
"""Points per write: small enough that nothing else waits long."""


@dataclass(frozen=True, slots=True)
class AnyOf:
    """The keyword `field` is one of `values`."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Above:
    """The number `field` is greater than `bound`."""

    field: str
    bound: int


@dataclass(frozen=True, slots=True)
class AtMost:
    """The number `field` is `bound` or less."""

    field: str
    bound: int


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of `conditions` holds."""

    conditions: tuple[AnyOf | Above | AtMost, ...]


Condition = AnyOf | Above | AtMost | Either


@dataclass(frozen=True, slots=True)
class ScopedFilter:
    """What a search may see: one tenant's memories of one agent, narrowed by `more`. There is no other filter."""

    tenant: str
    agent: str
    more: tuple[Condition, ...] = ()

    @property
    def must(self) -> tuple[Condition, ...]:
        """Everything that has to hold."""
        return (AnyOf(TENANT, (self.tenant,)), AnyOf(AGENT, (self.agent,)), *self.more)


def filter_of(where: Where) -> ScopedFilter:
    """The filter that lets through exactly the memories `where` speaks of."""
    more = [*_in_scope(where.scope), AnyOf(STATUS, _statuses(where.current))]
    if where.types:
        more.append(AnyOf(TYPE, tuple(where.types)))
    if where.modalities:
        more.append(AnyOf(MODALITY, tuple(where.modalities)))
    if where.as_of is not None:
        more += _held(where.as_of)
    return ScopedFilter(where.scope.tenant, where.scope.agent, tuple(more))


def _in_scope(scope: Scope) -> list[Condition]:
    conditions: list[Condition] = []
    if scope.target is not None:
        conditions.append(AnyOf(TARGET, (scope.target,)))
    if scope.run is not None:
        conditions.append(AnyOf(RUN, (scope.run, NO_RUN)))
    return conditions


def _statuses(current: bool) -> tuple[str, ...]:
    return (StoreStatus.VALID,) if current else (StoreStatus.VALID, StoreStatus.EXPIRED)


def _held(as_of: AsOf) -> list[Condition]:
    valid = min(_bound(as_of.valid), NEVER - 1)
    begun, not_ended = AtMost(VALID_FROM, valid), Above(VALID_TO, valid)
    if as_of.known is None:
        return [begun, not_ended]
    known = min(_bound(as_of.known), NEVER - 1)
    return [begun, AtMost(CREATED, known), Either((not_ended, Above(EXPIRED, known)))]


def payload_of(memory: MemoryNode) -> dict[str, JsonValue]:
    """The memory's wire form without absent fields, and what filters need besides."""
    return {
        **memory.stored().model_dump(mode="json", exclude_none=True),
        RUN: memory.run_id or NO_RUN,
        VALID_FROM: _bound(memory.valid_at),
        VALID_TO: _bound(memory.invalid_at),
        CREATED: _bound(memory.created_at),
        EXPIRED: _bound(memory.expired_at),
    }


def wire_form(payload: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """The payload without what was added for filters."""
    return {name: value for name, value in payload.items() if not name.startswith("_")}


def _bound(moment: datetime | None) -> int:
    return NEVER if moment is None else min(microseconds(moment), NEVER)
