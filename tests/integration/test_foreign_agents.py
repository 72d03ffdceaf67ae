"""Files of other systems become agents: untrusted, searchable, with what was left behind told."""

import json
from pathlib import Path

import pytest

from agentmem.domain.change import Change
from agentmem.domain.item import Namespace, item
from agentmem.domain.memory import MemoryType, Trust
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from tests.support.foreign import agent_file, card, card_chunk, chatgpt_export, mem0_export, png
from tests.support.known import received
from tests.support.nodes import AGENT, TENANT, a_turn
from tests.support.spine import quiet_persona, spine


def written(folder: Path, content: object) -> Path:
    file = folder / "given"
    file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return file


async def found(app: App, agent: str, question: str) -> str:
    return (await app.recall(RecallQuery(Scope(TENANT, agent), question))).hits[0].memory.content


async def test_each_kind_of_file_makes_an_agent_that_can_be_asked(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        for content, agent, question, answer in (
            (agent_file(tmp_path / "ran"), "Anna", "order 4711", "My order 4711 never came."),
            (png(card_chunk(card())), "Mara", "what burns in the lamp", "The lamp burns rape oil."),
            (mem0_export(), "dev", "meetings", "Dev prefers morning meetings."),
            (chatgpt_export(), "gpt", "what is my cat called", "My cat is called Momo."),
        ):
            done = await app.bundles.import_(written(tmp_path, content), agent_id=agent)
            nodes = await app.memories(Selection(Scope(TENANT, agent)))
            assert len(nodes) == done.memories > 0
            assert {node.trust for node in nodes} == {Trust.UNTRUSTED}
            assert await found(app, agent, question) == answer
        assert not (tmp_path / "ran").exists()


async def test_nothing_of_a_file_is_read_as_a_new_fact(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.bundles.import_(written(tmp_path, chatgpt_export()), agent_id="gpt")
        await app.drain()
        await app.reflect(Scope(TENANT, "gpt"))
        nodes = await app.memories(Selection(Scope(TENANT, "gpt")))
        assert {node.memory_type for node in nodes} == {MemoryType.CONVERSATION}


async def test_a_file_without_a_name_needs_one_and_twice_is_refused(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        file = written(tmp_path, mem0_export())
        with pytest.raises(InvalidInput, match="give it an id"):
            await app.bundles.import_(file)
        with pytest.raises(InvalidInput, match="no agent's id"):
            await app.bundles.import_(file, agent_id="../x")
        await app.bundles.import_(file, agent_id="dev")
        with pytest.raises(InvalidInput, match="here already"):
            await app.bundles.import_(file, agent_id="dev")
        with pytest.raises(InvalidInput, match="not signed"):
            await app.bundles.import_(file, agent_id="dev2", signer=file)
        assert await app.journal.registry.agent(TENANT, "dev2") is None


async def test_what_is_written_as_a_card_comes_back_as_one_without_a_word_about_people(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.bundles.import_(written(tmp_path, card()), agent_id="Mara", person="Mei-the-secret")
        mara = await app.journal.registry.agent(TENANT, "Mara")
        assert mara is not None
        await app.say("Mara", "Mei-the-secret", "My phone is 555-014-2277.", end=True)
        out = tmp_path / "mara.json"
        await app.bundles.export_card("Mara", out)
        shared = json.loads(out.read_text("utf-8"))
        assert (shared["spec"], shared["data"]["name"]) == ("chara_card_v3", "Mara")
        assert "2277" not in out.read_text("utf-8")
        assert shared["data"]["character_book"]["entries"] == []  # what a stranger wrote is not passed on
        again = await app.bundles.import_(out, agent_id="again")
        assert "Mei-the-secret" in mara.role
        assert "Mei-the-secret" not in out.read_text("utf-8")
        assert again.persona.role == "A storm is coming."


async def test_a_card_holds_documents_and_no_name_of_anybody(tmp_path: Path) -> None:
    persona = quiet_persona().revised(role="你卖 AIP。", goals=("说明产品", "罗小东要优先"))
    async with spine(tmp_path, persona=persona) as app:
        await app.accept([received("# 部署\n\nAIP 支持私有部署\n\n# 案例\n\n羅小東是我们的客户\n")])
        await app.accept([a_turn("我叫罗小东,电话13800138000", 1)])
        await app.drain()
        shelf = Namespace(TENANT, AGENT, "小美", ("alice", "小美"))
        now = app.clock.now()
        kept = item(shelf, "k", {"text": "Alice"}, ["Alice has HIV"], before=None, timestamp=9, now=now)
        await app.editing.write([], lambda _: [Change(act="add", after=kept)], cause="item")
        out = tmp_path / "card.json"
        await app.bundles.export_card(AGENT, out)
        await app.know_agent(persona.revised(name="罗小东的助理"))
        with pytest.raises(InvalidInput, match="names somebody it knows"):
            await app.bundles.export_card(AGENT, out, force=True)
    data = json.loads(out.read_text("utf-8"))["data"]
    assert [entry["content"] for entry in data["character_book"]["entries"]] == ["部署\nAIP 支持私有部署"]
    assert data["description"] == "你卖 AIP。\n- 说明产品"
