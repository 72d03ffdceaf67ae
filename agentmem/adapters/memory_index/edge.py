"""The embedded index: Qdrant Edge, in this process, on this disk.

One process holds it at a time. Every call blocks and keeps the GIL, so calls are made in place and in small batches;
the shard is never optimised while it serves. Neighbours: `mapping` (what is stored), `edge_terms` (how Edge says it),
`lock` (who holds it).
"""

import shutil
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import qdrant_edge as qe

from agentmem.adapters.memory_index.edge_terms import edge_config, edge_point, edge_queries, field_indexes
from agentmem.adapters.memory_index.lock import FolderLock
from agentmem.adapters.memory_index.mapping import BATCH, batches, filter_of, ranked, wire_form
from agentmem.domain.value import JsonValue
from agentmem.errors import BackendUnavailable, EmbedderChanged, IndexBroken, InvalidInput
from agentmem.ports.memory_index import Found, Point, Probe, Where


class EdgeIndex:
    """A shard in the folder `path`, for vectors of length `size`."""

    def __init__(self, path: Path, *, size: int) -> None:
        self._path = path
        self._size = size
        self._lock = FolderLock(path)
        self._open: qe.EdgeShard | None = None

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points in batches."""
        with self._serving() as shard:
            for batch in batches(points, BATCH):
                shard.update(qe.UpdateOperation.upsert_points([edge_point(point) for point in batch]))

    async def remove(self, memory_ids: Collection[str]) -> None:
        """Take points out; unknown ids are ignored."""
        with self._serving() as shard:
            for batch in batches(memory_ids, BATCH):
                shard.update(qe.UpdateOperation.delete_points(list(batch)))

    async def search(self, where: Where, probe: Probe, *, limit: int) -> Found:
        """All channels in one planned batch."""
        queries = edge_queries(filter_of(where), probe, limit)
        if limit < 1 or not queries:
            return Found()
        with self._serving() as shard:
            answers = shard.query_batch(qe.QueryBatchRequest(list(queries.values())))
        return Found(
            **{
                name: ranked((str(hit.id), hit.score) for hit in hits)
                for name, hits in zip(queries, answers, strict=True)
            }
        )

    async def fetch(
        self, memory_ids: Sequence[str], fields: Sequence[str] | None = None
    ) -> dict[str, Mapping[str, JsonValue]]:
        """Payloads by id, in the order asked for."""
        with self._serving() as shard:
            records = shard.retrieve(list(memory_ids), True if fields is None else list(fields), False)
        payloads = {str(record.id): wire_form(record.payload or {}) for record in records}
        return {memory_id: payloads[memory_id] for memory_id in memory_ids if memory_id in payloads}

    async def scan(self, *, after: str | None, limit: int) -> list[tuple[str, Mapping[str, JsonValue]]]:
        """Points in the order of their ids; the one at `after`, where a scroll begins, is left out."""
        with self._serving() as shard:
            records, _ = shard.scroll(qe.ScrollRequest(offset=after, limit=limit + 1, with_payload=True))
        found = ((str(record.id), wire_form(record.payload or {})) for record in records)
        return [(memory_id, payload) for memory_id, payload in found if memory_id != after][:limit]

    async def count(self) -> int:
        """How many points there are."""
        with self._serving() as shard:
            return shard.count(qe.CountRequest(exact=True))

    async def flush(self) -> None:
        """Return when everything written so far survives a power cut."""
        with self._serving() as shard:
            shard.flush()

    async def clear(self) -> None:
        """Begin anew in an empty folder, so that nothing of the old points stays on disk."""
        with self._serving() as shard:
            shard.close()
            self._open = None
            shutil.rmtree(self._path)
            self._open = self._created()

    async def discard(self) -> None:
        """Throw the folder away, readable or not."""
        self._lock.take()
        try:
            shutil.rmtree(self._path, ignore_errors=True)
        finally:
            self._lock.release()

    async def __aenter__(self) -> Self:
        """Open the shard, or create one."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._lock.take()
        try:
            self._open = self._loaded() if self._path.exists() else self._created()
        except BaseException:
            self._lock.release()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Flush and close."""
        try:
            with self._serving() as shard:
                shard.flush()
                shard.close()
        finally:
            self._open = None
            self._lock.release()

    def _created(self) -> qe.EdgeShard:
        self._path.mkdir()
        shard = qe.EdgeShard.create(str(self._path), edge_config(self._size))
        for operation in field_indexes():
            shard.update(operation)
        shard.flush()
        return shard

    def _loaded(self) -> qe.EdgeShard:
        with _opening(self._path):
            return qe.EdgeShard.load(str(self._path), edge_config(self._size))

    @contextmanager
    def _serving(self) -> Generator[qe.EdgeShard]:
        """The open shard; what goes wrong inside becomes one of our errors."""
        if self._open is None:
            raise BackendUnavailable(f"the index {self._path} is not open")
        try:
            yield self._open
        except ValueError as error:
            raise InvalidInput(f"the index refused its input: {error}") from error
        except Exception as error:  # Edge raises the bare class for everything that goes wrong inside it
            raise BackendUnavailable(f"the index {self._path} failed: {error}") from error
        except BaseException as error:
            if not _is_panic(error):
                raise
            raise IndexBroken(f"the index {self._path} broke down: {error}") from error


@contextmanager
def _opening(path: Path) -> Generator[None]:
    try:
        yield
    except Exception as error:  # Edge raises the bare class for everything that goes wrong inside it
        if "Incompatible config" in str(error):
            raise EmbedderChanged(f"the index {path} was made for other vectors: {error}") from error
        raise IndexBroken(f"the index {path} cannot be opened: {error}") from error
    except BaseException as error:
        if not _is_panic(error):
            raise
        raise IndexBroken(f"the index {path} cannot be opened: {error}") from error


def _is_panic(error: BaseException) -> bool:
    """Whether Rust code panicked. The class cannot be imported, and derives from BaseException."""
    return (type(error).__module__, type(error).__name__) == ("pyo3_runtime", "PanicException")
