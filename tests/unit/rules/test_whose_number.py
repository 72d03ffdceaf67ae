"""Numbers that are no telephone, and telephones of others that are not named as people usually are."""

import pytest

from agentmem.domain.statement import Reading
from tests.unit.rules.support import english, read


def _slots(reading: Reading) -> dict[str, str]:
    return {
        s.attribute: s.value
        for s in reading.statements
        if s.attribute and s.value and s.about is None and "phone" in s.attribute
    }


@pytest.mark.parametrize(
    "line",
    [
        "My parcel number is 4471209, and the seller won't answer the phone.",
        "My frequent flyer number is 55 123 4567.",
        "The claim no. is 8823901, call me about it.",
        "Policy number: 6612345, please phone them.",
        "Nurse-in-charge's number is 555-0107.",
        "My sister-in-law's number is 555-0107.",
        "Sister-in-law's number is 555-0107.",
        "Head office's number is 555-0110.",
        "The gym changed its line, and the gym's is 555-0111 now, phone them.",
        "Emergency contact 555-0114.",
    ],
)
def test_a_number_of_something_or_of_others_is_not_his_telephone(line: str) -> None:
    assert _slots(english(line)) == {}


@pytest.mark.parametrize(
    "line", ["我的取件号是8823901,电话打不通", "工号是6612345,有事打电话", "我的快递单号码是66123456"]
)
def test_the_number_of_a_thing_is_nobody_s_telephone(line: str) -> None:
    assert _slots(read(line)) == {}


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("My number is 555-0142.", "555-0142"),
        ("My new number's 555-0142.", "555-0142"),
        ("The number's 555-0142.", "555-0142"),
        ("My best contact number is 555-0142.", "555-0142"),
        ("My parcel number is 4471209 and my mobile number is 555-0142.", "555-0142"),
        ("My husband Ben's number is 555-0137, mine's 555-0142.", "555-0142"),
    ],
)
def test_his_own_telephone_is_his_beside_others(line: str, number: str) -> None:
    assert list(_slots(english(line)).values()) == [number]


@pytest.mark.parametrize(
    ("line", "number"),
    [("换号了,新号13900139000", "13900139000"), ("会员号是8823109,手机号是13800138000", "13800138000")],
)
def test_his_own_telephone_is_his_beside_numbers_of_things(line: str, number: str) -> None:
    assert list(_slots(read(line)).values()) == [number]


def test_a_relative_by_marriage_is_not_the_relative_of_that_name() -> None:
    found = english("My mother-in-law's number is 555-0199.", "My brother in law lives in Oslo.").statements
    assert {s.content for s in found} == {
        "Tom Hale's mother-in-law's phone number is 555-0199",
        "Tom Hale's brother in law lives in Oslo",
    }


def test_the_department_it_is_no_pronoun() -> None:
    assert [s.content for s in english("I run IT at a chain of bakeries.").statements] == [
        "Tom Hale runs IT at a chain of bakeries"
    ]


def test_the_head_of_something_has_that_as_occupation() -> None:
    found = english("I'm head of logistics at Norrland.").statements
    assert ("occupation", "head of logistics") in {(s.attribute, s.value) for s in found}


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("小李的微信是abc12345", "小李"),
        ("张总的微信号abc12345", "张总"),
        ("李娜的微信是lina8899", "李娜"),
        ("老贺的电话是13800138000", "老贺"),
    ],
)
def test_whose_wechat_or_number_it_is_stands_before_it(said: str, who: str) -> None:
    assert [each.about for each in read(said).statements if each.kind == "contact"] == [who]


@pytest.mark.parametrize(
    "line",
    [
        "阿坤的号码是13900001111，往后问他",
        "往后订座找阿坤，我请的店长，电话13900001111",
        "陈姨搬去儿子家了，住梅园三栋",
    ],
)
def test_what_is_somebodys_whom_no_list_knows_is_not_the_speakers(line: str) -> None:
    assert [s.content for s in read(line).statements if s.kind == "contact" and s.about is None] == []


def test_a_number_that_is_said_to_be_somebody_elses_is_not_his() -> None:
    assert _slots(english("Use 01865 552011 for now, that's my niece Hilda's.")) == {}


@pytest.mark.parametrize(
    ("line", "slots"),
    [
        ("My mobile is 07911 300 4.", {"phone": "07911 300 4"}),
        ("ring me on the other one now, 07700 900865", {"phone": "07700 900865"}),
        ("I have another number, 07700 900865", {"second_phone": "07700 900865"}),
    ],
)
def test_a_number_is_told_in_full_and_the_other_one_now_is_the_only_one(line: str, slots: dict[str, str]) -> None:
    assert _slots(english(line)) == slots


@pytest.mark.parametrize(
    ("line", "slots"),
    [
        ("短信发 13900001111，旧号是单位的", {"phone": "13900001111"}),
        ("公司的电话是02188230011", {"work_phone": "02188230011"}),
        ("另外我电话13900001111", {"phone": "13900001111"}),
        ("还有一个手机13900001111", {"second_phone": "13900001111"}),
    ],
)
def test_a_number_of_his_own_is_kept(line: str, slots: dict[str, str]) -> None:
    assert _slots(read(line)) == slots


def test_who_wants_letters_by_email_gives_his_own() -> None:
    said = english("My mother-in-law Joan is staying.", "I'd only want letters by email, tom.h@mail.example")
    assert [(s.value, s.about) for s in said.statements if s.kind == "contact"] == [("tom.h@mail.example", None)]
