"""Whatever a form refuses, it says why, beside the field that is at fault and in the reader's language."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.interfaces.web.wording import LANGUAGES, PageLanguage, words_of
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.speech import Utterance
from tests.support.nodes import AGENT, TENANT
from tests.support.served import Served, served
from tests.support.site import csrf_of, visitor
from tests.web.test_chinese import english

HERE = f"/agents/{AGENT}"
_FAULT = re.compile(r'<span class="fault" id="fault" role="alert">(.*?)</span>', re.DOTALL)
_AT_FAULT = re.compile(r'<(?:input|textarea|select)(?=[^>]* aria-invalid="true")[^>]* name="([a-z_]+)"')


@dataclass(frozen=True)
class Refused:
    """A form that is refused: the page it stands on, what is sent from it, and which field is at fault."""

    form: str
    fault: str
    fields: dict[str, str] = field(default_factory=dict[str, str])
    file: tuple[str, bytes] | None = None
    on: str = ""


UPLOADS = {
    "x.exe": b"MZ",
    "none": b"x",
    "a.pdf": b"no pdf",
    "damaged.pdf": b"%PDF-1.4 broken",
    "a.docx": b"PK no",
    "empty.md": b"",
    "blank.txt": b" \n\t\n",
    "empty.csv": b"",
    "empty.html": b"<script>1</script>",
    "a.json": b"{",
    "a.jsonl": b"{}\n{",
    "[].json": b"[]",
    "half.md": b"\xff\xfe\x00\x01\x80",
    "binary.txt": b"\x00\x01\x02",
    "latin.txt": "d\xe9j\xe0 vu".encode("latin-1"),
    f"{'n' * 200}.md": b"x",
}
FILTERS = (
    *("{", "[]", '{"atribute": "phone"}', '{"AND": [{"atribute": "phone"}]}', '{"OR": []}', '{"AND": [{}]}'),
    *('{"kind": {"gtt": 1}}', '{"kind": {"in": 1}}', '{"kind": {}}', '{"validAt": {"gt": "soon"}}'),
    *('{"validAt": {"contains": "2"}}', '{"kind": {"contains": ""}}', '{"kind": [[]]}', '{"key": {"eq": {}}}'),
)
_NAMES = re.compile(r"\w+(, \w+)*")
"""A list of what is allowed: names, and no English."""

QUESTION = {"question": "电话?"}
REFUSED = [
    *(Refused(f"{HERE}/documents", "file", file=sent, on=f"{HERE}/documents") for sent in UPLOADS.items()),
    *(Refused(f"{HERE}/recall", "filter", {**QUESTION, "filter": text}) for text in FILTERS),
    *(Refused(f"{HERE}/recall", "limit", {**QUESTION, "limit": number}) for number in ("x", "0", "9999")),
    *(Refused(f"{HERE}/ask", "limit", {**QUESTION, "limit": number}) for number in ("x", "0", "9999")),
    *(Refused(f"{HERE}/{name}", "question", {"question": ""}) for name in ("recall", "ask", "context")),
    *(Refused(f"{HERE}/{name}", "about", {**QUESTION, "about": "无名氏"}) for name in ("recall", "ask", "context")),
    *(Refused(f"{HERE}/{name}", "as_of", {**QUESTION, "as_of": "31/12"}) for name in ("recall", "ask", "context")),
    *(Refused(f"{HERE}/recall", name, {**QUESTION, name: "0001-01-01"}) for name in ("as_of", "known_at")),
    Refused(f"{HERE}/recall", "hops", {**QUESTION, "hops": "9"}),
    Refused(f"{HERE}/recall", "profile", {**QUESTION, "profile": "x"}),
    Refused(f"{HERE}/ask", "mode", {**QUESTION, "mode": "x"}),
    Refused(f"{HERE}/ask", "depth", {**QUESTION, "depth": "9"}),
    Refused(f"{HERE}/context", "budget", {**QUESTION, "budget": "1"}),
    Refused(f"{HERE}/context", "headings", {**QUESTION, "headings": "x"}),
    *(Refused(f"{HERE}/clone", "new_id", {"new_id": name}, on=HERE) for name in (AGENT, "../x", "")),
    Refused(f"{HERE}/hire", "tenant", {"new_id": "x", "tenant": ""}, on=HERE),
    Refused(f"{HERE}/hire", "new_id", {"new_id": "x", "tenant": TENANT}, on=HERE),
    Refused(f"{HERE}/hire", "new_id", {"new_id": "../x", "tenant": "globex"}, on=HERE),
    Refused(f"{HERE}/reflection", "about", {"about": "无名氏"}),
    Refused(f"{HERE}/reflection/preview", "about", {"about": "无名氏"}, on=f"{HERE}/reflection"),
    *(Refused(f"{HERE}/graph", "name", {"name": name}) for name in ("", "无名氏", "x" * 3_000)),
    *(Refused(f"{HERE}/talk", "person", {"person": name}) for name in ("", "x" * 300, "a\x00b")),
    Refused(f"{HERE}/talk", "title", {"person": "罗小东", "title": "x" * 300}),
]
NOTHING_TO_REFUSE = {
    *("/enter", "/leave", "/preferences", "/undo"),
    *("/agents/{agent}/export", "/agents/{agent}/queue", "/memories/{memory}/forget"),
    *("/memories/{memory}/back", "/memories/{memory}/settle"),
    *("/agents/{agent}/documents/{document}/end", "/agents/{agent}/talk/{asked}/end"),
}
"""Forms without a field that anybody types into, or of nobody who has entered."""

OF_THEIR_OWN = {"/memories/{memory}/edit", "/memories/{memory}/end", "/agents/{agent}/talk/{asked}"}
"""Forms whose address is not known beforehand; see below."""


async def answer_to(client: httpx.AsyncClient, refused: Refused) -> httpx.Response:
    form = {"csrf": csrf_of(await client.get(refused.on or refused.form)), **refused.fields}
    files = None if refused.file is None else {"file": (*refused.file, "x/y")}
    answer = await client.post(refused.form, data=form, files=files)
    return await client.get(answer.headers["location"]) if answer.status_code == 303 else answer


def check_reason(answer: httpx.Response, fault: str, language: PageLanguage, about: object) -> None:
    """The page tells a reason of its own beside that field and, in Chinese, nothing in English."""
    assert answer.status_code in (409, 422), about
    told = [found[1].strip() for found in _FAULT.finditer(answer.text)]
    kinds = {text for word, text in words_of(language).texts.items() if word.startswith("error.")}
    assert len(told) == 1, about
    assert told[0] not in kinds, about
    assert _AT_FAULT.findall(answer.text) == [fault], about
    if language == "zh":
        assert re.search(r"[\u4e00-\u9fff]", told[0]), (about, told)
        assert "<code" not in told[0], (about, told)
        assert [each for each in english(answer) if not _NAMES.fullmatch(each)] == [], about


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_form_tells_why_it_is_refused(tmp_path: Path, language: PageLanguage) -> None:
    async with served(tmp_path) as server, visitor(server, language=language) as client:
        await server.app.say(AGENT, "罗小东", [Utterance("我的电话是13800138000。")], end=True)
        await server.app.drain()
        for refused in REFUSED:
            check_reason(await answer_to(client, refused), refused.fault, language, refused)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_correction_and_a_turn_that_are_refused_say_why(tmp_path: Path, language: PageLanguage) -> None:
    async with served(tmp_path) as server, visitor(server, language=language) as client:
        path = f"/memories/{await a_memory(server)}"
        for revision, words in (("0", "x"), ("1", ""), ("1", "a\x00b")):
            page = await client.get(path)
            found = re.search(r'name="revision" value="(\d+)"', page.text)
            assert found is not None
            form = {"content": words, "revision": found[1] if revision == "1" else "999"}
            check_reason(
                await answer_to(client, Refused(f"{path}/edit", "content", form, on=path)), "content", language, form
            )
        for since in ("soon", "2999-01-01", "1999-01-01"):
            refused = Refused(f"{path}/end", "since", {"since": since}, on=path)
            check_reason(await answer_to(client, refused), "since", language, since)
        begun = await answer_to(client, Refused(f"{HERE}/talk", "person", {"person": "罗小东"}))
        for text in ("", "x" * 3_000):
            refused = Refused(str(begun.url), "text", {"text": text})
            check_reason(await answer_to(client, refused), "text", language, text[:5])


async def a_memory(server: Served) -> str:
    await server.app.say(AGENT, "罗小东", [Utterance("我的电话是13800138000。")], end=True)
    await server.app.drain()
    scope = Scope(TENANT, AGENT, entity_id(TENANT, AGENT, canonical_name("罗小东")))
    return (await server.app.memories(Selection(scope, (MemoryType.OBSERVATION,)))).memories[0].memory_id


async def test_no_form_is_left_out(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        routes = server.program.site.program.routes
        there = {str(getattr(each, "path", "")) for each in routes if "POST" in (getattr(each, "methods", None) or ())}
        tried = {refused.form.replace(HERE, "/agents/{agent}") for refused in REFUSED}
        assert there == tried | NOTHING_TO_REFUSE | OF_THEIR_OWN


async def test_a_slip_in_a_filter_is_told_with_what_was_probably_meant(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        wrong = Refused(f"{HERE}/recall", "filter", {**QUESTION, "filter": '{"atribute": "phone"}'})
        answer = await answer_to(client, wrong)
        assert "did you mean &#39;attribute&#39;?" in answer.text
        assert '<details id="more" open>' in answer.text


async def test_an_agent_is_not_cloned_onto_itself(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        answer = await answer_to(client, Refused(f"{HERE}/clone", "new_id", {"new_id": AGENT}, on=HERE))
        assert answer.status_code == 409
        assert "exists already, or did once" in answer.text
