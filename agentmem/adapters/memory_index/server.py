"""The index on a Qdrant server or cluster, through its asynchronous client.

The client may be a local one, which serves small stores where there is no wheel of Qdrant Edge; payload indexes mean
nothing to it. Neighbours: `mapping` (what is stored), `server_terms` (how a server says it).
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import datetime
from functools import partial
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import structlog
from grpc import RpcError
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException, ResourceExhaustedResponse
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from agentmem.adapters.memory_index.edge_terms import BEYOND, FURTHER, MOST, Hit, at_the_cut, cut, reaches_too_short
from agentmem.adapters.memory_index.filter_terms import accessed_fields
from agentmem.adapters.memory_index.folder import FolderLock
from agentmem.adapters.memory_index.mapping import (
    BATCH,
    CONTENT,
    LEXICAL,
    MADE_FROM,
    TIMESTAMP,
    answered,
    batches,
    filter_of,
    read_of,
)
from agentmem.adapters.memory_index.server_terms import (
    PER_TENANT,
    SOON,
    SPARSE,
    dense,
    field_indexes,
    server_copy,
    server_filter,
    server_point,
    server_queries,
    sparse_of,
)
from agentmem.domain.value import JsonValue
from agentmem.errors import BackendUnavailable, EmbedderChanged, InvalidInput, wait_asked
from agentmem.ports.memory_index import CUES, Copied, Found, Point, Probe, Sparse, Where
from agentmem.private_files import make_folder, make_private

ORDER: Final = models.WriteOrdering.STRONG
"""Writes go through one leader, so that the last write of a memory is the last on every replica."""

ALREADY_THERE: Final = 409
QUERIES: Final = 16
"""In one request: of names that many share, each costs a look at all that share it."""

REFUSED: Final = (400, 413, 422)
"""A server says so of what it was given, and would of the same again."""
RETRY_AFTER: Final = 1.0


Connect = Callable[[], AbstractAsyncContextManager[AsyncQdrantClient]]


def server_index(
    collection: str, size: int, *, url: str | None = None, path: Path | None = None, api_key: str | None = None
) -> "ServerIndex":
    """The index at `url`, or the one kept in the folder `path`."""
    if (url is None) == (path is None):
        raise InvalidInput("a Qdrant index has either a url or a path")
    connect = partial(local_client, path) if path is not None else partial(remote_client, url or "", api_key=api_key)
    return ServerIndex(connect, collection, size=size)


class ServerIndex:
    """One collection of vectors of length `size`; each request is given up after `timeout` seconds."""

    def __init__(self, connect: Connect, collection: str, *, size: int, timeout: float = 30) -> None:
        self._connect = connect
        self._collection = collection
        self._size = size
        self._timeout = timeout
        self._connection = AsyncExitStack()
        self._connected: AsyncQdrantClient | None = None

    @property
    def _client(self) -> AsyncQdrantClient:
        if self._connected is None:
            raise BackendUnavailable(f"the index {self._collection} is not open", of_the_machine=True)
        return self._connected

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points in batches, each one answered when it is applied."""
        for batch in batches(points, BATCH):
            await self._write([server_point(point) for point in batch])

    async def remove(self, memory_ids: Collection[str]) -> None:
        """Take points out; unknown ids are ignored."""
        for batch in batches(memory_ids, BATCH):
            selected = models.PointIdsList(points=[*batch])
            async with self._answering():
                await self._client.delete(self._collection, selected, wait=True, ordering=ORDER)

    async def touch(self, memory_ids: Collection[str], at: datetime) -> None:
        """Set `lastAccess` in one request, answered before it is applied: nobody waits for a hint. By a filter: named
        outright, an id that is not there is an error."""
        if memory_ids:
            these = models.Filter(must=[models.HasIdCondition(has_id=[*memory_ids])])
            async with self._answering():
                await self._client.set_payload(self._collection, accessed_fields(at), points=these, wait=False)

    async def search(self, where: Where, probe: Probe, *, limit: int) -> Found:
        """All channels in one request."""
        return (await self.search_many(where, [probe], limit=limit))[0]

    async def search_many(self, where: Where, probes: Sequence[Probe], *, limit: int) -> list[Found]:
        """All channels of all probes together; again, also together, those whose last hit that is wanted may have
        more like it. No request is for more than a server answers in time, however many probes there are."""
        if limit <= 0:
            return [Found() for _ in probes]
        under, asked = filter_of(where), limit + BEYOND
        wanted = {
            (place, name): query
            for place, probe in enumerate(probes)
            for name, query in server_queries(under, probe, asked).items()
        }
        hits = await self._hits(wanted)
        while short := [
            key for key, each in hits.items() if reaches_too_short([score for _, score in each], asked, limit)
        ]:
            asked *= FURTHER
            hits |= await self._hits({key: server_queries(under, probes[key[0]], asked)[key[1]] for key in short})
        alike = {memory_id for each in hits.values() for memory_id in at_the_cut(each, limit)}
        stamps = await self._timestamps(sorted(alike))
        found: list[dict[str, tuple[Hit, ...]]] = [{} for _ in probes]
        for (place, name), each in hits.items():
            found[place][name] = cut(each, limit, stamps)
        return [Found(**each) for each in found]

    async def _hits(self, wanted: Mapping[tuple[int, str], models.QueryRequest]) -> dict[tuple[int, str], list[Hit]]:
        found: dict[tuple[int, str], list[Hit]] = {}
        for keys in batches([*wanted], QUERIES):
            async with self._answering():
                answers = await self._client.query_batch_points(self._collection, [wanted[key] for key in keys])
            found |= {key: _hits(answer.points) for key, answer in zip(keys, answers, strict=True)}
        return found

    async def _timestamps(self, memory_ids: Sequence[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for some in batches(memory_ids, MOST):
            async with self._answering():
                records = await self._client.retrieve(self._collection, some, with_payload=[TIMESTAMP])
            found |= {str(record.id): int((record.payload or {})[TIMESTAMP]) for record in records}
        return found

    async def fetch(
        self, memory_ids: Sequence[str], fields: Sequence[str] | None = None
    ) -> dict[str, Mapping[str, JsonValue]]:
        """Payloads by id, in the order asked for."""
        wanted = read_of(fields)
        async with self._answering():
            records = await self._client.retrieve(self._collection, list(memory_ids), with_payload=wanted)
        payloads = {str(record.id): answered(record.payload, fields) for record in records}
        return {memory_id: payloads[memory_id] for memory_id in memory_ids if memory_id in payloads}

    async def terms(self, memory_ids: Sequence[str]) -> dict[str, Sparse]:
        """Sparse vectors by id, in the order asked for."""
        async with self._answering():
            records = await self._client.retrieve(
                self._collection, list(memory_ids), with_payload=False, with_vectors=[LEXICAL]
            )
        held = {str(record.id): sparse_of(record) for record in records}
        return {memory_id: held[memory_id] for memory_id in memory_ids if memory_id in held}

    async def repeat(self, copies: Sequence[Copied]) -> set[str]:
        """Vectors go back as they came."""
        async with self._answering():
            records = await self._client.retrieve(
                self._collection,
                [*{copy.origin for copy in copies}],
                with_payload=[MADE_FROM, CUES],
                with_vectors=True,
            )
        held = {(str(record.id), (record.payload or {}).get(MADE_FROM)): record for record in records}
        pairs = ((copy, held.get((copy.origin, copy.made_from))) for copy in copies)
        points = {copy.memory.memory_id: server_copy(copy, record) for copy, record in pairs if record is not None}
        await self._write([*points.values()])
        return {*points}

    async def select(
        self, where: Where, fields: Sequence[str] | None = None, *, limit: int
    ) -> dict[str, Mapping[str, JsonValue]]:
        """One scroll under the filter."""
        wanted = read_of(fields)
        under = server_filter(filter_of(where))
        async with self._answering():
            records, _ = await self._client.scroll(self._collection, under, limit=limit, with_payload=wanted)
        return {str(record.id): answered(record.payload, fields) for record in records}

    async def scan(self, *, after: str | None, limit: int) -> list[tuple[str, Mapping[str, JsonValue]]]:
        """Points in the order of their ids; the one at `after`, where a scroll begins, is left out."""
        async with self._answering():
            records, _ = await self._client.scroll(
                self._collection, offset=after, limit=limit + 1, with_payload=read_of(None)
            )
        found = ((str(record.id), answered(record.payload, None)) for record in records)
        return [(memory_id, payload) for memory_id, payload in found if memory_id != after][:limit]

    async def count(self) -> int:
        """How many points there are."""
        async with self._answering():
            return (await self._client.count(self._collection, exact=True)).count

    async def flush(self) -> None:
        """Nothing to do: what a server answered survives its process, and it syncs its disk every second."""

    async def clear(self) -> None:
        """Make the collection anew."""
        async with self._answering():
            await self._client.delete_collection(self._collection)
            await self._create()
            await self._complete()

    async def drop(self, collection: str) -> None:
        """See `Dropping`."""
        async with self._answering():
            await self._client.delete_collection(collection)

    async def discard(self) -> None:
        """Throw the collection away."""
        async with self._answering(), self._connect() as client:
            await client.delete_collection(self._collection)

    async def __aenter__(self) -> Self:
        """Connect; create the collection, or what is missing of it; check the length of its vectors."""
        async with AsyncExitStack() as stack:
            self._connected = await stack.enter_async_context(self._connect())
            async with self._answering():
                if not await self._client.collection_exists(self._collection):
                    await self._create()
                await self._complete()
            self._connection = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Disconnect."""
        self._connected = None
        await self._connection.aclose()

    async def _write(self, points: list[models.PointStruct]) -> None:
        if points:
            async with self._answering():
                try:
                    await self._client.upsert(self._collection, points, wait=True, ordering=ORDER)
                except UnexpectedResponse as error:
                    if error.status_code not in REFUSED:
                        raise
                    raise InvalidInput(f"Qdrant refused its input: {_first_line(error)}") from error

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
            raise EmbedderChanged(
                f"the collection {self._collection} has vectors of length {held}, not {self._size}; "
                "run `agentmem embedder migrate`"
            )
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
            message = f"Qdrant did not answer within {self._timeout:g} s"
            raise BackendUnavailable(message, retry_after=RETRY_AFTER, of_the_machine=True) from error
        except ResourceExhaustedResponse as error:
            message, asked = f"Qdrant is busy: {error}", wait_asked(error.retry_after_s)
            raise BackendUnavailable(message, retry_after=asked, of_the_machine=True) from error
        except (ApiException, QdrantException, RpcError, ValueError, RuntimeError) as error:
            message, retry_after = f"Qdrant failed: {_first_line(error)}", RETRY_AFTER if _may_pass(error) else None
            raise BackendUnavailable(message, retry_after=retry_after, of_the_machine=True) from error


def _is_local(client: AsyncQdrantClient) -> bool:
    options = client.init_options
    return options.get("location") == ":memory:" or options.get("path") is not None


def _hits(points: Iterable[models.ScoredPoint]) -> list[Hit]:
    return [(str(point.id), point.score) for point in points]


def _may_pass(error: Exception) -> bool:
    """Whether the server was not reached, or failed itself; what it refuses it refuses again."""
    if isinstance(error, UnexpectedResponse):
        return error.status_code is None or error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
    return isinstance(error, ApiException | RpcError)


def _first_line(error: Exception) -> str:
    cause = getattr(error, "source", error)
    return (str(cause) or type(cause).__name__).splitlines()[0]


LONGEST: Final = 60
"""Seconds; the index that uses a client has a limit of its own, and a lower one."""

_log = structlog.get_logger()


@asynccontextmanager
async def remote_client(url: str, *, api_key: str | None = None) -> AsyncGenerator[AsyncQdrantClient]:
    """A client of a server or cluster. The version check is left out: it would block in here."""
    client = AsyncQdrantClient(url=url, api_key=api_key, timeout=LONGEST, check_compatibility=False)
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def local_client(folder: Path) -> AsyncGenerator[AsyncQdrantClient]:
    """A client that is its own store, for places without Qdrant Edge: slow beyond a few thousand memories.

    Raises `HeldElsewhere` where another process has it open.
    """
    _log.warning("slow_index_chosen", folder=str(folder), reason="every search reads every memory")
    lock = FolderLock(folder)
    lock.take()
    try:
        make_folder(folder)
        make_private(folder)
        # told not to ask SQLite about threads, for which the client opens a connection that it never closes
        client = AsyncQdrantClient(path=str(folder), force_disable_check_same_thread=True)
        try:
            yield client
        finally:
            await client.close()
    finally:
        lock.release()
