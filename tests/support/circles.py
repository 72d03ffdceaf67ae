"""Agents whose memories fall into circles, and work on them that is killed."""

import os
import signal
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

from agentmem.adapters.journal import journal as journals
from agentmem.adapters.journal.journal import SqlJournal
from agentmem.domain.change import Change
from agentmem.domain.entity import Mention, graph_lane, named, with_mentions
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.persona import Persona
from agentmem.ports.ledger import Commit, Selection
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from tests.support.index_kind import an_index
from tests.support.nodes import AGENT, NOON, TENANT, a_memory

FIRST, SECOND = ("马尔科", "Kestrel", "Heron"), ("王芳", "Linnet", "Osprey")


def fact(content: str, about: str, *others: str, **fields: object) -> MemoryNode:
    """A pair fact between `about` and the first of the others."""
    ids = tuple(named(TENANT, AGENT, name) for name in (about, *others))
    given: dict[str, object] = {
        "memory_id": derived_id("fact", content),
        "target_id": ids[0],
        "target_name": about,
        "entity_ids": ids,
        "relation": "USES" if others else None,
        "meta_data": with_mentions(tuple(Mention(name=name) for name in others)),
        "language": "en",
    }
    return a_memory(content, **{**given, **fields})


def circle(names: tuple[str, str, str], word: str = "uses") -> list[MemoryNode]:
    """Everybody in it has to do with everybody else."""
    one, two, three = names
    return [
        fact(f"{one} {word} {two}.", one, two),
        fact(f"{two} {word} {three}.", two, three),
        fact(f"{one} {word} {three}.", one, three),
    ]


@asynccontextmanager
async def circles(folder: Path, *nodes: MemoryNode) -> AsyncGenerator[App]:
    """The app with these memories, or with two circles, grouped."""
    async with open_app(Settings(data=folder, tenant=TENANT, index=an_index())) as app:
        await app.know_agent(Persona(id=AGENT, name="小美", language="zh"))
        await add(app, *(nodes or (*circle(FIRST), *circle(SECOND))))
        yield app


@asynccontextmanager
async def reopened(folder: Path) -> AsyncGenerator[App]:
    """The same place as it was left."""
    async with open_app(Settings(data=folder, tenant=TENANT, index=an_index())) as app:
        yield app


async def add(app: App, *nodes: MemoryNode) -> None:
    """Write memories and work off what follows."""
    await write(app, (Change(act="add", after=node) for node in nodes))
    await app.drain()


async def write(app: App, changes: Iterable[Change]) -> None:
    """Commit, and no more."""
    made = tuple(changes)
    run = derived_id("run", *(str(change.memory_id) for change in made), await app.journal.ledger.head())
    await app.journal.ledger.commit(Commit(TENANT, run, "test", NOON, made))


async def communities(app: App) -> list[MemoryNode]:
    """Those that stand, by their names."""
    lane = graph_lane(TENANT, AGENT).scope
    wanted = Selection(lane, types=(MemoryType.COMMUNITY,), statuses=(StoreStatus.VALID,))
    return sorted(await app.memories(wanted), key=lambda node: node.key)


async def written(app: App, since: int) -> list[MemoryNode]:
    """The communities that were written after this row of the ledger."""
    versions = await app.journal.ledger.since(since, limit=10_000)
    return [item.node for item in versions if item.node and item.node.memory_type is MemoryType.COMMUNITY]


async def regroup_and_die(folder: Path, step: str, at_time: int) -> None:
    """Let a new fact bring the two circles together, and be killed at the commit of a step."""
    left = at_time

    def hear(heard: str) -> None:
        nonlocal left
        left -= heard == step
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    journals.SqlJournal = cast(Any, partial(SqlJournal, on_commit=hear))
    async with open_app(Settings(data=folder, tenant=TENANT, index=an_index()), index=False) as app:
        await app.drain()


async def work(folder: Path) -> None:
    """What a second worker process does until nothing waits."""
    async with open_app(Settings(data=folder, tenant=TENANT, index=an_index()), index=False) as app:
        await app.drain(patience=20)
