"""What somebody told of others is found where he is asked about, by whoever may see it; an answer in the sources' own
words tells it only where the question names them."""

from pathlib import Path

import pytest

from agentmem.answers.answer import AskQuery
from agentmem.domain.entity import graph_lane
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant, Principal, Scope
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from tests.support.index_kind import an_index
from tests.support.nodes import AGENT, TENANT
from tests.support.obedient import fact, obeying, order, told
from tests.support.spine import SCOPE

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


LU = "罗小东"
FAMILY = (
    fact("罗小东's sister Ilse runs a ferry", about="Ilse", attr="occupation", value="ferry operator"),
    fact("罗小东's uncle Bram breeds bees", about="Bram"),
    fact("罗小东 rents a loft", keys=["loft"]),
)


async def _between(app: App, kind: MemoryType) -> dict[str, str]:
    """What is said of the entities or communities, by their names."""
    nodes = await app.memories(Selection(graph_lane(TENANT, AGENT).scope, types=(kind,)))
    return {str(node.value): node.content for node in nodes}


async def test_what_he_told_of_others_is_in_what_is_summed_up_of_him(tmp_path: Path) -> None:
    async with obeying(tmp_path) as app:
        await told(app, LU, f"Ilse Bram loft {order(read={'facts': [*FAMILY]})}")
        of_him = (await _between(app, MemoryType.ENTITY))[LU]
        together = "\n".join((await _between(app, MemoryType.COMMUNITY)).values())
        for each in FAMILY:
            assert str(each["text"]) in of_him
            assert str(each["text"]) in together


async def test_of_who_never_spoke_a_context_says_who_told_it_to_nobody_but_its_teller(tmp_path: Path) -> None:
    ilse, line = Scope(TENANT, AGENT, entity_id(TENANT, AGENT, "ilse")), "Ilse: 「职业 ferry operator（据罗小东所说）」"
    async with obeying(tmp_path) as app:
        other = fact("罗小东's sister Ilse sails on Sundays", about="Ilse")
        await told(app, LU, f"Ilse Bram loft {order(read={'facts': [*FAMILY, other]})}")
        person = Scope(TENANT, AGENT, entity_id(TENANT, AGENT, LU))
        for scope, shown in ((SCOPE, True), (person, True), (ilse, False)):
            block = await app.context(RecallQuery(scope, "who sails on Sundays?", k=1))
            assert (line in block.text) is shown
