"""The store that Qdrant's client has inside, behind the part of a Qdrant server's HTTP that the index uses: for several
processes that are to reach one."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python
from qdrant_client import AsyncQdrantClient, models
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

_CHOSEN: TypeAdapter[Any] = TypeAdapter(models.PointsSelector)
_SCHEMA: TypeAdapter[Any] = TypeAdapter(models.PayloadFieldSchema)

Operation = Callable[[AsyncQdrantClient, str, Any], Awaitable[object]]


async def _create(client: AsyncQdrantClient, name: str, body: Any) -> object:
    asked = models.CreateCollection.model_validate(body)
    return await client.create_collection(
        name, vectors_config=asked.vectors, sparse_vectors_config=asked.sparse_vectors
    )


async def _exists(client: AsyncQdrantClient, name: str, _: Any) -> object:
    return {"exists": await client.collection_exists(name)}


async def _index(client: AsyncQdrantClient, name: str, body: Any) -> object:
    return _SCHEMA.validate_python(body["field_schema"]) and _done()


async def _upsert(client: AsyncQdrantClient, name: str, body: Any) -> object:
    await client.upsert(name, models.PointsList.model_validate(body).points)
    return _done()


async def _delete(client: AsyncQdrantClient, name: str, body: Any) -> object:
    await client.delete(name, _CHOSEN.validate_python(body))
    return _done()


async def _payload(client: AsyncQdrantClient, name: str, body: Any) -> object:
    asked = models.SetPayload.model_validate(body)
    chosen: Any = asked.filter or asked.points or []
    await client.set_payload(name, asked.payload, points=chosen)
    return _done()


async def _retrieve(client: AsyncQdrantClient, name: str, body: Any) -> object:
    asked = models.PointRequest.model_validate(body)
    given: Any = asked.with_payload
    return await client.retrieve(name, asked.ids, with_payload=given, with_vectors=asked.with_vector or False)


async def _scroll(client: AsyncQdrantClient, name: str, body: Any) -> object:
    asked = models.ScrollRequest.model_validate(body)
    points, after = await client.scroll(
        name,
        asked.filter,
        limit=asked.limit or 10,
        offset=asked.offset,
        with_payload=asked.with_payload or False,
        with_vectors=asked.with_vector or False,
    )
    return {"points": points, "next_page_offset": after}


async def _count(client: AsyncQdrantClient, name: str, body: Any) -> object:
    return await client.count(name, models.CountRequest.model_validate(body).filter, exact=True)


async def _query(client: AsyncQdrantClient, name: str, body: Any) -> object:
    return await client.query_batch_points(name, models.QueryRequestBatch.model_validate(body).searches)


def _done() -> object:
    return {"operation_id": 0, "status": "completed"}


_OPERATIONS: dict[tuple[str, str], Operation] = {
    ("PUT", ""): _create,
    ("GET", ""): lambda client, name, _: client.get_collection(name),
    ("DELETE", ""): lambda client, name, _: client.delete_collection(name),
    ("GET", "/exists"): _exists,
    ("PUT", "/index"): _index,
    ("PUT", "/points"): _upsert,
    ("POST", "/points"): _retrieve,
    ("POST", "/points/delete"): _delete,
    ("POST", "/points/payload"): _payload,
    ("POST", "/points/scroll"): _scroll,
    ("POST", "/points/count"): _count,
    ("POST", "/points/query/batch"): _query,
}


def _program(client: AsyncQdrantClient) -> Starlette:
    async def answer(request: Request) -> JSONResponse:
        name, below = request.path_params["name"], request.path_params.get("below", "")
        operation = _OPERATIONS[request.method, f"/{below}" if below else ""]
        raw = await request.body()
        try:
            result = await operation(client, name, await request.json() if raw else None)
        except ValueError as error:  # as a local client says that it is there already, or not there
            status = 409 if "already exists" in str(error) else 404 if "not found" in str(error) else 400
            return JSONResponse({"status": {"error": str(error)}, "time": 0.0}, status)
        return JSONResponse({"result": to_jsonable_python(result), "status": "ok", "time": 0.0})

    methods = ["GET", "PUT", "POST", "DELETE"]
    return Starlette(
        routes=[
            Route("/collections/{name}", answer, methods=methods),
            Route("/collections/{name}/{below:path}", answer, methods=methods),
        ]
    )


@asynccontextmanager
async def qdrant(*hosts: str) -> AsyncGenerator[int]:
    """The port at which it answers, at each of these addresses of this machine, while the body runs."""
    client = AsyncQdrantClient(":memory:")
    sockets: list[socket.socket] = []
    for host in hosts or ("127.0.0.1",):
        sockets.append(socket.create_server((host, sockets[0].getsockname()[1] if sockets else 0)))
    config = uvicorn.Config(_program(client), lifespan="off", log_config=None, access_log=False, ws="none")
    server = uvicorn.Server(config)
    serving = asyncio.ensure_future(server.serve(sockets=sockets))
    try:
        yield int(sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        await serving
        await client.close()
