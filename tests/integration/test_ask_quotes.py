"""Where nothing surely answers a question about somebody, `ask` quotes what was said that may bear on it."""

from datetime import timedelta
from pathlib import Path

import pytest

from agentmem import AsyncMemory
from agentmem.language.normal import Language
from agentmem.retrieval.confidence import THRESHOLD
from agentmem.retrieval.wording import WORDINGS
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import NOON
from tests.support.spine import quick_settings

SAID: list[tuple[Language, str, tuple[str, ...], str, str]] = [
    (
        "en",
        "Ilse",
        (
            "My coat came back from the cleaner.",
            "We went for the ivory curtains in the end.",
            "The bus was late.",
        ),
        "What shade did they pick for the curtains at home?",
        "ivory",
    ),
    (
        "zh",
        "苏敏",
        ("窗帘最后定了米白的。", "今天公交车又晚点了。", "我周末去爬山。"),
        "客厅的窗帘和沙发垫她挑的哪种色调",
        "米白",
    ),
]


@pytest.mark.parametrize(("language", "who", "said", "question", "right"), SAID)
async def test_what_may_bear_on_a_question_is_quoted_with_its_day_and_not_told_as_the_answer(
    tmp_path: Path, language: Language, who: str, said: tuple[str, ...], question: str, right: str
) -> None:
    async with AsyncMemory(quick_settings(tmp_path), clock=ManualClock(NOON)) as memory:
        for day, text in enumerate(said):
            await memory.add(text, user_id=who, timestamp=NOON + timedelta(days=day - 9))
        reply = await memory.ask(question, user_id=who)
    assert reply.text is not None
    head, *lines = reply.text.splitlines()
    assert head == WORDINGS[language].unsure
    assert right in "".join(lines)
    assert all(f"{NOON:%Y-}" in line for line in lines)
    assert len(lines) == len(reply.sources) <= 3
    assert reply.confidence < THRESHOLD


UNSURE_OF_NOTHING = [
    ("What is Ilse's phone number?", "an attribute that nothing fills"),
    ("Which colour did her husband pick for the curtains?", "a relative of whom nothing was said"),
    ("How many curtains did they pick for the rooms at home?", "a number, and nothing said has one"),
    ("Why did they pick curtains of that colour for the house?", "a reason, and nothing said gives one"),
]


@pytest.mark.parametrize(("question", "why"), UNSURE_OF_NOTHING)
async def test_what_lacks_what_is_asked_for_is_not_quoted_either(tmp_path: Path, question: str, why: str) -> None:
    async with AsyncMemory(quick_settings(tmp_path), clock=ManualClock(NOON)) as memory:
        for text in SAID[0][2]:
            await memory.add(text, user_id="Ilse", timestamp=NOON - timedelta(days=3))
        assert (await memory.ask(question, user_id="Ilse")).text is None, why


async def test_what_is_beside_the_matter_is_not_quoted_with_it(tmp_path: Path) -> None:
    _, who, said, question, right = SAID[0]
    async with AsyncMemory(quick_settings(tmp_path), clock=ManualClock(NOON)) as memory:
        for text in said:
            await memory.add(text, user_id=who, timestamp=NOON - timedelta(days=3))
        told = (await memory.ask(question, user_id=who)).text or ""
    assert right in told
    assert "bus" not in told
