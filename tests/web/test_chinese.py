"""Whoever reads Chinese reads Chinese: no page, no reason and no error of the engine stands there as an English
sentence."""

import re
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Scope
from agentmem.errors import BadAnswer
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.speech import Utterance
from tests.support.nodes import AGENT, TENANT
from tests.support.served import Served, served
from tests.support.site import csrf_of, sent, visitor, walked
from tests.support.spine import Failing

HERE = f"/agents/{AGENT}"
SENTENCE = re.compile(r"[A-Za-z][a-z']+(?:[ ,;:]+[A-Za-z][a-z']*){2,}")
"""Three words in a row."""

_VOID = frozenset({"input", "link", "meta", "img", "br", "hr", "option"})


class Shown(HTMLParser):
    """What a page says, without what is marked as English, code, and what was typed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._hidden: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.texts += [given.get(name) or "" for name in ("aria-label", "title", "alt")]
        if tag not in _VOID and (self._hidden or tag in ("code", "script") or given.get("lang") == "en"):
            self._hidden.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._hidden and self._hidden[-1] == tag:
            self._hidden.pop()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.texts.append(data)


def english(answer: httpx.Response) -> list[str]:
    """The English sentences of a page."""
    assert 'lang="zh-Hans"' in answer.text
    return [found[0] for text in Shown(answer.text).texts for found in SENTENCE.finditer(text)]


async def told(server: Served) -> None:
    for text in ("我的电话是13800138000。", "我换号码了,新号码是13900139000。", "我住在上海。", "你们卖什么?"):
        await server.app.add(AGENT, "罗小东", text, run_id="talk")
    await server.app.library.take_in(AGENT, "guide.md", "# 指南\n\n桥九点开放。".encode())
    await server.app.drain()
    await server.app.reflect(Scope(TENANT, AGENT))


@pytest.mark.thorough
async def test_no_page_says_anything_in_english(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server, language="zh") as client:
        await told(server)
        pages = await walked(client)
        assert len(pages) > 20
        assert {path: found for path, page in pages.items() if (found := english(page))} == {}


async def test_what_a_reflection_concludes_is_filed_in_the_language_of_the_page(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server, language="zh") as client:
        for text in ("我们需要移动端审批功能。", "我们还需要自动生成报表。"):
            await server.app.add(AGENT, "罗小东", text, run_id="talk")
        await server.app.drain()
        await server.app.reflect(Scope(TENANT, AGENT))
        [drawn] = await server.app.memories(Selection(Scope(TENANT, AGENT), (MemoryType.INSIGHT,)))
        assert drawn.attribute == "main_needs"
        page = await client.get(f"/agents/{AGENT}/people/{drawn.target_id}")
        assert "主要需求" in page.text
        assert english(page) == []


async def test_no_reason_and_no_notice_is_english(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, visitor(server, language="zh") as client:
        await told(server)
        nodes = await server.app.memories(Selection(Scope(TENANT, AGENT), (MemoryType.OBSERVATION,)))
        path = f"/memories/{next(node.memory_id for node in nodes if '上海' in node.content)}"
        first = await client.get(path)
        revision = re.search(r'name="revision" value="(\d+)"', first.text)
        assert revision is not None
        await sent(client, f"{path}/edit", {"content": "罗小东住在北京", "revision": revision[1]}, on=path)
        assert english(await client.get(path)) == []
        assert english(await sent(client, f"{path}/forget", {}, on=path)) == []
        await sent(client, f"{path}/forget", {"step": "done"}, on=path)
        gone = await client.get(path)
        assert "该记忆已被遗忘" in gone.text
        assert english(gone) == []
        run = re.search(r'name="run" value="([^"]+)"', gone.text)
        assert run is not None
        await sent(client, "/undo", {"run": run[1], "back": path}, on="/")
        assert english(await client.get(path)) == []


async def test_no_error_is_english_and_what_was_typed_is_kept(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server, language="zh") as client:
        forms = {
            f"{HERE}/clone": ({"new_id": "../x", "name": "新的"}, HERE),
            f"{HERE}/hire": ({"new_id": "x y", "tenant": "globex"}, HERE),
            f"{HERE}/reflection": ({"about": "无名氏"}, f"{HERE}/reflection"),
            f"{HERE}/reflection/preview": ({"about": "无名氏"}, f"{HERE}/reflection"),
            f"{HERE}/graph": ({"name": "无名氏"}, f"{HERE}/graph"),
            f"{HERE}/recall": ({"question": "问" * 2_001}, f"{HERE}/recall"),
        }
        for path, (fields, on) in forms.items():
            answer = await sent(client, path, fields, on=on)
            assert answer.status_code == 422, path
            assert english(answer) == [], path
            assert 'id="fault" role="alert"' in answer.text, path
            assert all(value in answer.text for value in fields.values()), path
        for fields in ({"limit": "x"}, {"about": "无名氏"}, {"filter": "{"}, {"as_of": "31/12"}, {"hops": "9"}):
            asked = await sent(client, f"{HERE}/recall", {"question": "电话?", **fields}, on=f"{HERE}/recall")
            answer = await client.get(asked.headers["location"])
            assert answer.status_code == 422
            assert english(answer) == [], fields
            assert "电话?" in answer.text
        for name, raw in (("a.exe", b"MZ"), ("a.pdf", b"no pdf")):
            form = {"csrf": csrf_of(await client.get(f"{HERE}/documents"))}
            answer = await client.post(f"{HERE}/documents", data=form, files={"file": (name, raw, "x/y")})
            assert (answer.status_code, english(answer)) == (422, []), name
        for path in ("/nothing", "/memories/x", f"{HERE}/memories?cursor=x", f"{HERE}?before=x"):
            assert english(await client.get(path)) == [], path


async def test_why_work_was_given_up_is_told_in_chinese_with_the_words_of_the_error(tmp_path: Path) -> None:
    failing = Failing([BadAnswer("the answer is not what was asked for")] * 6)
    async with served(tmp_path, failing) as server, visitor(server, language="zh") as client:
        await server.app.say(AGENT, "罗小东", [Utterance("我住在上海。")], end=True)
        await server.app.drain(patience=60)
        page = await client.get(f"{HERE}/queue")
        assert "模型的回答无法使用" in page.text
        assert "not what was asked for" in page.text
        assert english(page) == []
