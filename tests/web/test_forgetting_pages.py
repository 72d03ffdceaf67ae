"""What is asked to be forgotten in a talk on the page: told at once, taken back from there, and found again."""

import json
import re
from pathlib import Path

import httpx
import pytest

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.ids import entity_id
from agentmem.domain.scope import Grant
from tests.fixtures.talking_model import speaker
from tests.support.nodes import AGENT, TENANT
from tests.support.served import Served, served
from tests.support.site import csrf_of, sent, visitor

TALK = f"/agents/{AGENT}/talk"
MIA = f"/agents/{AGENT}/people/{entity_id(TENANT, AGENT, 'mia')}"
ASKS = "Please forget my phone number."


async def begun(client: httpx.AsyncClient, person: str = "Mia") -> str:
    return (await sent(client, TALK, {"person": person, "title": ""}, on=TALK)).headers["location"]


async def told_to(server: Served, *texts: str) -> None:
    for text in texts:
        await server.app.add(AGENT, "Mia", text)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Forgotten or with words blacked out, memories: 2."),
        ("zh", "已遗忘或失去部分内容的记忆：2 条。"),
    ],
)
async def test_a_talk_tells_how_much_was_forgotten_and_takes_it_back(tmp_path: Path, language: str, line: str) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server, language=language) as client:
        await told_to(server, "My phone number is 555-0142.")
        talk = await begun(client)
        assert (await sent(client, talk, {"text": ASKS}, on=talk)).headers["location"] == talk
        page = (await client.get(talk)).text
        notice = page.partition('class="notice"')[2].partition("</div>")[0]
        assert line in notice
        assert "555-0142" not in page
        run = re.search(r'name="run" value="([^"]+)"', notice)
        assert run is not None
        back = await sent(client, "/undo", {"run": run[1], "back": talk}, on=talk)
        assert back.headers["location"] == talk
        assert "555-0142" in (await client.get(MIA)).text


@pytest.mark.parametrize("speaks", [True, False])
async def test_a_script_and_a_page_without_one_tell_the_same_of_forgetting(tmp_path: Path, speaks: bool) -> None:
    chat = speaker("Done.").chat if speaks else None
    async with served(tmp_path, RulesCognition(), speaks=chat) as server, visitor(server) as client:
        await told_to(server, "My phone number is 555-0142.")
        talk = await begun(client)
        form = {"csrf": csrf_of(await client.get(talk)), "text": ASKS}
        answer = await client.post(talk, data=form, headers={"Accept": "text/event-stream"})
        if speaks:
            lines = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]
            shown = lines[-1]["html"]
        else:
            shown = (await client.get(talk)).text
        assert "memories: 2." in shown
        assert 'action="/undo"' in shown


async def test_a_request_that_means_nothing_held_says_so(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        await told_to(server, "I live in Oslo.")
        talk = await begun(client)
        await sent(client, talk, {"text": "Please forget my birthday."}, on=talk)
        page = (await client.get(talk)).text
        assert "Nothing was forgotten" in page
        assert 'action="/undo"' not in page


async def test_who_may_not_change_memories_is_told_and_offered_no_undo(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        secret = (await server.app.tokens.create("mia", {AGENT: (Grant.TALK, Grant.READ)}, about="Mia")).secret
        await told_to(server, "My phone number is 555-0142.")
        async with visitor(server, secret) as client:
            talk = await begun(client)
            await sent(client, talk, {"text": ASKS}, on=talk)
            page = (await client.get(talk)).text
            assert "memories: 2." in page
            assert 'action="/undo"' not in page
            assert "555-0142" not in (await client.get(MIA)).text


async def test_the_owner_finds_what_was_forgotten_on_the_page_of_the_person_and_brings_it_back(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        await told_to(server, "My phone number is 555-0142.", "I live in Oslo.")
        before = (await client.get(MIA)).text
        assert 'id="gone"' not in before
        await server.app.say(AGENT, "Mia", ASKS)
        page = (await client.get(MIA)).text
        gone = page.partition('id="gone"')[2].partition("</section>")[0]
        assert "555-0142" in gone
        assert "Oslo" not in gone
        assert "Bring back: 2 memories" in gone
        run = re.search(r'name="run" value="([^"]+)"', gone)
        assert run is not None
        await sent(client, "/undo", {"run": run[1], "back": MIA}, on=MIA)
        after = (await client.get(MIA)).text
        assert "555-0142" in after
        assert 'id="gone"' not in after


async def test_of_somebody_wholly_forgotten_the_owner_alone_still_finds_a_page(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        reader = (await server.app.tokens.create("reader", {AGENT: (Grant.READ, Grant.WRITE)})).secret
        await told_to(server, "My phone number is 555-0142.")
        await server.app.say(AGENT, "Mia", ASKS)
        async with visitor(server) as client, visitor(server, reader) as other:
            listed = (await client.get(f"/agents/{AGENT}/memories")).text
            assert f'href="/agents/{AGENT}/forgotten"' in listed
            assert "555-0142" in (await client.get(f"/agents/{AGENT}/forgotten")).text
            assert "555-0142" in (await client.get(MIA)).text
            assert (await other.get(MIA)).status_code == 404
            assert f'href="/agents/{AGENT}/forgotten"' not in (await other.get(f"/agents/{AGENT}/memories")).text
            assert (await other.get(f"/agents/{AGENT}/forgotten")).status_code == 404


async def test_a_talk_that_ends_after_forgetting_leads_to_what_is_left_of_it(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server) as client:
        talk = await begun(client)
        await sent(client, talk, {"text": "I live in Oslo."}, on=talk)
        await server.app.drain()
        await sent(client, talk, {"text": "Please forget where I live."}, on=talk)
        await server.app.drain()
        ended = await sent(client, f"{talk}/end", {}, on=talk)
        assert "/people/" in ended.headers["location"]
        page = await client.get(ended.headers["location"])
        assert page.status_code == 200
        assert "The conversation has ended." in page.text
