"""The truth of the whole system, as a port: events, work, ledger, agents and vectors in one durable store; and its
smaller parts, who may come in and how much is known."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Protocol, Self

from agentmem.domain.access_token import AccessToken
from agentmem.domain.memory import MemoryType
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane, Scope
from agentmem.ports.agent_records import AgentRegistry, CopyStore, Lineages
from agentmem.ports.embedder import VectorCache
from agentmem.ports.erasure import Eraser
from agentmem.ports.event_log import EventLog, Sequenced
from agentmem.ports.ledger import Ledger, Marks
from agentmem.ports.upkeep import Backups, Diagnostics, Storage
from agentmem.ports.work_queue import DeadLetters, SetAsides, WorkQueue


class AccessTokens(Protocol):
    """Tokens by the digest of their secret, until they are removed; those that expired are kept until then as well."""

    async def add(self, token: AccessToken, digest: bytes) -> None:
        """Keep it. Raises `Conflict` where its tenant has one of that name."""
        ...

    async def held(self, digests: Collection[bytes]) -> dict[bytes, AccessToken]:
        """The tokens of these digests that are there, whatever their tenant."""
        ...

    async def all(self, tenant: str) -> list[AccessToken]:
        """The tokens of a tenant, by name."""
        ...

    async def remove(self, tenant: str, name: str) -> None:
        """Take it away, so that it opens nothing any more. Raises `NotFound`."""
        ...


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


@dataclass(frozen=True, slots=True)
class WindowEndings:
    """What reading one window brought to an end without anything in its place, by id; `turns` are the ids of the events
    that were read, in the order in which they came."""

    run: str
    turns: tuple[str, ...]
    memory_ids: tuple[str, ...]


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

    async def changed_by(self, tenant: str, runs: Collection[str]) -> list[tuple[str, Lane, int]]:
        """By run and lane how many memories it changed there: entities, communities and records are not counted."""
        ...

    async def endings(
        self, lane: Lane, *, talk: str, first: datetime, last: datetime, runs: Collection[str] = ()
    ) -> list[WindowEndings]:
        """What reading ended, window by window, in which turns of a talk are that were accepted between these times;
        with `runs`, of windows of the lane that were read by these, whatever talk they are of."""
        ...


@dataclass(frozen=True, slots=True)
class Glance:
    """A scope at one moment: turns no conversation memory was made of yet, oldest first; its agent's persona, or None;
    the number of the ledger's last row."""

    unread: list[Sequenced]
    persona: Persona | None
    head: int


class Journal(Protocol):
    """Opened with `async with`; constructing one does nothing. Raises `BackendUnavailable` where it cannot be opened,
    and refuses data written by a newer version, untouched."""

    @property
    def events(self) -> EventLog:
        """What came in."""
        ...

    @property
    def queue(self) -> WorkQueue:
        """What is to be done."""
        ...

    @property
    def dead(self) -> DeadLetters:
        """What was given up."""
        ...

    @property
    def set_asides(self) -> SetAsides:
        """What the index could not take in."""
        ...

    @property
    def diagnostics(self) -> Diagnostics:
        """What is wrong with it."""
        ...

    @property
    def ledger(self) -> Ledger:
        """What is known, and how it came to be."""
        ...

    @property
    def inspection(self) -> Inspection:
        """How much of it there is."""
        ...

    @property
    def marks(self) -> Marks:
        """Facts about the store itself."""
        ...

    @property
    def vectors(self) -> VectorCache:
        """Vectors made so far."""
        ...

    @property
    def registry(self) -> AgentRegistry:
        """Which agents there are."""
        ...

    @property
    def copies(self) -> CopyStore:
        """What makes agents from others."""
        ...

    @property
    def lineages(self) -> Lineages:
        """Who was made from whom."""
        ...

    @property
    def tokens(self) -> AccessTokens:
        """Who may come in from outside."""
        ...

    @property
    def backups(self) -> Backups:
        """Copies of the whole store."""
        ...

    @property
    def storage(self) -> Storage:
        """What the store takes of the disk."""
        ...

    async def glance(self, scope: Scope, *, turns: int) -> Glance:
        """What a question has to know before it is put to the index; of the unread turns the newest `turns`."""
        ...

    @property
    def read_only(self) -> bool:
        """Whether the place it was opened at does not let anything be written; then whatever writes, but for marks and
        vectors, raises `BackendUnavailable`."""
        ...

    @property
    def eraser(self) -> Eraser:
        """What removes for good."""
        ...

    async def purge(self, scope: Scope) -> list[str]:
        """Remove an agent, or one target of it, with all its events, jobs, memories and ledger rows, as if it had never
        been: with whom it was made from, and what keeps the erased from coming back; the memory ids. For what has to
        begin anew, as a play does: who is to lose an agent for good asks `Eraser.remove`."""
        ...

    async def __aenter__(self) -> Self:
        """Open the store, creating or migrating it."""
        ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write what is pending and close."""
        ...
