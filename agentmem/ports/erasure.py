"""Removing for good, as a port: what is erased stands in no table, no log and no file of the store any more."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pydantic import AwareDatetime, SerializerFunctionWrapHandler, model_serializer

from agentmem.domain.event import Event
from agentmem.domain.ids import Name
from agentmem.domain.scope import Lane
from agentmem.domain.value import JsonValue, Value
from agentmem.ports.ledger import Commit


class Owed(Value):
    """What the erasure `run` had to leave in a copy, because that one changed at that moment: memories by id, and the
    person who goes as a whole. No word of it."""

    run: Name
    tenant: Name
    agent_id: Name
    memory_ids: tuple[str, ...] = ()
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Erasure:
    """What goes from one agent, and what stays with other words.

    `commit` is written first, as `Ledger.commit` does. `lanes` go whole: events, work, memories, history. Elsewhere the
    memories `memory_ids` go with their history, those in `collapsed` keep nothing but their last state, the events
    numbered `seqs` go, those in `rewritten` go on as given, under their number. `head` is the ledger's number that all
    this was planned at, `received` how many events the lanes had. `left` are memories that stay though they name who
    goes, `told_with` those that stay of which entities that go told as well. `copies` are the erasures in the agents
    that were made from this one, one for each; of each of these `owed` is what to note where it cannot be done at once.
    """

    commit: Commit
    agent: str
    head: int
    received: int = 0
    held: int = 0
    lanes: tuple[Lane, ...] = ()
    memory_ids: tuple[str, ...] = ()
    collapsed: tuple[str, ...] = ()
    seqs: tuple[int, ...] = ()
    rewritten: tuple[tuple[int, Event], ...] = ()
    left: tuple[str, ...] = ()
    owed: Owed | None = None
    told_with: tuple[str, ...] = ()
    copies: tuple["Erasure", ...] = ()


class Erased(Value):
    """What was erased, without a word of it: `events` are digests of event ids, `jobs` and `vectors` are counts.
    `left` are memories that name who was erased and stay. `exports` are the digests of the bundles that left the agent
    before and may hold what was erased: no erasure reaches them. `copies`: what went with it from agents made from this
    one, at any remove; `waiting` are those, by tenant and id, from which it is still to go (`Eraser.owed`).
    `collections` were thrown away with all they held: what embedders that are no longer used had left. `anew`: those of
    the memories whose ids come back with other words, entities, communities and readings: where such an id stands,
    nothing of what was erased has to."""

    run: Name
    tenant: Name
    agent_id: Name
    at: AwareDatetime
    memory_ids: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    rewritten: tuple[str, ...] = ()
    jobs: int = 0
    vectors: int = 0
    left: tuple[str, ...] = ()
    waiting: tuple[tuple[str, str], ...] = ()
    exports: tuple[Name, ...] = ()
    collections: tuple[str, ...] = ()
    copies: tuple["Erased", ...] = ()
    anew: tuple[str, ...] = ()

    @property
    def lasting(self) -> tuple[str, ...]:
        """The ids of the memories that went and do not come back."""
        anew = set(self.anew)
        return tuple(memory_id for memory_id in self.memory_ids if memory_id not in anew)

    @property
    def everywhere(self) -> tuple[str, ...]:
        """The same, those of copies included."""
        return tuple(memory_id for erased in (self, *self.copies) for memory_id in erased.lasting)

    @property
    def left_in(self) -> tuple[str, ...]:
        """The digests of all bundles that may hold it, those of copies included, each once."""
        return tuple(dict.fromkeys(file for erased in (self, *self.copies) for file in erased.exports))

    @model_serializer(mode="wrap")
    def _as_signed(self, whole: SerializerFunctionWrapHandler) -> dict[str, JsonValue]:
        """Without what is told since later versions where there is none of it, as receipts were written before."""
        return {name: value for name, value in whole(self).items() if name not in _TOLD_LATER or value}


_TOLD_LATER = ("anew", "collections", "copies", "exports", "left", "waiting")


class Eraser(Protocol):
    """Erases in one transaction, then cleans up behind it; what a killed process left to clean up is told by
    `unfinished` until it was `finished`."""

    async def erase(self, erasure: Erasure, *, owing: bool = False) -> Erased:
        """Remove what is asked for with the work, dead letters, staged outcomes and cached vectors that held its words.

        Erased events and memories leave a tombstone, a digest of their id, and so do rewritten events: the same event
        is accepted as a duplicate from then on and stored nowhere, the same memory is not written again. Memories of
        sensor readings leave none.
        Whoever works on a lane that lost something loses its lease. What is being made from the agent, or from a copy
        of it, is discarded, to be begun anew. Raises `Conflict`, having written nothing, where the agent's memories,
        the events of `lanes`, or the agents made from it changed since the erasure was planned; and so for its copies,
        but with `owing` a copy that changed is left as it is, and what is `owed` there noted in the same transaction.
        """
        ...

    async def owed(self) -> list[Owed]:
        """What erasures left in copies and is not settled yet."""
        ...

    async def settled(self, owed: Owed) -> None:
        """This has gone now."""
        ...

    async def give_up(self, name: str) -> bool:
        """Strike out what an erasure left to be done and nobody can read, by its name in `Diagnosis.unread`; whether it
        was there. What can be read stays."""
        ...

    async def remove(self, tenant: str, agent: str, *, now: datetime) -> Erased:
        """Remove a whole agent, as `erase` removes: what was erased from it before still does not come back. One that
        was hired, or made from who was, is `released` from then on, and nobody is made under its id."""
        ...

    async def scrub(self) -> None:
        """Return when no file of the store holds the bytes of what was erased, as far as a client can see to it.

        Raises `BackendUnavailable` where somebody else keeps the store busy.
        """
        ...

    async def unfinished(self) -> list[Erased]:
        """What was erased and not reported as finished, oldest first."""
        ...

    async def finished(self, run: str) -> None:
        """Nothing is left to clean up behind this one."""
        ...

    async def buried(self, tenant: str, memory_ids: Collection[str]) -> set[str]:
        """Those of the ids whose memories were erased in that tenant and are not to come back."""
        ...

    async def remains(self, erased: Erased) -> Sequence[str]:
        """What of it is stored again, or still: ids of memories, digests of events, and ids of jobs whose own kind of
        payload names a memory that went."""
        ...
