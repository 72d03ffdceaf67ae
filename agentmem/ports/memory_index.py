"""Finding memories, as a port. An index is a projection: it can always be rebuilt from the ledger."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from agentmem.domain.filter import Filter
from agentmem.domain.memory import MemoryNode, MemoryType, Modality
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import BackendUnavailable
from agentmem.ports.embedder import Matrix


@dataclass(frozen=True, slots=True)
class Sparse:
    """A sparse vector: token ids (u32, distinct, rising) and their weights. The index multiplies by IDF."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


PLACE = "_place"
CUES = "_cues"
"""What an index keeps beside the wire form: `MemoryNode.place` and `Point.cues`. `fetch` and `select` answer them
where they are asked for by name."""


@dataclass(frozen=True, slots=True)
class Point:
    """A memory with what finds it and what ranks it. `content` has one row; `keys` one row per key, or none; `lexical`
    may be empty. `cues` are what ranking reads of the text, so that it need not read the text. `made_from` stands for
    all that these are made from: who was made from the same is found by the same."""

    memory: MemoryNode
    content: Matrix
    keys: Matrix
    lexical: Sparse
    cues: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    made_from: int = 0


@dataclass(frozen=True, slots=True)
class AsOf:
    """A point in time, twice: what was true at `valid`, as far as was known at `known` (None: now)."""

    valid: datetime
    known: datetime | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """Which memories a search may return. Never without a scope.

    `as_of` None: every memory that is not deleted. Given: those whose interval holds `as_of.valid`
    (`validAt <= valid < invalidAt`, an absent `invalidAt` being never), deleted ones excluded; with `known`,
    only memories created by then, an end learned of after `known` (`expiredAt > known`) not counting.
    `upcoming` lets through what begins later than `as_of.valid`, as plans do, `told` of that what had been told by then
    (`MemoryNode.told_at`); `ended` what was over by then; `current` asks for `storeStatus` valid besides. `places`
    are those of turns (`MemoryNode.place`). Empty collections mean all, empty `types` all layers; types of the graph
    (`domain.memory.GRAPH`) and of layers do not go into one search.
    `filter` narrows all this to the memories for which `domain.filter.holds`; naming another scope in it finds nothing.
    `facts` lets through the facts of documents too, which say again what their pieces say: who walks wants them, who
    searches would find everything twice.
    """

    scope: Scope
    as_of: AsOf | None = None
    current: bool = True
    upcoming: bool = False
    told: bool = False
    ended: bool = False
    types: tuple[MemoryType, ...] = ()
    modalities: tuple[Modality, ...] = ()
    places: tuple[str, ...] = ()
    filter: Filter | None = None
    facts: bool = False


@dataclass(frozen=True, slots=True)
class Probe:
    """A question, ready for the index: one dense row for content and keys, one sparse vector; each may be absent.
    Without `by_keys` the row is held against the content alone."""

    dense: Matrix | None = None
    lexical: Sparse | None = None
    by_keys: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """Per channel, ids with raw scores, best first: cosine for `content` and `keys` (best key), BM25 for `lexical`."""

    content: tuple[tuple[str, float], ...] = ()
    keys: tuple[tuple[str, float], ...] = ()
    lexical: tuple[tuple[str, float], ...] = ()


class MemoryIndex(Protocol):
    """Opened with `async with`. Everything upserted and flushed is found; scope and validity are filters of the store.

    Payloads are the wire form of `memory.stored()` (camelCase, times as text) without absent fields: what an index
    adds for its filters stays inside it. Equal scores come in the order of their ids.
    """

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points; one with the same memory id is replaced whole. Raises `BackendUnavailable`.

        Where it raises, some of the points may have been written.
        """
        ...

    async def remove(self, memory_ids: Collection[str]) -> None:
        """Take points out; unknown ids are ignored."""
        ...

    async def search(self, where: Where, probe: Probe, *, limit: int) -> Found:
        """One round trip for all channels, at most `limit` ids each, without payload. Of memories that score alike
        where that many end the newest are among them, by `timestamp`; to find them may take another round trip."""
        ...

    async def search_many(self, where: Where, probes: Sequence[Probe], *, limit: int) -> list[Found]:
        """What `search` answers for each probe, in their order, in one round trip for all of them."""
        ...

    async def fetch(
        self, memory_ids: Sequence[str], fields: Sequence[str] | None = None
    ) -> dict[str, Mapping[str, JsonValue]]:
        """Payloads by id, reduced to the named fields, in the order asked for; unknown ids are left out."""
        ...

    async def terms(self, memory_ids: Sequence[str]) -> dict[str, Sparse]:
        """The `Point.lexical` of each, in the order asked for; unknown ids are left out."""
        ...

    async def select(
        self, where: Where, fields: Sequence[str] | None = None, *, limit: int
    ) -> dict[str, Mapping[str, JsonValue]]:
        """What `where` lets through, without a question, as `fetch` answers it; in the order of ids, one round trip."""
        ...

    async def scan(self, *, after: str | None, limit: int) -> list[tuple[str, Mapping[str, JsonValue]]]:
        """All points of all tenants in the order of their ids, beginning behind `after`; for verification only."""
        ...

    async def count(self) -> int:
        """How many points there are."""
        ...

    async def flush(self) -> None:
        """Return when everything written so far survives a power cut."""
        ...

    async def clear(self) -> None:
        """Take out every point."""
        ...

    async def discard(self) -> None:
        """Throw away whatever is stored, readable or not; called while closed, the way out of `IndexBroken`."""
        ...

    async def __aenter__(self) -> Self:
        """Open or create.

        Raises `HeldElsewhere`, `IndexBroken` where it must be rebuilt, `EmbedderChanged` where its vectors have
        another length.
        """
        ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Flush and close."""
        ...


@runtime_checkable
class Touchable(Protocol):
    """An index that keeps `lastAccess`: a hint of its own, of which the ledger knows nothing and which a second write
    of the memory or a rebuild takes away."""

    async def touch(self, memory_ids: Collection[str], at: datetime) -> None:
        """Set `lastAccess` of all of them in one write; unknown ids are ignored. Raises `BackendUnavailable`."""
        ...


@dataclass(frozen=True, slots=True)
class Copied:
    """A memory that may be found by what finds the memory `origin`; `made_from` as in its own `Point`."""

    memory: MemoryNode
    origin: str
    made_from: int


@runtime_checkable
class PointSource(Protocol):
    """An index that can write a memory with what finds another one that says the same: bit by bit as it is kept."""

    async def repeat(self, copies: Sequence[Copied]) -> set[str]:
        """Write these memories as `upsert` does, with vectors, terms and cues of their originals; the ids of those
        written. Passed over is one whose original is not here, or was made from something else."""
        ...


@runtime_checkable
class Dropping(Protocol):
    """An index that lies beside others in one store, and can throw one of them away."""

    async def drop(self, collection: str) -> None:
        """Throw away another collection of the same store, whether or not it is there. Raises
        `BackendUnavailable`."""
        ...


@runtime_checkable
class Optimisable(Protocol):
    """An index that searches faster once it was put in order, while nothing is asked of it."""

    async def optimise(self) -> bool:
        """Put what was written so far in order; False where, as it is configured, nothing is to be done. May take
        minutes, and answers nothing meanwhile. Raises `BackendUnavailable`, `IndexBroken`."""
        ...


@runtime_checkable
class Borrowing(Protocol):
    """An index that is worked on in a copy where its own place may not be written."""

    @property
    def borrowed(self) -> bool:
        """Whether this is such a copy: what is written goes when it is closed, so nobody may count on it."""
        ...


def is_borrowed(index: MemoryIndex) -> bool:
    """Whether what is written into the index goes when it is closed."""
    return isinstance(index, Borrowing) and index.borrowed


def check_stays(index: MemoryIndex) -> None:
    """Raise `BackendUnavailable` where what is written into the index goes when it is closed."""
    if is_borrowed(index):
        told = "the folder of the index may not be written, and nothing of this would stay: check its owner and mode"
        raise BackendUnavailable(told, of_the_machine=True)
