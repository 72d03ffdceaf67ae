"""A turn that is nothing but a sign of a slip and a value puts right what its person said last, and nothing else."""

import pytest

from agentmem.domain.statement import Reading
from tests.unit.rules.support import english, over, read, stated


def _read(*lines: str) -> Reading:
    return english(*lines) if "".join(lines).isascii() else read(*lines)


def _slips(reading: Reading) -> list[str]:
    return [each.content for each in reading.withdrawn if each.slip]


@pytest.mark.parametrize(
    ("said", "slip", "right", "wrong"),
    [
        ("My phone number is 555-0142.", "Sorry, typo: 555-0143.", "555-0143", "555-0142"),
        ("You can reach me on 555-0142.", "whoops, that should be 555-0143", "555-0143", "555-0142"),
        ("My phone number is 555-0142.", "It's 555-0143, sorry.", "555-0143", "555-0142"),
        ("My phone number is 555-0142.", "Not 555-0142 but 555-0143.", "555-0143", "555-0142"),
        ("My email is tom@hall.org", "oops, tom@hale.org", "tom@hale.org", "tom@hall.org"),
        ("My surname is Hall.", "Sorry, I meant Hale.", "surname is Hale", "surname is Hall"),
        ("My last name is Hall.", "Hale, not Hall.", "name is Hale", "name is Hall"),
        ("My son is called Mark.", "Sorry, I meant Marc.", "called Marc", "called Mark"),
        ("My daughter's name is Mara.", "My mistake, Mira!", "name is Mira", "name is Mara"),
        ("Our company is called Acne.", "oops, typo: Acme", "called Acme", "called Acne"),
        ("I work at Acne Ltd.", "I meant Acme Ltd.", "works at Acme Ltd", "works at Acne Ltd"),
        ("I live in Oslo.", "Correction: Ottawa.", "lives in Ottawa", "lives in Oslo"),
        ("My budget is 30k", "scratch that, 20k", "budget is 20k", "budget is 30k"),
        ("We have 40 people.", "Sorry, I mean 14 people.", "14 people", "40 people"),
        ("We need 21 licences.", "Sorry, 12.", "12 licences", "21 licences"),
        ("I have three kids.", "Correction: two kids.", "two kids", "three kids"),
        ("Our meeting is on Tuesday.", "I meant Thursday.", "Thursday", "Tuesday"),
        ("You can mail me at tom.hall@x.org", "argh, tom.hale@x.org", "tom.hale@x.org", "tom.hall@x.org"),
        ("My mobile is 555-0142.", "Sorry, the last digit is wrong, 555-0143.", "555-0143", "555-0142"),
        ("My phone number is 555-0142.", "*555-0143", "555-0143", "555-0142"),
        ("My phone number is 555-0142.", "oops 😅 555-0143", "555-0143", "555-0142"),
        ("My phone number is 555-0142.", "Sorry, typo: 555-0143. Thanks!", "555-0143", "555-0142"),
        ("My surname is Hall.", "Sorry, it's spelled Hale.", "surname is Hale", "surname is Hall"),
        ("My surname is Hall.", "My surname is Hale, not Hall.", "surname is Hale", "surname is Hall"),
        ("i live in leads", "typo, leeds", "lives in leeds", "lives in leads"),
        ("My surname is Hall.", "Hale*", "surname is Hale", "surname is Hall"),
        ("I'm called Katherine.", "Catherine with a C, sorry", "called Catherine", "called Katherine"),
        ("I grew up in Bristol.", "I meant Brighton.", "in Brighton", "in Bristol"),
        ("My shift starts at 7am.", "sorry, 8am", "at 8am", "at 7am"),
        ("The rent is 900 euros.", "Correction, 950 euros.", "950 euros", "900 euros"),
        ("我的电话是13800138000", "打错了，是13900138000", "13900138000", "13800138000"),
        ("我电话13800138000", "最后一位错了，13800138001", "13800138001", "13800138000"),
        ("我微信是lin8866", "打错了，lin8868", "lin8868", "lin8866"),
        ("我住在海淀区。", "打错了，是朝阳区", "住在朝阳区", "住在海淀区"),
        ("我们公司有50人", "哦不，应该是60人", "60人", "50人"),
        ("我的手机号是13800138000", "不好意思，手机号应该是13900138000", "13900138000", "13800138000"),
        ("我的邮箱是li@c.cn", "手误，li@b.cn", "li@b.cn", "li@c.cn"),
        ("我姓章。", "打错了，是张。", "姓张", "姓章"),
        ("我姓章", "是张不是章", "姓张", "姓章"),
        ("我叫王明", "口误，王铭", "王铭", "王明"),
        ("我儿子叫李铭。", "更正：李明", "叫李明", "叫李铭"),
        ("我们公司叫金碟。", "不好意思打错了，是金蝶。", "叫金蝶", "叫金碟"),
        ("我住在抗州。", "打错了，杭州", "住在杭州", "住在抗州"),
        ("我们的预算是30万", "说错了，20万", "20万", "30万"),
        ("我们有30个人", "不是30个，是20个", "20个人", "30个人"),
        ("我生日是3月4日", "说错了，3月5日", "3月5日", "3月4日"),
        ("我周五下午三点有个会", "不对，是四点", "下午四点", "下午三点"),
    ],
)
@pytest.mark.parametrize("between", ["", "a: Noted.", "I like green tea."])
def test_a_slip_was_never_so_and_what_was_meant_is_so(
    said: str, slip: str, right: str, wrong: str, between: str
) -> None:
    reading = _read(*filter(None, (said, between, slip)))
    assert [wrong in content for content in _slips(reading)] == [True]
    assert sum(right in content for content in stated(reading)) == 1
    assert not any(wrong in content for content in stated(reading))


@pytest.mark.parametrize(
    ("said", "next_turn"),
    [
        ("My phone number is 555-0142.", "sorry, my sister's is 555-0143"),
        ("My phone number is 555-0142.", "Sorry, is 555-0143 yours?"),
        ("My phone number is 555-0142.", "Sorry, she says it's 555-0143."),
        ("My phone number is 555-0142.", "Maybe it's 555-0143, sorry."),
        ("My phone number is 555-0142.", "Sorry, I lost my phone."),
        ("My surname is Hall.", "Sorry, I meant to call."),
        ("My surname is Hall.", "Tom said sorry, it's Hale."),
        ("My surname is Hall.", "Oops, Bella."),
        ("I live in Oslo.", "Sorry, Paula."),
        ("I like Adele.", "Sorry, Alexa."),
        ("I live in Oslo.", "Not Bergen, thanks."),
        ("我叫李雷", "不好意思，李总"),
        ("My daughter is called Anna. My son is called Adam.", "Sorry, I meant Rita."),
        ("My budget is 30k and my rent is 2k.", "scratch that, 20k"),
        ("My budget is 30k", "sorry, I need 20 minutes"),
        ("我的电话是13800138000", "不好意思，我妹妹的是13900138000"),
        ("我的电话是13800138000", "打错了，是13900138000吗？"),
        ("我的电话是13800138000", "听说应该是13900138000"),
        ("我姓章", "不好意思，王经理。"),
        ("我女儿叫小雨，儿子叫小风", "说错了，是小云"),
    ],
)
def test_what_may_mean_something_else_puts_nothing_right(said: str, next_turn: str) -> None:
    before, reading = _read(said), _read(said, next_turn)
    assert _slips(reading) == []
    assert set(stated(before)) <= set(stated(reading))
    assert over(reading) == set()


@pytest.mark.parametrize(
    "lines",
    [
        ("My phone number is 555-0142.", "My office number is 555-0199.", "Sorry, typo: 555-0143."),
        ("We have 40 people.", "a: And how many licences do you need?", "Sorry, 25."),
        ("我们有40个人", "a: 需要几个账号？", "应该是25个"),
        ("Our meeting is on Monday.", "a: Sorry, I meant Tuesday.", "ok"),
        ("My phone number is 555-0142.", "I need desks.", "I like tea.", "I like figs.", "Sorry, typo: 555-0143."),
    ],
)
def test_two_values_an_answer_the_agents_slip_and_one_of_long_before_put_nothing_right(lines: tuple[str, ...]) -> None:
    assert _slips(_read(*lines)) == []


def test_a_relatives_number_is_put_right_as_his() -> None:
    reading = english("My sister's number is 555-0142.", "Sorry, 555-0143.")
    assert [(s.about is None, s.value) for s in reading.statements if s.invalid_at is None] == [(False, "555-0143")]


@pytest.mark.parametrize(
    ("lines", "name"), [(("My wife is Anna.", "Sorry, Hanna."), "Hanna"), (("我老婆叫王芳", "打错字，王方"), "王方")]
)
def test_what_is_told_of_somebody_is_told_of_whom_was_meant(lines: tuple[str, str], name: str) -> None:
    told = _read(*lines).statements
    assert [each.about for each in told if each.invalid_at is None] == [name]


def test_what_the_agent_made_of_a_slip_is_taken_back_with_it() -> None:
    reading = english("My phone number is 555-0142.", "a: So your number is 555-0142.", "No wait, 555-0143.")
    assert len(reading.rejected) == 1


def test_what_was_meant_says_nothing_where_nobody_knows_of_what() -> None:
    assert stated(english("I like tea.", "I meant 10:30.")) == ["Tom Hale likes tea"]


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("My phone number is 555-0142. Sorry, typo: 555-0143.", "555-0143"),
        ("My surname is Hall. Typo: Hale.", "Hale"),
        ("Our budget is 30k. Correction: 20k.", "20k"),
    ],
)
def test_a_slip_of_the_same_turn_is_not_held_at_all(line: str, right: str) -> None:
    assert [right in content for content in stated(english(line))] == [True]


def test_an_answer_with_a_slip_in_it_is_told_whole_as_it_was_put_right() -> None:
    told = [
        each.content for each in english("a: Will you need a jacket?", "Chest 42. Hang on. 44, as a rule.").statements
    ]
    assert told == ['Asked "Will you need a jacket?", Tom Hale answers "Chest 44, as a rule"']
