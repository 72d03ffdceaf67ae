"""Who has one detail of a relative forgotten keeps who that is, and all else of him; whatever he was called."""

from pathlib import Path

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.event import Person
from agentmem.domain.memory import GRAPH, MemoryType, StoreStatus
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT
from tests.support.spine import SCOPE, quiet_persona, spine

LUCIA = "Lucia is Nora's mother"
TOM = "Tom is Nora's brother"
ALLERGY = "Forget my mother's allergy."

DETAILS = [
    (["My mother is called Lucia.", "My mother is allergic to penicillin."], ALLERGY, "allergic", [LUCIA]),
    (["My mother Lucia is allergic to penicillin."], ALLERGY, "penicillin", [LUCIA, "My mother Lucia"]),
    (["My mother is called Lucia and she is allergic to penicillin."], ALLERGY, "penicillin", [LUCIA]),
    (["My mother is called Lucia.", "She is allergic to penicillin."], ALLERGY, "penicillin", [LUCIA]),
    (["My mother is called Lucia.", "Lucia is allergic to penicillin."], ALLERGY, "penicillin", [LUCIA]),
    (
        ["My brother Tom works at Acme. He lives in Rome."],
        "Forget where my brother works.",
        "Acme",
        [TOM, "Tom lives in"],
    ),
    (["My brother Tom works at Acme. He lives in Rome."], "Forget my brother's job.", "Acme", [TOM, "lives in Rome"]),
    (["我妈妈叫李桂芳,她对青霉素过敏。"], "请忘掉我妈妈的过敏", "青霉素", ["李桂芳是周敏的妈妈", "我妈妈叫李桂芳"]),
    (["我妈妈叫李桂芳。", "她对青霉素过敏。"], "请忘掉我妈妈的过敏", "青霉素", ["李桂芳是周敏的妈妈"]),
    (["我妈妈叫李桂芳,住在成都。", "李桂芳对青霉素过敏。"], "请忘掉我妈妈过敏的事", "青霉素", ["李桂芳", "成都"]),
    (["我弟弟叫小军,他在华为上班,住在深圳。"], "请忘掉我弟弟的工作", "华为", ["叫小军", "周敏的弟弟住在深圳"]),
    (["My mother is called Lucia.", "She likes tea.", "I am allergic to nuts."], ALLERGY, "nothing", ["tea", "nuts"]),
]
"""What was said, what is asked for, what nobody tells any more, and what stays."""


async def held(app: App) -> str:
    found = await app.memories(Selection(SCOPE, tuple(MemoryType), tuple(StoreStatus), limit=1_000))
    return "\n".join(f"{node.content} {node.value}" for node in found.memories if node.memory_type not in GRAPH)


@pytest.mark.parametrize("wait", [True, False], ids=["read", "unread"])
@pytest.mark.parametrize(("lines", "wish", "gone", "kept"), DETAILS)
async def test_who_a_relative_is_stays_where_a_detail_of_him_goes(
    tmp_path: Path, lines: list[str], wish: str, gone: str, kept: list[str], *, wait: bool
) -> None:
    who = Person(name="Nora" if wish.isascii() else "周敏")
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        for line in lines:
            await app.say(AGENT, who, line, run_id="r")
        if wait:
            await app.talks.end(AGENT, who, run_id="r")
            await app.drain()
        before = await held(app)
        said = await app.say(AGENT, who, wish, run_id="q")
        await app.drain()
        after = await held(app)
        assert gone not in after
        assert [word for word in kept if wait and word not in after] == []
        for done in said.forgotten:
            if done.run:
                await app.undo(done.run)
        await app.drain()
        assert not wait or set(before.split("\n")) <= set((await held(app)).split("\n"))
