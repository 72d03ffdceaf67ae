"""The embedded index: Qdrant Edge, in this process, on this disk.

One process holds it at a time. Every call blocks and keeps the GIL, so calls are made in place and in small batches;
the shard is never optimised while it serves. Neighbours: `mapping` (what is stored), `edge_terms` (how Edge says it),
`shard` (how it is opened and closed).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import qdrant_edge as qe

from agentmem.adapters.memory_index.edge_terms import (
    BEYOND,
    FURTHER,
    Hit,
    at_the_cut,
    cut,
    edge_copy,
    edge_filter,
    edge_point,
    edge_queries,
    reaches_too_short,
    sparse_of,
    worth_naming,
)
from agentmem.adapters.memory_index.filter_terms import accessed_fields
from agentmem.adapters.memory_index.mapping import (
    BATCH,
    LEXICAL,
    MADE_FROM,
    TIMESTAMP,
    answered,
    batches,
    filter_of,
    read_of,
)
from agentmem.adapters.memory_index.shard import Shard
from agentmem.adapters.memory_index.spare_room import Disk, bytes_of, disk_of
from agentmem.domain.memory import MemoryNode
from agentmem.domain.value import JsonValue
from agentmem.ports.memory_index import CUES, Copied, Found, Point, Probe, Sparse, Where


class EdgeIndex:
    """A shard in the folder `path`, for vectors of length `size`. Scopes with more than `graph_over` KB of
    vectors are searched along the graphs that `optimise` builds; what was written since is searched exactly, and so is
    everything where it is None. So many bytes of the disk are left to others; see `Room`."""

    def __init__(
        self,
        path: Path,
        *,
        size: int,
        graph_over: int | None = None,
        reserve: int | None = None,
        disk: Disk = disk_of,
    ) -> None:
        self._shard = Shard(path, size, reserve, disk)
        self._size = size
        self._graph_over = graph_over

    @property
    def borrowed(self) -> bool:
        """See `Borrowing`."""
        return self._shard.borrowed

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points in batches."""
        for batch in batches(points, BATCH):
            self._write([edge_point(point) for point in batch], [point.memory for point in batch])

    async def remove(self, memory_ids: Collection[str]) -> None:
        """Take points out; unknown ids are ignored."""
        with self._shard.writing() as shard:
            for batch in batches(memory_ids, BATCH):
                shard.update(qe.UpdateOperation.delete_points(list(batch)))

    async def touch(self, memory_ids: Collection[str], at: datetime) -> None:
        """Set `lastAccess` in one operation, by a filter: named outright, an id that is not there is an error."""
        if memory_ids:
            these = qe.Filter(must=[qe.HasIdCondition(set(memory_ids))])
            with self._shard.writing() as shard:
                shard.update(qe.UpdateOperation.set_payload_by_filter(these, accessed_fields(at)))

    async def search(self, where: Where, probe: Probe, *, limit: int) -> Found:
        """All channels in one planned batch."""
        return (await self.search_many(where, [probe], limit=limit))[0]

    async def search_many(self, where: Where, probes: Sequence[Probe], *, limit: int) -> list[Found]:
        """All channels of all probes in one planned batch."""
        if limit <= 0:
            return [Found() for _ in probes]
        ask = partial(edge_queries, filter_of(where), exact=self._graph_over is None)
        asked = [ask(probe, limit + BEYOND) for probe in probes]
        queries = [query for each in asked for query in each.values()]
        if not queries:
            return [Found() for _ in probes]
        self._shard.settle()
        with self._shard.reading() as shard:
            hits = iter(shard.query_batch(qe.QueryBatchRequest(queries)))
            return [
                Found(**{name: _cut(shard, partial(ask, probe), name, next(hits), limit) for name in each})
                for probe, each in zip(probes, asked, strict=True)
            ]

    async def fetch(
        self, memory_ids: Sequence[str], fields: Sequence[str] | None = None
    ) -> dict[str, Mapping[str, JsonValue]]:
        """Payloads by id, in the order asked for."""
        with self._shard.reading() as shard:
            records = shard.retrieve(list(memory_ids), read_of(fields), False)
        payloads = {str(record.id): answered(record.payload, fields) for record in records}
        return {memory_id: payloads[memory_id] for memory_id in memory_ids if memory_id in payloads}

    async def terms(self, memory_ids: Sequence[str]) -> dict[str, Sparse]:
        """Sparse vectors by id, in the order asked for."""
        with self._shard.reading() as shard:
            records = shard.retrieve(list(memory_ids), False, [LEXICAL])
        held = {str(record.id): sparse_of(record) for record in records}
        return {memory_id: held[memory_id] for memory_id in memory_ids if memory_id in held}

    async def repeat(self, copies: Sequence[Copied]) -> set[str]:
        """Vectors go from point to point as they are read."""
        with self._shard.reading() as shard:
            records = shard.retrieve([copy.origin for copy in copies], [MADE_FROM, CUES], True)
        held = {(str(record.id), (record.payload or {}).get(MADE_FROM)): record for record in records}
        pairs = ((copy, held.get((copy.origin, copy.made_from))) for copy in copies)
        points = {copy.memory.memory_id: edge_copy(copy, record) for copy, record in pairs if record is not None}
        self._write(list(points.values()), [copy.memory for copy in copies if copy.memory.memory_id in points])
        return {*points}

    async def select(
        self, where: Where, fields: Sequence[str] | None = None, *, limit: int
    ) -> dict[str, Mapping[str, JsonValue]]:
        """One scroll under the filter."""
        request = qe.ScrollRequest(limit=limit, filter=edge_filter(filter_of(where)), with_payload=read_of(fields))
        with self._shard.reading() as shard:
            records, _ = shard.scroll(request)
        return {str(record.id): answered(record.payload, fields) for record in records}

    async def scan(self, *, after: str | None, limit: int) -> list[tuple[str, Mapping[str, JsonValue]]]:
        """Points in the order of their ids; the one at `after`, where a scroll begins, is left out."""
        with self._shard.reading() as shard:
            records, _ = shard.scroll(qe.ScrollRequest(offset=after, limit=limit + 1, with_payload=read_of(None)))
        found = ((str(record.id), answered(record.payload, None)) for record in records)
        return [(memory_id, payload) for memory_id, payload in found if memory_id != after][:limit]

    async def count(self) -> int:
        """How many points there are."""
        with self._shard.reading() as shard:
            return shard.count(qe.CountRequest(exact=True))

    async def flush(self) -> None:
        """Return when everything written so far survives a power cut."""
        self._shard.flush()

    async def optimise(self) -> bool:
        """Build graphs, where they are wanted."""
        if self._graph_over is None:
            return False
        self._shard.build_graphs(self._graph_over)
        return True

    async def clear(self) -> None:
        """Take out every point, and what is left of it on disk."""
        self._shard.renew()

    async def discard(self) -> None:
        """Throw the folder away, readable or not."""
        self._shard.discard()

    def _write(self, points: list[qe.Point], memories: Sequence[MemoryNode]) -> None:
        if points:
            with self._shard.writing(bytes_of(memories, self._size * 8)) as shard:
                shard.update(qe.UpdateOperation.upsert_points(points))
            self._shard.wrote(len(points))

    async def __aenter__(self) -> Self:
        """Open the shard, or create one."""
        self._shard.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Flush and close."""
        self._shard.close()


def _cut(
    shard: qe.EdgeShard,
    ask: Callable[[int], dict[str, qe.QueryRequest]],
    name: str,
    answer: Sequence[qe.ScoredPoint],
    limit: int,
) -> tuple[Hit, ...]:
    """The hits of one channel, asked for again where the last one wanted may have more like it."""
    asked = limit + BEYOND
    scores = [hit.score for hit in answer]
    while reaches_too_short(scores, asked, limit):
        asked *= FURTHER
        answer = shard.query(ask(asked)[name])
        scores = [hit.score for hit in answer]
    number = worth_naming(scores, limit)
    hits = [(str(hit.id), score) for hit, score in zip(answer[:number], scores[:number], strict=True)]
    alike = at_the_cut(hits, limit)
    records = shard.retrieve(list(alike), [TIMESTAMP], False) if alike else []
    return cut(hits, limit, {str(record.id): int((record.payload or {})[TIMESTAMP]) for record in records})
