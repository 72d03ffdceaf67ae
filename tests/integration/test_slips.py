"""A slip that somebody puts right in the next call was never true, whatever is asked; its words and history stay."""

# ruff: noqa: E501 - spoken lines read best unbroken

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from agentmem import AsyncMemory
from agentmem.domain.memory import Ending, MemoryNode, MemoryType
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import NOON
from tests.support.spine import quick_settings

STEP = timedelta(minutes=2)


@pytest.fixture
async def memory(tmp_path: Path) -> AsyncIterator[AsyncMemory]:
    async with AsyncMemory(quick_settings(tmp_path), clock=ManualClock(NOON)) as opened:
        yield opened


async def say(memory: AsyncMemory, *lines: str, user: str = "Tom") -> None:
    clock = memory.app.clock
    assert isinstance(clock, ManualClock)
    for line in lines:
        await memory.add(line, user_id=user)
        clock.advance(STEP)


async def observed(memory: AsyncMemory, user: str = "Tom") -> dict[str, MemoryNode]:
    page = await memory.get_all(user_id=user, everything=True, layers=[MemoryType.OBSERVATION])
    return {item.memory: item.node for item in page.results}


@pytest.mark.parametrize(
    ("user", "lines", "question", "right", "wrong"),
    [
        ("Tom", ("My phone number is 555-0142.", "Sorry, typo: 555-0143."), "What is Tom's phone number?", "555-0143", "555-0142"),
        ("Tom", ("My surname is Hall.", "Sorry, I meant Hale."), "What is Tom's surname?", "Hale", "Hall"),
        ("Tom", ("My budget is 30k", "scratch that, 20k"), "What is Tom's budget?", "20k", "30k"),
        ("陈立", ("我的电话是13800138000", "打错了，是13900138000"), "陈立的电话是多少？", "13900138000", "13800138000"),
        ("陈立", ("我的邮箱是li@c.cn", "手误，li@b.cn"), "陈立的邮箱是什么？", "li@b.cn", "li@c.cn"),
    ],
)  # fmt: skip
async def test_the_slip_is_found_at_no_time(
    memory: AsyncMemory, user: str, lines: tuple[str, str], question: str, right: str, wrong: str
) -> None:
    await say(memory, *lines, user=user)
    held = await observed(memory, user)
    assert [node.ending for content, node in held.items() if wrong in content] == [Ending.RETIRED]
    (retired,) = [node for content, node in held.items() if wrong in content]
    assert retired.invalid_at == retired.valid_at
    layers = [MemoryType.OBSERVATION]
    now = await memory.search(question, user_id=user, layers=layers)
    assert right in now.results[0].memory
    assert not any(wrong in hit.memory for hit in now.results)
    between = await memory.search(question, user_id=user, as_of=NOON + STEP / 2, layers=layers)
    assert not any(wrong in hit.memory for hit in between.results)
    answer = await memory.ask(question, user_id=user)
    assert right in (answer.text or "")
    assert wrong not in (answer.text or "")


async def test_history_tells_of_the_slip_undo_brings_it_back_and_its_words_stay(memory: AsyncMemory) -> None:
    await say(memory, "My phone number is 555-0142.", "Sorry, typo: 555-0143.")
    held = await observed(memory)
    slip = held["Tom's phone number is 555-0142"]
    history = (await memory.history(slip.memory_id)).results
    assert [entry.reason for entry in history][-1] == "corrected by the person"
    page = await memory.get_all(user_id="Tom", layers=[MemoryType.CONVERSATION])
    assert {item.memory for item in page.results} == {"My phone number is 555-0142.", "Sorry, typo: 555-0143."}
    await memory.app.undo(history[-1].run)
    assert {content: node.ending for content, node in (await observed(memory)).items() if node.ending is None} == {
        "Tom's phone number is 555-0142": None
    }


async def test_an_older_value_is_over_since_what_was_meant(memory: AsyncMemory) -> None:
    await say(memory, "My phone number is 555-0100.", "My new number is 555-0142.", "Oops, typo: 555-0143")
    held = await observed(memory)
    assert held["Tom's phone number is 555-0142"].ending is Ending.RETIRED
    older = held["Tom's phone number is 555-0100"]
    assert older.superseded_by == held["Tom's phone number is 555-0143"].memory_id


async def test_what_was_said_twice_was_no_slip_when_it_was_said_first(memory: AsyncMemory) -> None:
    await say(memory, "My surname is Hall.", "I like tea.", "My surname is Hall.", "Sorry, I meant Hale.")
    held = await observed(memory)
    assert held["Tom's surname is Hall"].ending is Ending.SUPERSEDED
    assert held["Tom's surname is Hale"].ending is None


async def test_somebody_whose_name_was_a_slip_is_known_by_the_right_one(memory: AsyncMemory) -> None:
    await say(memory, "My wife is Anna.", "Sorry, Hanna.")
    held = await observed(memory)
    assert held["Anna is Tom's wife"].ending is Ending.RETIRED
    assert held["Hanna is Tom's wife"].target_name == "Hanna"


async def test_a_slip_within_one_call_is_retired_too(memory: AsyncMemory) -> None:
    said = ("My wife is Anna.", "Sorry, Hanna.", "My phone number is 555-0142.", "Oops, typo: 555-0143")
    await memory.add([{"role": "user", "content": line} for line in said], user_id="Tom")
    held = await observed(memory)
    assert {content: node.ending for content, node in held.items() if node.ending} == {
        "Anna is Tom's wife": Ending.RETIRED,
        "Tom's phone number is 555-0142": Ending.RETIRED,
    }


async def test_a_slip_about_somebody_else_is_put_right_where_it_was_told(memory: AsyncMemory) -> None:
    await say(memory, "My sister's number is 555-0142.", "Sorry, 555-0143.")
    held = await observed(memory)
    assert {content[-8:]: node.ending for content, node in held.items()} == {
        "555-0142": Ending.RETIRED,
        "555-0143": None,
    }
