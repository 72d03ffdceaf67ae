"""A flush is over when everything that was added has been read, whoever reads it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from agentmem import AsyncMemory
from agentmem.domain.scope import Scope
from agentmem.errors import BackendUnavailable
from agentmem.ports.work_queue import Claim
from agentmem.runtime.facade.app import App
from tests.support.cognition import ScriptedCognition
from tests.support.spine import PATIENCE, quick_settings, quiet_persona, states


async def test_a_flush_waits_for_what_the_background_has_just_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, let = asyncio.Event(), asyncio.Event()
    cognition, persona = ScriptedCognition(states("Oslo", "Tom lives in Oslo")), quiet_persona()
    async with AsyncMemory(quick_settings(tmp_path), cognition=cognition) as memory, asyncio.timeout(PATIENCE):
        queue = memory.app.journal.queue
        claim = queue.claim

        async def slowly(batches: Mapping[str, int], *, scope: Scope | None = None) -> Claim | None:
            found = await claim(batches, scope=scope)
            if found is not None and not taken.is_set():
                taken.set()
                await let.wait()
            return found

        monkeypatch.setattr(queue, "claim", slowly)
        await memory.app.know_agent(persona)
        await memory.add("I live in Oslo.", user_id="Tom", agent_id=persona.id, wait=False)
        await taken.wait()
        flushed = asyncio.create_task(memory.flush())
        await asyncio.wait([flushed], timeout=0.5)
        let.set()
        await flushed
        known = await memory.list(user_id="Tom", agent_id=persona.id)
        assert [one.memory for one in known.results] == ["Tom lives in Oslo"]


class Unavailable:
    """A method of a store that cannot be reached until `until` is set."""

    def __init__(self, method: Callable[..., Awaitable[Any]]) -> None:
        self.method, self.until = method, False
        self.refused, self.reached = asyncio.Event(), asyncio.Event()

    async def __call__(self, *args: object, **given: object) -> object:
        """As the method, or refused."""
        if not self.until:
            self.refused.set()
            raise BackendUnavailable("the store cannot be reached")
        self.reached.set()
        return await self.method(*args, **given)


async def test_what_a_flush_could_not_read_is_read_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cognition, persona = ScriptedCognition(states("Oslo", "Tom lives in Oslo")), quiet_persona()
    async with AsyncMemory(quick_settings(tmp_path), cognition=cognition) as memory, asyncio.timeout(PATIENCE):
        await memory.app.know_agent(persona)
        await memory.add("I live in Oslo.", user_id="Tom", agent_id=persona.id, wait=False)
        events = memory.app.journal.events
        broken = Unavailable(events.uncut)
        monkeypatch.setattr(events, "uncut", broken)
        with pytest.raises(BackendUnavailable):
            await memory.flush()
        broken.until = True
        await memory.flush()
        known = await memory.list(user_id="Tom", agent_id=persona.id)
        assert [one.memory for one in known.results] == ["Tom lives in Oslo"]


async def test_reading_in_the_background_begins_again_after_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cognition, persona = ScriptedCognition(states("Oslo", "Tom lives in Oslo")), quiet_persona(turns=1)
    async with AsyncMemory(quick_settings(tmp_path), cognition=cognition) as memory, asyncio.timeout(PATIENCE):
        await memory.app.know_agent(persona)
        broken = Unavailable(memory.app.serve)
        monkeypatch.setattr(App, "serve", broken)
        await memory.add("Good morning.", user_id="Tom", agent_id=persona.id, wait=False)
        await broken.refused.wait()
        broken.until = True
        await memory.add("I live in Oslo.", user_id="Tom", agent_id=persona.id, wait=False)
        await broken.reached.wait()
