"""Graph, queue and documents on the page: what they show, to whom, and what they do."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest

from agentmem.domain.entity import named
from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import BadAnswer
from agentmem.interfaces.web.versions import places
from agentmem.interfaces.web.views import documents
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.speech import Utterance
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT, TENANT, a_memory
from tests.support.served import Served, served
from tests.support.site import csrf_of, sent, visitor
from tests.support.spine import Failing, states

HERE = f"/agents/{AGENT}"
HOSTILE = '<img src=x onerror="alert(1)">{{ 7*7 }}\u202e'
PAGES = ("graph", "queue", "documents")


async def remember(server: Served, person: str, text: str) -> None:
    await server.app.say(AGENT, person, [Utterance(text)], end=True)
    await server.app.drain(patience=60)


def related() -> ScriptedCognition:
    """Reads that Tom works with Ann."""
    mentions = ({"name": "Tom", "kind": "person"}, {"name": "Ann <b>", "kind": "person"})
    return ScriptedCognition(
        states("I work with Ann", "Tom works with Ann <b>.", mentions=mentions, relation="WORKS_WITH")
    )


@pytest.mark.parametrize("name", PAGES)
async def test_pages_are_there_for_who_may_read_and_for_nobody_else(tmp_path: Path, name: str) -> None:
    async with served(tmp_path) as server:
        async with visitor(server, await server.token({AGENT: [Grant.READ]})) as client:
            page = await client.get(f"{HERE}/{name}")
            assert page.status_code == 200
            assert '<form method="post" action="/agents' not in page.text.replace(f'action="{HERE}/graph"', "")
        for token in (
            await server.token({AGENT: [Grant.TALK]}, name="talks"),
            await server.token({"other": [Grant.READ]}, name="elsewhere"),
        ):
            async with visitor(server, token) as client:
                assert (await client.get(f"{HERE}/{name}")).status_code == 404
                assert (await client.get(f"/agents/nobody/{name}")).status_code == 404


async def test_around_an_entity_lines_lead_to_what_links_it(tmp_path: Path) -> None:
    async with served(tmp_path, related()) as server, visitor(server) as client:
        await remember(server, "Tom", "I work with Ann <b> on it.")
        listed = await client.get(f"{HERE}/graph")
        assert "Ann &lt;b&gt;" in listed.text
        asked = await sent(client, f"{HERE}/graph", {"name": "tom"}, on=f"{HERE}/graph")
        tom = named(TENANT, AGENT, "tom")
        assert asked.headers["location"] == f"{HERE}/graph/{tom}"
        page = await client.get(asked.headers["location"], params={"hops": "2"})
        assert f'<a href="{HERE}/graph/{named(TENANT, AGENT, "Ann <b>")}?hops=2">' in page.text
        assert "Tom and Ann &lt;b&gt;, memories: 1" in page.text
        assert "<b>" not in page.text
        past = await client.get(f"{HERE}/graph/{tom}", params={"as_of": "2001-01-01"})
        assert past.status_code == 200
        assert "Nothing is linked with it" in past.text
        for bad in ({"hops": "9"}, {"as_of": "yesterday"}):
            assert (await client.get(f"{HERE}/graph/{tom}", params=bad)).status_code == 422
        assert (await client.get(f"{HERE}/graph/{named(TENANT, AGENT, 'nobody')}")).status_code == 404


async def test_who_sees_one_person_sees_the_graph_around_him_alone(tmp_path: Path) -> None:
    async with served(tmp_path, related()) as server:
        await remember(server, "Tom", "I work with Ann <b> on it.")
        own = await server.token({AGENT: [Grant.READ]}, about="Eve")
        async with visitor(server, own) as client:
            led = await client.get(f"{HERE}/graph")
            assert led.headers["location"] == f"{HERE}/graph/{named(TENANT, AGENT, 'Eve')}"
            for entity in ("Eve", "Tom", "Ann <b>"):
                page = await client.get(f"{HERE}/graph/{named(TENANT, AGENT, entity)}")
                assert page.status_code == 404
                assert "Ann" not in page.text


async def test_what_was_given_up_is_told_with_its_reason_and_tried_again_or_dropped(tmp_path: Path) -> None:
    failing = Failing([BadAnswer(HOSTILE)] * 6)
    async with served(tmp_path, failing) as server, visitor(server) as client:
        await remember(server, "Tom", "I live in Oslo.")
        page = await client.get(f"{HERE}/queue")
        assert "&lt;img src=x" in page.text
        assert "<img src=x" not in page.text
        assert "\u202e" not in page.text
        [letter] = await server.app.upkeep.dead()
        reader = await server.token({AGENT: [Grant.READ]}, name="reader")
        async with visitor(server, reader) as other:
            assert "onerror" not in (await other.get(f"{HERE}/queue")).text
            csrf = csrf_of(await other.get(f"{HERE}/queue"))
            await other.post(f"{HERE}/queue", data={"csrf": csrf, "job": letter.job_id, "what": "drop"})
        assert len(await server.app.upkeep.dead()) == 1
        assert "Nothing was chosen" in await told(client, {"what": "retry"})
        assert "Queued again: 1" in await told(client, {"what": "retry", "job": letter.job_id})
        await server.app.drain(patience=60)
        [letter] = await server.app.upkeep.dead()
        assert "Dropped: 1" in await told(client, {"what": "drop", "job": letter.job_id})
        assert await server.app.upkeep.dead() == []
        assert (await sent(client, f"{HERE}/queue", {"what": "x", "job": "y"}, on=f"{HERE}/queue")).status_code == 422


async def told(client: httpx.AsyncClient, fields: dict[str, str]) -> str:
    """The page after this form of the queue was sent."""
    answer = await sent(client, f"{HERE}/queue", fields, on=f"{HERE}/queue")
    assert answer.status_code == 303
    return (await client.get(f"{HERE}/queue")).text


async def test_documents_are_taken_in_listed_with_their_versions_and_ended(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:

        async def send(text: str) -> str:
            form = {"csrf": csrf_of(await client.get(f"{HERE}/documents"))}
            files = {"file": ("../../guide<b>.md", text.encode(), "text/markdown")}
            answer = await client.post(f"{HERE}/documents", data=form, files=files)
            assert answer.status_code == 303, answer.text
            await server.app.drain()
            return (await client.get(f"{HERE}/documents")).text

        first = await send(f"# Guide {HOSTILE}\n\nThe bridge opens at nine.")
        assert "The document was uploaded" in first
        assert "upload/<wbr>guide&lt;b&gt;.md" in first
        assert "<img src=x" not in first
        assert "This version is already known" in await send(f"# Guide {HOSTILE}\n\nThe bridge opens at nine.")
        listed = await send(f"# Guide {HOSTILE}\n\nThe bridge opens at ten.")
        path = listed.split(f'href="{HERE}/documents/')[1].split('"')[0]
        one = (await client.get(f"{HERE}/documents/{path}")).text
        assert one.count("pieces: 1, facts: 0") == 2
        assert "opens at ten" in one
        assert "opens at nine" not in one


FERRY = "# Ferry\n\nThe ferry leaves at ten."


async def test_the_text_of_every_version_is_shown_with_what_changed(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        path = ""
        for text in (
            f"# Guide\n\nThe bridge opens at nine.\n\n{FERRY}",
            f"# Guide\n\nThe bridge opens at ten.\n\n{FERRY}",
            f"{FERRY}\n\n# Tram\n\nThe tram is free.",
        ):
            path = f"{HERE}/documents/{(await server.app.library.take_in(AGENT, 'guide.md', text.encode())).document}"
            await server.app.drain()
        page = (await client.get(path)).text
        shown = [
            re.sub(r"\s+", " ", (await client.get(each)).text.partition('id="text"')[2].partition("</section>")[0])
            for each in re.findall(rf'href="({path}\?version=\d+)#text"', page)
        ]
        third, second, first = shown
        assert "This is the first version." in first
        assert "The bridge opens at nine." in first
        assert "<del>" not in first
        assert "opens at <del>nine</del><ins>ten</ins>" in second
        assert "<del>Guide The bridge opens at ten.</del>" in third
        assert "<ins>Tram The tram is free.</ins>" in third
        assert not any(f"<{mark}>Ferry" in each for mark in ("ins", "del") for each in shown)
        assert "leaves at ten" in second
        assert "leaves at ten" in third
        assert (await client.get(f"{path}?version=0")).status_code == 404


def _long(number: int, said: str = "") -> str:
    return f"# Stop {number}\n\nThe tram stops at stop number {number}.{said}"


async def test_of_a_long_document_what_changed_is_told_wherever_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stops = [_long(number) for number in range(120)]
    changed = [_long(999), *stops[:110], _long(110, " It is closed."), *stops[111:119]]
    async with served(tmp_path) as server, visitor(server) as client:
        path = ""
        for text in (stops, changed):
            sent_in = await server.app.library.take_in(AGENT, "stops.md", "\n\n".join(text).encode())
            path = f"{HERE}/documents/{sent_in.document}"
            await server.app.drain()
        versions = re.findall(rf'href="({path}\?version=\d+)#text"', (await client.get(path)).text)
        page = (await client.get(versions[0])).text
        told = re.sub(r"\s+", " ", page.partition('id="text"')[2].partition("</section>")[0])
        assert "<ins>Stop 999 The tram stops at stop number 999.</ins>" in told
        assert "stop number 110.<ins> It is closed.</ins>" in told
        assert "<del>Stop 119 The tram stops at stop number 119.</del>" in told
        assert told.count("<li>") == 3
        assert "Unchanged pieces, left out: 118" in told
        monkeypatch.setattr(documents, "MAX_CHANGED", 3)
        page = (await client.get(versions[0])).text
        assert "Too long to compare" in page
        assert "4 pieces differ" in page
        assert "<ins>" not in page
        assert "not shown: 20" in page


def _known(*nodes: tuple[str, tuple[str, ...], str | None]) -> dict[str, MemoryNode]:
    return {
        derived_id(name): a_memory(
            name,
            memory_id=derived_id(name),
            supersedes=tuple(map(derived_id, took)),
            **({} if by is None else {"superseded_by": derived_id(by), "store_status": "expired"}),
        )
        for name, took, by in nodes
    }


@pytest.mark.parametrize(
    ("old", "new", "known", "told"),
    [
        ("ab", "ab", (), ["aa", "bb"]),
        ("ab", "axb", (("x", (), None),), ["aa", "-x", "bb"]),
        ("ab", "ax", (("b", (), "x"), ("x", ("b",), None)), ["aa", "bx"]),
        ("abc", "ax", (("b", (), "x"), ("c", (), "x"), ("x", (), None)), ["aa", "bx", "c-"]),
        ("ab", "b", (("a", (), "b"),), ["a-", "bb"]),
        ("ab", "ba", (), ["bb", "aa"]),
    ],
)
def test_each_piece_of_two_versions_is_told_once(
    old: str, new: str, known: Sequence[tuple[str, tuple[str, ...], str | None]], told: list[str]
) -> None:
    names = {derived_id(name): name for name in "abcx"}
    found = places(tuple(map(derived_id, old)), tuple(map(derived_id, new)), _known(*known))
    assert [f"{names.get(place.before or '', '-')}{names.get(place.after or '', '-')}" for place in found] == told


async def test_a_piece_that_was_forgotten_is_in_no_version(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        text = f"# Guide\n\nThe bridge opens at nine.\n\n{FERRY}"
        path = f"{HERE}/documents/{(await server.app.library.take_in(AGENT, 'guide.md', text.encode())).document}"
        await server.app.drain()
        known = await server.app.memories(Selection(Scope(TENANT, AGENT), (MemoryType.LONGTERM,)))
        gone = next(node.memory_id for node in known if "opens at nine" in node.content)
        await server.app.forget(Meant(Scope(TENANT, AGENT), (gone,)))
        found = re.search(rf'href="({path}\?version=\d+)#text"', (await client.get(path)).text)
        assert found is not None
        page = (await client.get(found[1])).text
        assert "leaves at ten" in page
        assert "opens at nine" not in page
        assert "not shown: 1" in page


async def test_of_the_formats_those_are_named_that_are_read_here_and_for_the_others_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(tmp_path) as server, visitor(server) as client:

        async def told() -> tuple[str, str]:
            page = (await client.get(f"{HERE}/documents")).text.partition('id="formats"')[2].partition("</p>")[0]
            here, _, elsewhere = page.partition("Not installed:")
            return here, elsewhere

        here, elsewhere = await told()
        assert ".pdf" in here
        assert elsewhere == ""
        monkeypatch.setitem(sys.modules, "pypdf", None)
        here, elsewhere = await told()
        assert ".pdf" not in here
        assert ".docx" in here
        assert elsewhere.startswith(" .pdf.")
        assert "agentmem-framework[documents]" in elsewhere


async def test_a_file_that_no_reader_is_for_is_refused_in_a_sentence(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        form = {"csrf": csrf_of(await client.get(f"{HERE}/documents"))}
        answer = await client.post(f"{HERE}/documents", data=form, files={"file": ("x.exe", b"MZ", "text/plain")})
        assert answer.status_code == 422
        assert "there is no reader for &#39;x.exe&#39;: it must end in one of .md," in answer.text


async def test_what_ends_with_a_document_is_told_before_and_comes_back(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        text = b"# Guide\n\nThe bridge opens at nine.\n\n# Ferry\n\nThe ferry leaves at ten. Acme uses Redis."
        path = f"{HERE}/documents/{(await server.app.library.take_in(AGENT, 'guide.md', text)).document}"
        await server.app.drain()
        page = (await client.get(path)).text
        assert "Preview ending this document" in page
        seen = await sent(client, f"{path}/end", {}, on=path)
        assert seen.status_code == 200
        prospect = seen.text.partition('class="prospect"')[2].partition("</section>")[0]
        assert "Memories that end: 3" in prospect
        assert all(words in prospect for words in ("opens at nine", "leaves at ten", "Acme uses Redis."))
        await server.app.drain()
        assert "Bring the document back" not in (await client.get(path)).text
        ended = await sent(client, f"{path}/end", {"step": "done"}, on=path)
        assert ended.headers["location"] == path
        await server.app.drain()
        page = (await client.get(path)).text
        assert "The document ends now" in page
        assert "opens at nine" not in page
        assert "Preview ending" not in page
        run = re.search(r'name="run" value="([^"]+)"', page)
        assert run is not None
        back = await sent(client, "/undo", {"run": run[1], "back": path}, on=path)
        assert back.headers["location"] == path
        page = (await client.get(path)).text
        assert "Undone. Memories changed back: 3." in page
        assert "opens at nine" in page
        again = await sent(client, f"{path}/end", {"step": "done"}, on=path)
        assert again.status_code == 303
        await server.app.drain()
        assert "opens at nine" not in (await client.get(path)).text


async def test_who_may_only_read_takes_no_document_in_and_ends_none(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        done = await server.app.library.take_in(AGENT, "guide.md", b"# Guide\n\nThe bridge opens at nine.")
        await server.app.drain()
        async with visitor(server, await server.token({AGENT: [Grant.READ]})) as client:
            path = f"{HERE}/documents/{done.document}"
            page = await client.get(path)
            assert "bridge opens" in page.text
            assert "End this document" not in page.text
            form = {"csrf": csrf_of(page)}
            assert (await client.post(f"{path}/end", data=form)).status_code == 404
            files = {"file": ("a.md", b"# A", "text/markdown")}
            assert (await client.post(f"{HERE}/documents", data=form, files=files)).status_code == 404
        async with visitor(server) as client:
            for name, content in (("a.exe", b"MZ"), ("a.pdf", b"no pdf")):
                form = {"csrf": csrf_of(await client.get(f"{HERE}/documents"))}
                answer = await client.post(f"{HERE}/documents", data=form, files={"file": (name, content, "x/y")})
                assert answer.status_code == 422, name
            assert (await client.get(f"{HERE}/documents/{entity_id(TENANT, AGENT, 'x')}")).status_code == 404
