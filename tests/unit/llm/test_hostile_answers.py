"""Every answer of the corpus: nothing crashes, nothing is invented, at most one repair, no refusal is remembered."""

from contextlib import suppress
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agentmem.adapters.cognition.llm.grounds import refused
from agentmem.domain.attributes import BUILT_IN
from agentmem.domain.memory import MemoryNode, MemoryType, local_day
from agentmem.domain.statement import MAX_STATEMENTS, Insight, Pair, Reading, Review
from agentmem.errors import BadAnswer
from agentmem.language.normal import digits, normalise
from agentmem.ports.cognition import ReflectionInput
from tests.fixtures.hostile import CASES, response
from tests.fixtures.scripted_model import scripted
from tests.fixtures.windows import PERSON, START, window

PAIRS = [
    Pair(number=1, new="罗小东想要AI", old="罗小东希望有AI"),
    Pair(number=2, new="电话是13800138000", old="电话是13900139000"),
]


def playing(case: dict[str, Any], longer: int = 1) -> tuple[FunctionModel, list[int]]:
    calls: list[int] = []

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        given = case["answers"][min(len(calls), len(case["answers"]) - 1)]
        calls.append(1)
        return response(given, info.output_tools[0].name, longer)

    return FunctionModel(answer), calls


def observation(number: int, content: str) -> MemoryNode:
    return MemoryNode(
        memory_id=f"00000000-0000-5000-8000-00000000000{number}",
        tenant="default",
        agent_id="sales",
        user_name="小艾",
        target_id="00000000-0000-5000-8000-0000000000ff",
        target_name=PERSON.name,
        memory_type=MemoryType.OBSERVATION,
        content=content,
        timestamp=number,
        dt=local_day(START),
        valid_at=START,
        created_at=START,
    )


REQUEST = ReflectionInput(
    agent_name="小艾",
    person=PERSON,
    language="zh",
    observations=(
        observation(1, "软件工程师罗小东想给社保系统加AI能力"),
        observation(2, "软件工程师罗小东的预算大概50万"),
    ),
    insights=(),
    doubtful=(observation(3, "软件工程师罗小东看重预算"),),
)


@pytest.mark.parametrize("case", [case for case in CASES if "task" not in case], ids=lambda case: case["name"])
@pytest.mark.longer
@pytest.mark.sweep
async def test_a_hostile_reading_invents_nothing(case: dict[str, Any], longer: int) -> None:
    model, calls = playing(case, longer)
    try:
        reading = (await scripted(model).read(window())).reading
    except BadAnswer:
        reading = Reading()
    assert len(calls) <= 2
    assert_grounded(reading)
    if "keeps" in case:
        assert len(reading.statements) == case["keeps"]


def assert_grounded(reading: Reading) -> None:
    talk = window()
    texts = {turn.turn_id: turn.text for turn in talk.turns}
    by_agent = {turn.turn_id for turn in (*talk.turns, *talk.context) if turn.by_agent}
    everything = "".join(texts.values())
    assert len(reading.statements) <= MAX_STATEMENTS
    for item in (*reading.statements, *reading.aliases):
        for quote in item.quotes:
            assert 0 <= quote.start < quote.end <= len(texts[quote.turn_id])
    for item in reading.statements:
        assert item.content.isprintable()
        assert not refused(item.content)
        assert normalise(item.content) not in {normalise(text) for text in texts.values()}
        assert all(run in everything for run in digits(item.content + (item.value or "")) if len(run) > 2)
        assert PERSON.name in item.content or (item.about and item.about in everything)
        assert item.attribute is None or item.attribute in BUILT_IN
    assert {alias.name for alias in reading.aliases} <= {"小东", "罗小"}
    assert set(reading.rejected) <= by_agent


@pytest.mark.parametrize("case", [case for case in CASES if case.get("task") == "judge"], ids=lambda case: case["name"])
async def test_a_hostile_verdict_decides_nothing_that_was_not_asked(case: dict[str, Any]) -> None:
    model, calls = playing(case)
    try:
        verdicts = (await scripted(model).judge(PAIRS)).verdicts
    except BadAnswer:
        verdicts = ()
    assert len(calls) <= 2
    assert {verdict.number for verdict in verdicts} <= {1, 2}
    assert len(verdicts) == len({verdict.number for verdict in verdicts})
    assert not any(verdict.number == 2 and verdict.relation == "same" for verdict in verdicts)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.get("task") == "reflect"], ids=lambda case: case["name"]
)
async def test_a_hostile_insight_rests_on_what_was_offered_or_is_gone(case: dict[str, Any]) -> None:
    model, calls = playing(case)
    insights: tuple[Insight, ...] = ()
    reviews: tuple[Review, ...] = ()
    with suppress(BadAnswer):
        reflected = await scripted(model).reflect(REQUEST)
        insights, reviews = reflected.insights, reflected.reviews
    assert len(calls) <= 2
    offered = {node.memory_id for node in REQUEST.observations}
    assert len(insights) <= REQUEST.new_attributes
    assert [item.memory_id for item in reviews] in ([], [REQUEST.doubtful[0].memory_id])
    assert all(offered.issuperset(item.source_ids) and (item.source_ids or not item.stands) for item in reviews)
    assert not (case.get("undecided") and reviews)
    for insight in insights:
        assert offered.issuperset(insight.source_ids)
        assert PERSON.name in insight.content
        assert insight.modality == "inferred"
        assert not refused(insight.content)
        assert "888888" not in insight.content


def test_the_corpus_holds_at_least_two_hundred_kinds_each_with_a_name_of_its_own() -> None:
    assert len({case["name"] for case in CASES}) == len(CASES) >= 200
