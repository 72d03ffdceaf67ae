"""A bundle that is written while others write holds one moment: no commit by half; what it holds comes back whole."""

import asyncio
from collections import Counter
from itertools import count
from pathlib import Path

import pytest

from agentmem.domain.change import Change
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Commit, Selection
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT, TENANT, a_memory
from tests.support.spine import LATER, spine

ROUNDS, ALL_ROUNDS = 2, 50
"""Exports; the second in `make soak`."""


async def write_pairs(app: App, name: str, stop: asyncio.Event, most: int | None = None) -> None:
    """Two memories in one commit, again and again, until told to stop or `most` times."""
    for number in count() if most is None else range(most):
        if stop.is_set():
            return
        pair = tuple(Change(act="add", after=a_memory(f"pair {name}.{number}, {half}")) for half in ("one", "other"))
        await app.journal.ledger.commit(Commit(TENANT, f"{name}.{number}", "test", LATER, pair))


async def contents(app: App, agent: str) -> list[str]:
    return sorted(node.content for node in await app.memories(Selection(Scope(TENANT, agent), limit=100_000)))


@pytest.mark.longer
async def test_a_bundle_holds_one_moment_while_others_write(tmp_path: Path, longer: int) -> None:
    async with spine(tmp_path) as app:
        for number in range(ROUNDS if longer == 1 else ALL_ROUNDS):
            stop, file = asyncio.Event(), tmp_path / f"{number}.zip"
            async with asyncio.TaskGroup() as tasks:
                for name in "ab":
                    tasks.create_task(write_pairs(app, f"{number}{name}", stop))
                await write_pairs(app, f"{number}c", stop, most=1)
                before = await contents(app, AGENT)
                await app.bundles.export(AGENT, file)
                stop.set()
            await app.bundles.import_(file, agent_id=f"copy{number}")
            there = await contents(app, f"copy{number}")
            halves = Counter(text.partition(",")[0] for text in there)
            assert set(halves.values()) <= {2}
            assert Counter(before) <= Counter(there) <= Counter(await contents(app, AGENT))
            await app.bundles.export(f"copy{number}", tmp_path / "again.zip", force=True)
            await app.bundles.import_(tmp_path / "again.zip", agent_id=f"again{number}")
            assert await contents(app, f"again{number}") == there
