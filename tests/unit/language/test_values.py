"""Which spellings of a value are one value, and which of two says more."""

import pytest

from agentmem.language.values import likeness


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("money", "三万", "30k"),
        ("money", "30,000", "3w"),
        ("money", "3万", "3万美元"),
        ("money", "5-8万", "5万到8万"),
        ("money", "不超过3万", "三万块"),
        ("money", "two hundred thousand dollars", "200k"),
        ("money", "30 grand", "$30,000"),
        ("phone", "+86 138-0013-8000", "13800138000"),
        ("phone", "+44 20 7946 0000", "020 7946 0000"),
        ("phone", "010-88886666", "+86 10 8888 6666"),
        ("number", "about 40 people", "forty"),
        ("number", "四十个人", "40人"),
        ("date", "五月十二号", "the 12th of May"),
        ("place", "上海市", "上海"),
        ("title", "a teacher", "teacher"),
        ("name", "Dr. Ann Lee", "ann lee"),
        ("email", "Ann@Mail.example", "ann@mail.example"),
        ("state", "已婚", "married"),
    ],
)
def test_two_spellings_are_one_value(kind: str, one: str, other: str) -> None:
    assert (likeness(kind, one, other), likeness(kind, other, one)) == ("equal", "equal")


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("money", "3万", "13万"),
        ("money", "30k USD", "30k EUR"),
        ("phone", "13800138000", "13800138001"),
        ("phone", "8888666转12", "8888666转13"),
        ("place", "New York", "York"),
        ("title", "总经理", "经理"),
        ("title", "senior engineer", "engineer"),
        ("date", "May 12", "May 21"),
        ("name", "Ann Lee", "Ann Leeds"),
    ],
)
def test_two_values_differ(kind: str, one: str, other: str) -> None:
    assert (likeness(kind, one, other), likeness(kind, other, one)) == ("other", "other")


@pytest.mark.parametrize(
    ("kind", "longer", "shorter"),
    [
        ("place", "Paris, France", "Paris"),
        ("place", "上海浦东", "上海"),
        ("title", "software engineer", "engineer"),
        ("text", "Acme Corp", "Acme"),
        ("date", "1990年5月12日", "May 12"),
    ],
)
def test_a_fuller_value_says_more(kind: str, longer: str, shorter: str) -> None:
    assert (likeness(kind, longer, shorter), likeness(kind, shorter, longer)) == ("more", "less")
