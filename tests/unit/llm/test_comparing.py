"""A reading says how its statements stand to those held: to what it was shown, and to nothing else."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from agentmem.domain.ids import derived_id
from agentmem.domain.statement import Held, Statement, Window
from tests.fixtures.scripted_model import scripted
from tests.fixtures.windows import START, window
from tests.unit.llm.test_reading import answering

FACT: Mapping[str, Any] = {
    "text": "软件工程师罗小东的预算大概50万",
    "turn": 4,
    "quote": "预算大概50万",
    "mode": "stated",
}
HELD = ("软件工程师罗小东的预算是30万", "软件工程师罗小东希望改进社保系统")


def a_window() -> Window:
    held = (
        Held(memory_id=derived_id("held", number), content=text, since=START - timedelta(days=30))
        for number, text in enumerate(HELD, start=1)
    )
    return window().revised(held=tuple(held))


async def read(**fields: object) -> tuple[Statement, str]:
    """The one statement, and the prompt."""
    model, prompts = answering({"facts": [{**FACT, **fields}], "names": [], "rejected": []})
    (statement,) = (await scripted(model).read(a_window())).reading.statements
    return statement, prompts[0]


async def test_what_is_held_is_shown_with_its_day() -> None:
    _, prompt = await read()
    assert all(f"已记 {number} (2026-" in prompt and text in prompt for number, text in enumerate(HELD, start=1))


@pytest.mark.parametrize("relation", ["replaces", "adds"])
async def test_a_statement_is_compared_with_what_it_names(relation: str) -> None:
    statement, _ = await read(**{relation: [1]})
    assert [(item.held, item.relation) for item in statement.compared] == [(derived_id("held", 1), relation)]


async def test_what_it_replaces_it_does_not_repeat_too() -> None:
    statement, _ = await read(replaces=[1], adds=[1])
    assert [item.relation for item in statement.compared] == ["replaces"]


async def test_numbers_that_differ_are_never_the_same() -> None:
    statement, _ = await read(same=[1])
    assert statement.compared == ()


@pytest.mark.parametrize("offered", [[0], [-1], [3], [99], [True], ["1"], "1", {"1": 1}, [1.5], 7, None])
async def test_what_was_not_offered_is_compared_with_nothing(offered: object) -> None:
    statement, _ = await read(replaces=offered)
    assert statement.compared == ()


async def test_a_fact_that_is_changed_in_the_same_talk_ends_with_the_turn_that_changes_it() -> None:
    talk = a_window()
    statement, _ = await read(over=6)
    assert statement.invalid_at == talk.turns[5].at


@pytest.mark.parametrize("over", [4, 1, -1, 0, 99, "6", None])
async def test_no_earlier_turn_ends_a_fact(over: object) -> None:
    statement, _ = await read(over=over)
    assert statement.invalid_at is None
