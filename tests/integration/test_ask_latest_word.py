"""`ask` without a model tells the newest word on a matter, nobody else's value, and no question for an answer."""

from pathlib import Path

import pytest

from agentmem.answers.answer import AskQuery
from agentmem.domain.entity import named
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from tests.support.index_kind import an_index

HERS = Scope("default", "clerk", named("default", "clerk", "Ann Lee"))
NAMES = ("Mira", "Tom", "Ida", "Olaf", "Bea", "Carl", "Dora", "Emil", "Fritz", "Gus", "Hedy", "Ivo", "Jana", "Kai")


async def asked(folder: Path, question: str, *said: str) -> str | None:
    """What is told of Ann Lee after these talks, one after the other."""
    async with open_app(Settings(data=folder, index=an_index())) as app:
        await app.know_agent(Persona(id="clerk", name="Rowan"))
        for each in said:
            await app.say("clerk", "Ann Lee", each, end=True)
            await app.drain()
        return (await app.ask(AskQuery(HERS, question))).text


@pytest.mark.parametrize(
    ("question", "said", "told"),
    [
        ("When is the wedding?", ("The wedding is on 6 June.", "The wedding is off"), "off"),
        (
            "Which school does Mia go to?",
            ("Mia goes to Oakwood.", "Mia changed schools, she's at Hillside"),
            "Hillside",
        ),
        ("What is my favourite colour?", ("My favourite colour is blue", "My favourite colour is green now"), "green"),
        ("where do I live", ("I live in Berlin", "I moved from Berlin to Lyon"), "Lyon"),
        ("我住在哪", ("我住在北京", "上个月搬到上海了"), "上海"),
        ("婚礼办了吗", ("十月六号办婚礼", "婚礼总算办完了"), "办完"),
        ("When do I play squash?", ("I play squash on Mondays at 7", "moved it, fridays at 6 instead"), "fridays"),
        ("How many crates do we order?", ("We order 30 crates a month", "It's 45 crates from now on"), "45"),
        ("我们团队多少人", ("我们团队二十来号人", "刚招完人,现在三十二个人"), "三十二"),
    ],
)
async def test_the_newer_word_is_told(question: str, said: tuple[str, ...], told: str, tmp_path: Path) -> None:
    assert told in (await asked(tmp_path, question, *said) or "")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is my husband's phone number?", ("My phone number is 07700 900123", "I'd rather call my husband")),
        ("Why did I sell the car?", ("I sold the car on Monday",)),
        ("Where do I work?", ("I left Meadowbrook in May",)),
        ("How much rent do I pay?", ("My cousin pays 900 a month in rent",)),
        ("Who teaches my pottery class?", ("My pottery class is on Mondays",)),
        ("我的房租多少", ("我同事房租三千五",)),
        ("Where is the choir practice held?", ("Choir practice is on Tuesdays",)),
    ],
)
async def test_what_is_not_known_is_not_told(question: str, said: tuple[str, ...], tmp_path: Path) -> None:
    assert await asked(tmp_path, question, *said) is None


@pytest.mark.parametrize(
    ("question", "said", "told"),
    [
        ("我以前的预算是多少", ("我们预算大概30万", "预算改成50万了"), "30万"),
        ("我原来的电话是多少", ("我的电话是13800138000", "我电话换了,13911112222"), "13800138000"),
        ("What was my budget before?", ("My budget is 30k", "My budget is 50k now"), "30k"),
        (
            "What is my old phone number?",
            ("My phone number is 415-555-0134.", "I have a new phone number now: 415-555-0188."),
            "0134",
        ),
        ("我的旧电话是多少", ("我的电话是13800138000", "我电话换了,13911112222"), "13800138000"),
        ("Where did I previously live?", ("I live in Berlin", "I moved from Berlin to Lyon"), "Berlin"),
    ],
)
async def test_of_what_was_the_newer_word_is_not_told_first(
    question: str, said: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    assert told in (await asked(tmp_path, question, *said) or "").split("\n")[0]


async def test_the_newer_word_on_what_stands_first_is_told_however_many_turns_name_the_matter(tmp_path: Path) -> None:
    beside = [f"Remind {who} of my dentist appointment, please." for who in NAMES]
    said = ("My dentist appointment is on Monday at 9.", *beside, "The appointment was moved to Thursday at 11.")
    assert "Thursday" in (await asked(tmp_path, "When is my dentist appointment?", *said) or "")
