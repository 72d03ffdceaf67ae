"""What is told with the date it is from stands in its place in time, in whatever order it is told."""

from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path

import pytest

from agentmem import AsyncMemory
from tests.support.spine import quick_settings

YEARS = (2020, 2022, 2024)
TOLD = (
    ("Tom", "I live in {}.", ("Oslo", "Rome", "Bern"), "Where does Tom live?"),
    ("小东", "我住在{}。", ("北京", "上海", "杭州"), "小东住在哪里?"),
    ("Tom", "My phone number is {}.", ("555-0101", "555-0102", "555-0103"), "What is Tom's phone number?"),
)


def june(year: int) -> datetime:
    return datetime(year, 6, 1, tzinfo=UTC)


ORDERS = [*permutations(range(3))]
READ_LATER, READ_AT_ONCE = ((order, False) for order in ORDERS), ((order, True) for order in ORDERS[::2])


@pytest.mark.thorough
@pytest.mark.parametrize(("order", "wait"), [*READ_LATER, *READ_AT_ONCE])
async def test_each_date_is_answered_with_what_was_true_then(
    order: tuple[int, ...], wait: bool, tmp_path: Path
) -> None:
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        for person, words, values, _ in TOLD:
            for place in order:
                told = words.format(values[place])
                await memory.add(told, user_id=person, run_id="one", timestamp=june(YEARS[place]), wait=wait)
        await memory.flush()
        for person, _, values, question in TOLD:
            for year, value in zip(YEARS, values, strict=True):
                then = june(year + 1)
                found = await memory.search(question, user_id=person, as_of=then)
                answer = (await memory.ask(question, user_id=person, as_of=then)).text or ""
                assert [other for other in values if other in found.results[0].memory] == [value]
                assert [other for other in values if other in answer] == [value]
            assert values[-1] in ((await memory.ask(question, user_id=person)).text or "")
