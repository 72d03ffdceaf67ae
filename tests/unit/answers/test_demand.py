"""What a sentence must have to answer a question."""

import pytest

from agentmem.answers.demand import demand_of
from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryNode
from agentmem.questions.asked_people import AskedPeople
from tests.support.nodes import AGENT, TENANT, a_memory


def told_of(name: str, content: str, **fields: object) -> MemoryNode:
    return a_memory(content, target_id=named(TENANT, AGENT, name), target_name=name, **fields)


def of(name: str) -> AskedPeople:
    return AskedPeople((name,), frozenset({named(TENANT, AGENT, name)}))


@pytest.mark.parametrize(
    ("name", "question", "content", "met"),
    [
        ("陈静", "陈静住在哪", "陈静的妈妈住在宁波", False),
        ("陈静", "陈静的妈妈住在哪", "陈静的妈妈住在宁波", True),
        ("陈静", "陈静有几个孩子", "陈静的妈妈今年62岁", False),
        ("陈静", "陈静有几个孩子", "陈静有两个女儿", True),
        ("陈静", "陈静喜欢什么颜色", "陈静喜欢喝茶", True),
        ("anna", "How many children does Anna have?", "Anna waited 50 minutes", False),
        ("anna", "How many children does Anna have?", "Anna has got two kids", True),
        ("anna", "How old is Anna?", "Anna's budget is £2,400", False),
        ("anna", "How old is Anna?", "Anna is forty-two", True),
        ("anna", "When was Anna born?", "Anna was born on 3 March 1990", True),
        ("anna", "What is Anna's email?", "Anna's phone number is 555-0142", False),
        ("anna", "What is Anna's phone number?", "Anna's number changed", False),
    ],
)
def test_it_must_be_about_the_one_asked_of_and_have_what_is_asked(
    name: str, question: str, content: str, met: bool
) -> None:
    node = told_of(name, content)
    assert demand_of(question, of(name)).met_by(node, content) is met


def test_a_slot_of_another_one_is_no_answer() -> None:
    other = told_of("Tom", "Tom's phone number is 555-0142", attribute="phone", value="555-0142")
    demand = demand_of("What is Zoe's phone number?", of("zoe"))
    assert demand.direct
    assert not demand.met_by(other, other.content)


@pytest.mark.parametrize(
    ("question", "direct"),
    [
        ("What is Ann's phone number?", True),
        ("How old is Ann's son?", True),
        ("Where does Ann's sister's boss live?", False),
        ("Who runs the shop that Ann sold?", False),
    ],
)
def test_whom_a_description_means_is_not_told_by_the_name_in_it(question: str, direct: bool) -> None:
    assert demand_of(question, of("ann")).direct is direct
