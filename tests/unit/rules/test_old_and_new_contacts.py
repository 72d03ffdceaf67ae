"""A new contact told together with the old one that is out of use: the new one is the current one."""

import pytest

from tests.unit.rules.support import english, holds, read

_ZH: list[tuple[str, list[str]]] = [
    ("手机号换了，现在是13900139000，旧号不用了。", ["13900139000"]),
    ("我的手机号是13900139000，以前的号13800138000已经注销。", ["13900139000"]),
    ("我的邮箱是chen@new.com，以前那个cw@old.com不用了。", ["chen@new.com"]),
    ("我邮箱改为zm@b.com了，之前的邮箱停用了。", ["zm@b.com"]),
    ("打我13900139000吧，老号码打不通了。", ["13900139000"]),
    ("旧号不用了，13900139000是我的新号。", ["13900139000"]),
    ("我以前的号码是13800138000，现在的是13900139000。", ["13900139000"]),
    ("我手机号从13800138000换成13900139000了。", ["13900139000"]),
    ("请打13900139000，不再用13800138000。", ["13900139000"]),
    ("我的微信现在是minzhou99，原来的微信号zhoumin88作废。", ["minzhou99"]),
    ("我的电话13800138000停用了，打13900139000。", ["13900139000"]),
    ("我换了新号，现在是13900139000，国内那个停了。", ["13900139000"]),
    ("急事打我电话13900139000，别发短信。", ["13900139000"]),
    ("我的电话13800138000不用了。", []),
    ("我的旧号是13800138000。", []),
    ("我以前的邮箱是a@old.com，已经停用。", []),
    ("手机换了，打13900139000，微信还是原来那个。", ["13900139000"]),
    ("电话13900139000，邮箱还是以前的。", ["13900139000"]),
]
_EN: list[tuple[str, list[str]]] = [
    ("My email is tom@new.com, the old one tom@old.com no longer works.", ["tom@new.com"]),
    ("My new number is 555-0177, the previous one is disconnected.", ["555-0177"]),
    ("The old number is dead, 555-0177 is my number.", ["555-0177"]),
    ("My number is 555-0177 (formerly 555-0142).", ["555-0177"]),
    ("My number is 555-0177 rather than 555-0142.", ["555-0177"]),
    ("Please call me on 555-0177 instead of 555-0142.", ["555-0177"]),
    ("I switched from tom@old.com to tom@new.com.", ["tom@new.com"]),
    ("My number is 555-0177 now, and my old number is out of service.", ["555-0177"]),
    ("My number is 555-0177, the Spanish one no longer works.", ["555-0177"]),
    ("Email me at tom@old.com.", ["tom@old.com"]),
    ("My old email address is tom@home.org.", []),
    ("My number 555-0142 is no longer in use.", []),
]


@pytest.mark.parametrize(("line", "current"), _ZH)
def test_the_new_contact_is_current_beside_the_old_one(line: str, current: list[str]) -> None:
    assert [s.value for s in read(line).statements if s.kind == "contact" and holds(s)] == current


@pytest.mark.parametrize(("line", "current"), _EN)
def test_the_new_contact_is_current_beside_the_old_one_in_english(line: str, current: list[str]) -> None:
    assert [s.value for s in english(line).statements if s.kind == "contact" and holds(s)] == current


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        ("My phone number is 555-0199.", "My phone number is not 555-0142."),
        ("My phone number is 555-0199.", "My number isn't 555-0142."),
        ("My email is tom@home.org.", "My email is not tom@work.org."),
        ("我的电话是13800138000", "我的电话不是13900139000"),
        ("我的邮箱是li@home.org", "我的邮箱不是li@work.org"),
    ],
)
def test_a_denied_contact_fills_nothing_and_ends_nothing(said: str, denied: str) -> None:
    reading = english(said, denied) if said.isascii() else read(said, denied)
    found = [each for each in reading.statements if each.kind == "contact"]
    assert [((each.value or "-") in said, holds(each), each.replaces) for each in found] == [(True, True, ())]
    assert reading.withdrawn == ()


def test_the_contact_that_is_right_stands_behind_the_denied_one() -> None:
    found = english("My number isn't 555-0142, it's 555-0199.").statements
    assert [each.value for each in found if each.kind == "contact"] == ["555-0199"]


def test_a_call_to_another_number_rewords_no_contact_by_more_than_the_number() -> None:
    told = english("My phone number is 555-0142.", "Please call me on 555-0177 instead of 555-0142.")
    assert [s.content for s in told.statements if holds(s)][-1].endswith("phone number is 555-0177")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("My phone number is 555-0142. My PIN is 884422.", "Tom Hale's PIN is 884422"),
        ("My phone number is 555-0142. My budget is 998877 euros.", "Tom Hale's budget is 998877 euros"),
        ("My phone number is 555-0142. I sold 998877 shares.", "Tom Hale sold 998877 shares"),
        ("我的电话是13800138000,我的密码是884422", "陈立的密码是884422"),
        ("我的电话是13800138000,我的预算是998877元", "陈立的预算是998877元"),
    ],
)
def test_a_number_that_is_told_of_something_else_is_no_second_phone_number(line: str, told: str) -> None:
    statements = (english if line.isascii() else read)(line).statements
    assert told in [each.content for each in statements]
    assert len([each for each in statements if each.attribute == "phone"]) == 1


@pytest.mark.parametrize(
    ("line", "slots"),
    [
        ("Call me on 5550142. My office is 5550143.", {"phone", "work_phone"}),
        ("My number is 5550142 mornings only", {"phone"}),
        ("You can reach me on 5550142 sometimes", {"phone"}),
        ("My old phone died. The new one is 5550142.", {"phone"}),
        ("我的电话是13800138000,我的办公室是021-5550143", {"phone", "work_phone"}),
    ],
)
def test_a_number_that_follows_another_contact_is_one_still(line: str, slots: set[str]) -> None:
    statements = (english if line.isascii() else read)(line).statements
    assert {each.attribute for each in statements if each.attribute in ("phone", "work_phone")} == slots
