"""The embedded index: Qdrant Edge, in this process, on this disk.

One process holds it at a time. Every call blocks and keeps the GIL, so calls are made in place and in small batches;
the shard is never optimised while it serves. Neighbours: `mapping` (what is stored), `edge_terms` (how Edge says it),
`shard` (how it is opened and closed).
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import qdrant_edge as qe

from agentmem.adapters.memory_index.edge_terms import edge_filter, edge_held, edge_point, edge_queries
from agentmem.adapters.memory_index.filter_terms import accessed_fields
from agentmem.adapters.memory_index.mapping import BATCH, answered, batches, filter_of, ranked, wire_form
from agentmem.adapters.memory_index.shard import Shard
from agentmem.domain.value import JsonValue
from agentmem.ports.memory_index import Found, Held, Point, Probe, Where


class EdgeIndex:
    """A shard in the folder `path`, for vectors of length `size`. Scopes with more than `graph_over` KB of
    vectors are searched along the graphs that `optimise` builds; what was written since is searched exactly, and so is
    everything where it is None."""

    def __init__(self, path: Path, *, size: int, graph_over: int | None = None) -> None:
        self._shard = Shard(path, size)
        self._size = size
        self._graph_over = graph_over

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points in batches."""
        for batch in batches(points, BATCH):
            operation = qe.UpdateOperation.upsert_points([edge_point(point) for point in batch])
            with self._shard.serving() as shard:
                shard.update(operation)
            self._shard.wrote(len(batch))

    async def remove(self, memory_ids: Collection[str]) -> None:
        """Take points out; unknown ids are ignored."""
        with self._shard.serving() as shard:
            for batch in batches(memory_ids, BATCH):
                shard.update(qe.UpdateOperation.delete_points(list(batch)))

    async def touch(self, memory_ids: Collection[str], at: datetime) -> None:
        """Set `lastAccess` in one operation, by a filter: named outright, an id that is not there is an error."""
        if memory_ids:
            these = qe.Filter(must=[qe.HasIdCondition(set(memory_ids))])
            with self._shard.serving() as shard:
                shard.update(qe.UpdateOperation.set_payload_by_filter(these, accessed_fields(at)))

    async def search(self, where: Where, probe: Probe, *, limit: int) -> Found:
        """All channels in one planned batch."""
        return (await self.search_many(where, [probe], limit=limit))[0]

    async def search_many(self, where: Where, probes: Sequence[Probe], *, limit: int) -> list[Found]:
        """All channels of all probes in one planned batch."""
        scoped = filter_of(where)
        asked = [
            edge_queries(scoped, probe, limit, exact=self._graph_over is None) if limit > 0 else {} for probe in probes
        ]
        queries = [query for each in asked for query in each.values()]
        if not queries:
            return [Found() for _ in probes]
        self._shard.settle()
        with self._shard.serving() as shard:
            answers = shard.query_batch(qe.QueryBatchRequest(queries))
        hits = iter(ranked((str(hit.id), hit.score) for hit in answer) for answer in answers)
        return [Found(**{name: next(hits) for name in each}) for each in asked]

    async def fetch(
        self, memory_ids: Sequence[str], fields: Sequence[str] | None = None
    ) -> dict[str, Mapping[str, JsonValue]]:
        """Payloads by id, in the order asked for."""
        with self._shard.serving() as shard:
            records = shard.retrieve(list(memory_ids), True if fields is None else list(fields), False)
        payloads = {str(record.id): answered(record.payload, fields) for record in records}
        return {memory_id: payloads[memory_id] for memory_id in memory_ids if memory_id in payloads}

    async def held(self, memory_ids: Sequence[str], fields: Sequence[str]) -> dict[str, Held]:
        """Vectors as they are stored, in half precision."""
        with self._shard.serving() as shard:
            records = shard.retrieve(list(memory_ids), list(fields), True)
        return edge_held(records, self._size)

    async def select(
        self, where: Where, fields: Sequence[str] | None = None, *, limit: int
    ) -> dict[str, Mapping[str, JsonValue]]:
        """One scroll under the filter."""
        wanted = True if fields is None else list(fields)
        request = qe.ScrollRequest(limit=limit, filter=edge_filter(filter_of(where)), with_payload=wanted)
        with self._shard.serving() as shard:
            records, _ = shard.scroll(request)
        return {str(record.id): answered(record.payload, fields) for record in records}

    async def scan(self, *, after: str | None, limit: int) -> list[tuple[str, Mapping[str, JsonValue]]]:
        """Points in the order of their ids; the one at `after`, where a scroll begins, is left out."""
        with self._shard.serving() as shard:
            records, _ = shard.scroll(qe.ScrollRequest(offset=after, limit=limit + 1, with_payload=True))
        found = ((str(record.id), wire_form(record.payload or {})) for record in records)
        return [(memory_id, payload) for memory_id, payload in found if memory_id != after][:limit]

    async def count(self) -> int:
        """How many points there are."""
        with self._shard.serving() as shard:
            return shard.count(qe.CountRequest(exact=True))

    async def flush(self) -> None:
        """Return when everything written so far survives a power cut."""
        with self._shard.serving() as shard:
            shard.flush()

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

    async def __aenter__(self) -> Self:
        """Open the shard, or create one."""
        self._shard.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Flush and close."""
        self._shard.close()
