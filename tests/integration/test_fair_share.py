"""A tenant that is said a thousand things waits for its own work, and nobody else waits for it."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from agentmem.domain.scope import Principal, Scope
from agentmem.domain.statement import Window
from agentmem.ports.cognition import Read
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.speech import Utterance
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import quiet_persona, spine

QUIET = "globex"
NOISY, ALL_NOISY = 60, 3_000
"""People who talk with the agent of one tenant; the second in `make soak`."""


class Counting(ScriptedCognition):
    """Notes whose windows are read, in which order."""

    def __init__(self) -> None:
        super().__init__()
        self.read_of: list[str] = []

    async def read(self, window: Window) -> Read:
        self.read_of.append(QUIET if any("quiet" in turn.text for turn in window.turns) else TENANT)
        return await super().read(window)


async def talk(app: App, person: str, text: str, turns: int) -> None:
    """Say so many turns at once."""
    await app.say(AGENT, person, [Utterance(f"{text} {number}") for number in range(turns)], run_id=person)


@pytest.mark.longer
async def test_who_says_little_is_read_beside_who_says_much(tmp_path: Path, longer: int) -> None:
    people, heard = NOISY if longer == 1 else ALL_NOISY, Counting()
    async with spine(tmp_path, heard, persona=quiet_persona(turns=2)) as app:
        beside = app.for_principal(Principal.owner(QUIET))
        await beside.know_agent(quiet_persona(turns=2))
        for number in range(people):
            await talk(app, f"customer {number}", "noise", 2)
        await talk(beside, "Dora", "quiet", 2)
        await app.drain()
        assert heard.read_of.count(TENANT) == people
        # Its turns are written down, then read, each behind what others do just then.
        assert heard.read_of.index(QUIET) <= 2 * app.settings.workers.concurrency


async def test_a_queue_that_one_tenant_filled_is_open_to_another(tmp_path: Path) -> None:
    async with spine(tmp_path, queue={"capacity": 100}) as app:
        beside = app.for_principal(Principal.owner(QUIET))
        await beside.know_agent(quiet_persona())
        await talk(app, "Ann", "noise", 100)
        refused = await asyncio.gather(app.say(AGENT, "Ann", "more"), return_exceptions=True)
        assert [type(each).__name__ for each in refused] == ["Busy"]
        await beside.say(AGENT, "Dora", "quiet", end=True)
        await beside.drain()
        assert (await beside.upkeep.depth_of(Scope(QUIET, AGENT))).ready == 0
        await app.say(AGENT, "Ann", "more")


async def test_the_work_of_one_tenant_is_not_looked_for_twice_each_time(tmp_path: Path) -> None:
    looks: list[str] = []

    def note(_conn: object, _cursor: object, statement: str, *_: object) -> None:
        looks.append(statement)

    async with spine(tmp_path, persona=quiet_persona()) as app:
        for number in range(20):
            await talk(app, f"customer {number}", "noise", 1)
        event.listen(Engine, "before_cursor_execute", note)
        try:
            claims = [await app.journal.queue.claim({"conversation": 1}) for _ in range(20)]
        finally:
            event.remove(Engine, "before_cursor_execute", note)
    assert all(claims)
    assert sum("heads.tenant >" in statement for statement in looks) <= 30
