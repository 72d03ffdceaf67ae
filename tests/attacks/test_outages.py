"""What the stores of a server say when they fail names files and hosts: nobody is told of it over the network."""

from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, NullPool, create_engine, text

from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.transactions import ReadPool
from agentmem.adapters.memory_index.server import server_index
from agentmem.adapters.memory_index.shard import Shard
from agentmem.adapters.memory_index.spare_room import Room
from agentmem.errors import AgentMemError, BackendUnavailable
from tests.support.indexes import SIZE
from tests.support.served import served
from tests.support.speaking import called, connected

NOTHING_MORE = "a store of this server does not answer; its log says more"
UNKNOWN = "00000000-0000-5000-8000-00000000abcd"

Failure = Callable[[Path], Awaitable[None]]


async def _fails_inside(folder: Path) -> None:
    shard = Shard(folder / "index", SIZE)
    shard.open()
    try:
        with shard.serving():
            raise Exception("a segment broke off")  # the class that Edge raises
    finally:
        shard.close()


async def _is_not_open(folder: Path) -> None:
    with Shard(folder / "index", SIZE).serving():
        pass


async def _cannot_be_opened(folder: Path) -> None:
    (folder / "index").mkdir()
    Shard(folder / "index", SIZE).open()


async def _cannot_be_made(folder: Path) -> None:
    Shard(folder / "index", -1).open()


async def _has_no_room(folder: Path) -> None:
    Room(folder, disk=lambda _: (1 << 30, 0)).demand()


async def _cannot_be_read(folder: Path) -> None:
    pool = _pool(folder)
    await pool.close()
    await pool.read(_broken)


async def _cannot_be_read_briefly(folder: Path) -> None:
    pool = _pool(folder)
    await pool.close()
    await pool.brief(_broken)


async def _fails_to_read(folder: Path) -> None:
    await _pool(folder).read(_broken)


async def _cannot_be_written(folder: Path) -> None:
    writer = Committer(_engine(folder), f"journal {folder}", limit=1, on_commit=None, on_queued=lambda: None)
    await writer.submit("write", lambda unit: None)


async def _has_no_server(folder: Path) -> None:
    async with server_index("memories", SIZE, url=f"http://127.0.0.1:1{folder}".replace(" ", "")):
        pass


def _engine(folder: Path) -> Engine:
    return create_engine(f"sqlite:///{folder / 'journal.db'}", poolclass=NullPool)


def _pool(folder: Path) -> ReadPool:
    return ReadPool(_engine(folder), f"journal {folder}", threads=1, briefly=1)


def _broken(conn: Connection) -> None:
    conn.execute(text("SELECT nothing FROM"))


FAILURES: tuple[Failure, ...] = (
    _fails_inside,
    _is_not_open,
    _cannot_be_opened,
    _cannot_be_made,
    _has_no_room,
    _cannot_be_read,
    _cannot_be_read_briefly,
    _fails_to_read,
    _cannot_be_written,
    _has_no_server,
)


@pytest.mark.parametrize("failure", FAILURES)
async def test_no_store_of_a_server_tells_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: Failure
) -> None:
    folders = (tmp_path / f"secret {number}" for number in count())

    async def alone(*_: object, **__: object) -> None:
        (folder := next(folders)).mkdir()
        await failure(folder)

    async def beside_others(*_: object, **__: object) -> None:
        try:
            await alone()
        except AgentMemError as error:
            raise ExceptionGroup("as of a TaskGroup", [error]) from None

    async with served(tmp_path) as server, server.client() as client, connected(server, server.owner) as tools:
        for failing in (alone, beside_others):
            monkeypatch.setattr(type(server.app.journal.ledger), "get", failing)
            answer = await client.get(f"/v1/memories/{UNKNOWN}")
            assert answer.status_code in (503, 507), answer.text
            assert answer.json()["detail"] == NOTHING_MORE
            assert (await called(tools, "get_memory", memory_id=UNKNOWN)).endswith(f": {NOTHING_MORE}")


async def test_what_is_no_store_may_say_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise BackendUnavailable("the model does not answer (HTTP 429)")

    async with served(tmp_path) as server, server.client() as client:
        monkeypatch.setattr(type(server.app.journal.ledger), "get", fails)
        answer = await client.get(f"/v1/memories/{UNKNOWN}")
        assert answer.json()["detail"] == "the model does not answer (HTTP 429)"
