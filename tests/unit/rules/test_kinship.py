"""Others are found by their names, with who they are to the speaker and what is theirs; none of it is the speaker's."""

import pytest

from agentmem.domain.memory import Modality
from agentmem.domain.statement import Reading
from tests.unit.rules.support import english, read


def _read(*lines: str) -> Reading:
    return (english if lines[0].isascii() else read)(*lines)


def _of(reading: Reading, about: str | None) -> list[str]:
    return [s.content for s in reading.statements if s.about == about and s.modality is not Modality.HYPOTHESIS]


@pytest.mark.parametrize(
    ("line", "name", "kin"),
    [
        ("我同事Lucas的手机是13811112222", "Lucas", "同事"),
        ("我的邻居Emma养了一只猫", "Emma", "邻居"),
        ("我老公叫刘洋", "刘洋", "老公"),
        ("周涛是我的合伙人", "周涛", "合伙人"),
        ("我太太李敏的邮箱是limin@b.cn", "李敏", "太太"),
        ("My wife Clara can be reached at clara@b.org", "Clara", "wife"),
        ("My landlord is called Henry.", "Henry", "landlord"),
        ("Otis is my business partner", "Otis", "business partner"),
        ("My new manager is Dr. Lee.", "Dr. Lee", "manager"),
        ("My colleague Nora prefers text messages.", "Nora", "colleague"),
    ],
)
def test_who_is_named_is_known_by_name_with_what_he_is(line: str, name: str, kin: str) -> None:
    told = _of(_read(line), name)
    assert any(kin in content and name in content for content in told), told


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("王强已经不是我老板了", "王强"),
        ("Emma不再是我同事了", "Emma"),
        ("李敏不是我助理了", "李敏"),
        ("周涛现在不是我的房东了", "周涛"),
        ("Henry isn't my landlord any more", "Henry"),
        ("Otis is no longer my boss", "Otis"),
        ("Nora is not my assistant anymore", "Nora"),
        ("Clara isn't my wife any longer.", "Clara"),
    ],
)
def test_who_is_it_no_more_is_held_as_denied(line: str, name: str) -> None:
    assert [s.modality for s in _read(line).statements if s.about == name] == [Modality.NEGATED]


@pytest.mark.parametrize(
    "line",
    [
        "我老公是程序员",
        "我妈妈是农民",
        "我同事是上海人",
        "我老板叫我早点来",
        "My husband is Italian.",
        "My boss is Away today",
        "My wife is a Teacher",
        "My friend is Catholic",
        "My boss is Google-trained",
    ],
)
def test_what_somebody_is_is_no_name(line: str) -> None:
    assert not [
        s.content
        for s in _read(line).statements
        if s.about and s.about.split("'")[0] not in ("Tom Hale",) and "陈立" not in s.about
    ]


@pytest.mark.parametrize(
    ("lines", "name", "value"),
    [
        (("刘洋也换号了，他现在用13811113333",), "刘洋", "13811113333"),
        (("Emma换手机了，她的新号是13811113333",), "Emma", "13811113333"),
        (("王芳换号了，新号是13811113333",), "王芳", "13811113333"),
        (("我老公刘洋在上海。", "他的电话是13811113333"), "刘洋", "13811113333"),
        (("Nora changed her number, it's 555-3222 now",), "Nora", "555-3222"),
        (("Henry has a new email: henry@b.org",), "Henry", "henry@b.org"),
        (("Clara also got a new number, hers is 555-3222",), "Clara", "555-3222"),
        (("Otis is my colleague.", "His number is 555-3222"), "Otis", "555-3222"),
    ],
)
def test_a_new_number_is_his_who_was_named(lines: tuple[str, ...], name: str, value: str) -> None:
    found = [(s.about, s.value) for s in _read(*lines).statements if s.kind == "contact"]
    assert found == [(name, value)]


@pytest.mark.parametrize(
    "line",
    [
        "我换号了，新号是13811113333",
        "周末换号了，新号是13811113333",
        "I changed my number, it's 555-3222",
        "I've got a new number: 555-3222",
    ],
)
def test_the_speakers_new_number_stays_his(line: str) -> None:
    assert [s.about for s in _read(line).statements if s.kind == "contact"] == [None]


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("我同事Emma很能干，她负责仓库", "Emma负责仓库"),
        ("我太太李敏是老师，她在杭州上班", "李敏在杭州上班"),
        ("My boss Nora is strict. She lives in Leeds.", "Nora lives in Leeds"),
        ("My neighbour Henry is kind, he works at Acme", "Henry works at Acme"),
    ],
)
def test_he_and_she_are_the_only_one_who_was_named(line: str, content: str) -> None:
    assert any(content in s.content for s in _read(line).statements)


def test_he_is_nobody_where_two_were_named() -> None:
    told = [
        s.content
        for s in english("My boss Nora met my friend Henry. My friend Henry was late. He lives in Leeds.").statements
    ]
    assert not [content for content in told if "Leeds" in content]


@pytest.mark.parametrize(
    "kin", ["外甥女", "弟媳", "哥们", "孙媳妇", "表侄女", "大姨子", "姑妈", "堂弟媳", "舅妈", "姐夫", "丈母娘"]
)
def test_the_longest_word_for_a_relative_is_meant(kin: str) -> None:
    assert {each.about for each in read(f"我{kin}在苏州开了家店").statements} == {f"陈立的{kin}"}


def test_who_is_named_by_a_long_word_is_that() -> None:
    assert [each.content for each in read("我外甥女叫周小雨").statements] == ["周小雨是陈立的外甥女"]
