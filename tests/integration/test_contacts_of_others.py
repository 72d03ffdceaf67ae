"""Where the memories of many people are asked, the one who is named is preferred, and only his numbers are told."""

from pathlib import Path

import pytest

from agentmem.answers.answer import AskQuery
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from tests.support.index_kind import an_index

EVERYBODY = Scope("default", "clerk")
TOLD = (
    ("罗小东", "我叫罗小东，这个是我的联系方式 小东 12345678901"),
    ("王芳", "我叫王芳，我的电话是13900001111，邮箱wangfang@example.com"),
    ("李静", "小东跟我介绍过你们，我手机13622223333，你可以打给我"),
    ("Tom Baker", "My phone number is 555-0142. I live in Oslo."),
    ("Anna Tomas", "Tom Baker sent me here, my phone number is 555-0177."),
    ("Ruth", "Tom Baker's new number is 555-0199, he told me."),
)


async def told(app: App) -> None:
    await app.know_agent(Persona(id="clerk", name="Clerk"))
    for person, text in TOLD:
        await app.say("clerk", person, text, end=True)
    await app.say("clerk", "李静", "小东也在用。李静您的号码13622223333记下了", by_agent=True, end=True)
    await app.drain()


@pytest.mark.parametrize(
    ("question", "his", "theirs"),
    [
        ("怎么联系小东", ("12345678901",), ("13900001111", "wangfang", "13622223333", "555-0142")),
        ("罗小东喜欢什么", (), ("13900001111", "wangfang", "13622223333")),
        ("How do I reach Tom?", ("555-0142", "555-0199"), ("555-0177", "13900001111")),
        ("What does Tom Baker like?", (), ("555-0177", "13900001111")),
    ],
)
async def test_only_the_numbers_of_whom_is_asked_are_found(
    question: str, his: tuple[str, ...], theirs: tuple[str, ...], tmp_path: Path
) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await told(app)
        found = await app.recall(RecallQuery(EVERYBODY, question, k=20, hops=1))
        recalled = "\n".join(hit.memory.content for hit in found.hits)
        context = (await app.context(RecallQuery(EVERYBODY, question))).text
        answer = (await app.ask(AskQuery(EVERYBODY, question))).text or ""
    for text in (recalled, context):
        assert all(number in text for number in his), text
        assert not any(number in text for number in theirs), text
    assert not any(number in answer for number in theirs), answer


@pytest.mark.parametrize(("question", "asked"), [("怎么联系小东", "罗小东"), ("How do I reach Tom?", "Tom Baker")])
async def test_only_who_is_asked_about_is_preferred(question: str, asked: str, tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await told(app)
        hits = (await app.recall(RecallQuery(EVERYBODY, question, k=20))).hits
    names = {hit.memory.target_name for hit in hits if hit.signals.get("speaker")}
    assert asked in names
    assert names <= {asked, "小东"}


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("小东的同事王芳的电话是多少", "13900001111"),
        ("What are the phone numbers of everybody?", "555-0177"),
        ("大家的电话", "13900001111"),
    ],
)
async def test_who_asks_for_another_one_or_for_everybody_finds_their_numbers(
    question: str, number: str, tmp_path: Path
) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await told(app)
        found = await app.recall(RecallQuery(EVERYBODY, question, k=20))
    assert any(number in hit.memory.content for hit in found.hits)
