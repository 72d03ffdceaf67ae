"""What only the server's adapter has: the schema it asks for, and a network that fails."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from agentmem.adapters.memory_index.mapping import TIMESTAMP
from agentmem.adapters.memory_index.server import ServerIndex, remote_client, server_index
from agentmem.errors import BackendUnavailable, HeldElsewhere, InvalidInput
from agentmem.ports.memory_index import Probe, Sparse, Where
from tests.support.indexes import EVERYTHING, HERE, SIZE, a_point, numbered_memories

Request = tuple[str, str, Any]
Answer = tuple[int, dict[str, str], Any]
DONE: Answer = (200, {}, {"result": True, "status": "ok", "time": 0})
WRITTEN: Answer = (200, {}, {"result": {"operation_id": 1, "status": "completed"}, "status": "ok", "time": 0})
COLLECTION = {
    "status": "green",
    "optimizer_status": "ok",
    "segments_count": 1,
    "config": {
        "params": {"vectors": {"content": {"size": SIZE, "distance": "Cosine"}}},
        "hnsw_config": {"m": 0, "ef_construct": 100, "full_scan_threshold": 10_000},
        "optimizer_config": {
            "deleted_threshold": 0.2,
            "vacuum_min_vector_number": 1000,
            "default_segment_number": 0,
            "flush_interval_sec": 1,
        },
    },
    "payload_schema": {"tenant": {"data_type": "keyword", "points": 0}},
}


class Qdrant:
    """A server that writes down what it is asked and answers as it is told."""

    def __init__(self, answer: Callable[[str, str], Answer | None]) -> None:
        self._answer = answer
        self._connections: list[asyncio.Future[None]] = []
        self.requests: list[Request] = []

    async def closed(self) -> None:
        """Return when the last client has gone."""
        await asyncio.gather(*self._connections)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._connections.append(gone)
        while head := await reader.readline():
            method, target, _ = head.decode().split(" ")
            length = 0
            while (line := (await reader.readline()).decode().lower()) != "\r\n":
                if line.startswith("content-length:"):
                    length = int(line.partition(":")[2])
            body = await reader.readexactly(length)
            self.requests.append((method, target, json.loads(body) if body else None))
            answer = self._answer(method, target)
            if answer is None:
                await reader.read()
                break
            writer.write(_response(answer))
            await writer.drain()
        writer.close()
        await writer.wait_closed()
        gone.set_result(None)


def _response(answer: Answer) -> bytes:
    status, headers, body = answer
    content = json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(content)}", "Content-Type: application/json"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + content


@asynccontextmanager
async def _served(answer: Callable[[str, str], Answer | None]) -> AsyncGenerator[tuple[Qdrant, ServerIndex]]:
    qdrant = Qdrant(answer)
    async with await asyncio.start_server(qdrant.serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        connect = partial(remote_client, f"http://127.0.0.1:{port}")
        yield qdrant, ServerIndex(connect, "memories", size=SIZE, timeout=3)
        await qdrant.closed()


@asynccontextmanager
async def _opened(answer: Callable[[str, str], Answer | None]) -> AsyncGenerator[tuple[Qdrant, ServerIndex]]:
    """The same with the index open; `answer` is asked about what comes then."""
    ready = False

    def first_open(method: str, target: str) -> Answer | None:
        return answer(method, target) if ready else _new_collection(method, target)

    async with _served(first_open) as (qdrant, index), index:
        ready = True
        qdrant.requests.clear()
        yield qdrant, index


def _new_collection(method: str, target: str) -> Answer:
    if target.endswith("/exists"):
        return 200, {}, {"result": {"exists": False}, "status": "ok", "time": 0}
    if method == "GET":
        return 200, {}, {"result": COLLECTION, "status": "ok", "time": 0}
    return WRITTEN if "/points" in target or "/index" in target else DONE


async def test_the_collection_is_made_for_many_tenants() -> None:
    async with _served(_new_collection) as (qdrant, index), index:
        pass
    made = next(
        body for method, target, body in qdrant.requests if (method, target) == ("PUT", "/collections/memories")
    )
    assert made["hnsw_config"] == {"m": 0, "payload_m": 16}
    assert made["vectors"]["keys"]["multivector_config"] == {"comparator": "max_sim"}
    assert {vector["datatype"] for vector in made["vectors"].values()} == {"float16"}
    assert made["sparse_vectors"] == {"lexical": {"modifier": "idf"}}


async def test_every_filtered_field_gets_an_index_unless_it_has_one() -> None:
    async with _served(_new_collection) as (qdrant, index), index:
        pass
    made = {body["field_name"]: body["field_schema"] for _, target, body in qdrant.requests if "/index" in target}
    assert set(made) == {
        *("agentId", "targetId", "memoryType", "modality", "storeStatus", "attribute", "entityIds", "trust"),
        "metaData.toldIn",
        *("_scopes", "_run", "_place", "_keys", "_validFrom", "_validTo", "_told", "_created", "_endLearned"),
    }
    assert made["_validTo"] == {"type": "integer", "lookup": False, "range": True}


async def test_the_tenant_is_indexed_as_the_one_thing_that_keeps_points_apart() -> None:
    def without_indexes(method: str, target: str) -> Answer:
        status, headers, body = _new_collection(method, target)
        bare = {**body, "result": {**COLLECTION, "payload_schema": {}}} if method == "GET" else body
        return _new_collection(method, target) if target.endswith("/exists") else (status, headers, bare)

    async with _served(without_indexes) as (qdrant, index), index:
        pass
    made = {body["field_name"]: body["field_schema"] for _, target, body in qdrant.requests if "/index" in target}
    assert made["tenant"] == {"type": "keyword", "is_tenant": True}


async def test_writes_go_in_batches_through_one_leader() -> None:
    async with _opened(_new_collection) as (qdrant, index):
        await index.upsert([a_point(memory) for memory in numbered_memories(1_001)])
        await index.remove([memory.memory_id for memory in numbered_memories(2)])
    assert [len(body["points"]) for _, _, body in qdrant.requests] == [500, 500, 1, 2]
    assert all("wait=true" in target and "ordering=strong" in target for _, target, _ in qdrant.requests)


async def test_a_search_is_one_request_without_payload() -> None:
    def answer(method: str, target: str) -> Answer:
        nothing: dict[str, list[str]] = {"points": []}
        return 200, {}, {"result": [nothing] * 3, "status": "ok", "time": 0}

    async with _opened(answer) as (qdrant, index):
        await index.search(Where(HERE), EVERYTHING, limit=10)
    [(method, target, body)] = qdrant.requests
    assert (method, target) == ("POST", "/collections/memories/points/query/batch")
    assert [each["using"] for each in body["searches"]] == ["content", "keys", "lexical"]
    assert not any(each.get("with_payload") or each.get("with_vector") for each in body["searches"])


async def test_words_that_many_memories_share_are_asked_for_again_together_and_in_small_parts() -> None:
    names, alike = 40, 500
    ids = [str(UUID(int=number)) for number in range(alike)]

    def answer(_method: str, target: str) -> Answer:
        asked = qdrant.requests[-1][2]
        if target.endswith("/query/batch"):
            points = [
                [{"id": each, "version": 1, "score": 1.0} for each in ids[: one["limit"]]] for one in asked["searches"]
            ]
            result: object = [{"points": each} for each in points]
        else:
            result = [{"id": each, "payload": {TIMESTAMP: ids.index(each)}} for each in asked["ids"]]
        return 200, {}, {"result": result, "status": "ok", "time": 0}

    async with _opened(answer) as (qdrant, index):
        found = await index.search_many(Where(HERE), [Probe(None, Sparse((1,), (1.0,)))] * names, limit=15)
    assert [[key for key, _ in each.lexical] for each in found] == [ids[-15:]] * names  # the newest of those alike
    sizes = [len(body["searches"]) for _, target, body in qdrant.requests if target.endswith("/query/batch")]
    assert sizes == [16, 16, 8] * 3  # 29 of each, 232, then all
    assert sum(target.endswith("/points") for _, target, _ in qdrant.requests) == 1


async def test_a_server_that_is_busy_says_when_to_come_back() -> None:
    async with _opened(lambda method, target: (429, {"Retry-After": "7"}, {"status": {"error": "slow"}})) as (_, index):
        with pytest.raises(BackendUnavailable) as caught:
            await index.count()
    assert caught.value.retry_after == 7


@pytest.mark.parametrize("status", [400, 401, 404, 500, 503])
async def test_a_refusal_is_an_unavailable_back_end(status: int) -> None:
    async with _opened(lambda method, target: (status, {}, {"status": {"error": "no"}})) as (_, index):
        with pytest.raises(BackendUnavailable, match=str(status)):
            await index.search(Where(HERE), EVERYTHING, limit=1)


@pytest.mark.parametrize("status", [400, 413, 422])
async def test_a_point_that_the_server_refuses_is_no_outage(status: int) -> None:
    async with _opened(lambda method, target: (status, {}, {"status": {"error": "no"}})) as (_, index):
        with pytest.raises(InvalidInput, match=str(status)):
            await index.upsert([a_point(memory) for memory in numbered_memories(1)])


async def test_an_answer_that_is_none_is_an_unavailable_back_end() -> None:
    async with _opened(lambda method, target: (200, {}, {"result": "surprise"})) as (_, index):
        with pytest.raises(BackendUnavailable):
            await index.count()


@pytest.mark.thorough
async def test_a_server_that_hangs_is_given_up() -> None:
    async with _opened(lambda method, target: None) as (_, index):
        with pytest.raises(BackendUnavailable, match=r"did not answer within 3 s"):
            await index.count()


async def test_a_server_that_is_not_there_is_an_unavailable_back_end() -> None:
    async with await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
    with pytest.raises(BackendUnavailable, match="Qdrant failed"):
        async with server_index("memories", SIZE, url=f"http://127.0.0.1:{port}"):
            pass


async def test_a_local_client_keeps_its_memories_and_admits_one_process(tmp_path: Path) -> None:
    (memory,) = numbered_memories(1)
    folder = tmp_path / "qdrant"
    for expected in (0, 1):
        async with server_index("memories", SIZE, path=folder) as index:
            assert await index.count() == expected
            await index.upsert([a_point(memory)])
            with pytest.raises(HeldElsewhere, match=f"held by process {os.getpid()}"):
                async with server_index("memories", SIZE, path=folder):
                    pass


async def test_an_index_that_is_not_open_says_so() -> None:
    with pytest.raises(BackendUnavailable, match="not open"):
        await server_index("memories", SIZE, url="http://127.0.0.1:1").count()


def test_an_index_is_at_one_place() -> None:
    with pytest.raises(InvalidInput, match="either a url or a path"):
        server_index("memories", SIZE)
    with pytest.raises(InvalidInput, match="either a url or a path"):
        server_index("memories", SIZE, url="http://127.0.0.1:1", path=Path("x"))
