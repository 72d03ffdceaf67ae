"""A recall with a filter finds what fits it, whether workers have read it yet or not."""

from pathlib import Path

import pytest

from agentmem.domain.filter import parse_filter
from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Principal, Scope
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT, TENANT, a_turn
from tests.support.spine import SCOPE, spine

TURN = (MemoryType.CONVERSATION,)
TURNS = [
    a_turn("我的电话是12345678901", 0),
    a_turn("好的,电话记下了", 1, by_agent=True),
    a_turn("电话换成12345678902了", 2, run="later"),
]


async def _found(app: App, asked: object, scope: Scope = SCOPE) -> set[str]:
    recalled = await app.recall(RecallQuery(scope, "电话", types=TURN, filter=parse_filter(asked)))
    return {hit.memory.content for hit in recalled.hits}


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ({}, (0, 1, 2)),
        ({"role": "customer"}, (0, 2)),
        ({"NOT": [{"role": "customer"}]}, (1,)),
        ({"run_id": "talk", "turnIndex": {"lt": 1}}, (0,)),
        ({"content": {"contains": "12345678902"}}, (2,)),
        ({"validAt": {"gt": "2026-03-09T12:00:00Z", "lte": "2026-03-09T20:00:20+08:00"}}, (1,)),
        ({"agent_id": "somebody else"}, ()),
    ],
)
async def test_a_filter_finds_the_same_before_and_after_workers_have_run(
    tmp_path: Path, asked: object, numbers: tuple[int, ...]
) -> None:
    async with spine(tmp_path) as app:
        await app.accept(TURNS)
        before = await _found(app, asked)
        await app.drain()
        assert before == await _found(app, asked) == {TURNS[number].text for number in numbers}


async def test_a_filter_shows_nobody_elses_memories(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.accept(TURNS)
        await app.drain()
        theirs = {"OR": [{"tenant": TENANT}, {"agentId": AGENT}, {"content": "*"}]}
        assert len(await _found(app, theirs)) == 3
        assert await _found(app, theirs, Scope(TENANT, "another")) == set()
        globex = app.for_principal(Principal.owner("globex"))
        assert await _found(globex, theirs, Scope("globex", AGENT)) == set()
