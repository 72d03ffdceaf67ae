"""A person's page leads on to questions about that person, and tells what is denied as no value."""

from pathlib import Path

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.change import Change
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryType, Modality, StoreStatus
from agentmem.domain.scope import Grant, Scope
from agentmem.interfaces.web.views.recall import WIDTH, beside
from agentmem.ports.ledger import Commit, Selection
from agentmem.runtime.facade.speech import Utterance
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory
from tests.support.served import served
from tests.support.site import sent, visitor

HOME = f"/agents/{AGENT}"
TOM = entity_id(TENANT, AGENT, "tom")


async def test_questions_about_a_person_begin_with_the_name_and_no_address_holds_it(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        await server.app.add(AGENT, "Tom", "I live in Oslo.")
        page = (await client.get(f"{HOME}/people/{TOM}")).text
        for name in ("recall", "ask", "context"):
            path = f"{HOME}/{name}?person={TOM}"
            assert f'href="{path}"' in page
            assert 'value="Tom"' in (await client.get(path)).text
        bound = await server.token({AGENT: [Grant.READ]}, about="Ann")
        async with visitor(server, bound) as other:
            assert 'value="Tom"' not in (await other.get(f"{HOME}/ask?person={TOM}")).text


async def test_what_is_denied_fills_no_slot_and_is_counted_beside_it(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        denied = a_memory("罗小东 has no car", attribute="possession", value="car", modality=Modality.NEGATED)
        change = Change(act="add", after=denied)
        await server.app.journal.ledger.commit(Commit(TENANT, "run", "test", NOON, (change,)))
        page = (await client.get(f"{HOME}/people/{TARGET}")).text
        profile = page.partition('id="profile"')[2].partition("</section>")[0]
        assert ">car</a>" not in profile
        assert "What else is believed is on the timeline: 1" in profile


async def test_what_must_not_be_forgotten_stands_first_on_the_page_and_in_a_context(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        for said in ("Please don't call me before ten.", "I'm allergic to nuts.", "I live in Oslo.", "I like tea."):
            await server.app.add(AGENT, "Tom", said)
        page = (await client.get(f"{HOME}/people/{TOM}")).text
        profile = page.partition('id="profile"')[2].partition("</section>")[0]
        places = [profile.index(word) for word in ("call me before ten", "allergic to nuts", "Oslo", "tea")]
        assert max(places[:2]) < min(places[2:])
        block = await server.app.context("Anything else?", agent=AGENT, about="Tom")
        first = [line.text for line in block.lines if line.section == "profile"][:2]
        assert ["nuts" in first[0], "called before ten" in first[1]] == [True, True]


async def test_a_turn_of_the_agent_bears_the_name_of_who_spoke(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        await server.app.add(AGENT, "Tom", [Utterance("Hello."), Utterance("The price is 40 euros.", by_agent=True)])
        listed = (await client.get(f"{HOME}/memories?layer=conversation")).text
        about = listed.partition("The price is 40 euros.")[2].partition("</li>")[0]
        assert "<span>Tom</span>" not in about
        assert "<span>Tom</span>" in listed


async def test_a_talk_is_ended_only_once_something_was_said(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        begun = await sent(client, f"{HOME}/talk", {"person": "Tom", "title": ""}, on=f"{HOME}/talk")
        talk = begun.headers["location"]
        assert "End the conversation" not in (await client.get(talk)).text
        await sent(client, talk, {"text": "I live in Oslo."}, on=talk)
        assert "End the conversation" in (await client.get(talk)).text


async def test_the_words_of_the_pages_are_explained_in_both_languages(tmp_path: Path) -> None:
    for language, line in (("en", "A sensor's reading."), ("zh", "传感器的读数。")):
        async with served(tmp_path / language) as server, visitor(server, language=language) as client:
            assert 'href="/words"' in (await client.get("/")).text
            assert line.replace("'", "&#39;") in (await client.get("/words")).text


def test_the_bars_of_a_lower_score_are_shorter() -> None:
    high, low = {"lexical": 6.0, "dense": 2.0}, {"lexical": 1.0, "late": -1.0}
    lengths = [sum(bar.width for bar in beside(each, 8.0)) for each in (high, low)]
    assert lengths == [WIDTH, WIDTH / 4]


async def test_a_slip_that_was_put_right_has_no_bar_and_its_own_page_says_corrected(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        for said in ("My phone number is 555-0142.", "Sorry, typo: 555-0143."):
            await server.app.add(AGENT, "Tom", said)
        page = (await client.get(f"{HOME}/people/{TOM}")).text
        timeline = page.partition('id="timeline"')[2]
        assert "phone number is 555-0143" in timeline
        assert "phone number is 555-0142" not in timeline
        everything = Selection(Scope(TENANT, AGENT, TOM), (MemoryType.OBSERVATION,), tuple(StoreStatus))
        slip = next(node for node in await server.app.memories(everything) if "0142" in node.content)
        assert "<strong>Corrected</strong>" in (await client.get(f"/memories/{slip.memory_id}")).text
