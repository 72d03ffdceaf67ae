"""Predicates that `and` joins are statements of their own, and what ends one of them leaves the others."""

import pytest

from agentmem.domain.statement import Reading
from tests.unit.rules.support import english, over, read, stated


def _read(*lines: str) -> Reading:
    return english(*lines) if lines[0].isascii() else read(*lines)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("I work at Fabrikam as a planner and live in Tromso.", ["works at Fabrikam as a planner", "lives in Tromso"]),
        ("We have about 40 staff and use Odoo.", ["has about 40 staff", "uses Odoo"]),
        ("I'm a welder and live in Hull.", ["is a welder", "lives in Hull"]),
        ("I live in Hull, drive a Volvo and have two dogs.", ["lives in Hull", "drives a Volvo", "has two dogs"]),
        ("I live in Hull and am a welder.", ["lives in Hull", "is a welder"]),
        ("我在海川做会计并且住在苏州。", ["在海川做会计", "住在苏州"]),
        ("我们有40个人并且用Odoo。", ["有40个人", "用Odoo"]),
        ("我住在苏州并养了两只猫。", ["住在苏州", "养了两只猫"]),
        ("我在海川上班，住在苏州。", ["在海川上班", "住在苏州"]),
    ],
)
def test_each_predicate_is_a_statement_with_its_subject(line: str, told: list[str]) -> None:
    held = stated(_read(line))
    for words in told:
        own = [each for each in held if each.endswith(words)]
        assert len(own) == 1
        assert own[0].startswith(("Tom Hale", "陈立"))


@pytest.mark.parametrize(
    "line",
    [
        "I live and work in Leeds.",
        "I speak French and Spanish.",
        "I have a son and drive him to school.",
        "I work with people who live in Oslo and use SAP.",
        "I don't live in Leeds and work in York.",
        "I have a cat and a dog.",
        "我会说法语和德语。",
    ],
)
def test_one_predicate_and_what_is_tied_to_it_stay_whole(line: str) -> None:
    assert len(_read(line).statements) <= 1


@pytest.mark.parametrize(
    ("lines", "stays"),
    [
        (("I work at Fabrikam as a planner and live in Tromso.", "I no longer work at Fabrikam."), "lives in Tromso"),
        (("I live in Hull and work at Fabrikam.", "I quit my job."), "lives in Hull"),
        (("我在海川上班，住在苏州。", "我从海川离职了。"), "住在苏州"),
        (("我在海川做会计并且住在苏州。", "我从海川离职了。"), "住在苏州"),
    ],
)
def test_the_end_of_one_leaves_the_other(lines: tuple[str, str], stays: str) -> None:
    reading = _read(*lines)
    home = next(each.content for each in reading.statements if each.content.endswith(stays))
    assert home not in over(reading)
    assert any("Fabrikam" in each or "海川" in each for each in over(reading))
