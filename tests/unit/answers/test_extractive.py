"""Answers made of the passages' own sentences."""

from datetime import timedelta

from agentmem.answers.extractive import MOST, extracted, sure_enough, told
from agentmem.answers.passages import Looked, Part, Passage
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


def test_below_what_is_sure_nothing_is_told_even_where_the_kind_is_right() -> None:
    assert sure_enough("When does it open?") > 0.5
    assert sure_enough("What colour is it?") > sure_enough("When does it open?")
