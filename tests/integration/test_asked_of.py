"""Answers without a model are about those who are asked of: no number, age or child of somebody else."""

from collections import Counter
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel, Field

from agentmem.answers.answer import AskMode, AskQuery
from agentmem.domain.memory import MemoryType
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from tests.support.index_kind import an_index

SCOPE = Scope("default", "clerk")
WORLDS = Path(__file__).parents[1] / "fixtures" / "asked_of" / "worlds.yaml"


class Talk(BaseModel):
    person: str = Field(alias="with")
    says: list[str]


class Question(BaseModel):
    ask: str
    says: str | None = None


class World(BaseModel):
    name: str
    held_out: bool = False
    documents: dict[str, str] = {}
    talks: list[Talk]
    questions: list[Question]


def worlds(*, held_out: bool) -> list[World]:
    found = [World.model_validate(each) for each in yaml.safe_load(WORLDS.read_text())]
    return [world for world in found if world.held_out is held_out]


async def take_in(app: App, world: World, folder: Path) -> None:
    await app.know_agent(Persona(id="clerk", name="Clerk"))
    for name, text in world.documents.items():
        (folder / name).write_text(text)
        await app.library.ingest("clerk", [folder / name])
    for talk in world.talks:
        for place, text in enumerate(talk.says, start=1):
            await app.say("clerk", talk.person, text, end=place == len(talk.says))
    await app.drain()


async def counted(worlds: list[World], mode: AskMode, folder: Path) -> Counter[str]:
    counts = Counter[str]()
    for world in worlds:
        (folder / world.name).mkdir()
        async with open_app(Settings(data=folder / world.name, index=an_index())) as app:
            await take_in(app, world, folder / world.name)
            for question in world.questions:
                reply = await app.ask(AskQuery(SCOPE, question.ask, mode))
                if question.says is None:
                    counts["silent" if reply.text is None else "mistaken"] += 1
                else:
                    counts["right" if question.says in (reply.text or "") else "missed"] += 1
    return counts


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["auto", "vector", "traverse"])
async def test_in_small_worlds_what_is_known_is_told_and_what_is_not_is_not(mode: AskMode, tmp_path: Path) -> None:
    counts = await counted(worlds(held_out=False), mode, tmp_path)
    assert counts == {"right": 16, "silent": 16}


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["auto", "vector", "traverse"])
async def test_in_worlds_nothing_was_tuned_on_few_are_missed_and_fewer_mistaken(mode: AskMode, tmp_path: Path) -> None:
    counts = await counted(worlds(held_out=True), mode, tmp_path)
    assert counts["right"] >= 13
    assert counts["missed"] <= 2
    assert counts["mistaken"] <= 2


async def test_search_says_that_it_has_nothing_where_only_another_ones_slot_is_filled(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        await app.say("clerk", "Tom", "My phone number is 555-0142.", end=True)
        await app.say("clerk", "Zoe", "I like tea.", end=True)
        await app.drain()
        for question in ("What is Zoe's phone number?", "Zoe的电话是多少", "What is Bartholomew's phone number?"):
            assert (await app.recall(RecallQuery(SCOPE, question))).abstained
            reply = await app.ask(AskQuery(SCOPE, question))
            assert reply.text is None
            assert reply.looked_at
        assert not (await app.recall(RecallQuery(SCOPE, "What is Tom's phone number?"))).abstained


async def test_a_number_told_of_another_one_by_name_is_his(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        await app.say("clerk", "Kevin", "我的手机是13811110000。我同事Lily的手机是13922220000，她负责采购。", end=True)
        await app.drain()
        lily = await app.ask(AskQuery(SCOPE, "Lily的手机是多少"))
        kevin = await app.ask(AskQuery(SCOPE, "Kevin的手机"))
    assert lily.text is not None
    assert "13922220000" in lily.text
    assert kevin.text is not None
    assert "13811110000" in kevin.text


@pytest.mark.parametrize("mode", ["vector", "local", "hybrid", "traverse", "temporal"])
async def test_a_name_that_nobody_bears_finds_nothing_and_fails_nowhere(mode: AskMode, tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        reply = await app.ask(AskQuery(SCOPE, "What does Quentin Zell do?", mode))
        assert (reply.text, reply.sources, reply.graph, reply.looked_at) == (None, (), (), ())


async def test_a_relative_who_is_asked_for_by_name_answers(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        await app.say("clerk", "Otto", "My son Emil repairs organs in Basel. My sister sells kites.", end=True)
        await app.drain()
        assert "organs" in ((await app.ask(AskQuery(SCOPE, "What does Emil repair?"))).text or "")
        for question in ("What does Otto repair?", "What does Otto sell?"):
            assert (await app.ask(AskQuery(SCOPE, question))).text is None


async def test_whom_somebody_introduced_is_known_in_a_later_talk(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        for place, text in enumerate(("My sister Petra fixes clocks.", "Petra needs the ladder back")):
            await app.say("clerk", "Otto", text, run_id=f"talk {place}", end=True)
        await app.drain()
        hits = (await app.recall(RecallQuery(SCOPE, "What does Petra need?"))).hits
        told = {
            (hit.memory.target_name, hit.memory.content)
            for hit in hits
            if hit.memory.memory_type is not MemoryType.CONVERSATION
        }
        assert ("Petra", "Petra needs the ladder back") in told
