"""A backup from before an erasure, put back after it: what was erased comes back in nothing that was made of it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from agentmem.answers.answer import AskQuery
from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.restore_store import restore_store
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from tests.support.circles import FIRST, circle, circles, communities, fact, reopened
from tests.support.index_kind import an_index
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_turn
from tests.support.planted import places_with

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("embedded_index_throughout")]

WHOLE = Scope(TENANT, AGENT)
BEN = Scope(TENANT, AGENT, TARGET)
SECRET = fact("Zaunkoenig uses Heron.", "Zaunkoenig", "Heron")
MODES = ("auto", "vector", "local", "global", "hybrid", "traverse", "temporal")


async def held(app: App) -> Sequence[MemoryNode]:
    """Everything the agent has, of every layer."""
    return await app.memories(Selection(WHOLE, types=tuple(MemoryType)))


@pytest.fixture
async def restored(tmp_path: Path) -> Settings:
    """A store in which a member of a community and half of a turn were erased, and that was then put back as it was."""
    settings, file = Settings(data=tmp_path / "data", tenant=TENANT, index=an_index()), tmp_path / "before.backup"
    async with circles(settings.data, *circle(FIRST), SECRET) as app:
        turn = a_turn("My phone number is 13800138000 and I live in Lisbon.", 1, event_id="told")
        await app.accept([turn])
        await app.editing.read(turn.lane)
        await app.drain(patience=20)
        assert any("Zaunkoenig" in node.content for node in await communities(app))
        await app.upkeep.backup(file, now=NOON)
        phone = [node.memory_id for node in await held(app) if node.value == "13800138000"]
        await app.forget(Meant(WHOLE, ids=(SECRET.memory_id,)), erase=True)
        await app.forget(Meant(BEN, ids=tuple(phone)), erase=True)
        assert phone
        assert places_with(settings.data, "Zaunkoenig") == places_with(settings.data, "13800138000") == []
    await restore_store(settings, file, force=True)
    return settings


async def test_no_answer_and_no_byte_tells_what_was_erased(restored: Settings) -> None:
    async with reopened(restored.data) as app:
        for _ in ("at once", "when it was worked on"):
            told = [
                *(node.content for node in await held(app)),
                *[repr(await app.ask(AskQuery(WHOLE, "Who uses Heron?", mode=mode))) for mode in MODES],
                repr(await app.graph.entities(WHOLE)),
            ]
            assert not [text for text in told if "Zaunkoenig" in text or "13800138000" in text]
            await app.drain(patience=20)
    assert places_with(restored.data, "Zaunkoenig") == places_with(restored.data, "13800138000") == []


async def test_what_is_left_is_told_of_as_before(restored: Settings) -> None:
    async with reopened(restored.data) as app:
        await app.drain(patience=20)
        assert {named(TENANT, AGENT, name) for name in FIRST} in [{*node.entity_ids} for node in await communities(app)]
        heron = named(TENANT, AGENT, "Heron")
        assert "Heron" in (await app.journal.ledger.get(TENANT, [heron]))[heron].content
        assert any("Lisbon" in node.content for node in await app.memories(Selection(BEN)))
