"""Whom the speaker has introduced is known by name from then on; two of one name are told apart, or nothing is told."""

import pytest

from agentmem.adapters.cognition.rules.engine import read_window
from agentmem.domain.event import Person
from agentmem.domain.statement import Held, Reading, Window
from tests.unit.rules.support import english, read, turns


def _read(*lines: str) -> Reading:
    return (english if lines[0].isascii() else read)(*lines)


def _told(reading: Reading) -> list[tuple[str, str | None]]:
    return [(each.content, each.about) for each in reading.statements]


def _contacts(reading: Reading) -> list[tuple[str | None, str | None]]:
    return [(each.about, each.value) for each in reading.statements if each.kind == "contact"]


@pytest.mark.parametrize(
    ("lines", "content", "about"),
    [
        (("My sister Petra fixes clocks.", "a: Oh.", "Petra needs the ladder back."), "needs the ladder", "Petra"),
        (("Our plumber Gus knows the house.", "Gus only takes cash."), "Gus only takes cash", "Gus"),
        (("Otto, my uncle, is moving to Graz.",), "Otto is moving to Graz", "Otto"),
        (("I asked my neighbour, Pam, to water the plants. Pam grows dahlias.",), "Pam grows dahlias", "Pam"),
        (("我表弟周凯是电工。", "周凯上个月换了工作"), "周凯上个月", "周凯"),
        (("我老婆叫林悦。", "a: 好", "林悦不吃香菜"), "林悦不吃香菜", "林悦"),
        (("My aunt walks with a frame and can't manage stairs.",), "can't manage stairs", "Tom Hale's aunt"),
        (("我奶奶耳朵不好，眼睛也花了",), "耳朵不好，眼睛也花了", "陈立的奶奶"),
        (("My colleague Rhea is ill. The doctor told her to rest.",), "told Tom Hale's colleague Rhea to rest", "Rhea"),
        (("我侄子想学木工",), "想学木工", "陈立的侄子"),
    ],
)  # fmt: skip
def test_what_is_said_of_somebody_known_is_told_of_him(lines: tuple[str, ...], content: str, about: str | None) -> None:
    told = _told(_read(*lines))
    assert [who for what, who in told if content in what] == [about], told


@pytest.mark.parametrize(
    ("lines", "contents"),
    [
        (
            ("My son Nils is in Year 2 and loves chess.", "a: Nice.", "Nils has started Year 3."),
            ("Tom Hale's son Nils is in Year 2 and loves chess", "Tom Hale's son Nils has started Year 3"),
        ),
        (
            ("My daughter Ines turned ten. We moved her to a new school, and physics is her favourite.",),
            ("Tom Hale moved their daughter Ines to a new school",),
        ),
        (("我女儿小雨上初二，住校",), ("陈立的女儿小雨上初二", "陈立的女儿小雨住校")),
    ],
)
def test_a_child_stays_one_of_the_family(lines: tuple[str, ...], contents: tuple[str, ...]) -> None:
    told = _told(_read(*lines))
    assert [content for content in contents if (content, None) not in told] == [], told


@pytest.mark.parametrize(
    ("lines", "contacts"),
    [
        (
            ("Ida Brandt's number is 555-0188 and Ida Moreau's is 555-0199", "a: Two Idas?"),
            [("Ida Brandt", "555-0188"), ("Ida Moreau", "555-0199")],
        ),
        (("If I'm not in, try Jon, my partner, on 07700 900515",), [("Jon", "07700 900515")]),
        (("Unless I answer, call my brother Aldo on 555-0177",), [("Aldo", "555-0177")]),
        (("Ring my husband. Emil, 07700 900616",), [("Emil", "07700 900616")]),
        (("也可以联系我弟弟，他叫赵磊，13611112222",), [("赵磊", "13611112222")]),
        (("紧急的话找我姐，陈静，13711112222",), [("陈静", "13711112222")]),
        (
            ("报销找财务的孙悦，电话13711112222；布展找市场部的孙悦，电话13711113333",),
            [("财务的孙悦", "13711112222"), ("市场的孙悦", "13711113333")],
        ),
        (("My wife is called Lena.", "My wife's number is 555-0166"), [("Lena", "555-0166")]),
    ],
)  # fmt: skip
def test_a_contact_is_his_who_is_named_with_it(
    lines: tuple[str, ...], contacts: list[tuple[str | None, str | None]]
) -> None:
    assert sorted(map(str, _contacts(_read(*lines)))) == sorted(map(str, contacts))


def _knowing(line: str, *held: tuple[str, str]) -> Reading:
    person = Person(name="Tom Hale")
    others = tuple(Held(content=content, about=name, own=False) for name, content in held)
    return read_window(
        Window(
            window_id="w", agent_name="Bella", person=person, language="en", turns=turns([line], person), others=others
        )
    )


def test_who_was_told_of_long_ago_is_known() -> None:
    held = ("Jon", "Jon is Tom Hale's partner")
    assert _told(_knowing("Jon has a sore throat", held)) == [("Jon has a sore throat", "Jon")]
    assert _contacts(_knowing("My partner's number is 07700 900717", held)) == [("Jon", "07700 900717")]
    assert _told(_knowing("Jon has a sore throat")) == []


@pytest.mark.parametrize("line", ["Ida paints", "Ida's number is 555-0123", "Ida is leaving in May"])
def test_a_name_that_two_bear_names_nobody(line: str) -> None:
    held = (("Ida Brandt", "Ida Brandt is Tom Hale's colleague"), ("Ida Moreau", "Ida Moreau keeps the books"))
    assert _told(_knowing(line, *held)) == []


@pytest.mark.parametrize(
    "line",
    [
        "If my cousin Dan comes, he will drive",
        "Is my cousin Dan coming?",
        "I heard Dan is moving out",
        "Do you know my former boss Nora?",
        "My friend Ruth is here. The firm pays her well",
    ],
)
def test_what_is_no_plain_statement_says_no_more_than_who_somebody_is(line: str) -> None:
    told = [content for content, _ in _told(_read(line)) if not content.startswith(("Dan is Tom", "Ruth is "))]
    assert told == []


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (("My mate Mark is coming.", "Mark the date please."), "Mark"),
        (("My aunt Grace lives in Bath.", "Grace period ends soon."), "Grace"),
        (("我女儿小雨上初二。", "小雨伞坏了"), "小雨"),
    ],
)
def test_a_word_that_is_like_a_name_is_nobody(lines: tuple[str, str], name: str) -> None:
    first, both = _told(_read(lines[0])), _told(_read(*lines))
    assert [content for content, _ in both if name in content] == [content for content, _ in first]


def test_two_of_one_name_who_are_not_one_are_told_of_as_nobody() -> None:
    told = english("My sister Anna lives in Hull. My colleague Anna plays chess. Anna has moved to Leeds.").statements
    assert not any(each.attribute == "city" for each in told)


def test_whose_number_it_is_stands_before_it() -> None:
    told = read("财务的王芳电话是13800001111，人事的王芳电话是13900002222").statements
    assert {(each.about, each.value) for each in told if each.attribute == "phone"} == {
        ("财务的王芳", "13800001111"),
        ("人事的王芳", "13900002222"),
    }
    told = english("Call Lena, my wife, on 07700 900111").statements
    assert [each.about for each in told] == ["Lena", "Lena"]
