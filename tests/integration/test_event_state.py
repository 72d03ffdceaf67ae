"""How far an event is: on disk, read, in the index, or given up; told to whoever may know of it and to nobody else."""

from pathlib import Path

import pytest

from agentmem.domain.scope import Grant, Principal
from agentmem.errors import NotFound
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.records import EventState
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import Failing, quiet_persona, spine


async def said(app: App, text: str = "I live in Oslo.", *, end: bool = True) -> str:
    return (await app.say(AGENT, "Ben", text, end=end)).turn.event_key.hex()


async def test_a_turn_is_accepted_then_indexed(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        key = await said(app)
        assert await app.records.event(key) == EventState("accepted")
        await app.drain()
        assert await app.records.event(key) == EventState("indexed")


async def test_a_turn_that_is_in_no_window_yet_is_not_read(tmp_path: Path) -> None:
    async with spine(tmp_path, persona=quiet_persona(idle_seconds=86_400)) as app:
        key = await said(app, end=False)
        await app.drain()
        assert await app.records.event(key) == EventState("accepted")


async def test_why_a_turn_was_given_up_is_told_to_the_owner_alone(tmp_path: Path) -> None:
    failing = Failing([ValueError("no such thing")] * 50)
    async with spine(tmp_path, failing) as app:
        key = await said(app)
        await app.drain(patience=10)
        state = await app.records.event(key)
        assert state.state == "parked"
        assert "no such thing" in (state.reason or "")
        bound = app.for_principal(Principal("ben", TENANT, {AGENT: frozenset({Grant.TALK})}, about="Ben"))
        assert await bound.records.event(key) == EventState("parked")


@pytest.mark.parametrize(
    "principal",
    [
        Principal("ann", TENANT, {AGENT: frozenset(Grant)}, about="Ann"),
        Principal("beside", TENANT, {"other": frozenset(Grant)}),
        Principal("elsewhere", "globex", {"*": frozenset(Grant)}),
        Principal("nobody", TENANT),
    ],
    ids=lambda principal: principal.name,
)
async def test_an_event_of_somebody_else_is_as_one_that_is_not_there(principal: Principal, tmp_path: Path) -> None:
    async with spine(tmp_path, ScriptedCognition()) as app:
        key = await said(app)
        told = app.for_principal(principal)
        for asked in (key, "00" * 16, "not hexadecimal", ""):
            with pytest.raises(NotFound, match="no event"):
                await told.records.event(asked)
