"""What somebody says he just said is his turn before: it goes, whatever it told, and nothing else does."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.event import Person
from agentmem.domain.memory import MemoryType, StoreStatus
from agentmem.memory.request import LAST_SAID, asked_in
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.speech import Utterance
from tests.support.nodes import AGENT
from tests.support.spine import SCOPE, quiet_persona, spine

NORA: Final = Person(name="Nora")
ASKING: Final = (
    "Forget what I just said.",
    "Please forget what I just told you.",
    "No wait. Forget what I just said!",
    "Sorry, forget what I just said",
    "Don't remember what I just said, please.",
    "Forget my last message.",
    "Please delete my last message",
    "刚才说的别记",
    "把我刚才说的忘了吧",
    "忘掉我刚才说的话",
    "刚才那句话别记。",
    "算了,我刚说的你别记",
    "哦,刚才说的当我没说",
    "上一句忘掉",
    "不要记我刚才说的话",
)
ASKING_NOTHING: Final = (
    "Forget that.",
    "Just forget it.",
    "I just forgot what I said.",
    "Don't forget what I just said.",
    "I forget what he just said.",
    "忘了吧",
    "我刚才说的别忘了",
    "我刚忘了",
)


@pytest.mark.parametrize("text", ASKING)
def test_what_was_just_said_is_meant(text: str) -> None:
    assert asked_in(text).wishes == (LAST_SAID,)


@pytest.mark.parametrize("text", ASKING_NOTHING)
def test_an_idiom_means_no_turn_before(text: str) -> None:
    assert LAST_SAID not in asked_in(text).wishes


@pytest.mark.parametrize("text", ["I live in Leeds. Forget what I just said.", "我住在苏州。刚才说的别记"])
def test_what_the_turn_itself_says_is_meant_first(text: str) -> None:
    (wish,) = asked_in(text).wishes
    assert wish != LAST_SAID
    assert asked_in(text).kept.strip("█.。") == ""


async def left_of(app: App) -> str:
    wanted = Selection(SCOPE, tuple(MemoryType), tuple(StoreStatus), limit=1_000)
    return "\n".join(f"{node.content}\n{node.value}\n{node.key}" for node in (await app.memories(wanted)).memories)


async def said(app: App, lines: Sequence[str], run: str | None, *, read: bool = False) -> str | None:
    """Say these, what the agent says after a dash; the run that the last of them came to."""
    done = ()
    for line in lines:
        turn = Utterance(line.removeprefix("- "), by_agent=line.startswith("- "))
        done = (await app.say(AGENT, NORA, [turn], run_id=run)).forgotten
        if read:
            await app.drain()
    return done[0].run if done else None


@pytest.mark.parametrize("run", ["r", None])
@pytest.mark.parametrize("read", [True, False])
@pytest.mark.parametrize(
    ("lines", "gone", "kept"),
    [
        (
            ("I live in Leeds.", "I have asthma. I work as a nurse.", "Forget what I just said."),
            ("asthma", "nurse"),
            ("Leeds",),
        ),
        (("我住在苏州。", "我有糖尿病,在银行上班。", "刚才说的别记"), ("糖尿病", "银行"), ("苏州",)),
        (
            ("I have asthma.", "- Sorry that you have asthma. Your order ships on Friday.", "Forget what I just said."),
            ("asthma",),
            ("Friday",),
        ),
        (("I have asthma.", "- Noted.", "- Anything else?", "Forget my last message."), ("asthma",), ("Anything",)),
    ],
)
async def test_the_turn_before_goes_with_all_that_was_made_of_it(
    tmp_path: Path, lines: tuple[str, ...], gone: tuple[str, ...], kept: tuple[str, ...], run: str | None, *, read: bool
) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        undo = await said(app, lines, run, read=read)
        assert undo is not None
        await app.talks.end(AGENT, NORA, run_id=run)
        await app.drain()
        left = await left_of(app)
        assert [word for word in gone if word in left] == []
        assert [word for word in kept if word not in left] == []
        await app.undo(undo)
        await app.drain()
        told = await left_of(app)
        assert [word for word in (*gone, *kept) if word not in told] == []


async def test_the_value_that_the_turn_before_ended_holds_again(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona(turns=1)) as app:
        assert await said(
            app, ("My budget is 30k.", "My budget is now 50k.", "Forget what I just said."), "r", read=True
        )
        held = (await app.memories(Selection(SCOPE, (MemoryType.OBSERVATION,), (StoreStatus.VALID,)))).memories
        assert [node.value for node in held if node.attribute == "budget"] == ["30k"]


@pytest.mark.parametrize(
    "lines",
    [
        ("Forget what I just said.",),
        ("- How can I help?", "Forget what I just said."),
        ("I have asthma.", "Forget what I just said.", "Forget what I just said."),
    ],
)
async def test_nothing_goes_where_nothing_was_said_before(tmp_path: Path, lines: tuple[str, ...]) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        assert await said(app, lines, "r") is None


async def test_what_was_said_in_another_talk_is_not_what_was_just_said(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition(), persona=quiet_persona()) as app:
        await said(app, ("I have asthma.",), "other")
        assert await said(app, ("Forget what I just said.",), "r") is None
        await said(app, ("I have asthma.",), None)
        await app.talks.end(AGENT, NORA)
        assert await said(app, ("Forget what I just said.",), None) is None
