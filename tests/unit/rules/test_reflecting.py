"""Insights rest on at least two observations and stay the same while these do."""

from datetime import UTC, datetime
from uuid import NAMESPACE_DNS, uuid5

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.event import Person
from agentmem.domain.memory import MemoryNode, MemoryType, Modality
from agentmem.domain.statement import Insight
from agentmem.ports.cognition import ReflectionInput

AT = datetime(2026, 3, 4, tzinfo=UTC)
_SAID = {"need": "希望", "plan": "打算", "complaint": "抱怨", "main_needs": ""}


def _node(
    number: int, attribute: str, value: str, layer: MemoryType = MemoryType.OBSERVATION, content: str = ""
) -> MemoryNode:
    return MemoryNode(
        memory_id=str(uuid5(NAMESPACE_DNS, f"m{number}")),
        tenant="t",
        agent_id="a",
        user_name="AIP",
        target_id=str(uuid5(NAMESPACE_DNS, "target")),
        target_name="陈立",
        memory_type=layer,
        content=content or f"陈立{_SAID[attribute]}{value}",
        attribute=attribute,
        value=value,
        language="zh",
        modality=Modality.STATED,
        timestamp=number,
        dt="2026-03-04",
        valid_at=AT,
        created_at=AT,
    )


async def _reflect(observations: list[MemoryNode], insights: list[MemoryNode], new: int = 3) -> tuple[Insight, ...]:
    request = ReflectionInput(
        "AIP", Person(name="陈立"), "zh", tuple(observations), tuple(insights), new_attributes=new
    )
    return (await RulesCognition().reflect(request)).insights


async def test_one_observation_is_no_insight() -> None:
    assert await _reflect([_node(1, "need", "换系统")], []) == ()


async def test_two_needs_become_one_insight_that_cites_both() -> None:
    found = await _reflect([_node(1, "need", "换系统"), _node(2, "need", "加报表")], [])
    assert [(i.attribute, i.content, i.modality) for i in found] == [
        ("main_needs", "陈立的主要需求是换系统、加报表", Modality.INFERRED)
    ]
    assert len(found[0].source_ids) == 2


async def test_without_news_nothing_is_said_again() -> None:
    observations = [_node(1, "need", "换系统"), _node(2, "need", "加报表")]
    held = _node(9, "main_needs", "换系统、加报表", MemoryType.INSIGHT, "陈立的主要需求是换系统、加报表")
    assert await _reflect(observations, [held]) == ()
    renewed = await _reflect([*observations, _node(3, "need", "上小程序")], [held])
    assert [i.value for i in renewed] == ["换系统、加报表、上小程序"]


async def test_no_more_new_attributes_than_allowed() -> None:
    observations = [
        _node(1, "need", "一"),
        _node(2, "need", "二"),
        _node(3, "complaint", "三"),
        _node(4, "complaint", "四"),
    ]
    assert len(await _reflect(observations, [], new=1)) == 1


async def test_what_is_only_filed_as_a_need_is_none() -> None:
    moved = _node(1, "need", "下个月要调到上海分公司", content="陈立下个月要调到上海分公司")
    visit = _node(2, "need", "对方周三下午来演示")
    planned = _node(3, "plan", "明年开分店")
    wanted = _node(4, "need", "换系统")
    assert await _reflect([moved, visit, planned, wanted], []) == ()


async def test_what_is_only_filed_as_a_complaint_troubles_nobody() -> None:
    assert (
        await _reflect([_node(1, "complaint", "换了旧车", content="陈立换了旧车"), _node(2, "complaint", "太慢")], [])
        == ()
    )


async def test_what_somebody_finds_or_does_not_want_is_neither_trouble_nor_need() -> None:
    found = _node(1, "complaint", "人太多", content="陈立觉得人太多")
    praised = _node(2, "complaint", "不堵了", content="陈立觉得真不堵了")
    unwanted = _node(3, "need", "打针", content="陈立不希望打针")
    wanted = _node(4, "need", "换个医生")
    assert await _reflect([found, praised, unwanted, wanted], []) == ()
