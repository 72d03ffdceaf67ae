"""However much is held about somebody, what he says is held against all of it."""

from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.domain.ids import TimestampGenerator
from agentmem.memory.episodes import window_job
from agentmem.memory.intake import Drafter
from agentmem.memory.observe import Observer
from tests.support.cognition import ScriptedCognition
from tests.support.journals import Place
from tests.support.nodes import NOON, TENANT, a_memory, a_turn
from tests.support.reflecting import PERSONA, added
from tests.support.spine import states

NEW = "我的电话换成13900139000了"
PHONE = states(NEW, "罗小东的电话是13900139000", attribute="phone", value="13900139000")


@pytest.mark.thorough
async def test_a_new_number_ends_one_that_is_older_than_five_thousand_other_memories(tmp_path: Path) -> None:
    old = a_memory(
        "罗小东的电话是13800138000", attribute="phone", value="13800138000", valid_at=NOON - timedelta(days=9)
    )
    async with Place(f"sqlite:///{tmp_path}/journal.db").journal() as journal:
        await added(journal, [old, *(a_memory(f"罗小东说过{number}") for number in range(5_001))])
        turn = a_turn(NEW)
        await journal.events.append([turn], now=NOON)
        said = await journal.events.latest(turn.lane, limit=1)
        await journal.queue.enqueue([window_job(said)])
        drafter = Drafter(TimestampGenerator(), lambda: NOON)
        observer = Observer(
            ScriptedCognition(PHONE), journal.events, journal.queue, journal.ledger, drafter, lambda: NOON
        )
        claim = await journal.queue.claim({"observation": 1})
        assert claim is not None
        await journal.queue.finish(claim, await observer.observe(claim, PERSONA))
        ended = (await journal.ledger.get(TENANT, [old.memory_id]))[old.memory_id]
        assert ended.invalid_at == NOON
