"""What is over for certain, and what only sounds like it."""

import json

import pytest

from bench.succession import AGAINST, OUT, seal
from tests.unit.rules.support import english, over, read, stated


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("We have a dog called Bruno", "Bruno died on Sunday"),
        ("We have a dog called Bruno", "Our dog passed away"),
        ("I have a dentist appointment on Friday at 10", "I cancelled the dentist"),
        ("We are flying to Lisbon in April", "We cancelled the trip to Lisbon"),
        ("I work at Northbank", "I lost my job last month"),
        ("My daughter Mia goes to Oakwood School", "Mia changed schools"),
        ("I have my account at Castle Bank", "I switched to Mutual Bank"),
        ("My favourite colour is blue", "My favourite colour is green now"),
        ("Our vet is Dr. Amsel", "Our vet is Dr. Brandt now"),
        ("I live in Berlin", "I moved from Berlin to Lyon"),
        ("I drink wine every evening", "I don't drink wine any more"),
    ],
)
def test_what_is_over_in_english_ends(held: str, said: str) -> None:
    before, after = english(held), english(held, "a: All right.", said)

    assert set(stated(before)) <= over(after)
    assert stated(before)


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("我家的猫叫团子", "团子上周去世了"),
        ("我喜欢吃辣", "我现在不吃辣了"),
        ("我在招商银行开了户", "我换到建设银行了"),
        ("我在乐刻健身房办了年卡", "我换了家健身房"),
        ("我周五下午约了牙医", "牙医的预约取消了"),
        ("我在星河公司上班", "我上个月辞职了"),
        ("我最喜欢的颜色是蓝色", "我最喜欢的颜色现在是绿色"),
        ("我喜欢喝咖啡", "以前喜欢喝咖啡，现在只喝茶"),
    ],
)
def test_what_is_over_in_chinese_ends(held: str, said: str) -> None:
    before, after = read(held), read(held, "a: 好的", said)

    assert set(stated(before)) <= over(after)
    assert stated(before)


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("I take iron tablets", "My doctor has taken me off iron tablets"),
        ("I like liquorice", "I've gone off liquorice"),
        ("We have a caravan", "We sold the caravan"),
        ("We rent a garage in Mill Lane", "The garage in Mill Lane is gone"),
        ("我在蓝鲸公司做测试", "我上周从蓝鲸公司出来了"),
        ("我有一台钢琴", "钢琴卖了"),
        ("我们订了火锅店的包间", "火锅店的包间取消了"),
    ],
)
def test_what_only_tells_an_end_is_held_as_denied(held: str, said: str) -> None:
    read_in = english if held.isascii() else read
    before, after = read_in(held), read_in(held, "a: OK", said)

    assert stated(before)
    assert set(stated(before)) <= over(after)
    assert set(stated(after)) <= set(stated(before))


def test_what_tells_an_end_and_what_came_instead_is_held_as_stated() -> None:
    assert stated(english("I live in Berlin", "a: OK", "I moved from Berlin to Lyon"))
    assert stated(english("I take the bus to work", "a: OK", "I take the tram to work instead of the bus"))


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("I take the bus to work", "I'm not taking the bus today any more"),
        ("I have my account at Castle Bank", "My brother switched to Mutual Bank"),
        ("I play the guitar every day", "My friend gave up the guitar"),
        ("My son Leo goes to Oakwood School", "Mia changed schools"),
        ("We have a dog called Bruno", "My laptop battery died"),
        ("I work at Northbank", "My sister lost her job"),
        ("I work at Northbank", "I might quit my job if they move"),
    ],
)
def test_what_is_no_end_in_english_ends_nothing(held: str, said: str) -> None:
    assert set(stated(english(held))) <= set(stated(english(held, "a: Oh.", said)))


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("我喜欢吃辣", "我今天不吃辣了"),
        ("我每天弹吉他", "我同事不弹吉他了"),
        ("我在星河公司上班", "我老婆上个月辞职了"),
        ("我在招商银行开了户", "要是利息再低，我可能换到建设银行了"),
        ("我家的猫叫团子", "手机死机了"),
    ],
)
def test_what_is_no_end_in_chinese_ends_nothing(held: str, said: str) -> None:
    assert set(stated(read(held))) <= set(stated(read(held, "a: 哦", said)))


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("Could I book Friday at 10 for the chimney sweep?", "I have to cancel Friday, sorry"),
        ("I have an appointment on Friday at 10", "I can't make Friday"),
        ("We run a market stall in Elm Street", "The stall in Elm Street fell through"),
    ],
)
def test_what_is_called_off_or_fell_through_ends(held: str, said: str) -> None:
    read_in = english if held.isascii() else read
    assert set(stated(read_in(held))) <= over(read_in(held, "a: OK", said))
    assert stated(read_in(held))


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("I have an appointment on Friday at 10", "I can't make Thursday"),
        ("I have an appointment on Friday at 10", "My sister can't come on Friday"),
        ("I have an appointment on Friday at 10", "If it snows I can't make Friday"),
        ("I have an appointment on Friday at 10", "Maybe I'll have to cancel Friday"),
        ("I have an appointment on Friday at 10", "I cancelled the newspaper on Friday"),
        ("My mother arrives on Friday", "I have to cancel Friday"),
        ("我周五下午约了看房", "周四我来不了了"),
        ("我周五下午约了看房", "我同事周五来不了了"),
        ("我周五下午约了看房", "要是下雨周五就来不了了"),
        ("我周五下午约了看房", "周五的报纸取消吧"),
    ],
)
def test_what_is_not_called_off_stays(held: str, said: str) -> None:
    read_in = english if held.isascii() else read
    assert set(stated(read_in(held))) <= set(stated(read_in(held, "a: OK", said)))


@pytest.mark.parametrize(
    ("held", "said", "stays"),
    [
        (
            "I'm a sound engineer at a circus",
            "New job. I'm at a school in Hull now",
            "Tom Hale is a sound engineer",
        ),
        ("I'm a nurse at St Luke's", "I left St Luke's in May", "Tom Hale is a nurse"),
        ("I work as a teacher at Oakwood School", "I've changed jobs", "Tom Hale works as a teacher"),
    ],
)
def test_who_works_elsewhere_is_what_he_was(held: str, said: str, stays: str) -> None:
    reading = english(held, "a: Nice.", said)
    assert set(stated(english(held))) <= over(reading)
    assert stays in stated(reading)


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("I'm a nurse", "I've got a new job"),
        ("I'm a nurse at St Luke's", "My sister got a new job"),
        ("I work at Northbank", "I'd like a new job"),
        ("I work at Northbank", "If I find a new job I'll move"),
    ],
)
def test_who_only_may_work_elsewhere_ends_nothing(held: str, said: str) -> None:
    assert set(stated(english(held))) <= set(stated(english(held, "a: Nice.", said)))


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("I have a viewing on Friday", "The appointment is cancelled"),
    ],
)
def test_the_only_appointment_ends_when_it_is_called_off_by_its_kind(held: str, said: str) -> None:
    assert set(stated(english(held))) <= over(english(held, "a: OK", said))


def test_of_two_appointments_none_is_called_off_by_its_kind() -> None:
    held = ("I have a viewing on Friday", "I have a dentist appointment on Monday")
    assert len(stated(english(*held, "a: OK", "The booking is cancelled"))) >= 2


def test_of_several_things_that_were_said_in_one_breath_only_what_is_over_ends() -> None:
    reading = english("I'm head of design at Halden now, team of nine", "a: Nice.", "My team is up to fourteen now")
    assert "Tom Hale is head of design at Halden now" in stated(reading)
    assert any("nine" in each for each in over(reading))


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("I teach on Tuesday evenings", "This week I teach on Thursday, I have a cold"),
        ("We have lunch delivered every day at twelve", "Just for today, could lunch come at one?"),
        ("我们组例会定在每周四上午十点", "这周端午，例会挪到周三，下周照旧"),
        ("我每天的午饭十二点送", "今天临时改到一点送"),
    ],
)
def test_what_is_so_this_once_ends_nothing_that_recurs(held: str, said: str) -> None:
    reading = (english if held.isascii() else read)(held, "a: OK", said)
    assert not over(reading)
    assert stated(reading)


def test_the_weights_of_endings_are_those_that_were_fitted() -> None:
    held = json.loads(OUT.read_text("utf-8"))
    assert held["seal"] == seal(held)
    assert all((weight < 0) == (name in AGAINST) for name, weight in held["weights"].items())
