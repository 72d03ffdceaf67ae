"""A forgetting that is taken back after something newer was said: one value of a slot holds, the newer one."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.event import Person
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import AGENT
from tests.support.spine import LATER, SCOPE, quiet_persona, spine

TOM = Person(name="Tom")
SAID = {
    "phone": ("My phone number is 5550142777.", "Please forget my phone number.", "My phone number is 5550177888."),
    "city": ("I live in Oslo.", "Please forget where I live.", "I live in Leeds."),
    "budget": ("我的预算是30万。", "忘掉我的预算", "我的预算是50万。"),
    "email": ("My email is tom@old.example.", "Forget my email.", "My email is tom@new.example."),
}


async def observed(app: App, attribute: str) -> list[MemoryNode]:
    wanted = Selection(SCOPE, (MemoryType.OBSERVATION,), (StoreStatus.VALID, StoreStatus.EXPIRED), limit=100)
    nodes: Sequence[MemoryNode] = (await app.memories(wanted)).memories
    return sorted((node for node in nodes if node.attribute == attribute), key=lambda node: node.timestamp)


async def told(app: App, clock: ManualClock, text: str) -> str | None:
    clock.advance(timedelta(minutes=10))
    said = await app.say(AGENT, TOM, text, end=True, run_id=f"talk {text}")
    await app.drain()
    return said.forgotten[0].run if said.forgotten else None


@pytest.mark.parametrize("attribute", SAID)
async def test_the_newer_value_holds_and_the_returning_one_is_over(tmp_path: Path, attribute: str) -> None:
    first, request, second = SAID[attribute]
    clock = ManualClock(LATER)
    async with spine(tmp_path, RulesCognition(), clock=clock, persona=quiet_persona()) as app:
        await told(app, clock, first)
        (before,) = await observed(app, attribute)
        run = await told(app, clock, request)
        assert run is not None
        assert await observed(app, attribute) == []
        await told(app, clock, second)
        (newer,) = await observed(app, attribute)
        clock.advance(timedelta(minutes=10))
        report = await app.undo(run)
        assert report.blocked == ()
        older, still = await observed(app, attribute)
        assert (older.memory_id, older.content, older.value) == (before.memory_id, before.content, before.value)
        assert (older.valid_at, older.evidence) == (before.valid_at, before.evidence)
        assert (older.store_status, older.superseded_by) == (StoreStatus.EXPIRED, newer.memory_id)
        assert older.invalid_at == newer.valid_at
        assert (still.memory_id, still.store_status, still.value) == (newer.memory_id, StoreStatus.VALID, newer.value)
        turns = await app.memories(Selection(SCOPE, (MemoryType.CONVERSATION,)))
        assert first in [turn.content for turn in turns.memories]


async def test_what_may_stand_side_by_side_and_what_met_nothing_newer_returns_as_it_was(tmp_path: Path) -> None:
    clock = ManualClock(LATER)
    async with spine(tmp_path, RulesCognition(), clock=clock, persona=quiet_persona()) as app:
        await told(app, clock, "I like sailing. My phone number is 5550142777.")
        before = [*await observed(app, "preference"), *await observed(app, "phone")]
        runs = [await told(app, clock, text) for text in ("Forget that I like sailing.", "Forget my phone number.")]
        await told(app, clock, "I like chess.")
        for run in reversed(runs):
            assert run is not None
            await app.undo(run)
        after = {node.memory_id: node for node in [*await observed(app, "preference"), *await observed(app, "phone")]}
        assert [after[node.memory_id] for node in before] == before
        assert all(node.store_status is StoreStatus.VALID for node in after.values())
        assert len(after) == 3
