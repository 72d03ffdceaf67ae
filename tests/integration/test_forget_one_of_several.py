"""Of two details that are alike the one that is asked for goes, and the other stays."""

from pathlib import Path
from typing import Final, NamedTuple

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.event import Person
from agentmem.domain.memory import MemoryType, StoreStatus
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT
from tests.support.spine import SCOPE, quiet_persona, spine


class Pair(NamedTuple):
    """What tells one detail, with the word that tells it; what tells the other; and what asks for the first."""

    goes: str
    word: str
    stays: str
    request: str


NAMES: Final = (
    Pair("我在华为上班。", "华为", "我家在青岛。", "忘掉我的公司"),
    Pair("我叫王小明。", "王小明", "我家在青岛。", "忘掉我的名字"),
    Pair("我老婆叫李芳。", "李芳", "我在银行上班。", "忘掉我老婆的名字"),
    Pair("My wife's name is Rosalind.", "Rosalind", "My name is Nora Finch.", "Forget my wife's name."),
    Pair("我的公司叫恒运货代。", "恒运货代", "我叫王小明。", "忘掉我公司的名字"),
    Pair("My company is called Acme Tools.", "Acme", "My name is Nora Finch.", "Forget the name of my company."),
    Pair("My bank is Barclays.", "Barclays", "My name is Nora Finch.", "Please forget the name of my bank."),
)
"""Whose name, or what name, is meant."""


async def told(app: App) -> str:
    wanted = Selection(SCOPE, (MemoryType.CONVERSATION, MemoryType.OBSERVATION), (StoreStatus.VALID,), limit=1_000)
    return "\n".join(f"{node.content} {node.value}" for node in (await app.memories(wanted)).memories)


@pytest.mark.sweep
@pytest.mark.parametrize("first", ["goes", "stays"])
@pytest.mark.parametrize("pair", NAMES, ids=lambda pair: f"{pair.request} {pair.stays}")
async def test_of_two_details_the_one_that_is_asked_for_goes(tmp_path: Path, pair: Pair, first: str) -> None:
    lines = (pair.goes, pair.stays) if first == "goes" else (pair.stays, pair.goes)
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        who = Person(name="Nora" if pair.request.isascii() else "周敏")
        for line in lines:
            await app.say(AGENT, who, line, run_id="r")
        await app.talks.end(AGENT, who, run_id="r")
        await app.drain()
        await app.say(AGENT, who, pair.request, run_id="q")
        await app.drain()
        after = await told(app)
    assert pair.word not in after
    assert pair.stays in after
