"""Answers made of the passages' own sentences."""

from datetime import timedelta

import pytest

from agentmem.answers.extractive import MOST, extracted, sure_enough, told
from agentmem.answers.latest_word import LatestWord
from agentmem.answers.passages import Looked, Part, Passage
from agentmem.domain.memory import MemoryType
from agentmem.questions.asked_people import AskedPeople
from tests.support.nodes import NOON, a_memory

SHEET = (
    "AIP是一个智能体平台。它可以给已有的管理系统加上自动审核能力。标准版按坐席收费。\n"
    "售后由本地团队负责,响应时间为4小时。"
)


def test_the_sentence_that_says_what_is_asked_comes_first() -> None:
    excerpts = extracted("售后响应时间多久?", [(SHEET, 1.0), ("罗小东做的是社保管理系统。", 0.4)])
    assert excerpts[0].text == "售后由本地团队负责,响应时间为4小时。"
    assert excerpts[0].passage == 0


def test_a_slot_that_shares_no_word_with_the_question_is_still_told() -> None:
    excerpts = extracted("How do I reach him?", [("Tom's number is 555-0142.", 1.0), ("Tom likes tea.", 0.2)])
    assert [one.text for one in excerpts] == ["Tom's number is 555-0142."]


def test_the_same_sentence_is_told_once_and_never_more_than_three() -> None:
    passages = [("The pump leaks at night.", 1.0), ("The pump leaks at night!", 0.9)]
    assert len(extracted("When does the pump leak?", passages)) == 1
    many = [(f"Pump number {number} leaks.", 1.0) for number in range(9)]
    assert len(extracted("Which pump leaks?", many)) == MOST


def test_no_passages_give_no_answer() -> None:
    assert extracted("anything?", []) == []
    assert extracted("anything?", [("", 1.0)]) == []


def test_of_two_in_conflict_the_newer_is_told_since_when() -> None:
    old = a_memory("Ann swims on Wednesdays", valid_at=NOON)
    later = NOON + timedelta(days=1)
    new = a_memory("Ann goes to the pool on Fridays", valid_at=later, conflicts_with=(old.memory_id,))
    old = old.model_copy(update={"conflicts_with": (new.memory_id,)})
    passages = (Passage(old, 1.0), Passage(new, 0.3, span=" (since 5 March)"))
    answer = told(Looked((Part("On which day does Ann swim?", passages),), 1.0, ()), AskedPeople())
    assert answer.text == "Ann goes to the pool on Fridays (since 5 March) [1]"


@pytest.mark.parametrize(
    ("question", "right", "beside"),
    [
        ("What is the budget?", "The budget is 60,000 euros", "From next month on he works in the branch in Leeds"),
        ("What is the budget?", "The budget is 60,000 euros", "He opened two more shops"),
        ("What does the dog eat?", "The dog eats rice", "He sold the boat on Friday"),
        ("When is the birthday?", "The birthday is on 3 May", "He put new tyres on the van"),
        ("预算是多少?", "预算是60万", "下个月要去上海分公司当采购总监"),
        ("生日是哪天?", "生日是5月3号", "换了新车"),
    ],
)
def test_what_stands_in_conflict_and_answers_another_question_takes_no_place(
    question: str, right: str, beside: str
) -> None:
    old = a_memory(right, valid_at=NOON)
    new = a_memory(beside, valid_at=NOON + timedelta(days=1), conflicts_with=(old.memory_id,))
    old = old.model_copy(update={"conflicts_with": (new.memory_id,)})
    answer = told(Looked((Part(question, (Passage(old, 1.0), Passage(new, 0.3))),), 1.0, ()), AskedPeople())
    assert answer.text == f"{right} [1]"


def _turn(said: str, days: int) -> Passage:
    node = a_memory(said, memory_type=MemoryType.CONVERSATION, speaker="Ann", valid_at=NOON + timedelta(days=days))
    return Passage(node.model_copy(update={"target_name": "Ann", "timestamp": days}), 1.0 - 0.1 * days)


@pytest.mark.parametrize(
    ("question", "said", "later", "answer"),
    [
        ("When is her aunt's birthday?", "My aunt's birthday is on 3 May.", "I moved from Lund to Malmö in March.", 0),
        ("When does the lease end?", "The lease ends on 3 May.", "I moved to Bergen in June.", 0),
        ("合同哪天到期?", "合同12月31号到期。", "我三月份从杭州搬到上海了。", 0),
        ("When does the lease end?", "The lease ends on 3 May.", "It moved to 4 June.", 1),
        ("When is the dentist?", "The dentist is on Tuesday.", "Let's move it to Friday at two.", 1),
    ],
)
def test_what_names_a_matter_of_its_own_is_no_newer_word(question: str, said: str, later: str, answer: int) -> None:
    passages = (_turn(said, 0), _turn(later, 1))
    assert LatestWord(question, passages).on(passages[0], said)[1] == (said, f"Ann: {later}")[answer]


def test_below_what_is_sure_nothing_is_told_even_where_the_kind_is_right() -> None:
    assert sure_enough("When does it open?") > 0.5
    assert sure_enough("What colour is it?") > sure_enough("When does it open?")
