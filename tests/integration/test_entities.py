"""Entities: whom and what memories mention, under all their names."""

from pathlib import Path

from agentmem.domain.entity import graph_lane, named
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from tests.support.index_kind import an_index

AGENT = "clerk"


async def entities(app: App, *, status: StoreStatus = StoreStatus.VALID) -> dict[str, MemoryNode]:
    wanted = Selection(Scope("default", AGENT), types=(MemoryType.ENTITY,), statuses=(status,))
    return {str(node.value): node for node in await app.memories(wanted)}


async def test_who_speaks_is_an_entity_and_what_is_said_of_him_its_summary(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id=AGENT, name="前台"))
        await app.say(AGENT, "王芳", "我的电话是13800138000", end=True)
        await app.drain()
        found = await entities(app)
        layers = await app.memories(Selection(Scope("default", AGENT)))
    assert found["王芳"].kind == "person"
    assert "13800138000" in found["王芳"].content
    assert found["王芳"].memory_id == named("default", AGENT, "王芳")
    assert MemoryType.ENTITY not in {node.memory_type for node in layers}


async def test_what_ends_leaves_the_summary(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id=AGENT, name="前台"))
        await app.say(AGENT, "王芳", "我的电话是13800138000", run_id="one", end=True)
        await app.drain()
        await app.say(AGENT, "王芳", "我换号了,新号码13900139000", run_id="two", end=True)
        await app.drain()
        content = (await entities(app))["王芳"].content
    assert "13900139000" in content
    assert "13800138000" not in content


async def test_another_name_leads_on_to_the_one_who_bears_it(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id=AGENT, name="前台"))
        await app.say(AGENT, "罗小东", "这个是我的联系方式 小东 12345678901", end=True)
        await app.drain()
        found, taken = await entities(app), await entities(app, status=StoreStatus.EXPIRED)
    assert set(found["罗小东"].key) == {"罗小东", "小东"}
    assert taken["小东"].superseded_by == found["罗小东"].memory_id
    assert "小东" not in found


async def test_nobody_takes_in_somebody_who_has_spoken_for_himself(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id=AGENT, name="前台"))
        await app.say(AGENT, "罗小东", "我的电话是13800138000", end=True)
        await app.drain()
        await app.say(AGENT, "马力", "这个是我的联系方式 罗小东 12345678901", end=True)
        await app.drain()
        found = await entities(app)
    assert "13800138000" in found["罗小东"].content
    assert "13800138000" not in found["马力"].content


async def test_entities_are_written_once_however_often_nothing_changes(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id=AGENT, name="前台"))
        await app.say(AGENT, "王芳", "我的电话是13800138000", end=True)
        await app.drain()
        head = await app.journal.ledger.head()
        await app.drain()
        await app.host.sweep()
        await app.drain()
        assert await app.journal.ledger.head() == head
        lanes = {node.lane for node in (await entities(app)).values()}
    assert lanes == {graph_lane("default", AGENT)}
