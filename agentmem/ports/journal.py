"""The truth of the whole system, as a port: events, work, ledger, agents and vectors in one durable store."""

from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.ports.access_tokens import AccessTokens
from agentmem.ports.agent_records import AgentRegistry, CopyStore, Lineages
from agentmem.ports.embedder import VectorCache
from agentmem.ports.erasure import Eraser
from agentmem.ports.event_log import EventLog, Sequenced
from agentmem.ports.inspection import Inspection
from agentmem.ports.ledger import Ledger, Marks
from agentmem.ports.upkeep import Backups, Diagnostics, Storage
from agentmem.ports.work_queue import DeadLetters, SetAsides, WorkQueue


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
