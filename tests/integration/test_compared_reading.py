"""What a reading says of the statements it was shown is believed as a verdict, and no call is made to judge them."""

from pathlib import Path

import pytest

from agentmem.domain.memory import MemoryNode, StoreStatus
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from tests.support.obedient import fact, held, obeying, order, told
from tests.support.spine import SCOPE

OLD, NEW = "罗小东 wants to fly to Lisbon", "罗小东 wants to fly to Porto"


def _judged(prompts: list[str]) -> list[str]:
    return [prompt for prompt in prompts if "| later: " in prompt]


async def _told(app: App, text: str, **compared: object) -> None:
    await told(app, "罗小东", f"{text[-6:]} {order(read={'facts': [fact(text, **compared)]})}")


async def _node(app: App, text: str) -> MemoryNode:
    nodes = await app.memories(Selection(SCOPE, statuses=tuple(StoreStatus)))
    (found,) = (node for node in nodes if node.content == text and node.memory_type != "conversation")
    return found


async def test_what_replaces_a_held_statement_ends_it_without_a_call_to_judge(tmp_path: Path) -> None:
    prompts: list[str] = []
    async with obeying(tmp_path, prompts) as app:
        await _told(app, OLD)
        await _told(app, NEW, replaces=[1])
        assert [node.content for node in await held(app)] == [NEW]
        old, new = await _node(app, OLD), await _node(app, NEW)
        assert (old.superseded_by, old.invalid_at) == (new.memory_id, new.valid_at)
        assert any(f"已记 1 (2026-03-09): {OLD}" in prompt for prompt in prompts)
        assert _judged(prompts) == []


async def test_of_what_it_was_shown_and_said_nothing_nobody_is_asked_again(tmp_path: Path) -> None:
    prompts: list[str] = []
    async with obeying(tmp_path, prompts) as app:
        await _told(app, OLD)
        await _told(app, NEW)
        await app.reflect(SCOPE)
        assert sorted(node.content for node in await held(app)) == sorted((OLD, NEW))
        assert _judged(prompts) == []


@pytest.mark.parametrize("number", [0, -1, 2, 99])
async def test_a_number_that_was_not_shown_ends_nothing(tmp_path: Path, number: int) -> None:
    async with obeying(tmp_path) as app:
        await _told(app, OLD)
        await _told(app, NEW, replaces=[number])
        assert sorted(node.content for node in await held(app)) == sorted((OLD, NEW))
