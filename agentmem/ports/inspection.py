"""How much is known, of whom, from which talks, and what rests on what, as a port: counted, and nothing of it read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class LayerCount:
    """How many memories of one layer hold, and how many have ended."""

    memory_type: MemoryType
    valid: int
    ended: int


@dataclass(frozen=True, slots=True)
class LaneCount:
    """How many memories there are about one target. `newest` is the id of the youngest, made at `timestamp`."""

    newest: str
    timestamp: int
    memories: int


@dataclass(frozen=True, slots=True)
class TalkCount:
    """How many turns there are of one talk, and when the last memory of one was made, in microseconds."""

    run_id: str
    timestamp: int
    turns: int


class Inspection(Protocol):
    """What is forgotten counts nowhere, nor does a record that states nothing; entities and communities are not counted
    as known of anybody."""

    async def overview(
        self, scope: Scope, *, before: int | None, limit: int, besides: str | None = None
    ) -> tuple[list[LayerCount], list[LaneCount]]:
        """Of each layer that the scope has memories of, and of entities and communities; and of each target in scope,
        `besides` left out, the one with the youngest memory first, those whose youngest was made `before`. Costs one
        look at each memory in scope."""
        ...

    async def talks(self, scope: Scope, *, before: int | None, limit: int) -> list[TalkCount]:
        """The talks in scope, in the same order and with the same meaning of `before`."""
        ...

    async def resting_on(self, tenant: str, memory_ids: Sequence[str], *, limit: int) -> list[tuple[str, str]]:
        """Pairs of one of these ids and of a memory that rests on it, or did once; at most `limit`, those with the
        youngest memories first."""
        ...
