"""Who asks for something at once does his own work for it, and none of what waits for all the others."""

from collections.abc import Generator
from pathlib import Path

import pytest

from agentmem.domain.event import TurnSpoken
from agentmem.domain.scope import Lane, Scope
from agentmem.ports.work_queue import Depth
from agentmem.runtime.facade.app import App
from tests.support.cognition import ScriptedCognition
from tests.support.journals import said
from tests.support.nodes import AGENT, NOON, TENANT
from tests.support.postgres import POSTGRES, schema
from tests.support.spine import spine, states

PEOPLE = 150
WORDS = "I live in Oslo."


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.external)])
def journal(request: pytest.FixtureRequest) -> Generator[dict[str, object]]:
    """The settings of a journal."""
    if request.param == "sqlite":
        yield {"kind": "sqlite"}
        return
    with schema() as name:
        yield {"kind": "postgres", "url": POSTGRES, "schema": name}


async def crowd(app: App, *, tenant: str = TENANT, agent: str = AGENT) -> list[Lane]:
    """People who said something that nobody has read yet."""
    turns: list[TurnSpoken] = [said(f"person {n}", 0, tenant=tenant, agent_id=agent) for n in range(PEOPLE)]
    await app.journal.events.append(turns, now=NOON)
    return [turn.lane for turn in turns]


async def depths(app: App, lanes: list[Lane]) -> list[Depth]:
    return [await app.journal.queue.depth(lane.scope) for lane in lanes]


@pytest.mark.thorough
async def test_an_add_does_the_jobs_of_its_own_conversation(tmp_path: Path, journal: dict[str, object]) -> None:
    cognition = ScriptedCognition(states(WORDS, "Ada lives in Oslo"))
    async with spine(tmp_path, cognition, journal=journal) as app:
        others = [*await crowd(app), *await crowd(app, tenant="elsewhere")]
        before = await depths(app, others)
        added = await app.add(AGENT, "Ada", WORDS)
        assert [change.after.content for change in added.changes if change.after] == ["Ada lives in Oslo"]
        assert not added.waits
        assert await depths(app, others) == before
        assert await app.journal.queue.depth() == Depth(ready=2 * PEOPLE, delayed=0, leased=0, dead=0)


@pytest.mark.thorough
async def test_a_clone_reads_what_its_source_was_told(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await crowd(app)
        others = await crowd(app, agent="another")
        before = await depths(app, others)
        await app.copies.clone(AGENT, "copy")
        assert (await app.journal.queue.depth(Scope(TENANT, AGENT))).ready == 0
        assert await depths(app, others) == before


async def test_to_read_a_conversation_now_reads_no_other(tmp_path: Path) -> None:
    cognition = ScriptedCognition(states(WORDS, "Ada lives in Oslo"))
    async with spine(tmp_path, cognition) as app:
        others = await crowd(app)
        before = await depths(app, others)
        await app.say(AGENT, "Ada", WORDS)
        (lane,) = set(await app.journal.events.lanes(Scope(TENANT, AGENT))) - set(others)
        await app.editing.read(lane)
        assert (await app.journal.queue.depth(lane.scope)).ready == 0
        assert await depths(app, others) == before
