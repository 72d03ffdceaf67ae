"""Who has a value forgotten has what put it right forgotten too, although its words name nothing but a value."""

from dataclasses import replace
from pathlib import Path

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.answers.answer import AskQuery
from agentmem.domain.event import Person
from agentmem.domain.memory import MemoryType, StoreStatus
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT
from tests.support.spine import SCOPE, quiet_persona, spine

WHO = Person(name="Nora")

CORRECTED = [
    (["My birthday is May 12.", "No, sorry, it's May 13."], "Please forget my birthday.", "May 13", "No, sorry"),
    (["我的生日是5月12号。", "不对,是5月13号"], "请忘掉我的生日", "5月13", "不对"),
    (["我的生日是5月12号。", "生日记错了,是5月13号。"], "请忘掉我的生日", "5月13", "记错了"),
    (
        ["My budget is 40 thousand dollars.", "I live in Oslo.", "Actually 55 thousand."],
        "Forget my budget.",
        "55 thousand",
        "Oslo",
    ),
    (
        ["My phone number is 5550142887.", "Wait, 5550143887.", "I like tea."],
        "Forget my phone number.",
        "5550143887",
        "tea",
    ),
    (["我住在杭州。", "说错了,苏州。", "我喜欢茶。"], "请忘掉我住哪里", "苏州", "茶"),
    (["I live in Oslo.", "No wait, Bergen.", "I like tea."], "Forget where I live.", "Bergen", "tea"),
    (["I live in Oslo.", "Sorry, it's New York, the rent is high."], "Forget where I live.", "New York", "the rent"),
    (["我住在杭州。", "应该是苏州,房租很贵。"], "请忘掉我住哪里", "苏州", "房租"),
]
"""What was said, what is asked for, what nobody tells any more, and what stays."""


async def told(app: App, lines: list[str]) -> str:
    """All that is held, and what is answered when it is asked for."""
    wanted = Selection(SCOPE, tuple(MemoryType), tuple(StoreStatus), limit=1_000)
    found: list[object] = [await app.memories(wanted)]
    for line in lines:
        found += [await app.recall(RecallQuery(SCOPE, line, 50)), await app.context(RecallQuery(SCOPE, line, 50))]
        found.append(await app.ask(AskQuery(SCOPE, line)))
    return repr(found)


@pytest.mark.sweep
@pytest.mark.parametrize(("lines", "request_", "gone", "kept"), CORRECTED)
@pytest.mark.parametrize("answers", [False, True], ids=["alone", "confirmed"])
async def test_what_puts_a_forgotten_value_right_goes_with_it_and_comes_back_with_it(
    tmp_path: Path, lines: list[str], request_: str, gone: str, kept: str, *, answers: bool
) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        for line in lines:
            await app.say(AGENT, WHO, line, run_id="r")
            if answers:
                await app.say(AGENT, WHO, "OK.", by_agent=True, run_id="r")
        await app.talks.end(AGENT, WHO, run_id="r")
        await app.drain()
        assert gone in await told(app, lines)
        said = await app.say(AGENT, WHO, request_, run_id="q")
        await app.drain()
        after = await told(app, ["birthday", "budget", "Where does Nora live?", "生日", "住哪里"])
        assert gone not in after
        assert kept in after
        assert said.forgotten[0].run
        await app.undo(said.forgotten[0].run)
        assert gone in await told(app, lines)


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (["My birthday is May 12.", "My wedding is on May 20.", "No, sorry, it's May 21."], ["May 20", "May 21"]),
        (["My birthday is May 12.", "I start work on May 20 at Acme."], ["May 20"]),
        (["My birthday is May 12.", "Sorry, my budget is 40 thousand dollars."], ["40 thousand"]),
        (["My birthday is May 12.", "Oh no, 3 cups."], ["3 cups"]),
        (["我的生日是5月12号。", "不对,我的预算是50万。", "我有200个客户。"], ["50万", "200"]),
        (["My birthday is May 12.", "Sorry, can we meet on May 20?"], ["Sorry, can we meet on May 20?"]),
        (["我的生日是5月12号。", "不好意思说错了话,我们5月20号见面吧。"], ["5月20号见面"]),
    ],
)
async def test_what_puts_something_else_right_stays(tmp_path: Path, lines: list[str], kept: list[str]) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        for line in lines:
            await app.say(AGENT, WHO, line, run_id="r")
        await app.drain()
        target = (await app.memories(Selection(SCOPE))).memories[0].target_id
        await app.forget(
            Meant(replace(SCOPE, target=target), query="forget my birthday" if lines[0].isascii() else "忘掉生日")
        )
        after = await told(app, [])
    assert [word for word in kept if word not in after] == []
    assert lines[0] not in after


@pytest.mark.parametrize(
    ("lines", "request_"),
    [
        (["I live in Oslo.", "Sorry, the doctor rang, the test came back clean."], "Forget where I live."),
        (["I live in Oslo.", "Actually the heating broke and the plumber never came."], "Forget where I live."),
        (["I live in Oslo.", "Sorry, my sister called, she met Ann."], "Forget where I live."),
        (["I live in Oslo.", "Actually Ann called."], "Forget where I live."),
        (["I live in Oslo.", "Sorry, Thanks."], "Forget where I live."),
        (["我住在杭州。", "天气应该是不错的。"], "请忘掉我住哪里"),
        (["我住在杭州。", "我儿子说错了话,老师生气了。"], "请忘掉我住哪里"),
        (["我住在杭州。", "不对,水管又漏了。"], "请忘掉我住哪里"),
        (
            ["My budget is 40 thousand dollars.", "The roof cost us 12 thousand dollars, sorry for the digression."],
            "Forget my budget.",
        ),
    ],
)
async def test_who_excuses_himself_or_tells_of_a_slip_puts_nothing_right(
    tmp_path: Path, lines: list[str], request_: str
) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        for line in lines:
            await app.say(AGENT, WHO, line, run_id="r")
        await app.talks.end(AGENT, WHO, run_id="r")
        await app.drain()
        said = await app.say(AGENT, WHO, request_, run_id="q")
        held = (await app.memories(Selection(SCOPE, types=(MemoryType.CONVERSATION,)))).memories
    assert said.forgotten[0].run
    assert lines[0] not in {node.content for node in held}
    assert lines[1] in {node.content for node in held}


async def test_by_its_id_too_a_value_goes_with_who_confirms_it_and_with_what_puts_it_right(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        await app.say(AGENT, WHO, "My birthday is May 12.", run_id="r")
        await app.say(AGENT, WHO, "Your birthday is May 12, noted.", by_agent=True, run_id="r")
        await app.say(AGENT, WHO, "No, sorry, it's May 13. I like tea.", run_id="r")
        await app.talks.end(AGENT, WHO, run_id="r")
        await app.drain()
        held = (await app.memories(Selection(SCOPE, types=(MemoryType.OBSERVATION,)))).memories
        (birthday,) = [node for node in held if node.attribute == "birthday"]
        await app.forget(Meant(SCOPE, ids=(birthday.memory_id,)))
        after = await told(app, ["birthday"])
    assert [word for word in ("May 12", "May 13") if word in after] == []
    assert "I like tea" in after
