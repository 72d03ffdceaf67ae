"""What somebody has told of his company answers questions that name the company, and none about another one."""

from pathlib import Path

import pytest

from agentmem.answers.answer import AskQuery
from agentmem.domain.entity import named
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from tests.support.index_kind import an_index

EVERYBODY = Scope("default", "clerk")
TOLD = {
    "Nora": (
        "Hi, I'm Nora, head of operations at Nordwind Logistics. We have 80 employees.",
        "Our budget is about 40,000 euros. Our CEO, Henrik Sand, makes the final decision.",
        "My phone number is 555-0142. I have two kids.",
    ),
    "周敏": (
        "你好,我在北风物流做运营总监,我们公司有80人。",
        "预算大概30万。最后由我们总经理韩松拍板。",
        "我手机13800138000,我有两个孩子。",
    ),
}


def scopes(person: str) -> tuple[Scope, Scope]:
    return EVERYBODY, Scope("default", "clerk", named("default", "clerk", person))


@pytest.mark.parametrize(
    ("person", "answers", "silent"),
    [
        (
            "Nora",
            {
                "How many people work at Nordwind Logistics?": "80",
                "How big is Nordwind Logistics?": "80",
                "How many employees does Nordwind have?": "80",
                "What is Nordwind's budget?": "40,000",
            },
            ("How many people work at Acme?", "What is Acme's budget?", "How many kids does Nordwind have?"),
        ),
        (
            "周敏",
            {
                "北风物流有多少人?": "80",
                "北风物流规模多大?": "80",
                "北风物流有多少员工?": "80",
                "北风物流预算多少?": "30万",
                "北风物流谁做决定?": "韩松",
            },
            ("南风物流有多少人?", "南风物流预算多少?", "北风物流有几个孩子?"),
        ),
    ],
)
async def test_a_company_is_asked_about_by_its_name(
    person: str, answers: dict[str, str], silent: tuple[str, ...], tmp_path: Path
) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        for text in TOLD[person]:
            await app.say("clerk", person, text, end=True)
        await app.drain()
        for scope in scopes(person):
            for question, answer in answers.items():
                assert answer in ((await app.ask(AskQuery(scope, question))).text or ""), question
            for question in silent:
                assert (await app.ask(AskQuery(scope, question))).text is None, question


@pytest.mark.parametrize(
    ("person", "text", "question"),
    [
        ("Nora", "I work at Nordwind Logistics. I like tea.", "How many people work at Nordwind Logistics?"),
        ("Tess", "I run a bakery called Moreau & Sons in Lyon.", "How many people work for Tess?"),
        ("周敏", "我在北风物流做运营总监。", "北风物流有多少人?"),
        ("周敏", "周五我一般没空开会。", "周敏的截止日期是哪天?"),
    ],
)
async def test_what_is_beside_the_question_is_not_told(person: str, text: str, question: str, tmp_path: Path) -> None:
    async with open_app(Settings(data=tmp_path, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        await app.say("clerk", person, text, end=True)
        await app.drain()
        for scope in scopes(person):
            assert (await app.ask(AskQuery(scope, question))).text is None


PREMIUM = "The premium plan costs 900 a month and includes telephone support."
PLANS = f"# Plans\n\nThe basic plan costs 300 a month.\n\n{PREMIUM}\n"
TARIFS = "# 套餐\n\n基础版每月300元。\n\n高级版每月900元,包含电话支持。\n\n门店现有二十台咖啡机。\n"


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (PLANS, "What does the basic plan cost?", "The basic plan costs 300 a month."),
        (PLANS, "How much is the premium plan?", PREMIUM),
        (
            PLANS,
            "Which plan includes telephone support?",
            PREMIUM,
        ),
        (TARIFS, "基础版多少钱?", "基础版每月300元。"),
        (TARIFS, "高级版每月多少钱?", "高级版每月900元,包含电话支持。"),
        (TARIFS, "门店有几台咖啡机?", "门店现有二十台咖啡机。"),
    ],
)
async def test_a_sentence_of_a_document_that_surely_answers_is_told(
    text: str, question: str, answer: str, tmp_path: Path
) -> None:
    document = tmp_path / "plans.md"
    document.write_text(text, encoding="utf-8")
    async with open_app(Settings(data=tmp_path / "data", index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Clerk"))
        await app.library.ingest("clerk", [document])
        await app.drain()
        reply = await app.ask(AskQuery(EVERYBODY, question))
    assert (reply.text or "").startswith(answer)
    assert len((reply.text or "").splitlines()) == 1
    assert [source.memory.meta_data["title"] for source in reply.sources] == [text[2:].split("\n")[0]]
