"""The index on a Qdrant server or cluster, through its asynchronous client.

The client is made, and closed, by whoever wires the index (see `clients`). It may be a local one, which serves small
stores where there is no wheel of Qdrant Edge; payload indexes mean nothing to it.
"""

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Final, Self

from grpc import RpcError
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException, ResourceExhaustedResponse
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from agentmem.adapters.memory_index.mapping import BATCH, CONTENT, batches, filter_of, ranked, wire_form
from agentmem.adapters.memory_index.server_terms import (
    PER_TENANT,
    SOON,
    SPARSE,
    dense,
    field_indexes,
    server_point,
    server_queries,
)
from agentmem.domain.value import JsonValue
from agentmem.errors import BackendUnavailable, EmbedderChanged
from agentmem.ports.memory_index import Found, Point, Probe, Where

ORDER: Final = models.WriteOrdering.STRONG
"""Writes go through one leader, so that the last write of a memory is the last on every replica."""

ALREADY_THERE: Final = 409


class ServerIndex:
    """One collection of vectors of length `size`; each call gives up after `timeout` seconds."""

    def __init__(self, client: AsyncQdrantClient, collection: str, *, size: int, timeout: float = 30) -> None:
        self._client = client
        self._collection = collection
        self._size = size
        self._timeout = timeout

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points in batches, each one answered when it is applied."""
        for batch in batches(points, BATCH):
            structs = [server_point(point) for point in batch]
            async with self._answering():
                await self._client.upsert(self._collection, structs, wait=True, ordering=ORDER)

    async def remove(self, memory_ids: Collection[str]) -> None:
        """Take points out; unknown ids are ignored."""
        for batch in batches(memory_ids, BATCH):
            selected = models.PointIdsList(points=[*batch])
            async with self._answering():
                await self._client.delete(self._collection, selected, wait=True, ordering=ORDER)

    async def search(self, where: Where, probe: Probe, *, limit: int) -> Found:
        """All channels in one request."""
        queries = server_queries(filter_of(where), probe, limit)
        if limit < 1 or not queries:
            return Found()
        async with self._answering():
            answers = await self._client.query_batch_points(self._collection, list(queries.values()))
        found = {
            name: ranked((str(hit.id), hit.score) for hit in answer.points)
            for name, answer in zip(queries, answers, strict=True)
        }
        return Found(**found)

    async def fetch(
        self, memory_ids: Sequence[str], fields: Sequence[str] | None = None
    ) -> dict[str, Mapping[str, JsonValue]]:
        """Payloads by id, in the order asked for."""
        wanted = True if fields is None else list(fields)
        async with self._answering():
            records = await self._client.retrieve(self._collection, list(memory_ids), with_payload=wanted)
        payloads = {str(record.id): wire_form(record.payload or {}) for record in records}
        return {memory_id: payloads[memory_id] for memory_id in memory_ids if memory_id in payloads}

    async def scan(self, *, after: str | None, limit: int) -> list[tuple[str, Mapping[str, JsonValue]]]:
        """Points in the order of their ids; the one at `after`, where a scroll begins, is left out."""
        async with self._answering():
            records, _ = await self._client.scroll(self._collection, offset=after, limit=limit + 1)
        found = ((str(record.id), wire_form(record.payload or {})) for record in records)
        return [(memory_id, payload) for memory_id, payload in found if memory_id != after][:limit]

    async def count(self) -> int:
        """How many points there are."""
        async with self._answering():
            return (await self._client.count(self._collection, exact=True)).count

    async def flush(self) -> None:
        """Nothing to do: what a server answered survives its process, and it syncs its disk every second."""

    async def clear(self) -> None:
        """Make the collection anew."""
        await self.discard()
        async with self._answering():
            await self._create()
            await self._complete()

    async def discard(self) -> None:
        """Throw the collection away."""
        async with self._answering():
            await self._client.delete_collection(self._collection)

    async def __aenter__(self) -> Self:
        """Create the collection, or what is missing of it; check the length of its vectors."""
        async with self._answering():
            if not await self._client.collection_exists(self._collection):
                await self._create()
            await self._complete()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is held."""

    async def _create(self) -> None:
        try:
            await self._client.create_collection(
                self._collection,
                vectors_config=dense(self._size),
                sparse_vectors_config=SPARSE,
                hnsw_config=PER_TENANT,
                optimizers_config=SOON,
            )
        except UnexpectedResponse as error:
            if error.status_code != ALREADY_THERE:
                raise

    async def _complete(self) -> None:
        info = await self._client.get_collection(self._collection)
        vectors = info.config.params.vectors
        content = vectors.get(CONTENT) if isinstance(vectors, dict) else None
        if content is None or content.size != self._size:
            held = "none" if content is None else content.size
            raise EmbedderChanged(f"the collection {self._collection} has vectors of length {held}, not {self._size}")
        if _is_local(self._client):
            return
        for name, schema in field_indexes().items():
            if name not in info.payload_schema:
                await self._client.create_payload_index(self._collection, name, schema, wait=True)

    @asynccontextmanager
    async def _answering(self) -> AsyncGenerator[None]:
        """A time limit, and our errors for theirs; where a server answers 4xx, a local client raises ValueError."""
        try:
            async with asyncio.timeout(self._timeout):
                yield
        except TimeoutError as error:
            raise BackendUnavailable(f"Qdrant did not answer within {self._timeout:g} s") from error
        except ResourceExhaustedResponse as error:
            raise BackendUnavailable(f"Qdrant is busy: {error}", retry_after=error.retry_after_s) from error
        except (ApiException, QdrantException, RpcError, ValueError, RuntimeError) as error:
            raise BackendUnavailable(f"Qdrant failed: {_first_line(error)}") from error


def _is_local(client: AsyncQdrantClient) -> bool:
    options = client.init_options
    return options.get("location") == ":memory:" or options.get("path") is not None


def _first_line(error: Exception) -> str:
    cause = getattr(error, "source", error)
    return (str(cause) or type(cause).__name__).splitlines()[0]
