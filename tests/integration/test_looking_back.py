"""A question for what was, or for why it changed, finds what is over and tells it as over."""

from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.answers.answer import AskQuery
from agentmem.domain.memory import MemoryType
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import NOON
from tests.support.obedient import fact, obeying, order, told
from tests.support.spine import SCOPE

REPLACED = (
    ("罗小东 plans to walk to Santiago", "罗小东 plans to sail to Vigo", "What was his old plan?"),
    ("罗小东's choir meets in the crypt", "罗小东's choir meets in the barn", "Where did the choir meet originally?"),
    ("罗小东 rehearses with Ines", "罗小东 rehearses with Otto", "Who did he rehearse with before?"),
    ("罗小东's stall opens at six", "罗小东's stall opens at nine", "What was the earlier opening time of the stall?"),
    ("罗小东 rides a bay mare", "罗小东 rides a grey pony", "What did he use to ride?"),
    ("罗小东的展览定在四月六号", "罗小东的展览改到六月九号", "展览原来定在哪天?"),
    ("罗小东打算去敦煌徒步", "罗小东打算去青海骑车", "他起初打算去哪?"),
    ("罗小东跟姚师傅学木工", "罗小东跟龚师傅学木工", "木工以前跟谁学?"),
    ("罗小东的铺子卖陶器", "罗小东的铺子卖茶具", "铺子本来卖什么?"),
    ("罗小东的旧方案是砖墙", "罗小东的新方案是木墙", "旧方案是什么?"),
)
OVER = (
    ("罗小东's cellar floods every spring", "罗小东 moved up to the mill", "Why did he move?"),
    ("罗小东's wrist is in plaster", "罗小东's wrist has healed", "Why did he miss the concert with his wrist?"),
    ("罗小东的琴弦断了", "罗小东的琴修好了", "他的琴为什么没带来?"),
    ("罗小东对旧颜料过敏", "罗小东换成了水彩", "他为什么换成了水彩颜料?"),
)


async def _changed(app: App, clock: ManualClock, old: str, new: str, *, replaces: bool) -> None:
    await told(app, "罗小东", f"one {order(read={'facts': [fact(old)]})}")
    clock.set(NOON + timedelta(days=20))
    said = fact(new, replaces=[1]) if replaces else fact(new)
    over = [{"held": 1, "turn": 1}]
    await told(app, "罗小东", f"two {order(read={'facts': [said], 'no_longer_true': over})}")
    clock.set(NOON + timedelta(days=30))


async def _found(app: App, question: str) -> list[str]:
    """What is found of what was made of the words, asked in that layer alone, so that no turn leads to it."""
    hits = (await app.recall(RecallQuery(SCOPE, question, types=(MemoryType.OBSERVATION,)))).hits
    return [hit.memory.content for hit in hits]


@pytest.mark.parametrize(("old", "new", "question"), REPLACED, ids=[each[2] for each in REPLACED])
async def test_a_question_for_what_was_finds_it_before_what_took_its_place(
    tmp_path: Path, old: str, new: str, question: str
) -> None:
    clock = ManualClock(NOON)
    async with obeying(tmp_path, clock=clock) as app:
        await _changed(app, clock, old, new, replaces=True)
        assert (await _found(app, question))[:2] == [old, new]
        block = await app.context(RecallQuery(SCOPE, question))
        assert f"「{old}」（2026-03-09 至 2026-03-29，已结束）" in block.text


@pytest.mark.parametrize(("old", "new", "question"), OVER, ids=[each[2] for each in OVER])
async def test_a_question_why_something_came_about_finds_the_reason_that_is_over(
    tmp_path: Path, old: str, new: str, question: str
) -> None:
    clock = ManualClock(NOON)
    async with obeying(tmp_path, clock=clock) as app:
        await _changed(app, clock, old, new, replaces=False)
        assert old in await _found(app, question)
        block = await app.context(RecallQuery(SCOPE, question))
        assert block.abstained or f"「{old}」（2026-03-09 至 2026-03-29，已结束）" in block.text


@pytest.mark.parametrize("question", ["Where does the choir meet?", "Where is the choir?", "Why is the choir so loud?"])
async def test_any_other_question_finds_what_holds_alone(tmp_path: Path, question: str) -> None:
    clock, (old, new, _) = ManualClock(NOON), REPLACED[1]
    async with obeying(tmp_path, clock=clock) as app:
        await _changed(app, clock, old, new, replaces=True)
        assert await _found(app, question) == [new]


async def test_an_answer_says_that_it_is_over(tmp_path: Path) -> None:
    clock, (old, new, question) = ManualClock(NOON), REPLACED[0]
    async with obeying(tmp_path, clock=clock) as app:
        await _changed(app, clock, old, new, replaces=True)
        told_first = ((await app.ask(AskQuery(SCOPE, question))).text or "").splitlines()[0]
        assert told_first == f"{old} (2026-03-09 – 2026-03-29, ended) [1]"
