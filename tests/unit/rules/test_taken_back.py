"""Only what was begun and put right goes: a dash, dots or "ignore" beside something that is true takes nothing away."""

import pytest

from tests.unit.rules.support import english, read


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("I'm allergic to walnuts - sorry, I ought to have told you before.", "allergic to walnuts"),
        ("I live in Derby... no, no need for the street.", "lives in Derby"),
        ("I can't eat celery - no, really, not a leaf.", "can't eat celery"),
        ("Our budget is 700 - wait, is that with tax?", "700"),
        ("The nurse told me to ignore that, but I'm allergic to latex.", "allergic to latex"),
        ("Don't listen to them, I live in Bath.", "lives in Bath"),
        ("I can't eat prawns, ignore him.", "can't eat prawns"),
        ("I'm allergic to wasps, my aunt says I make it up, ignore her.", "allergic to wasps"),
    ],
)
def test_what_is_true_stays(line: str, told: str) -> None:
    assert [each for each in english(line).statements if told in each.content]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("别理她，我对头孢过敏。", "对头孢过敏"),
        ("我对芒果过敏，我哥非说我矫情，别理他。", "对芒果过敏"),
        ("我对虾过敏，周五我想去跳绳……啊呸，拔河。", "对虾过敏"),
    ],
)
def test_what_is_true_stays_in_chinese(line: str, told: str) -> None:
    assert [each for each in read(line).statements if told in each.content]


def test_what_went_before_the_correction_is_gone() -> None:
    told = [
        *english("My brother wants a hot tub, ignore him.").statements,
        *read("我妈想买个泳池，别理她。", "周五我想去跳绳……啊呸，拔河。").statements,
    ]
    assert not [each for each in told for gone in ("tub", "泳池", "跳绳") if gone in each.content]


@pytest.mark.parametrize(
    ("line", "whose"),
    [
        ("My email is tom@hale.example, that's the one my sister uses too.", None),
        ("My number is 07700 900111, that's my daughter's.", None),
        ("Write to shop@hale.example, this is my son's favourite shop too.", None),
        ("Ring 07700 900112, that's my brother Max's number.", "Max"),
        ("Call 07700 900112, that's my wife.", "Tom Hale's wife"),
        ("Ring 07700 900112, that's my daughter's.", "Tom Hale's daughter"),
    ],
)
def test_only_a_bare_possessive_says_whose_a_contact_is(line: str, whose: str | None) -> None:
    assert [each.about for each in english(line).statements if each.kind == "contact"] == [whose]


@pytest.mark.parametrize(
    ("line", "whose"),
    [
        ("我的手机是13900002222，这是我儿子给我办的。", None),
        ("邮箱chenli@abc.example，是我老婆帮我注册的。", None),
        ("我的手机是13900002222，这是我女儿的。", None),
        ("打13900002222，这是我女儿的。", "陈立的女儿"),
    ],
)
def test_only_a_bare_possessive_says_whose_a_contact_is_in_chinese(line: str, whose: str | None) -> None:
    assert [each.about for each in read(line).statements if each.kind == "contact"] == [whose]
