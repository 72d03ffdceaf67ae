"""Whose company a question names, by what its people have told."""

import pytest

from agentmem.domain.memory import MemoryNode, MemoryType, Modality
from agentmem.questions.asked_people import firm_of, is_his_company, is_of_a_company
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
        "Nora works at Nordwind Logistics",
        "Hello, this is Nora from Nordwind Logistics.",
        "I am a senior software engineer at Nordwind Logistics",
        "We are now working for Nordwind Logistics",
        "In 2015 we founded Nordwind Logistics",
        "I have two kids and I work as a planner at Nordwind Logistics",
        "你好,我叫周敏,在北风物流上班",
        "我现在就职于北风物流",
        "公司叫北风物流",
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
        "I work at Nordwind Logisticsplus.",
        "My wife works at Nordwind Logistics.",
        "Nora's brother works for Nordwind Logistics.",
        "The buyer of Nordwind Logistics called us.",
        "We don't work for Nordwind Logistics.",
        "I would love to work at Nordwind Logistics.",
        "I applied to work at Nordwind Logistics.",
        "If I work for Nordwind Logistics, I'll move.",
        "I know the owner of Nordwind Logistics.",
        "I am waiting for the manager of Nordwind Logistics.",
        "I'm the wife of the owner of Nordwind Logistics.",
        "I am waiting for an answer from Nordwind Logistics.",
        "I'm not from Nordwind Logistics.",
        "My favourite shop is called Nordwind Logistics.",
        "我老公在北风物流上班",
        "我老公很忙,在北风物流上班",
        "我不在北风物流上班",
        "我想在北风物流上班",
        "如果我在北风物流上班",
        "我儿子来自北风物流",
        "客户来自北风物流",
        "老王在北风物流上班",
        "我女朋友的公司叫北风物流",
        "我是北风物流的老客户",
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


def test_a_known_employer_is_called_by_the_first_words_of_its_name() -> None:
    job = a_memory("Nora's employer", attribute="employer", value="Nordwind Logistics")
    assert is_his_company(job, ("nordwind",))
    assert not is_his_company(job, ("nord",))


def test_an_employer_that_is_denied_or_supposed_is_none() -> None:
    for modality in (Modality.NEGATED, Modality.HYPOTHESIS):
        job = a_memory("Nora's employer", attribute="employer", value="Nordwind", modality=modality)
        assert not is_his_company(job, ("nordwind",))
