"""An exact index in the memory of this process, for tests and small stores: nothing of it is kept when it is closed.

Every search reads all that its scope holds. Vectors are rounded as Edge rounds them, so that both score alike.
Neighbours: `mapping` (what is stored), `edge` (the embedded index that lasts).
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import accumulate
from operator import ge, gt, le, lt
from types import TracebackType
from typing import Final, Self, assert_never, cast

import numpy as np
from numpy.typing import NDArray

from agentmem.adapters.memory_index.conditions import (
    Absent,
    AnyCondition,
    Bound,
    Condition,
    Containing,
    Every,
    Neither,
    Some,
)
from agentmem.adapters.memory_index.edge_terms import Hit, cut
from agentmem.adapters.memory_index.filter_terms import accessed_fields
from agentmem.adapters.memory_index.mapping import (
    MADE_FROM,
    TIMESTAMP,
    ScopedFilter,
    answered,
    filter_of,
    payload_of,
    payload_with,
    unit,
)
from agentmem.domain.value import JsonValue
from agentmem.errors import BackendUnavailable
from agentmem.ports.embedder import Matrix
from agentmem.ports.memory_index import CUES, Copied, Found, Point, Probe, Sparse, Where

_COMPARED: Final[Mapping[str, Callable[[float, float], bool]]] = {"gt": gt, "gte": ge, "lt": lt, "lte": le}


@dataclass(slots=True)
class StoredPoint:
    """What is kept of a point: its payload, one row for its content, one per key, and its words with their weights."""

    payload: dict[str, JsonValue]
    content: Matrix
    keys: Matrix
    lexical: Mapping[int, float]


class InMemoryIndex:
    """Points in a dictionary, by their ids."""

    def __init__(self) -> None:
        self._points: dict[str, StoredPoint] | None = None

    @property
    def _held(self) -> dict[str, StoredPoint]:
        if self._points is None:
            raise BackendUnavailable("the index in memory is not open")
        return self._points

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points."""
        for point in points:
            words = dict(zip(point.lexical.indices, point.lexical.values, strict=True))
            self._held[point.memory.memory_id] = StoredPoint(
                payload_of(point), _rounded(point.content), _rounded(point.keys), words
            )

    async def remove(self, memory_ids: Collection[str]) -> None:
        """Take points out; unknown ids are ignored."""
        for memory_id in memory_ids:
            self._held.pop(memory_id, None)

    async def touch(self, memory_ids: Collection[str], at: datetime) -> None:
        """Set `lastAccess`; unknown ids are ignored."""
        for memory_id in memory_ids:
            if memory_id in self._held:
                self._held[memory_id].payload |= accessed_fields(at)

    async def search(self, where: Where, probe: Probe, *, limit: int) -> Found:
        """All channels."""
        return (await self.search_many(where, [probe], limit=limit))[0]

    async def search_many(self, where: Where, probes: Sequence[Probe], *, limit: int) -> list[Found]:
        """What `search` answers for each probe."""
        if limit <= 0:
            return [Found() for _ in probes]
        scoped = filter_of(where)
        corpus = self._passing(scoped.corpus)
        visible = _visible(corpus, scoped)
        return [_found(corpus, visible, probe, limit) for probe in probes]

    async def fetch(
        self, memory_ids: Sequence[str], fields: Sequence[str] | None = None
    ) -> dict[str, Mapping[str, JsonValue]]:
        """Payloads by id, in the order asked for."""
        held = self._held
        return {each: answered(held[each].payload, fields) for each in memory_ids if each in held}

    async def terms(self, memory_ids: Sequence[str]) -> dict[str, Sparse]:
        """Sparse vectors by id, in the order asked for."""
        held = {each: self._held[each].lexical for each in memory_ids if each in self._held}
        return {each: Sparse(tuple(words), tuple(words.values())) for each, words in held.items()}

    async def repeat(self, copies: Sequence[Copied]) -> set[str]:
        """Copies share the vectors of their originals, which nobody changes."""
        written = {
            copy.memory.memory_id: StoredPoint(
                payload_with(copy.memory, str(origin.payload[CUES]), copy.made_from),
                origin.content,
                origin.keys,
                origin.lexical,
            )
            for copy in copies
            if (origin := self._held.get(copy.origin)) and origin.payload[MADE_FROM] == copy.made_from
        }
        self._held.update(written)
        return {*written}

    async def select(
        self, where: Where, fields: Sequence[str] | None = None, *, limit: int
    ) -> dict[str, Mapping[str, JsonValue]]:
        """What the filter lets through."""
        scoped = filter_of(where)
        visible = _visible(self._passing(scoped.corpus), scoped)
        return {each: answered(visible[each].payload, fields) for each in sorted(visible)[:limit]}

    async def scan(self, *, after: str | None, limit: int) -> list[tuple[str, Mapping[str, JsonValue]]]:
        """Points in the order of their ids."""
        behind = sorted(each for each in self._held if after is None or each > after)
        return [(each, answered(self._held[each].payload, None)) for each in behind[:limit]]

    async def count(self) -> int:
        """How many points there are."""
        return len(self._held)

    async def flush(self) -> None:
        """Nothing to do: nothing of it survives its process."""

    async def clear(self) -> None:
        """Take out every point."""
        self._held.clear()

    async def discard(self) -> None:
        """Nothing to do: nothing is kept of an index that is closed."""

    async def __aenter__(self) -> Self:
        """Begin with nothing."""
        self._points = {}
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Forget everything."""
        self._points = None

    def _passing(self, conditions: Sequence[AnyCondition]) -> dict[str, StoredPoint]:
        return {key: held for key, held in self._held.items() if all(_holds(each, held.payload) for each in conditions)}


def _rounded(rows: Matrix) -> Matrix:
    """The rows at length 1, with as many digits as Edge keeps of them."""
    return unit(rows).astype(np.float16).astype(np.float32)


def _visible(corpus: Mapping[str, StoredPoint], scoped: ScopedFilter) -> dict[str, StoredPoint]:
    """What of the corpus a search may return."""
    wanted = (*scoped.must, *scoped.narrowed)
    return {
        key: held
        for key, held in corpus.items()
        if all(_holds(each, held.payload) for each in wanted)
        and not any(_holds(each, held.payload) for each in scoped.must_not)
    }


def _found(corpus: Mapping[str, StoredPoint], visible: Mapping[str, StoredPoint], probe: Probe, limit: int) -> Found:
    channels: dict[str, list[Hit]] = {}
    if probe.dense is not None:
        row = unit(probe.dense)[0]
        channels["content"] = _nearest(row, {key: held.content for key, held in visible.items()})
        if probe.by_keys:
            channels["keys"] = _nearest(row, {key: held.keys for key, held in visible.items() if len(held.keys)})
    if probe.lexical is not None:
        channels["lexical"] = _by_words(_weighted(probe.lexical, corpus), visible)
    times = {key: cast("int", held.payload[TIMESTAMP]) for key, held in visible.items()}
    return Found(**{name: cut(hits, limit, times) for name, hits in channels.items()})


def _nearest(row: NDArray[np.float32], held: Mapping[str, Matrix]) -> list[Hit]:
    """The best cosine of each id's rows. Summed row by row, so that equal rows score alike wherever they stand."""
    if not held:
        return []
    begins = [0, *accumulate(len(rows) for rows in held.values())][:-1]
    scores = (np.concatenate([*held.values()]) * row).sum(axis=1)
    return [*zip(held, np.maximum.reduceat(scores, begins).tolist(), strict=True)]


def _weighted(asked: Sparse, corpus: Mapping[str, StoredPoint]) -> dict[int, float]:
    """The words of a question times their IDF among the points of the corpus that have words."""
    texts = [held.lexical for held in corpus.values() if held.lexical]
    frequency = Counter(token for words in texts for token in asked.indices if token in words)
    return {
        token: weight * math.log((len(texts) - frequency[token] + 0.5) / (frequency[token] + 0.5) + 1)
        for token, weight in zip(asked.indices, asked.values, strict=True)
    }


def _by_words(asked: Mapping[int, float], visible: Mapping[str, StoredPoint]) -> list[Hit]:
    """The scores of those that share a word with the question."""
    return [
        (key, float(np.float32(sum(asked[token] * held.lexical[token] for token in shared))))
        for key, held in visible.items()
        if (shared := [token for token in asked if token in held.lexical])
    ]


def _holds(condition: Condition, payload: Mapping[str, JsonValue]) -> bool:
    match condition:
        case AnyCondition(field, values):
            found = _at(payload, field)
            if isinstance(found, str):
                return found in values
            return isinstance(found, list) and any(isinstance(value, str) and value in values for value in found)
        case Bound(field, _, _):
            return any(_within(condition, value) for value in _values(payload, field))
        case Containing(field, part):
            return any(isinstance(value, str) and part in value for value in _values(payload, field))
        case Absent(field):
            return _at(payload, field) in (None, [])
        case Every(parts):
            return all(_holds(part, payload) for part in parts)
        case Some(parts):
            return any(_holds(part, payload) for part in parts)
        case Neither(parts):
            return not any(_holds(part, payload) for part in parts)
        case _:
            assert_never(condition)


def _within(bound: Bound, value: JsonValue) -> bool:
    """Whether a number lies in the range; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return all(_COMPARED[side](value, limit) for side, limit in bound.limits.items())


def _values(payload: Mapping[str, JsonValue], path: str) -> Sequence[JsonValue]:
    """All values at a path."""
    found = _at(payload, path)
    return found if isinstance(found, list) else [found]


def _at(payload: Mapping[str, JsonValue], path: str) -> JsonValue:
    """What stands at a path."""
    found: Mapping[str, JsonValue] | JsonValue = payload
    for name in _names(path):
        found = found.get(name) if isinstance(found, dict) else None
    return cast("JsonValue", found)


@lru_cache(1_024)
def _names(path: str) -> tuple[str, ...]:
    """The names on a path; what stands in quotation marks at its end is one, dots and all."""
    names, _, quoted = path.partition('"')
    return (*names.rstrip(".").split("."), *([quoted.removesuffix('"')] if quoted else []))
