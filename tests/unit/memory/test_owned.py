"""Of what was told only that goes which belongs to whom the wish means."""

import pytest

from agentmem.errors import InvalidInput
from agentmem.memory.wish_parts import points_back
from tests.integration import test_forget_of_owners as of_owners
from tests.integration import test_forget_one_of_several as one_of_several
from tests.integration import test_forget_what_is_held as what_is_held
from tests.support.owned import left_of, taken_of

TWO = ("My phone number is 555-0301.", "My cousin Ivo's phone number is 555-0302.")
PAIR = ("My sister's number is 555-0303.", "My brother's number is 555-0309.")
PARENTS = ("My mother's birthday is 4 June.", "My father's birthday is 9 May.", "My birthday is 2 July.")
SISTERS = ("My sister Ann lives in Leeds.", "My sister Bea lives in York.")
OLD_AND_NEW = ("My phone number was 555-0301.", "My phone number is 555-0309 now.")
TIM = ("My brother Tim is a nurse and he likes tea.", "I met Tim in May.", "I like chess.")
BIRTHDAYS = ("我的生日是6月4日,我老婆的是7月11日。",)
ANN = ("我同事叫Ann。", "Ann的手机号是5551234567。", "我的手机号是13900002222。")
ALLERGIES = ("我妈妈叫林芳。", "林芳对虾过敏。", "我对花生过敏。")


@pytest.mark.parametrize(
    ("lines", "request_", "gone"),
    [
        (TWO, "Forget my phone number.", ["My phone number is 555-0301"]),
        (TWO, "Forget Ivo's phone number.", ["My cousin Ivo's phone number is 555-0302"]),
        (TWO, "Forget my cousin's phone number.", ["My cousin Ivo's phone number is 555-0302"]),
        (TWO, "Forget the phone numbers but keep my cousin's.", ["My phone number is 555-0301"]),
        (TWO[1:], "Forget the phone number.", ["My cousin Ivo's phone number is 555-0302"]),
        (PAIR, "Forget her number.", ["My sister's number is 555-0303"]),
        (PAIR, "Forget his number.", ["My brother's number is 555-0309"]),
        (PAIR, "Forget their numbers.", ["My sister's number is 555-0303", "My brother's number is 555-0309"]),
        ((TWO[0], PAIR[0]), "Forget her number.", ["My sister's number is 555-0303"]),
        (PARENTS, "Forget my parents' birthdays.", ["My mother's birthday is 4 June", "My father's birthday is 9 May"]),
        (SISTERS, "Forget where Ann lives.", ["My sister Ann lives in Leeds"]),
        (SISTERS, "Forget where my sisters live.", ["My sister Ann lives in Leeds", "My sister Bea lives in York"]),
        (TIM, "Forget Tim.", ["My brother Tim is a nurse", "he likes tea", "I met Tim in May"]),
        (BIRTHDAYS, "忘掉我的生日", ["我的生日是6月4日"]),
        (BIRTHDAYS, "忘掉我老婆的生日", ["我老婆的是7月11日"]),
        (ALLERGIES, "忘掉我妈妈的过敏", ["林芳对虾过敏"]),
        (ALLERGIES, "忘掉我的过敏", ["我对花生过敏"]),
        (ANN, "忘掉我的手机号", ["我的手机号是13900002222"]),
        (ANN, "忘掉我同事的手机号", ["Ann的手机号是5551234567"]),
        (ANN, "忘掉Ann的手机号", ["Ann的手机号是5551234567"]),
        (
            ("我爸的电话是13900002222。", "我妈的电话是13900003333。"),
            "忘掉家人的电话",
            ["我爸的电话是13900002222", "我妈的电话是13900003333"],
        ),
        (("小芳的生日是3月8日。", "小琴的生日是5月6日。"), "忘掉小芳的生日,小琴的留着", ["小芳的生日是3月8日"]),
    ],
)
def test_only_what_is_the_owners_goes(lines: tuple[str, ...], request_: str, gone: list[str]) -> None:
    assert taken_of(lines, request_) == gone


@pytest.mark.parametrize("met", ["I met Zoe.", "I saw a show.", "It rained.", "A friend came by."])
@pytest.mark.parametrize(
    ("of_another", "own", "mine", "other"),
    [
        ("Her number is 555-0303.", "My number is 555-0301.", "Forget my phone number.", "Forget her number."),
        ("Their number is 555-0303.", "My number is 555-0301.", "Forget my phone number.", "Forget their number."),
        ("He is 43 years old.", "I am 50 years old.", "Forget my age.", "Forget his age."),
        ("She lives at 3 Elm Road.", "I live at 4 Oak Road.", "Forget my address.", "Forget where she lives."),
    ],
)
def test_a_pronoun_for_somebody_who_was_not_named_is_not_oneself(
    met: str, of_another: str, own: str, mine: str, other: str
) -> None:
    lines = (met, of_another, own)
    assert taken_of(lines, mine) == [own.rstrip(".")]
    assert taken_of(lines, other) == [of_another.rstrip(".")]


@pytest.mark.parametrize("met", ["我认识了一个人。", "下雨了。"])
@pytest.mark.parametrize(
    ("of_another", "own", "mine"),
    [
        ("她的电话是13900001111。", "我的电话是13900002222。", "忘掉我的电话"),
        ("他今年43岁。", "我今年50岁。", "忘掉我的年龄"),
        ("他们住在青山路7号。", "我住在白云街9号。", "忘掉我住哪儿"),
    ],
)
def test_in_chinese_too_a_pronoun_for_somebody_who_was_not_named_is_not_oneself(
    met: str, of_another: str, own: str, mine: str
) -> None:
    assert taken_of((met, of_another, own), mine) == [own.rstrip("。")]


@pytest.mark.parametrize("giver", ["They gave me a new number", "She got us a new number"])
def test_what_somebody_does_for_one_is_told_of_oneself(giver: str) -> None:
    lines = (f"{giver}, my number is 555-0301.", f"{giver}, it is 555-0302.")
    gone = [words for words in taken_of(lines, "Forget my phone number.") if "555" in words]
    assert gone == ["my number is 555-0301", "it is 555-0302"]


@pytest.mark.parametrize(
    ("lines", "request_", "gone"),
    [
        (OLD_AND_NEW, "Forget my phone number.", ["My phone number was 555-0301", "My phone number is 555-0309 now"]),
        (OLD_AND_NEW, "Forget my old phone number.", ["My phone number was 555-0301"]),
        (OLD_AND_NEW, "Forget my current phone number.", ["My phone number is 555-0309 now"]),
        (
            ("My phone number is 555-0301.", "My new phone number is 555-0309."),
            "Forget my old phone number.",
            ["My phone number is 555-0301"],
        ),
        (
            ("My phone number is 555-0301.", "My new phone number is 555-0309."),
            "Forget my new phone number.",
            ["My new phone number is 555-0309"],
        ),
        (
            ("My sister's number is 555-0301.", "Her number was 555-0309 before."),
            "Forget my sister's old number.",
            ["Her number was 555-0309 before"],
        ),
        (
            ("我的旧手机号是13900002222。", "我的新手机号是13900003333。"),
            "忘掉我的旧手机号",
            ["我的旧手机号是13900002222"],
        ),
    ],
)
def test_what_held_before_is_told_from_what_holds(lines: tuple[str, ...], request_: str, gone: list[str]) -> None:
    assert taken_of(lines, request_) == gone


@pytest.mark.parametrize(
    ("lines", "request_", "gone"),
    [
        (
            ("My phone number was 555-0301.", "It is 555-0309 now."),
            "Forget my phone number.",
            ["My phone number was 555-0301", "It is 555-0309 now"],
        ),
        (
            ("My sister's number is 555-0301.", "She has a dog.", "Her new number is 555-0309."),
            "Forget my sister's number.",
            ["My sister's number is 555-0301", "Her new number is 555-0309"],
        ),
        (
            ("agent: What is your phone number?", "555-0142", "agent: And your age?", "43"),
            "Forget my phone number.",
            ["555-0142"],
        ),
        (("My seat is in coach 7, seat 14C.",), "Forget my seat.", ["My seat is in coach 7", "seat 14C"]),
        (
            ("I take metformin, 500 mg, twice a day.",),
            "Forget my medication.",
            ["I take metformin", "500 mg", "twice a day"],
        ),
        (
            ("我的手机号是13900002222。", "现在换成13900003333了。"),
            "忘掉我的手机号",
            ["我的手机号是13900002222", "现在换成13900003333了"],
        ),
    ],
)
def test_what_goes_on_about_it_goes_along(lines: tuple[str, ...], request_: str, gone: list[str]) -> None:
    assert taken_of(lines, request_) == gone


@pytest.mark.parametrize(
    ("lines", "request_", "named"),
    [
        (TWO, "Forget the phone number.", "cousin, one's own"),
        (("Mia's number is 555-0303 and Lea's number is 555-0304.",), "Forget her number.", "lea, mia"),
        (PARENTS, "Forget my parent's birthday.", "father, mother"),
        (SISTERS, "Forget where my sister lives.", "sister ann, sister bea"),
        (("My doctor Ann is nice.", "My doctor Bea is strict."), "Forget my doctor.", "doctor ann, doctor bea"),
        (("我哥哥住在苏州。", "我弟弟住在无锡。"), "忘掉我兄弟的地址", "elder brother, younger brother"),
    ],
)
def test_where_it_is_not_clear_whose_is_meant_nothing_goes(lines: tuple[str, ...], request_: str, named: str) -> None:
    with pytest.raises(InvalidInput, match=f"not clear whose is meant to be forgotten: {named}"):
        taken_of(lines, request_)


def test_of_several_that_are_the_same_to_one_the_only_one_who_is_called_so_is_meant() -> None:
    lines = ("My doctor Ann is nice.", "My doctor Bea is my therapist.")
    assert taken_of(lines, "Forget my therapist.") == ["My doctor Bea is my therapist"]


ASKED = (
    *of_owners.CASES,
    *what_is_held.OF_A_KIND,
    *what_is_held.IN_OTHER_FORMS,
    *what_is_held.DELETED,
    *what_is_held.HANDED_ON,
    *what_is_held.IN_ANY_WORDS,
    *what_is_held.AS_SAID,
    *what_is_held.SEVERAL,
    *(case._replace(kept=case.lines) for case in what_is_held.NOTHING),
    *(
        of_owners.Case((telling, innocent), asks, (telling,), (innocent,))
        for asks, telling, innocent in of_owners.LOOKALIKES
    ),
    *(
        of_owners.Case(lines, pair.request, (pair.word,), (pair.stays,))
        for pair in (*one_of_several.NAMES, *one_of_several.KINDS)
        for lines in ((pair.goes, pair.stays), (pair.stays, pair.goes))
    ),
)
"""What is asked of a whole memory elsewhere."""


@pytest.mark.parametrize(
    "case", [case for case in ASKED if not points_back(case.request)], ids=lambda case: case.request
)
def test_of_the_turns_alone_what_is_asked_for_goes_and_nothing_else(case: of_owners.Case) -> None:
    said, left = "\n".join(case.lines), left_of(case.lines, case.request)
    assert [word for word in case.gone if word in said and word.rstrip(".。") in left] == []
    assert [word for word in case.kept if word in said and word.rstrip(".。") not in left] == []
