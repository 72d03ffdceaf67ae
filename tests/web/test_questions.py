"""Recall, ask and context: what is asked is found, and no address holds a word of it."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx
import pytest

from agentmem.domain.scope import Grant
from agentmem.interfaces.web.sign_in import MAX_KEPT
from agentmem.interfaces.web.views.ask import AnswerPart, cited, shown_note
from agentmem.runtime.facade.speech import Utterance
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT
from tests.support.served import Served, served
from tests.support.site import sent, visitor
from tests.support.spine import states

PAGES = ("recall", "ask", "context")
NAME = '<b onclick="alert(1)">Tom'
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> {{ 7*7 }} \u202eabc"


@asynccontextmanager
async def told(folder: Path) -> AsyncGenerator[Served]:
    """A server whose agent was told where Tom lives."""
    script = ScriptedCognition(states("I live in Oslo.", "Tom lives in Oslo."))
    async with served(folder, script) as server:
        await server.app.say(AGENT, "Tom", [Utterance("I live in Oslo.")], end=True)
        await server.app.drain()
        yield server


async def asked(client: httpx.AsyncClient, name: str, fields: Mapping[str, str]) -> httpx.Response:
    """The page of the answer."""
    path = f"/agents/{AGENT}/{name}"
    answer = await sent(client, path, fields, on=path)
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"].startswith(f"{path}/")
    return await client.get(answer.headers["location"])


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_question_is_answered_at_an_address_without_it(tmp_path: Path, name: str, language: str) -> None:
    async with told(tmp_path) as server, visitor(server, language=language) as client:
        page = await asked(client, name, {"question": "Where does Tom live?", "about": "Tom"})
        assert page.status_code == 200
        assert "Tom lives in Oslo." in page.text
        assert "Oslo" not in str(page.url)
        assert "Tom" not in str(page.url)


@pytest.mark.parametrize(
    ("known", "called"),
    [("Olga Petrova", "Olga"), ("Olga Petrova", "petrova"), ("Juan-Carlos Ruiz", "Ruiz"), ("欧阳小梅", "小梅")],
)
async def test_who_is_alone_called_so_is_found_by_a_part_of_the_name(tmp_path: Path, known: str, called: str) -> None:
    script = ScriptedCognition(states("I live in Oslo.", "The guest lives in Oslo."))
    async with served(tmp_path, script) as server, visitor(server) as client:
        for person in (known, "Ann Lee", "李雷"):
            await server.app.say(AGENT, person, "I live in Oslo.", end=True)
        await server.app.drain()
        for name in PAGES:
            page = await asked(client, name, {"question": "Where is Oslo?", "about": called})
            assert page.status_code == 200
            assert f'value="{known}"' in page.text
            assert "Ann Lee:" not in page.text


async def test_a_part_of_the_names_of_several_names_them_all_and_answers_nothing(tmp_path: Path) -> None:
    async with told(tmp_path) as server, visitor(server, language="zh") as client:
        for person in ("Olga Petrova", "Olga Ruiz"):
            await server.app.say(AGENT, person, "Good morning.", end=True)
        await server.app.drain()
        path = f"/agents/{AGENT}/recall"
        page = await sent(client, path, {"question": "x", "about": "Olga"}, on=path)
        assert page.status_code == 422
        assert "叫 &#39;Olga&#39; 的不止一人：Olga Petrova, Olga Ruiz" in page.text
        await server.app.say(AGENT, "Olga", "Good evening.", end=True)
        assert (await asked(client, "recall", {"question": "x", "about": "Olga"})).status_code == 200


async def test_recall_tells_what_scores_are_made_of_and_what_was_said(tmp_path: Path) -> None:
    async with told(tmp_path) as server, visitor(server) as client:
        page = (await asked(client, "recall", {"question": "Oslo", "layer": "observation"})).text
        assert "What the score is made of" in page
        assert "words of the question" in page
        assert "found by search" in page
        assert '<span class="said">I live in Oslo.</span>' in page
        none = (await asked(client, "recall", {"question": "Oslo", "filter": '{"attribute": "phone"}'})).text
        assert "No memory is about this" in none


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("recall", {"question": " "}),
        ("recall", {"question": "x", "filter": "{"}),
        ("recall", {"question": "x", "filter": "[" * 1_500}),
        ("recall", {"question": "x", "layer": "nothing"}),
        ("recall", {"question": "x", "profile": "nothing"}),
        ("recall", {"question": "x", "limit": "0"}),
        ("recall", {"question": "x", "limit": "²"}),
        ("recall", {"question": "x", "hops": "9"}),
        ("ask", {"question": "x", "mode": "nothing"}),
        ("ask", {"question": "x", "as_of": "31/12"}),
        ("context", {"question": "x", "budget": "199"}),
        ("context", {"question": "x", "headings": "fr"}),
        ("context", {"question": "x", "about": "Nobody"}),
    ],
)
async def test_what_cannot_be_asked_is_told_beside_the_form(tmp_path: Path, name: str, fields: dict[str, str]) -> None:
    async with told(tmp_path) as server, visitor(server) as client:
        page = await asked(client, name, fields)
        assert page.status_code == 422
        assert "Something in the form is wrong" in page.text
        assert 'name="question"' in page.text


async def test_a_question_is_of_its_session_alone_and_kept_for_a_while(tmp_path: Path) -> None:
    async with told(tmp_path) as server, visitor(server) as client, visitor(server) as other:
        first = str((await asked(client, "recall", {"question": "Where is the secret garden?"})).url)
        elsewhere = await other.get(first)
        assert elsewhere.status_code == 410
        assert "secret garden" not in elsewhere.text
        for _ in range(MAX_KEPT):
            await asked(client, "recall", {"question": "Oslo"})
        assert (await client.get(first)).status_code == 410


async def test_a_question_that_is_too_long_is_refused(tmp_path: Path) -> None:
    async with told(tmp_path) as server, visitor(server) as client:
        path = f"/agents/{AGENT}/recall"
        assert (await sent(client, path, {"question": "x" * 2_001}, on=path)).status_code == 422


@pytest.mark.parametrize("name", PAGES)
async def test_who_may_not_read_finds_no_page_and_who_reads_of_himself_nothing_else(tmp_path: Path, name: str) -> None:
    async with told(tmp_path) as server:
        await server.app.say(AGENT, "Ann", [Utterance("Oslo is where I keep my PIN 4711.")], end=True)
        await server.app.drain()
        elsewhere = await server.token({"other": [Grant.READ]}, name="elsewhere")
        async with visitor(server, elsewhere) as client:
            assert (await client.get(f"/agents/{AGENT}/{name}")).status_code == 404
        talks = await server.token({AGENT: [Grant.TALK]}, name="talks")
        async with visitor(server, talks) as client:
            page = await asked(client, name, {"question": "Oslo"})
            assert page.status_code == 404
            assert "lives in Oslo" not in page.text
        own = await server.token({AGENT: [Grant.READ]}, name="own", about="Tom")
        async with visitor(server, own) as client:
            page = (await asked(client, name, {"question": "Oslo PIN"})).text
            assert "Oslo" in page
            assert "4711" not in page


@pytest.mark.parametrize("name", PAGES)
async def test_hostile_words_are_shown_as_words(tmp_path: Path, name: str) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        await server.app.say(AGENT, NAME, [Utterance(f"Oslo {HOSTILE}")], end=True)
        await server.app.drain()
        for fields in ({"question": f"Oslo {HOSTILE}"}, {"question": "Oslo {{ 7*7 }}", "about": NAME}):
            page = (await asked(client, name, fields)).text
            assert "<script>alert" not in page
            assert "<img src=x" not in page
            assert "{{ 7*7 }}" in page
            assert "<b onclick" not in page
            assert "\u202e" not in page


def test_sources_are_found_in_an_answer() -> None:
    parts = cited("A [1], B [2][1] and [3].", [1, 2])
    assert [(part.text, part.number) for part in parts] == [
        ("A ", None),
        ("[1]", 1),
        (", B ", None),
        ("[2]", 2),
        ("[1]", 1),
        (" and [3].", None),
    ]
    assert cited("", [1]) == []
    assert cited("plain", []) == [AnswerPart("plain")]


def test_a_step_tells_its_time_as_the_page_tells_times() -> None:
    note = "as of 2026-11-24T07:14:43.441503+00:00"
    assert shown_note(note, ZoneInfo("Asia/Shanghai")) == "as of 2026-11-24 15:14"
    assert [shown_note(each, UTC) for each in ("", "4 entities")] == ["", "4 entities"]
