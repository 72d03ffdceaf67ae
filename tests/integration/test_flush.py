"""A flush is over when everything that was added has been read, whoever reads it."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from agentmem import AsyncMemory
from agentmem.domain.scope import Scope
from agentmem.ports.work_queue import Claim
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
