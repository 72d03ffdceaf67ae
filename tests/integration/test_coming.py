"""What was told and has not begun is found beside what holds today, and marked; it takes no place before its day."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.answers.answer import AskQuery
from agentmem.domain.scope import Scope
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory
from tests.support.obedient import fact, keep, obeying, order, told
from tests.support.spine import LATER, SCOPE

DAY = timedelta(days=1)
TOLD, BEGINS = NOON + 10 * DAY, NOON + 60 * DAY


@dataclass(frozen=True)
class Change:
    """What holds, what will take its place, and a question for each."""

    now: str
    then: str
    asks_now: str
    asks_then: str


CHANGES = (
    Change(
        "罗小东's daughter Romy is taught by Mr Field",
        "罗小东's daughter Romy will be taught by Ms Ode",
        "Who teaches Romy?",
        "Who is going to teach Romy?",
    ),
    Change(
        "罗小东 cleans the pool on Mondays",
        "罗小东 will clean the pool on Fridays",
        "When does 罗小东 clean the pool?",
        "When will 罗小东 clean the pool?",
    ),
    Change(
        "罗小东's studio is on Pine Street",
        "罗小东's studio moves to Harbour Road",
        "Where is the studio?",
        "Where will the studio be?",
    ),
    Change(
        "罗小东's newsletter is edited by Bea Holt",
        "罗小东's newsletter will be edited by Kit Moss",
        "Who edits the newsletter?",
        "Who is going to edit the newsletter?",
    ),
    Change(
        "罗小东 pays 40 a month for the garage",
        "罗小东 will pay 55 a month for the garage",
        "What does the garage cost?",
        "What will the garage cost?",
    ),
    Change("罗小东的钢琴课由何老师教", "罗小东的钢琴课将由谭老师教", "钢琴课谁教？", "钢琴课将由谁教？"),
    Change("罗小东的店周二休息", "罗小东的店改为周四休息", "店里哪天休息？", "店里以后哪天休息？"),
    Change("罗小东的车停在东门车库", "罗小东的车将停在西门车库", "车停在哪个车库？", "车将停在哪个车库？"),
    Change("罗小东负责华南区", "罗小东即将负责华东区", "罗小东负责哪个区？", "罗小东接下来负责哪个区？"),
    Change("罗小东诊所的前台是小邱", "罗小东诊所的前台将由小简接手", "诊所的前台是谁？", "诊所的前台将是谁？"),
)


async def _tell(app: App, clock: ManualClock, change: Change) -> None:
    clock.set(NOON)
    await told(app, "罗小东", f"one {order(read={'facts': [fact(change.now)]})}")
    clock.set(TOLD)
    begins = f"{BEGINS:%Y-%m-%d}"
    later = {
        "facts": [fact(change.then, since=begins, replaces=[1])],
        "no_longer_true": [{"held": 1, "turn": 1, "until": begins}],
    }
    await told(app, "罗小东", f"two {order(read=later)}")


async def _found(app: App, asked: RecallQuery) -> list[str]:
    hits = (await app.recall(asked)).hits
    return [hit.memory.content for hit in hits if hit.memory.memory_type == "observation"]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.asks_now)
async def test_what_is_to_come_stands_behind_what_holds_unless_the_question_looks_there(
    tmp_path: Path, change: Change
) -> None:
    clock = ManualClock(NOON)
    async with obeying(tmp_path, clock=clock) as app:
        await _tell(app, clock, change)
        assert await _found(app, RecallQuery(SCOPE, change.asks_now)) == [change.now, change.then]
        assert await _found(app, RecallQuery(SCOPE, change.asks_then)) == [change.then, change.now]
        clock.set(BEGINS + DAY)
        assert (await _found(app, RecallQuery(SCOPE, change.asks_now)))[0] == change.then


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.asks_now)
async def test_as_of_a_day_it_is_shown_once_it_had_been_told(tmp_path: Path, change: Change) -> None:
    clock = ManualClock(NOON)
    async with obeying(tmp_path, clock=clock) as app:
        await _tell(app, clock, change)
        clock.set(BEGINS + 9 * DAY)
        for day, known in (
            (TOLD - DAY, [change.now]),
            (TOLD + DAY, [change.now, change.then]),
            (BEGINS + DAY, [change.then]),
        ):
            found = await _found(app, RecallQuery(SCOPE, change.asks_now, as_of=day))
            assert [text for text in found if text in known] == known
            assert set(found) - set(known) <= {change.now}, "what has ended is told as ended"


async def test_it_is_told_from_when_it_holds(tmp_path: Path) -> None:
    clock, change = ManualClock(NOON), CHANGES[0]
    async with obeying(tmp_path, clock=clock) as app:
        await _tell(app, clock, change)
        marked = f"{change.then} (from {BEGINS:%Y-%m-%d}, not begun yet)"
        now = (await app.ask(AskQuery(SCOPE, change.asks_now))).text
        assert now == f"{change.now} [1]\n{marked} [2]"
        then = (await app.ask(AskQuery(SCOPE, change.asks_then))).text or ""
        assert then.splitlines()[0] == f"{marked} [1]"
        block = await app.context(RecallQuery(SCOPE, change.asks_now))
        assert f"「{change.then}」（{BEGINS:%Y-%m-%d} 起，尚未开始）" in block.text


async def test_a_time_in_the_question_says_which_of_them_is_asked_for(tmp_path: Path) -> None:
    clock, change = ManualClock(NOON), CHANGES[0]
    async with obeying(tmp_path, clock=clock) as app:
        await _tell(app, clock, change)
        before, after = BEGINS - 9 * DAY, BEGINS + 9 * DAY
        for day, first in ((before, change.now), (after, change.then)):
            found = await _found(app, RecallQuery(SCOPE, f"Who teaches Romy on {day:%Y-%m-%d}?"))
            assert found[0] == first


async def test_of_two_in_conflict_the_one_to_come_waits(tmp_path: Path) -> None:
    holds = a_memory("罗小东的预算是三万", attribute="note", valid_at=NOON)
    coming = a_memory("罗小东的预算是五万", attribute="note", valid_at=LATER + 30 * DAY, created_at=LATER)
    coming, holds = (
        one.revised(conflicts_with=(other.memory_id,)) for one, other in ((coming, holds), (holds, coming))
    )
    async with obeying(tmp_path) as app:
        await keep(app, holds, coming)
        assert await _found(app, RecallQuery(SCOPE, "罗小东的预算是多少")) == [holds.content, coming.content]


async def test_a_number_to_come_takes_no_place_among_what_must_be_known(tmp_path: Path) -> None:
    phone = a_memory("罗小东的电话是138", attribute="phone", value="138")
    coming = a_memory("罗小东的电话是139", attribute="phone", value="139", valid_at=LATER + 30 * DAY, created_at=LATER)
    async with obeying(tmp_path) as app:
        await keep(app, phone, coming)
        block = await app.context(RecallQuery(Scope(TENANT, AGENT, TARGET), "你好"))
    assert [line.memory_ids for line in block.lines if line.section == "profile"] == [
        (phone.memory_id,),
        (coming.memory_id,),
    ]
    assert f"「{coming.content}」（{coming.valid_at:%Y-%m-%d} 起，尚未开始）" in block.text
