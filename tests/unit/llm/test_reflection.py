"""Insights rest on observations that were offered, as many as were asked for."""

from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from agentmem.adapters.cognition.llm.prompts import reflect_prompt
from agentmem.domain.staleness import REFLECTED
from agentmem.errors import BadAnswer
from agentmem.ports.cognition import ReflectionInput
from tests.fixtures.scripted_model import scripted
from tests.unit.llm.test_hostile_answers import REQUEST, observation
from tests.unit.llm.test_reading import answering, window


def insight(attr: str, value: str, *sources: int) -> dict[str, Any]:
    return {"attr": attr, "value": value, "text": f"罗小东关注{value}", "sources": list(sources), "importance": 7}


async def test_sources_become_the_ids_of_the_observations_offered() -> None:
    model, prompts = answering({"insights": [insight("关注点", "AI落地", 1, 2, 1)]})
    reflected = await scripted(model).reflect(REQUEST)
    (found,) = reflected.insights
    assert found.source_ids == tuple(node.memory_id for node in REQUEST.observations)
    assert (found.content, found.importance, found.language) == ("软件工程师罗小东关注AI落地", 7, "zh")
    assert reflected.usage.calls == len(prompts) == 1


async def test_new_attributes_and_renewed_ones_are_counted_apart() -> None:
    held = observation(3, "软件工程师罗小东偏好邮件").revised(attribute="偏好", value="邮件")
    request = ReflectionInput(
        agent_name="小艾",
        person=REQUEST.person,
        language="zh",
        observations=REQUEST.observations,
        insights=(held,),
        new_attributes=1,
        refreshed=1,
    )
    answer = {"insights": [insight("目标", "增效", 1), insight("偏好", "电话", 2), insight("性格", "务实", 1)]}
    model, prompts = answering(answer)
    reflected = await scripted(model).reflect(request)
    assert [item.attribute for item in reflected.insights] == ["目标", "偏好"]
    assert "偏好 = 邮件" in prompts[0]


async def test_what_is_in_doubt_is_offered_by_number_and_decided_on_what_was_offered() -> None:
    model, prompts = answering({"insights": [], "doubts": [{"doubt": 1, "stands": True, "sources": [2]}]})
    reflected = await scripted(model).reflect(REQUEST)
    (found,) = reflected.reviews
    assert (found.memory_id, found.stands) == (REQUEST.doubtful[0].memory_id, True)
    assert found.source_ids == (REQUEST.observations[1].memory_id,)
    assert "存疑 1: 软件工程师罗小东看重预算" in prompts[0]


async def test_nothing_to_reflect_on_costs_nothing() -> None:
    model, prompts = answering("unused")
    request = ReflectionInput(agent_name="小艾", person=REQUEST.person, language="zh", observations=(), insights=())
    assert (await scripted(model).reflect(request)).insights == ()
    assert prompts == []


async def test_one_bad_item_loses_no_good_one() -> None:
    reviews = [{"doubt": 1, "stands": True, "sources": [2, 99]}, {"doubt": 7, "stands": False}, {"doubt": "x"}]
    model, _ = answering({"insights": [insight("目标", "增效", 99)], "doubts": reviews})
    reflected = await scripted(model).reflect(REQUEST)
    assert reflected.insights == ()
    (found,) = reflected.reviews
    assert (found.stands, found.source_ids) == (True, (REQUEST.observations[1].memory_id,))


async def test_an_insight_that_reflection_drew_can_be_withdrawn_and_no_other() -> None:
    told = observation(5, "软件工程师罗小东偏好邮件").revised(attribute="偏好", value="邮件")
    drawn = observation(6, "软件工程师罗小东很着急").revised(attribute="心情", value="着急", kind=REFLECTED)
    model, prompts = answering({"insights": [], "insights_over": [1, 2, 2, 3, 0, -1]})
    reflected = await scripted(model).reflect(replace(REQUEST, insights=(told, drawn)))
    assert reflected.withdrawn == (drawn.memory_id,)
    assert "已有洞察 2: 心情 = 着急" in prompts[0]


async def test_an_observation_that_is_over_can_be_withdrawn_and_one_with_an_end_of_its_own_keeps_it() -> None:
    over, ending = REQUEST.observations
    ending = ending.revised(invalid_at=ending.valid_at + timedelta(days=5))
    model, _ = answering({"insights": [], "observations_over": [1, 2]})
    reflected = await scripted(model).reflect(replace(REQUEST, observations=(over, ending)))
    assert reflected.withdrawn == (over.memory_id,)


def test_held_insights_are_asked_for_only_where_there_are_any() -> None:
    held = observation(6, "软件工程师罗小东偏好邮件").revised(attribute="偏好", value="邮件")
    for insights, asked in (((), False), ((held,), True)):
        prompt = reflect_prompt(replace(REQUEST, insights=insights), 4_000, lambda: "m")
        assert ("insights_over" in prompt.instructions, "insights_over" in prompt.shape) == (asked, asked)


async def test_numbers_that_were_computed_are_named_as_what_was_wrong() -> None:
    computed = {"text": "软件工程师罗小东一年要付 97531 元", "turn": 4, "quote": "预算大概50万", "mode": "stated"}
    model, prompts = answering({"facts": [computed], "names": [], "rejected": []})
    with suppress(BadAnswer):
        await scripted(model).read(window())
    assert any("不要计算" in prompt for prompt in prompts[1:])


async def test_an_insight_with_a_number_that_was_worked_out_is_told_so() -> None:
    model, prompts = answering({"insights": [insight("总价", "97531元", 1, 2)]})
    with suppress(BadAnswer):
        await scripted(model).reflect(REQUEST)
    assert any("不要计算" in prompt for prompt in prompts[1:])


async def test_observations_that_are_over_are_named_by_number_beside_the_day() -> None:
    model, prompts = answering({"insights": [], "observations_over": [2, 2, 9, 0, "1"]})
    reflected = await scripted(model).reflect(replace(REQUEST, today=date(2026, 3, 6)))
    assert reflected.withdrawn == (REQUEST.observations[1].memory_id,)
    assert "今天: 2026-03-06 Fri" in prompts[0]


async def test_one_observation_alone_is_not_worth_a_call() -> None:
    model, prompts = answering("unused")
    request = replace(REQUEST, observations=REQUEST.observations[:1], doubtful=())
    assert (await scripted(model).reflect(request)).insights == ()
    assert prompts == []
