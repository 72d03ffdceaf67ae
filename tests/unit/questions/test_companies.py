"""Whose company a question names, by what its people have told."""

import pytest

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.questions.companies import firm_of, is_his_company, is_of_a_company
from tests.support.nodes import a_memory


def turn(text: str, *, person: str = "Nora", speaker: str | None = None) -> MemoryNode:
    spoken = {"target_name": person, "speaker": speaker or person, "memory_type": MemoryType.CONVERSATION}
    return a_memory(text, **spoken)


@pytest.mark.parametrize(
    "text",
    [
        "I work at Nordwind Logistics.",
        "Hi, I'm Nora, head of operations at Nordwind Logistics.",
        "My company is called Nordwind Logistics",
        "We're from Nordwind Logistics, in Oslo.",
        "I run Nordwind Logistics.",
        "我在北风物流上班",
        "我是北风物流的周敏",
        "我们公司叫北风物流,规模80人",
        "我们北风物流一共80人",
    ],
)
def test_who_works_at_a_company_or_runs_it_is_of_it(text: str) -> None:
    assert is_his_company(turn(text), ("nordwind logistics", "北风物流"))


@pytest.mark.parametrize(
    "text",
    [
        "We deliver for Nordwind Logistics.",
        "I used to work at Nordwind Logistics.",
        "My customer Nordwind Logistics is late.",
        "I work at Nordwind Logisticians.",
        "我们的客户是北风物流",
        "以前我在北风物流上班",
        "我是北风物流的客户",
        "我在南北风物流上班",
    ],
)
def test_who_only_has_to_do_with_a_company_is_not_of_it(text: str) -> None:
    assert not is_his_company(turn(text), ("nordwind logistics", "北风物流"))


def test_what_the_agent_says_of_its_own_company_makes_nobody_of_it() -> None:
    assert not is_his_company(turn("I work at Nordwind.", speaker="Clerk"), ("nordwind",))


@pytest.mark.parametrize(
    ("text", "of_it"),
    [
        ("Our CEO decides.", True),
        ("We like tea.", True),
        ("I like tea.", False),
        ("我们用Excel", True),
        ("我喝茶", False),
    ],
)
def test_what_somebody_says_of_us_is_told_of_his_company(text: str, of_it: bool) -> None:
    assert is_of_a_company(turn(text), text) == of_it


@pytest.mark.parametrize(
    ("question", "firm"),
    [
        ("北风物流有多少人?", "北风物流"),
        ("请问晨曦科技的预算是多少", "晨曦科技"),
        ("他们物流有多少人", None),
        ("物流有多少人", None),
        ("李静店里有几个人", None),
    ],
)
def test_a_chinese_firm_is_known_by_its_trade(question: str, firm: str | None) -> None:
    assert firm_of(question) == firm
