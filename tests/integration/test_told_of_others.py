"""What somebody told of others is found where he is asked about, by whoever may see it; an answer in the sources' own
words tells it only where the question names them."""

from pathlib import Path

import pytest

from agentmem.answers.answer import AskQuery
from agentmem.domain.ids import entity_id
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant, Principal, Scope
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from tests.support.index_kind import an_index

SAID = {
    "Ann Lee": "My mother Rosa is allergic to shellfish.",
    "Tom Hale": "My mother Vera is allergic to penicillin.",
}


def about(name: str) -> Scope:
    return Scope("default", "clerk", entity_id("default", "clerk", canonical_name(name)))


async def heard(app: App) -> None:
    await app.know_agent(Persona(id="clerk", name="Clerk"))
    for person, text in SAID.items():
        await app.say("clerk", person, text, end=True)
    await app.drain()


async def found(app: App, name: str, question: str) -> str:
    return "\n".join(hit.memory.content for hit in (await app.recall(RecallQuery(about(name), question))).hits)


async def test_it_is_found_with_him_and_with_nobody_else(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await heard(app)
        memories = await found(app, "Ann Lee", "What is Rosa allergic to?")
        assert "Rosa" in memories
        assert "shellfish" in memories
        assert "penicillin" not in memories
        assert "shellfish" not in await found(app, "Tom Hale", "What is Rosa allergic to?")
        assert "shellfish" in (await app.context(RecallQuery(about("Ann Lee"), "What is Rosa allergic to?"))).text


async def test_who_may_see_one_person_alone_sees_what_is_about_that_person(tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await heard(app)
        ann = Principal("ann", "default", {"clerk": frozenset((Grant.READ, Grant.TALK))}, about="Ann Lee")
        recalled = await app.for_principal(ann).recall(RecallQuery(about("Ann Lee"), "What is Rosa allergic to?"))
        assert {hit.memory.target_id for hit in recalled.hits} == {about("Ann Lee").target}


@pytest.mark.parametrize(
    ("question", "told"),
    [("What is Rosa allergic to?", True), ("What is my mother allergic to?", True), ("What am I allergic to?", False)],
)
async def test_an_answer_tells_it_where_it_is_asked_of(question: str, told: bool, tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await heard(app)
        answer = (await app.ask(AskQuery(about("Ann Lee"), question))).text
        assert ("shellfish" in (answer or "")) is told
