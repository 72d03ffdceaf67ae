"""What one clause says stays its own: the noun, the work and the name before it are no part of the next slot."""

import pytest

from agentmem.domain.statement import Statement
from tests.unit.rules.support import english, read


def _slots(statements: tuple[Statement, ...]) -> dict[str | None, str | None]:
    return {s.attribute: s.value for s in statements if s.about is None}


@pytest.mark.parametrize(
    ("text", "budget", "number"),
    [
        ("预算35万,电话13700001111", "35万", "13700001111"),
        ("我的预算是二十万,手机号13700001111", "二十万", "13700001111"),
        ("预算80万。联系电话:13700001111", "80万", "13700001111"),
        ("我们预算12万,13700001111", "12万", "13700001111"),
    ],
)
def test_a_telephone_behind_a_budget_is_a_telephone(text: str, budget: str, number: str) -> None:
    statements = read(f"c: {text}").statements
    assert _slots(statements) == {"budget": budget, "phone": number}
    assert not any("预算" in s.content and number in s.content for s in statements)


@pytest.mark.parametrize("text", ["预算13700001111", "订单号,13700001111", "合同号13700001111"])
def test_the_number_of_a_paper_or_an_amount_is_no_telephone(text: str) -> None:
    assert "phone" not in _slots(read(f"c: {text}").statements)


def test_a_telephone_behind_another_ones_budget_is_not_the_speakers() -> None:
    statements = read("c: 李敏的预算20万,电话13700001111").statements
    assert [s.about for s in statements if s.attribute == "phone"] == ["李敏"]


@pytest.mark.parametrize("text", ["我的预算是40万,联系人李敏", "预算40万,楼层十二楼"])
def test_a_budget_has_no_parts(text: str) -> None:
    assert not any("预算联系人" in s.content or "预算楼层" in s.content for s in read(f"c: {text}").statements)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("I work at Globex and my number is 555-444-1212", "phone"),
        ("We're a small company, you can call me on 555-444-1212", "phone"),
        ("My office phone is 555-444-1212", "work_phone"),
        ("Reach me at work on 555-444-1212", "work_phone"),
        ("I live in Leeds, my home number is 555-444-1212", "home_phone"),
        ("I work from home, my phone is 555-444-1212", "phone"),
    ],
)
def test_a_telephone_is_of_work_where_it_is_itself_called_so(text: str, slot: str) -> None:
    phones = {s.attribute: s.value for s in english(f"c: {text}").statements if s.kind == "contact"}
    assert phones == {slot: "555-444-1212"}


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("我在一家设计公司工作,号码是13700001111", "phone"),
        ("我工作比较忙,电话13700001111", "phone"),
        ("公司电话是0571-88886666", "work_phone"),
        ("手机坏了,打我办公室0571-88886666", "work_phone"),
        ("家里的座机是0571-88886666", "home_phone"),
    ],
)
def test_a_chinese_telephone_is_of_work_where_it_is_itself_called_so(text: str, slot: str) -> None:
    assert [s.attribute for s in read(f"c: {text}").statements if s.kind == "contact"] == [slot]


@pytest.mark.parametrize(
    "text",
    ["My rent is 1200 pounds", "I earn 85000 dollars a year", "I am one of the founders", "I commute 35 miles"],
)
def test_a_sum_or_a_length_is_no_number_of_things(text: str) -> None:
    statements = english(f"c: {text}").statements
    assert statements
    assert "quantity" not in _slots(statements)


@pytest.mark.parametrize("text", ["我的月薪是三万元", "我们的工期四个月", "我去年在一个外企做过主管"])
def test_a_chinese_sum_or_length_is_no_number_of_things(text: str) -> None:
    statements = read(f"c: {text}").statements
    assert statements
    assert "quantity" not in _slots(statements)


def test_the_things_somebody_has_are_counted() -> None:
    assert "quantity" in _slots(english("c: We have 14 delivery vans").statements)
    assert "quantity" in _slots(read("c: 我们有十五台挖掘机").statements)


def test_a_figure_without_a_slot_is_still_told() -> None:
    statements = english("a: And how tall are you?", "c: Five foot four. I ride every day").statements
    assert any("Five foot four" in s.content and s.attribute is None for s in statements)


def test_anothers_salary_fills_no_slot() -> None:
    statements = english("c: My sister Nora's salary is 72000 dollars").statements
    assert ("Nora's salary is 72000 dollars", "Nora") in [(s.content, s.about) for s in statements]
    assert [s.attribute for s in statements if s.attribute] == []


@pytest.mark.parametrize("text", ["我的姓名是陈立", "姓名：陈立", "陈立的姓名是陈立", "我是陈立", "我的名字叫陈立"])
def test_a_name_that_only_repeats_the_known_one_is_not_stored(text: str) -> None:
    assert read(f"c: {text}").statements == ()


@pytest.mark.parametrize("text", ["李敏的姓名是李敏", "李敏的名字是李敏"])
def test_anothers_name_is_not_the_speakers(text: str) -> None:
    assert read(f"c: {text}").statements == ()


def test_a_fuller_name_than_the_known_one_is_stored() -> None:
    assert _slots(read("c: 我的名字叫陈立新").statements) == {"name": "陈立新"}


@pytest.mark.parametrize(
    "text",
    [
        "Omar's number has changed, it's 555-444-1212 now",
        "Omar's phone number changed recently. His new number is 555-444-1212",
        "My number changed. Please call me on 555-444-1212",
    ],
)
def test_that_a_number_changed_is_contentless_beside_the_new_one(text: str) -> None:
    assert [s.attribute for s in english(f"c: {text}").statements] == ["phone"]


@pytest.mark.parametrize("text", ["李敏换号了,新的是13700001111", "李敏换手机号了,现在是13700001111"])
def test_that_a_chinese_number_changed_is_contentless_beside_the_new_one(text: str) -> None:
    assert [(s.attribute, s.about) for s in read(f"c: {text}").statements] == [("phone", "李敏")]


def test_that_a_number_changed_is_told_where_no_new_one_is() -> None:
    assert read("c: 我换号了").statements


def test_a_colleague_who_changed_his_number_keeps_his_name() -> None:
    statements = read("c: 我同事李敏换号了,新号码13700001111").statements
    assert [(s.attribute, s.about) for s in statements] == [("phone", "李敏"), (None, "李敏")]


def test_where_a_firm_moves_its_people_need_not_live() -> None:
    assert "city" not in _slots(read("我们公司搬到上海了").statements)
    assert _slots(read("我们搬到上海了").statements)["city"] == "上海"


def test_a_number_behind_a_pronoun_is_of_whom_the_sentence_names_and_not_of_whom_was_spoken_before() -> None:
    told = read("我房东临时涨租", "a: 可惜", "店长小葛收,她电话17722220264").statements

    assert [s.about for s in told if s.kind == "contact"] == ["小葛"]


@pytest.mark.parametrize(
    ("said", "owners"),
    [
        ("我弟弟用小程序下单,他电话17722220264", ["陈立的弟弟"]),
        ("我有个小孙子,他电话17722220264", []),
        ("老方法不行,他电话17722220264", []),
        ("小包装的货,她电话17722220264", []),
        ("经理老方法多,他电话17722220264", []),
        ("送来个小包,他电话17722220264", []),
    ],
)
def test_a_number_behind_a_pronoun_has_no_owner_whom_nobody_named(said: str, owners: list[str]) -> None:
    assert [s.about for s in read(said).statements if s.kind == "contact"] == owners


def test_whom_was_spoken_of_before_is_meant_where_only_a_word_begins_like_a_name() -> None:
    told = read("我同事李敏管账", "a: 好", "用小程序下单,她电话17722220264")

    assert [s.about for s in told.statements if s.kind == "contact"] == ["李敏"]
