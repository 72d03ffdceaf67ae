"""Which agents there are, who was made from whom, and making an agent from another one row by row, as ports;
and signing the files in which agents leave."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from agentmem.domain.change import Act
from agentmem.domain.lineage import CopyKind, Lineage
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue


class AgentRegistry(Protocol):
    """Agents by (tenant, id), with the persona they were last given."""

    async def save_agent(self, tenant: str, persona: Persona, *, now: datetime) -> None:
        """Make the agent known, or give it a new persona; writes nothing where it is the same."""
        ...

    async def agent(self, tenant: str, agent_id: str) -> Persona | None:
        """The agent's persona, or None."""
        ...

    async def agents(self, tenant: str) -> list[Persona]:
        """All agents of the tenant, by id."""
        ...

    async def everyone(self) -> list[tuple[str, Persona]]:
        """All agents of all tenants, for the scheduler only."""
        ...


class Lineages(Protocol):
    """Lineages by the agents they join; what is still being made is among them, as `making`."""

    async def origin(self, tenant: str, agent: str) -> Lineage | None:
        """What the agent was made from; None where it was made from nobody."""
        ...

    async def made_from(self, tenant: str, agent: str) -> Sequence[Lineage]:
        """What was made from the agent, copies in other tenants and exports included, the first begun first."""
        ...

    async def of_tenant(self, tenant: str) -> Sequence[Lineage]:
        """Every lineage that one of the tenant's agents has a part in, the first begun first."""
        ...

    async def record_export(self, export: Lineage) -> None:
        """Note that an agent left as a file; the same file is noted once."""
        ...


Wire = dict[str, JsonValue]
"""A memory in wire form without absent fields: `MemoryNode.stored()` as JSON writes it, in the order of its fields."""


@dataclass(frozen=True, slots=True)
class CopyDraft:
    """A copy to be made: from whom, and who it will be. The source need not be of this journal."""

    kind: CopyKind
    source_tenant: str
    source_agent: str
    tenant: str
    persona: Persona
    contract: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])


@dataclass(frozen=True, slots=True)
class CopiedRow:
    """A row of the ledger apart from its journal. `seq` is its number in the ledger it comes from, `at` in the words of
    its writer, `after` the state it left (None: the memory was taken out).

    `first`: no row of the same memory comes before it. `attention` and `fades` are what the store notes of the memory
    beside its last row (`domain.staleness`; `fades` in microseconds), and mean nothing in others.
    """

    seq: int
    memory_id: str
    target_id: str
    run: str
    cause: str
    at: str
    act: Act
    reason: str
    after: Wire | None
    first: bool = True
    attention: int | None = None
    fades: int | None = None


class CopyStore(Protocol):
    """Making copies. An agent that is being made is unknown to every other part of the journal: it is in no list, its
    memories are not found, and neither is it made known nor are events taken in for it (`Conflict`)."""

    async def begin(self, draft: CopyDraft, *, now: datetime) -> Lineage:
        """Begin, or find again what was begun or is complete, with how far it came (`state`, `head`, `reached`).

        Raises `NotFound` for a clone or hire of an agent that is not there, and `AlreadyThere` where another agent has
        that id, or it is being made from somebody else, under another name or another contract.
        """
        ...

    async def names(self, source: Scope) -> list[str]:
        """The names of all whom memories of the source are about, each once."""
        ...

    async def rows(self, source: Scope, *, after: int, through: int, limit: int) -> list[CopiedRow]:
        """The rows of the source's ledger with numbers above `after` up to `through`, in their order, at most `limit`;
        those of entities and communities left out, which are made anew of the copy's memories. No row tells what is
        forgotten: a forgotten memory has none, and a state whose words cannot be told from forgotten ones is None.

        A page that is not empty may be shorter than `limit` only where there are no more.
        """
        ...

    async def write(self, copy: Lineage, rows: Sequence[CopiedRow], *, reached: int) -> Lineage:
        """Append the rows to the copy's ledger in their order, and note that its making has `reached` so far: both or
        neither. The lineage as it is then.

        Raises `Conflict` unless the making stands where `copy` says: somebody else makes it too, or began it anew.
        Raises `InvalidInput` for a row of another agent than the copy.
        """
        ...

    async def complete(self, copy: Lineage, *, now: datetime) -> Lineage:
        """Make the agent known, with its lineage, at once. Raises `Conflict` as `write` does."""
        ...

    async def discard(self, tenant: str, agent: str, *, now: datetime) -> list[str]:
        """Remove what is being made, with all that was written; the ids of its memories. `Eraser.unfinished` tells of
        it from then on. Raises `NotFound` where nothing is being made under that id."""
        ...

    async def release(self, tenant: str, agent: str, *, now: datetime) -> list[str]:
        """End a complete copy: remove it with everything it has and note that it was given back, at once; the ids of
        its memories. From then on nobody is made or made known under that id, and nothing is taken in for it
        (`Conflict`). `Eraser.unfinished` tells of it. Released again, it stays as it was. Raises `NotFound` where no
        complete copy has that id, and `Conflict` where one that was made from it is there still."""
        ...


class Signing(Protocol):
    """Ed25519. Keys are files in PEM form; a public key is named by its 32 bytes in hex, a signature by its 64."""

    def sign(self, key: Path, content: bytes) -> tuple[str, str]:
        """The public key that belongs to the private key in the file, and the signature of the content. Raises
        `InvalidInput` where the file holds no such key."""
        ...

    def public_key(self, key: Path) -> str:
        """The public key in the file. Raises `InvalidInput`."""
        ...

    def verify(self, public_key: str, signature: str, content: bytes) -> bool:
        """Whether the signature of this content was made with that key."""
        ...
