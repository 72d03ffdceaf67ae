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
    (
        ["My mother is called Lucia.", "My mother is allergic to penicillin."],
        ALLERGY,
        "allergic",
        [LUCIA, "called Lucia"],
    ),
    (["My mother Lucia is allergic to penicillin."], ALLERGY, "penicillin", [LUCIA, "My mother Lucia"]),
    (["My mother is called Lucia and she is allergic to penicillin."], ALLERGY, "penicillin", [LUCIA, "called Lucia"]),
    (["My mother is called Lucia.", "She is allergic to penicillin."], ALLERGY, "penicillin", [LUCIA, "called Lucia"]),
    (
        ["My brother Tom works at Acme. He lives in Rome."],
        "Forget where my brother works.",
        "Acme",
        [TOM, "Tom lives in", "He lives in Rome"],
    ),
    (["My brother Tom works at Acme. He lives in Rome."], "Forget my brother's job.", "Acme", [TOM, "lives in Rome"]),
    (["我妈妈叫李桂芳,她对青霉素过敏。"], "请忘掉我妈妈的过敏", "青霉素", ["李桂芳是周敏的妈妈", "我妈妈叫李桂芳"]),
    (
        ["我妈妈叫李桂芳。", "她对青霉素过敏。"],
        "请忘掉我妈妈的过敏",
        "青霉素",
        ["李桂芳是周敏的妈妈", "我妈妈叫李桂芳"],
    ),
    (["我妈妈叫李桂芳,住在成都。", "她对青霉素过敏。"], "请忘掉我妈妈过敏的事", "青霉素", ["李桂芳", "成都"]),
    (["我弟弟叫小军,他在华为上班,住在深圳。"], "请忘掉我弟弟的工作", "华为", ["叫小军", "周敏的弟弟住在深圳"]),
    (["My mother is called Lucia.", "She likes tea.", "I am allergic to nuts."], ALLERGY, "nothing", ["tea", "nuts"]),
]
"""What was said, what is asked for, what nobody tells any more, and what stays."""


async def held(app: App) -> str:
    found = await app.memories(Selection(SCOPE, tuple(MemoryType), tuple(StoreStatus), limit=1_000))
    return "\n".join(f"{node.content} {node.value}" for node in found.memories if node.memory_type not in GRAPH)


@pytest.mark.sweep
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
        stays = [word for word in kept if wait or any(word in line for line in lines)]
        assert stays
        assert [word for word in stays if word not in after] == []
        for done in said.forgotten:
            if done.run:
                await app.undo(done.run)
        await app.drain()
        assert not wait or set(before.split("\n")) <= set((await held(app)).split("\n"))


@pytest.mark.sweep
@pytest.mark.parametrize("wait", [True, False], ids=["read", "unread"])
@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("I am allergic to nuts, as Lucia told you.", "Nora is allergic to nuts"),
        ("I am allergic to bees, Lucia was there.", "Nora is allergic to bees"),
        ("Lucia Berg is my lawyer and she is allergic to nuts.", "Lucia Berg is allergic to nuts"),
        ("My sister's name is Lucia Ann and she is allergic to nuts.", "Lucia Ann is allergic to nuts"),
        ("我对花生过敏,是李桂芳发现的。", "周敏对花生过敏"),
        ("我姐姐对花生过敏,李桂芳照顾她。", "周敏的姐姐对花生过敏"),
        ("我对虾过敏,李桂芳也知道。", "周敏对虾过敏"),
    ],
)
async def test_what_only_names_a_relative_is_no_detail_of_hers(
    tmp_path: Path, told: str, kept: str, *, wait: bool
) -> None:
    who, is_english = Person(name="Nora" if told.isascii() else "周敏"), told.isascii()
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        for line in ("My mother is called Lucia." if is_english else "我妈妈叫李桂芳。", told):
            await app.say(AGENT, who, line, run_id="r")
        if wait:
            await app.talks.end(AGENT, who, run_id="r")
            await app.drain()
        await app.say(AGENT, who, ALLERGY if is_english else "请忘掉我妈妈的过敏", run_id="q")
        await app.talks.end(AGENT, who, run_id="r")
        await app.drain()
        after = await held(app)
    assert told in after
    assert kept in after
