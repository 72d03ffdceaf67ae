"""Talks on the page, without scripts and as a stream: who may talk, what an answer used, what is not kept."""

import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.episode import title_told
from agentmem.domain.event import Person
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Grant, Lane, Scope
from agentmem.errors import BadAnswer
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.speech import Utterance
from tests.fixtures.talking_model import speaker
from tests.support.nodes import AGENT, TENANT
from tests.support.served import Served, served
from tests.support.site import csrf_of, sent, visitor
from tests.support.spine import Failing, quiet_persona

HERE = f"/agents/{AGENT}/talk"
ANSWER = "You live in Oslo <script>alert(1)</script>."


@asynccontextmanager
async def talkative(folder: Path) -> AsyncGenerator[Served]:
    """A server whose agent knows where Tom lives, and answers."""
    async with served(folder, speaks=speaker(ANSWER).chat) as server:
        await server.app.say(AGENT, "Tom", [Utterance("I live in Oslo.")], end=True)
        await server.app.drain()
        yield server


async def begun(client: httpx.AsyncClient, person: str = "Tom") -> str:
    """Where a talk of this person goes on."""
    answer = await sent(client, HERE, {"person": person, "title": ""}, on=HERE)
    assert answer.status_code == 303, answer.text
    assert person not in answer.headers["location"]
    return answer.headers["location"]


@pytest.mark.parametrize(("title", "shown"), [("Ms", "Ode (Ms)"), ("nurse", "Ode (nurse)")])
async def test_a_title_that_was_given_once_is_kept_for_the_next_talk(tmp_path: Path, title: str, shown: str) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        first = (await sent(client, HERE, {"person": "Ode", "title": title}, on=HERE)).headers["location"]
        await sent(client, first, {"text": "I work in a hospital."}, on=first)
        await sent(client, f"{first}/end", {}, on=first)
        await server.app.drain()
        assert f"{shown} talks with" in (await client.get(await begun(client, "Ode"))).text
        async with visitor(server, await server.token({AGENT: [Grant.TALK]}, name="talker")) as blind:
            assert shown not in (await blind.get(await begun(blind, "Ode"))).text
        own = await server.token({AGENT: [Grant.TALK, Grant.READ]}, name="ode", about="Ode")
        async with visitor(server, own) as herself:
            assert f'value="{title}"' in (await herself.get(HERE)).text


async def test_a_title_that_told_what_was_forgotten_is_not_kept(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        await server.app.say(AGENT, Person(name="Ode", title="nurse"), "I live in Oslo.", end=True)
        await server.app.drain()
        assert await server.app.talks.title(AGENT, "Ode") == "nurse"
        told = await server.app.memories(Selection(Scope(TENANT, AGENT), (MemoryType.OBSERVATION,)))
        [of_title] = [node.memory_id for node in told if title_told(node)]
        await server.app.forget(Meant(Scope(TENANT, AGENT), (of_title,)))
        assert await server.app.talks.title(AGENT, "Ode") is None
        assert "nurse" not in (await client.get(await begun(client, "Ode"))).text


async def test_without_scripts_the_page_comes_back_with_the_answer_and_what_it_used(tmp_path: Path) -> None:
    async with talkative(tmp_path) as server, visitor(server) as client:
        talk = await begun(client)
        answer = await sent(client, talk, {"text": "Where do I live? <b>"}, on=talk)
        assert (answer.status_code, answer.headers["location"]) == (303, talk)
        page = (await client.get(talk)).text
        assert "Where do I live? &lt;b&gt;" in page
        assert "&lt;script&gt;alert(1)" in page
        assert "<script>alert" not in page
        assert "Memories it was given" in page
        assert "I live in Oslo." in page
        async with visitor(server) as other:  # what an answer used is kept beside the session that asked
            elsewhere = (await other.get(await begun(other))).text
            assert "&lt;script&gt;alert(1)" in elsewhere
            assert "Memories it was given" not in elsewhere


async def test_a_script_is_answered_piece_by_piece_with_both_turns_at_the_end(tmp_path: Path) -> None:
    async with talkative(tmp_path) as server, visitor(server, language="zh") as client:
        talk = await begun(client)
        form = {"csrf": csrf_of(await client.get(talk)), "text": "Where do I live?"}
        answer = await client.post(talk, data=form, headers={"Accept": "text/event-stream"})
        assert answer.headers["content-type"].startswith("text/event-stream")
        told = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]
        assert "".join(each["text"] for each in told[:-1]) == ANSWER
        html = told[-1]["html"]
        assert "提供给它的记忆" in html
        assert "&lt;script&gt;" in html
        assert "<script" not in html


async def test_without_a_model_what_is_said_is_remembered_and_the_page_says_how_to_set_one(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        page = await client.get(HERE)
        assert page.status_code == 200
        assert "This agent has no chat model." in page.text
        assert "AGENTMEM_CHAT_MODEL" in page.text
        talk = await begun(client)
        answer = await sent(client, talk, {"text": "I live in Oslo."}, on=talk)
        assert (answer.status_code, answer.headers["location"]) == (303, talk)
        shown = (await client.get(talk)).text
        assert "I live in Oslo." in shown
        assert "data-stays" not in shown  # the script would wait for an answer
        assert "Waiting to be read." in shown
        await server.app.drain()
        ended = await sent(client, f"{talk}/end", {}, on=talk)
        assert ended.status_code == 303
        await server.app.drain()
        record = (await client.get(ended.headers["location"])).text
        assert "The conversation has ended." in record
        assert "I live in Oslo." in record
        about = re.search(r'href="(/agents/[^"]+/people/[^"]+)">What is remembered about Tom', shown)
        assert about is not None
        person = (await client.get(about[1])).text
        assert "I live in Oslo." in person


async def test_the_next_talk_of_a_day_is_a_conversation_of_its_own(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        records: list[str] = []
        for text in ("I live in Oslo.", "I have two dogs."):
            talk = await begun(client)
            assert "Oslo" not in (await client.get(talk)).text
            await sent(client, talk, {"text": text}, on=talk)
            await server.app.drain()
            ended = await sent(client, f"{talk}/end", {}, on=talk)
            records.append(ended.headers["location"])
            assert "The conversation has ended." in (await client.get(records[-1])).text
        first, second = [(await client.get(record)).text for record in records]
        assert ("Oslo" in first, "two dogs" in first) == (True, False)
        assert ("Oslo" in second, "two dogs" in second) == (False, True)
        person = (await client.get(f"/agents/{AGENT}/people/{entity_id(TENANT, AGENT, 'tom')}")).text
        assert len(set(re.findall(r"/talk\?run=([^\"&#]+)", person))) == 2


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", ("The chat model of this agent cannot be used.", "Unknown provider: nowhere")),
        ("zh", ("该智能体的聊天模型无法使用。", "没有名为 nowhere 的提供方")),
    ],
)
async def test_a_model_that_cannot_be_used_is_told_apart_from_none_at_all(
    tmp_path: Path, language: str, lines: tuple[str, ...]
) -> None:
    async with served(tmp_path) as server, visitor(server, language=language) as client:
        await server.app.know_agent(quiet_persona().model_copy(update={"model": "nowhere:best"}))
        for path in (HERE, await begun(client)):
            shown = (await client.get(path)).text
            assert [line for line in lines if line not in shown] == []
            assert "This agent has no chat model." not in shown


async def test_what_was_made_of_a_turn_stands_under_it_and_why_nothing_was(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        talk = await begun(client)
        for text in ("I live in Oslo.", "Where do you live?"):
            await sent(client, talk, {"text": text}, on=talk)
        spoken = await server.app.talks.turns(AGENT, "Tom")
        lane = Lane(TENANT, AGENT, spoken[0].target_id)
        await server.app.editing.read(lane)
        told, asked = (await client.get(talk)).text.split("<article")[1:]
        assert re.search(r'href="/memories/[^"]+">Tom lives in Oslo', told)
        assert "Nothing: a question states no fact." in asked
        assert "It waits" not in told + asked


async def test_a_turn_whose_reading_was_given_up_is_not_shown_as_waiting(tmp_path: Path) -> None:
    async with served(tmp_path, Failing([BadAnswer("no")] * 6)) as server, visitor(server) as client:
        talk = await begun(client)
        await sent(client, talk, {"text": "I live in Oslo."}, on=talk)
        [turn] = await server.app.talks.turns(AGENT, "Tom")
        await server.app.editing.read(Lane(TENANT, AGENT, turn.target_id))
        await server.app.drain(patience=60)
        shown = (await client.get(talk)).text
        assert "Reading it failed and was given up." in shown
        assert "It waits" not in shown


async def test_without_a_model_who_may_only_talk_is_shown_what_he_just_said(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        made = await server.app.tokens.create("talks", {AGENT: [Grant.TALK]})
        async with visitor(server, made.secret) as client:
            talk = await begun(client)
            answer = await sent(client, talk, {"text": "I live in Oslo."}, on=talk)
            assert answer.status_code == 200
            assert "I live in Oslo." in answer.text
            assert "What is remembered" not in answer.text


async def test_who_may_not_talk_finds_no_talk(tmp_path: Path) -> None:
    async with talkative(tmp_path) as server:
        for grants in ([Grant.READ], [Grant.READ, Grant.WRITE]):
            async with visitor(server, await server.token({AGENT: grants}, name=f"no{len(grants)}")) as client:
                assert (await client.get(HERE)).status_code == 404
                csrf = csrf_of(await client.get("/"))
                assert (await client.post(HERE, data={"csrf": csrf, "person": "Tom"})).status_code == 404


async def test_who_may_only_talk_is_answered_and_sees_no_past_and_no_memory(tmp_path: Path) -> None:
    async with talkative(tmp_path) as server, visitor(server, await server.token({AGENT: [Grant.TALK]})) as client:
        talk = await begun(client)
        page = await sent(client, talk, {"text": "Where do I live?"}, on=talk)
        assert page.status_code == 200
        assert "&lt;script&gt;alert(1)" in page.text
        assert "I live in Oslo." not in page.text
        assert "I live in Oslo." not in (await client.get(talk)).text


async def test_a_token_of_one_person_talks_as_nobody_else(tmp_path: Path) -> None:
    async with talkative(tmp_path) as server:
        own = await server.token({AGENT: [Grant.TALK, Grant.READ]}, about="Tom")
        async with visitor(server, own) as client:
            assert 'value="Tom" readonly' in (await client.get(HERE)).text
            assert (await sent(client, HERE, {"person": "Ann", "title": ""}, on=HERE)).status_code == 404
            assert (await client.get(await begun(client))).status_code == 200


async def test_words_that_ask_to_forget_are_not_shown_again(tmp_path: Path) -> None:
    async with talkative(tmp_path) as server, visitor(server) as client:
        talk = await begun(client)
        form = {"csrf": csrf_of(await client.get(talk)), "text": "Please forget that I live in Oslo."}
        answer = await client.post(talk, data=form, headers={"Accept": "text/event-stream"})
        html = json.loads(answer.text.rstrip().splitlines()[-1][6:])["html"]
        assert "Words that ask to forget are not kept." in html
        assert "forget that" not in (await client.get(talk)).text


async def test_a_talk_ends_and_one_that_is_kept_no_more_is_begun_again(tmp_path: Path) -> None:
    async with talkative(tmp_path) as server, visitor(server) as client:
        talk = await begun(client)
        await sent(client, talk, {"text": "Hello"}, on=talk)
        ended = await sent(client, f"{talk}/end", {}, on=talk)
        about = f"/agents/{AGENT}/people/{entity_id(TENANT, AGENT, 'tom')}"
        assert ended.headers["location"] == about  # nothing of it is written down yet
        assert "The conversation has ended." in (await client.get(about)).text
        assert "Hello" not in (await client.get(talk)).text
        gone = await client.get(f"{HERE}/nothing")
        assert gone.status_code == 410
        assert (await sent(client, f"{HERE}/nothing", {"text": "x"}, on=HERE)).headers["location"] == HERE


async def test_a_talk_in_which_nothing_was_said_is_not_ended(tmp_path: Path) -> None:
    async with talkative(tmp_path) as server, visitor(server) as client:
        talk = await begun(client)
        await sent(client, f"{talk}/end", {}, on=talk)
        assert "Nothing was said, so there is nothing to end." in (await client.get(HERE)).text


async def test_a_talk_that_is_open_is_named_on_the_page_of_the_person(tmp_path: Path) -> None:
    person = f"/agents/{AGENT}/people/{entity_id(TENANT, AGENT, 'tom')}"
    async with talkative(tmp_path) as server, visitor(server) as client:
        assert "A conversation is open" not in (await client.get(person)).text
        await server.app.say(AGENT, "Tom", "I have two dogs.")
        await server.app.drain()
        assert "A conversation is open. Turns that wait to be read: 1." in (page := (await client.get(person)).text)
        assert ">Continue the conversation<" in page


@pytest.mark.parametrize("text", ["", " ", "x" * 2_001])
async def test_what_is_no_turn_is_refused(tmp_path: Path, text: str) -> None:
    async with talkative(tmp_path) as server, visitor(server) as client:
        talk = await begun(client)
        assert (await sent(client, talk, {"text": text}, on=talk)).status_code == 422


async def test_a_person_and_his_conversations_lead_on_to_a_talk_for_whoever_may_talk(tmp_path: Path) -> None:
    person = f"/agents/{AGENT}/people/{entity_id(TENANT, AGENT, 'tom')}"
    async with talkative(tmp_path) as server, visitor(server) as client:
        page = (await client.get(person)).text
        record = re.search(rf'href="({person}/talk\?run=[^"]+)"', page)
        assert record is not None
        assert ["Talk as Tom" in each for each in (page, (await client.get(record[1])).text)] == [True, True]
        graph = (await client.get(f"/agents/{AGENT}/graph/{entity_id(TENANT, AGENT, 'tom')}")).text
        assert f'href="{person}"' in graph
        async with visitor(server, await server.token({AGENT: [Grant.READ]})) as reader:
            assert ["Talk as" in (await reader.get(each)).text for each in (person, record[1])] == [False, False]
