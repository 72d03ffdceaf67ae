"""What was recalled is touched, but not again within five minutes."""

from collections.abc import AsyncGenerator, Collection
from contextlib import nullcontext
from datetime import datetime, timedelta

import pytest
from qdrant_client import AsyncQdrantClient
from structlog.testing import capture_logs

from agentmem.adapters.memory_index.server import ServerIndex
from agentmem.errors import BackendUnavailable
from agentmem.retrieval.recall import EVERY, Touch
from tests.support.indexes import SIZE, a_point
from tests.support.nodes import NOON, a_memory

ONE, TWO = a_memory("one"), a_memory("two")
IDS = [ONE.memory_id, TWO.memory_id]
TICK = timedelta(microseconds=1)


class Noting(ServerIndex):
    """An index that remembers what it was told to touch, and can be away."""

    def __init__(self, client: AsyncQdrantClient) -> None:
        super().__init__(lambda: nullcontext(client), "memories", size=SIZE)
        self.touched: list[list[str]] = []
        self.away = False

    async def touch(self, memory_ids: Collection[str], at: datetime) -> None:
        if self.away:
            raise BackendUnavailable("away")
        self.touched.append(list(memory_ids))
        await super().touch(memory_ids, at)


@pytest.fixture
async def index() -> AsyncGenerator[Noting]:
    client = AsyncQdrantClient(":memory:")
    async with Noting(client) as opened:
        await opened.upsert([a_point(ONE), a_point(TWO)])
        yield opened
    await client.close()


async def test_two_reads_are_one_write_until_five_minutes_have_passed(index: Noting) -> None:
    touch = Touch(index)
    await touch(IDS, NOON)
    await touch(IDS, NOON + EVERY - TICK)
    assert index.touched == [IDS]
    held = await index.fetch(IDS, ["lastAccess"])
    assert [payload["lastAccess"] for payload in held.values()] == ["2026-03-09T12:00:00Z"] * 2
    await touch(IDS, NOON + EVERY)
    assert index.touched == [IDS, IDS]


async def test_only_what_was_not_touched_lately_is_written(index: Noting) -> None:
    touch = Touch(index)
    await touch([], NOON)
    await touch(IDS[:1], NOON)
    await touch([*IDS, *IDS], NOON + EVERY / 2)
    await touch(IDS, NOON + EVERY)
    assert index.touched == [IDS[:1], IDS[1:], IDS[:1]]


async def test_an_index_that_does_not_take_a_hint_costs_no_answer(index: Noting) -> None:
    touch, index.away = Touch(index), True
    with capture_logs() as logs:
        await touch(IDS, NOON)
    assert [(entry["event"], entry["memories"]) for entry in logs] == [("not_touched", 2)]
    assert logs[0]["reason"].startswith("BackendUnavailable")
    index.away = False
    await touch(IDS, NOON + EVERY)
    assert index.touched == [IDS]
