"""A row that nobody can digest stands alone: it is set aside with its reason, and everything else goes on, its own
tenant's and other tenants' alike."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Principal, Scope
from agentmem.memory.forget import Meant
from agentmem.ports.event_log import Accepted
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT, TENANT
from tests.support.poisons import POISONS, BackDoor
from tests.support.postgres import POSTGRES, schema, unreachable
from tests.support.spine import PATIENCE, quiet_persona, spine

pytestmark = pytest.mark.thorough

OTHER = "globex"
STORES = ("sqlite", pytest.param("postgres", marks=pytest.mark.external))
GOOD = "我的电话是13800138000"


class House:
    """The app over one store, for the tenant that is poisoned and for another one, and a back door."""

    def __init__(self, app: App, door: BackDoor) -> None:
        self.app, self.door = app, door
        self.beside = app.for_principal(Principal.owner(OTHER))

    async def say(self, app: App, key: str, text: str, person: str = "罗小东") -> Accepted:
        return (await app.say(AGENT, person, text, key=key, end=True)).turn

    async def memory_of(self, key: str) -> str:
        [memory_id] = [
            node.memory_id
            for node in await self.app.memories(Selection(Scope(TENANT, AGENT), types=(MemoryType.CONVERSATION,)))
            if node.content == key
        ]
        return memory_id


Place = Callable[[], AbstractAsyncContextManager[House]]


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Place]:
    """Opens the same store each time it is called."""

    @asynccontextmanager
    async def opened(name: str | None = None) -> AsyncGenerator[House]:
        kept = {"kind": "sqlite"} if name is None else {"kind": "postgres", "url": POSTGRES, "schema": name}
        async with spine(tmp_path, persona=quiet_persona(turns=1), journal=kept) as app:
            await app.for_principal(Principal.owner(OTHER)).know_agent(quiet_persona(turns=1))
            yield House(app, BackDoor(tmp_path / "data", POSTGRES if name else None, name))

    if request.param == "sqlite":
        yield opened
        return
    if reason := unreachable():
        pytest.skip(reason)
    with schema() as name:
        yield lambda: opened(name)


async def everything_works(app: App, folder: Path, name: str) -> None:
    """All that somebody may want of an agent who knows a phone number."""
    scope = Scope(app.tenant, AGENT)
    await app.say(AGENT, "王芳", f"{name}喜欢喝龙井茶", key=name, end=True)
    await app.drain(patience=PATIENCE)
    for work in OPERATIONS:
        await OPERATIONS[work](app, folder / f"{name}-{app.tenant}")
    assert [node for node in await app.memories(Selection(scope)) if "龙井" in node.content]


async def _recalls(app: App, _: Path) -> None:
    found = await app.recall(RecallQuery(Scope(app.tenant, AGENT), "罗小东的电话"))
    assert any("13800138000" in hit.memory.content for hit in found.hits)


async def _tells(app: App, _: Path) -> None:
    context = await app.context(RecallQuery(Scope(app.tenant, AGENT), "罗小东的电话"))
    assert "13800138000" in context.text


async def _lists(app: App, _: Path) -> None:
    [agent] = [persona for persona in await app.records.agents() if persona.id == AGENT]
    assert agent.name
    assert await app.targets(Scope(app.tenant, AGENT), "罗小东")


async def _reflects(app: App, _: Path) -> None:
    await app.reflect(Scope(app.tenant, AGENT))


async def _forgets(app: App, folder: Path) -> None:
    await app.say(AGENT, folder.name, "我的电话是13500135000", key=f"forget {folder.name}", end=True)
    await app.drain(patience=PATIENCE)
    [target] = await app.targets(Scope(app.tenant, AGENT), folder.name)
    told = await app.forget(Meant(Scope(app.tenant, AGENT, target)), erase=True)
    assert told.erased is not None
    assert not await app.memories(Selection(Scope(app.tenant, AGENT, target)))


async def _exports(app: App, folder: Path) -> None:
    assert (await app.bundles.export(AGENT, folder.with_suffix(".zip"))).memories


async def _clones(app: App, folder: Path) -> None:
    await app.copies.clone(AGENT, f"copy-{folder.name}")
    copied = await app.memories(Selection(Scope(app.tenant, f"copy-{folder.name}")))
    assert any("13800138000" in node.content for node in copied)
    await app.forget_agent(f"copy-{folder.name}")


OPERATIONS: Mapping[str, Callable[[App, Path], Awaitable[None]]] = {
    "recall": _recalls,
    "context": _tells,
    "list": _lists,
    "reflect": _reflects,
    "export": _exports,
    "clone": _clones,
    "erase": _forgets,
}


async def poisoned_turns(house: House) -> list[str]:
    """A turn for each poison, taken in and not read yet; their event ids."""
    said = [await house.say(house.app, f"bad {n}", f"毒{n}号", f"客户{n}") for n in range(len(POISONS))]
    for turn, poison in zip(said, POISONS.values(), strict=True):
        house.door.poison_event(turn.seq, poison)
    return [turn.event_id for turn in said]


async def poisoned_memories(house: House) -> list[str]:
    """A conversation memory for each poison; their ids."""
    for number in range(len(POISONS)):
        await house.say(house.app, f"bad {number}", f"毒{number}号", f"客户{number}")
    await house.app.drain(patience=PATIENCE)
    ids = [await house.memory_of(f"毒{number}号") for number in range(len(POISONS))]
    for memory_id, poison in zip(ids, POISONS.values(), strict=True):
        house.door.poison_memory(memory_id, poison)
    await house.say(house.app, "damaged", "毒坏了", "客户坏")
    await house.app.drain(patience=PATIENCE)
    damaged = await house.memory_of("毒坏了")
    house.door.damage_memory(damaged)
    return [*ids, damaged]


async def test_turns_that_cannot_be_read_are_set_aside_and_everything_else_goes_on(
    place: Place, tmp_path: Path
) -> None:
    async with place() as house:
        keys = await poisoned_turns(house)
        for app in (house.app, house.beside):
            await house.say(app, "good", GOOD)
        for app in (house.app, house.beside):
            await everything_works(app, tmp_path, "first")
        letters = [letter for letter in await house.app.upkeep.dead() if letter.worker == "conversation"]
        assert {event for letter in letters for event in letter.event_ids} == set(keys)
        assert not [letter for letter in letters if "毒" in letter.reason]
        assert await house.beside.upkeep.dead() == []
        assert (await house.app.index.verify()).ok


async def test_memories_that_cannot_be_read_are_set_aside_and_everything_else_goes_on(
    place: Place, tmp_path: Path
) -> None:
    async with place() as house:
        for app in (house.app, house.beside):
            await house.say(app, "good", GOOD)
        ids = await poisoned_memories(house)
        for app in (house.app, house.beside):
            await everything_works(app, tmp_path, "first")
        await house.app.index.rebuild(lambda done, of: None)
        letters = [letter for letter in await house.app.upkeep.dead() if letter.worker == "projection"]
        assert len(letters) == len(ids)
        assert not [letter for letter in letters if "毒" in letter.reason]
        assert await house.beside.upkeep.dead() == []
        assert (await house.app.index.verify()).ok
    async with place() as house:
        for app in (house.app, house.beside):
            await everything_works(app, tmp_path, "second")
        assert (await house.app.index.verify()).ok


ELSEWHERE: Mapping[str, tuple[str, ...]] = {
    "persona": ("UPDATE agents SET persona = '[1' WHERE tenant = 'acme'",),
    "debts": (
        "INSERT INTO marks (name, value) VALUES ('owed/1', '[1')",
        "INSERT INTO marks (name, value) VALUES ('forgetting/1', '[1')",
    ),
    "cron": ("UPDATE marks SET value = 'never' WHERE name = 'reflection.ticked/acme/seller'",),
    "work": (
        "UPDATE jobs SET seqs = '[9' WHERE lane_id IN (SELECT lane_id FROM lanes WHERE tenant = 'acme')",
        "UPDATE jobs SET payload = 'x' WHERE lane_id IN (SELECT lane_id FROM lanes WHERE tenant = 'acme')",
        "UPDATE jobs SET staged = '[1' WHERE lane_id IN (SELECT lane_id FROM lanes WHERE tenant = 'acme')",
    ),
    "graph": (
        "UPDATE ledger SET after = '[1' WHERE seq IN (SELECT seq FROM memories "
        "WHERE tenant = 'acme' AND type IN ('entity', 'community', 'observation', 'insight'))",
    ),
    "earlier rows": ("UPDATE ledger SET after = '[1' WHERE tenant = 'acme' AND seq NOT IN (SELECT seq FROM memories)",),
    "times": (
        "UPDATE memories SET timestamp = 9223372036854775807 WHERE tenant = 'acme'",
        "UPDATE lanes SET turn_at = 9223372036854775 WHERE tenant = 'acme'",
    ),
}


ALL_IN_SQLITE_AND_TWO_IN_POSTGRES = [
    *(pytest.param("sqlite", where) for where in ELSEWHERE),
    *(pytest.param("postgres", where, marks=pytest.mark.external) for where in ("persona", "graph")),
]


@pytest.mark.parametrize(("place", "where"), ALL_IN_SQLITE_AND_TWO_IN_POSTGRES, indirect=["place"])
async def test_whatever_else_of_one_tenant_cannot_be_read_another_one_does_not_notice(
    place: Place, tmp_path: Path, where: str
) -> None:
    async with place() as house:
        for app in (house.app, house.beside):
            await house.say(app, "good", GOOD)
            await app.know_agent(quiet_persona(turns=1, cron="0 3 * * *"))
        await house.app.drain(patience=PATIENCE)
        await house.say(house.app, "waits", "我住在上海")
        for statement in ELSEWHERE[where]:
            house.door.rows(statement)
        await everything_works(house.beside, tmp_path, "first")
        assert await house.beside.upkeep.dead() == []
    async with place() as house:
        await everything_works(house.beside, tmp_path, "second")
        await house.app.index.rebuild(lambda done, of: None)
        await _recalls(house.beside, tmp_path)
