"""What is written down is whole, his own, and as sure as it was said; otherwise nothing is."""

# ruff: noqa: E501 - spoken lines read best unbroken

import pytest

from agentmem.domain.statement import Statement
from tests.unit.rules.support import english, folded, read


def contents(*found: Statement) -> list[str]:
    return [folded(each.content) for each in found]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("My budget for the kitchen is approx. 4,500 pounds.", "approx. 4,500 pounds"),
        ("Our budget is roughly 20k euros.", "roughly 20k euros"),
        ("The budget is nearly 900 dollars for the first of the two rooms upstairs and the landing.", "nearly 900 dollars"),
        ("预算大概3000英镑", "大概3000英镑"),
        ("我的预算是五千多欧元", "五千多欧元"),
        ("预算将近两万港币", "将近两万港币"),
    ],
)  # fmt: skip
def test_a_budget_keeps_its_currency_and_how_sure_it_is(said: str, value: str) -> None:
    reading = english(said) if said.isascii() else read(said)
    assert [each.value for each in reading.statements if each.attribute == "budget"] == [value]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("We run a small bakery that delivers to twelve hotels in the centre of Leeds and sells at markets.", "a small bakery"),
        ("I own a bike shop near the old harbour.", "a bike shop near the old harbour"),
    ],
)  # fmt: skip
def test_a_business_is_not_cut_in_mid_word(said: str, value: str) -> None:
    assert [each.value for each in english(said).statements if each.attribute == "business"] == [value]


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("My sister moved to Ennis on Saturday.", "Make it the end of May."),
        ("Our boiler broke down on Sunday.", "Let's make it Thursday."),
        ("I saw the dentist yesterday.", "Please move it to Friday."),
        ("我昨天看了牙医", "改到周五吧"),
        ("我姐上周六搬到了苏州", "改成下周日吧"),
    ],
)
def test_what_has_come_about_is_not_put_off(first: str, said: str) -> None:
    reading = english(first, said) if said.isascii() else read(first, said)
    assert [each.replaces for each in reading.statements if each.replaces] == []


@pytest.mark.parametrize("said", ["We're just three.", "There are some who say we are listed on the lease."])
def test_a_handful_is_no_organisation(said: str) -> None:
    found = english(said).statements
    assert not [each for each in found if each.attribute == "headcount" and "organisation" in each.content]


@pytest.mark.parametrize(
    "said", ["We are listed on the lease.", "We're listed as the guests of the bride.", "We are certified divers."]
)
def test_what_people_may_be_too_is_said_of_no_organisation(said: str) -> None:
    assert not [each for each in english(said).statements if "organisation" in each.content]


@pytest.mark.parametrize(
    ("home", "work"),
    [
        ("我家地址是文三路18号", "我们公司地址是江南大道200号"),
        ("寄到中山路7号", "办公地址是长江路99号3楼"),
        ("My home address is 14 Harbour Lane.", "Our office address is 3 Mill Road, Leeds."),
        ("I live at 9 Elm Street.", "My work address is 20 Station Road."),
    ],
)
def test_a_home_and_an_office_have_an_address_each(home: str, work: str) -> None:
    reading = english(home, work) if home.isascii() else read(home, work)
    found = [each for each in reading.statements if each.kind == "contact"]
    assert [each.attribute for each in found] == ["address", "work_address"]
    assert not any(each.replaces or each.invalid_at for each in found)


@pytest.mark.parametrize("said", ["送到她月子中心，浦东张江那个", "寄到他公司三号楼", "送到你店里那条街"])
def test_a_place_of_somebody_else_is_not_ones_address(said: str) -> None:
    assert not [each for each in read(said).statements if each.attribute in ("address", "work_address")]


@pytest.mark.parametrize(
    "said",
    [
        "had the op in April, he's on a stick now",
        "got home late on Friday, and she's still asleep",
        "like a baby",
        "like a dream, thanks",
    ],
)
def test_a_clause_without_a_subject_is_his_only_where_nobody_else_is_meant(said: str) -> None:
    found = english("a: How is he?", said).statements
    assert not [each for each in found if "Asked" not in each.content and each.modality == "stated"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("我堂弟自己会来找你", "陈立的堂弟自己会来找对方"),
        ("我老板说过喜欢您家的茶", None),
        ("My mum loves your bread.", "TomHale'smumlovesBella'sbread"),
        ("My brother knows you from the market.", "TomHale'sbrotherknowsBellafromthemarket"),
    ],
)
def test_what_others_have_to_do_with_the_agent_names_it(said: str, told: str | None) -> None:
    found = contents(*(english(said) if said.isascii() else read(said)).statements)
    assert told is None or folded(told) in found
    assert not [each for each in found if "你" in each or "您" in each or "your" in each]


@pytest.mark.parametrize("said", ["我这四十箱，先来一百张吧", "我堂弟养蜂，二十来箱", "我们这边三台，够用"])
def test_a_number_of_things_of_which_nothing_is_said_is_no_statement(said: str) -> None:
    assert not [each for each in contents(*read(said).statements) if each.endswith(("四十箱", "二十来箱", "三台"))]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("We've 40 hens, no sorry 38, fox had two on Sunday.", "has 38 hens"),
        ("I have 12 goats, sorry, 14 goats.", "has 14 goats"),
    ],
)
def test_a_number_put_right_stands_apart_from_what_it_counts(said: str, told: str) -> None:
    assert [each for each in english(said).statements if told in each.content]


@pytest.mark.parametrize(("title", "said"), [("软件工程师", "I need a van."), ("店长", "My budget is 300 euros.")])
def test_a_title_of_the_other_language_stays_out_of_the_sentence(title: str, said: str) -> None:
    found = read(said, name="罗小东", title=title).statements
    assert [each.content for each in found if each.modality == "stated" and title in each.content] == []


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("Head of logistics", "head of logistics"),
        ("CEO", "CEO"),
        ("HR manager", "an HR manager"),
        ("Software engineer", "a software engineer"),
        ("German teacher", "a German teacher"),
        ("UX designer", "a UX designer"),
        ("University lecturer", "a university lecturer"),
        ("Vice president of sales", "vice president of sales"),
    ],
)
def test_an_english_title_is_told_once_and_as_one_says_it(title: str, told: str) -> None:
    found = read("I need a van.", name="Walter Finn", title=title, agent="Bella").statements
    assert [each.content for each in found] == [f"Walter Finn is {told}", "Walter Finn needs a van"]


@pytest.mark.parametrize("title", ["Mr", "Mrs.", "Dr"])
def test_a_form_of_address_is_nobodys_occupation(title: str) -> None:
    found = read("I need a van.", name="Walter Finn", title=title, agent="Bella").statements
    assert [each for each in found if each.attribute == "occupation"] == []


@pytest.mark.parametrize(
    "said", ["Aoife moved to Galway.", "Jonas has moved back to Bergen.", "Marta is moving to Porto."]
)
def test_where_somebody_named_has_moved_is_told_of_him(said: str) -> None:
    found = english(said).statements
    assert [each.about for each in found] == [said.split()[0]]


@pytest.mark.parametrize(
    "said",
    ['"Never trust a thin chef", my gran used to say.', "“别信便宜货”，我爷爷老这么说", 'My boss says "buy cheap, buy twice".'],
)  # fmt: skip
def test_what_somebody_else_is_quoted_with_is_no_wish_of_his(said: str) -> None:
    found = english(said).statements if said.isascii() else read(said).statements
    assert not [each for each in found if each.attribute in ("need", "preference") or "trust" in each.content]


@pytest.mark.parametrize(
    "said", ["Tell Klein I'll be ten minutes late.", "Please ask Nora to bring the keys I lent her."]
)
def test_a_message_for_somebody_is_no_statement(said: str) -> None:
    assert not [each for each in english(said).statements if each.modality == "stated" and "says" in each.content]


@pytest.mark.parametrize(
    "said",
    ["订了三箱橙子，其中一箱送我姐，地址长宁路88号", "蛋糕送我妈，地址是人民路5号", "Please send it to my mum, the address is 4 Elm Street."],
)  # fmt: skip
def test_where_something_goes_to_somebody_else_is_not_ones_address(said: str) -> None:
    found = english(said).statements if said.isascii() else read(said).statements
    assert not [each for each in found if each.attribute == "address" and each.about is None]


@pytest.mark.parametrize("said", ["I was born in Cork but grew up in Boston.", "I was born at home, in a snow storm."])
def test_a_place_of_birth_is_no_birthday(said: str) -> None:
    assert not [each for each in english(said).statements if each.attribute == "birthday"]


@pytest.mark.parametrize("said", ["学徒下个月走", "学生都放假了", "学费涨了"])
def test_who_learns_is_no_verb(said: str) -> None:
    assert not [each for each in contents(*read(said).statements) if each.startswith("陈立学")]


def test_a_clock_before_its_day_takes_the_place_of_both() -> None:
    found = english("I have a fitting next Tuesday at 9.", "The fitting is moved to 10:30 on the 24th.").statements
    assert [each for each in found if "the 24th (2026-03-24) at 10:30" in each.content and " at 9" not in each.content]


@pytest.mark.parametrize("said", ["我想好了今年只考实务", "想好了，不换", "我想想再说"])
def test_what_is_thought_over_is_no_wish(said: str) -> None:
    assert not [each for each in read(said).statements if each.attribute == "need" or "希望" in each.content]


@pytest.mark.parametrize("said", ["I might, I might not.", "We may, too."])
def test_a_verb_that_is_left_out_tells_nothing(said: str) -> None:
    assert english(said).statements == ()
