"""Asked of all people who it is, the one of whom it was told answers; what is told of another one answers nothing."""

from pathlib import Path

import pytest

from agentmem import AsyncMemory
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import NOON
from tests.support.spine import quick_settings

TOLD = [
    ("Greta", "I live in Malmö and I speak Polish."),
    ("Hugo", "We moved to Lyon last month."),
    ("Hugo", "I am allergic to penicillin."),
    ("Rosa Lind", "My company uses Shopify."),
    ("Karl", "My phone number is 555-0122."),
    ("钟磊", "我上个月搬到苏州了。"),
    ("韩雪", "我现在住在昆明。我爸妈住在大理。"),
]

WHO = [
    ("Who speaks Polish?", "Greta"),
    ("Who is allergic to penicillin?", "Hugo"),
    ("Who lives in Lyon?", "Hugo"),
    ("Who lives in Malmö?", "Greta"),
    ("谁住在苏州", "钟磊"),
    ("谁住在昆明", "韩雪"),
    ("Who speaks Welsh?", None),
    ("Who lives in Vienna?", None),
    ("谁住在天津", None),
    ("Does 钟磊 use Shopify?", None),
    ("Does Karl use Shopify?", None),
    ("When is Karl in Turin?", None),
    ("What is Bert's phone number?", None),
]


async def test_who_it_is_is_told_and_nobody_else(tmp_path: Path) -> None:
    async with AsyncMemory(quick_settings(tmp_path), clock=ManualClock(NOON)) as memory:
        for who, text in TOLD:
            await memory.add(text, user_id=who, agent_id="clerk")
        for question, who in WHO:
            answer = (await memory.ask(question, agent_id="clerk")).text
            assert (answer is None) if who is None else (answer is not None and answer.startswith(who)), question


@pytest.mark.parametrize(
    ("who", "said", "question", "not_told"),
    [
        ("韩雪", "我现在住在昆明。我爸妈还住在大理。", "韩雪的父母住在哪里", "昆明"),
        ("Greta", "I live in Malmö now. My parents still live in Gdynia.", "Where do Greta's parents live?", "Malmö"),
    ],
)
async def test_ones_own_home_is_not_that_of_ones_parents(
    tmp_path: Path, who: str, said: str, question: str, not_told: str
) -> None:
    async with AsyncMemory(quick_settings(tmp_path), clock=ManualClock(NOON)) as memory:
        await memory.add(said, user_id=who)
        assert not_told not in ((await memory.ask(question, user_id=who)).text or "")
