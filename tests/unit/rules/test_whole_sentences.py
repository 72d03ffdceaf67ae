"""A sentence that was retold is whole, or it is not written down."""

import pytest

from agentmem.domain.memory import Modality
from tests.unit.rules.support import english, read


@pytest.mark.parametrize(
    "said",
    [
        "never finished in the end",
        "same as I gave you in June",
        "I'm useless before noon, I told you",
        "Not Sundays, we're closed",
        "Nina from sales got a puppy and can't stop on about it. should I be worried",
        "I'd like you to",
    ],
)
def test_half_a_sentence_is_not_written_down(said: str) -> None:
    contents = [each.content for each in english(said).statements]
    assert all(
        " to finished" not in each and not each.endswith(("told Bella", "in June", "closed", " to"))
        for each in contents
    )
    assert not any("worried" in each for each in contents)


def test_what_the_verb_needs_makes_it_whole() -> None:
    assert [each.content for each in english("I gave you my address in June").statements] == [
        "Tom Hale gave Bella their address in June (2025-06)"
    ]


def test_what_is_never_to_be_again_is_told_whole_or_not_at_all() -> None:
    assert not [each for each in english("never again upstairs").statements if "to again" in each.content]


def test_a_comment_behind_a_clause_is_no_part_of_it() -> None:
    contents = [each.content for each in english("My sister Marta is coeliac, turns out.").statements]
    assert "Marta is coeliac" in contents


def test_a_need_without_its_subject_is_told_of_him() -> None:
    assert [each.content for each in english("need to see Dr Yates about my knee").statements] == [
        "Tom Hale needs to see Dr Yates about their knee"
    ]


@pytest.mark.parametrize("said", ["我倒想住皇宫 你给批吗", "我觉得"])
def test_half_a_chinese_sentence_is_not_written_down(said: str) -> None:
    assert read(said).statements == ()


@pytest.mark.parametrize("asked", ["您喜欢早上还是晚上？", "您是自己住还是给父母住？"])
def test_a_choice_of_the_agent_is_a_guess_at_most(asked: str) -> None:
    assert {each.modality for each in read(f"a: {asked}", "看看再说").statements} <= {Modality.HYPOTHESIS}


@pytest.mark.parametrize("asked", ["Do you prefer mornings or evenings?", "So you're moving to Leeds or to York?"])
def test_an_english_choice_of_the_agent_is_a_guess_at_most(asked: str) -> None:
    assert {each.modality for each in english(f"a: {asked}", "we'll see").statements} <= {Modality.HYPOTHESIS}


def test_what_speaks_against_a_day_accepts_it_not() -> None:
    reading = english("a: Could we come on Monday?", "Sure there'd be nobody in, we don't open Mondays")
    assert [each.content for each in reading.statements if each.kind == "appointment"] == []


@pytest.mark.parametrize(
    "said", ["Don't ship on Monday", "Please never deliver on Friday", "周一不要送货", "必须周五发货", "我们周一休息"]
)
def test_a_day_of_the_week_that_must_always_or_never_be_has_no_date(said: str) -> None:
    reading = english(said) if said.isascii() else read(said)
    assert not any("(2026" in each.content for each in reading.statements)


def test_a_day_of_this_week_keeps_its_date() -> None:
    assert [each.content for each in read("这周五不要送货").statements] == ["陈立这周五(2026-03-06)不要送货"]


def test_a_month_of_another_year_is_no_date_of_what_was() -> None:
    contents = [each.content for each in english("I paid 13.50 in October").statements]
    assert not any("2026" in each for each in contents)


def test_since_when_he_was_a_child_is_no_fact_of_its_own() -> None:
    contents = [each.content for each in english("I've swum, since I was a kid").statements]
    assert contents == ["Tom Hale has swum, since they were a kid"]


@pytest.mark.parametrize(
    "lines",
    [
        ("想给狗狗洗个澡", "a: 狗狗叫什么名字？", "豆豆"),
        ("想给儿子找个家教。物理跟不上",),
        ("我家狗打过疫苗了", "a: 有过敏史吗？", "对牛肉过敏"),
        ("我家狗打过疫苗了", "a: 公的母的？", "公的", "a: 有过敏史吗？", "吃对牛肉的罐头会吐"),
        ("给我妈订个蛋糕，不吃奶油，住在杭州",),
        ("a: 您先生做什么工作的？", "医生"),
    ],
)
def test_what_may_be_anothers_is_not_his(lines: tuple[str, ...]) -> None:
    of_him = [each for each in read(*lines).statements if each.modality is Modality.STATED and each.about is None]
    words = ("豆豆", "跟不上", "对牛肉", "不吃", "住在", "职业")
    assert not [
        each.content for each in of_him if any(word in each.content for word in words) and "被问到" not in each.content
    ]
    assert not [each.content for each in of_him if "过敏史" in each.content]


def test_an_english_answer_about_a_pet_is_not_his() -> None:
    reading = english("My dog Rex is limping", "a: Any allergies?", "chicken")
    assert not any("chicken" in each.content for each in reading.statements)


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        (("a: Will your husband come too?", "No, just me", "a: Any allergies?", "Peanuts"), "Peanuts"),
        (("My husband can't, just me", "a: Any allergies?", "Peanuts"), "Peanuts"),
        (("My wife and I are coming", "a: Any allergies?", "Peanuts"), "Peanuts"),
        (("a: Do you have any kids?", "No", "a: Any allergies?", "Peanuts"), "Peanuts"),
        (("a: 家里有老人或孩子吗", "没有", "a: 有忌口吗", "对花生过敏"), "对花生过敏"),
        (("a: 有没有孩子一起来", "就我自己", "a: 有过敏史吗", "青霉素"), "青霉素"),
        (("我老婆和我两个人", "a: 有忌口吗", "花生不能吃"), "花生不能吃"),
        (("I have a cat. Allergic to penicillin",), "Tom Hale is allergic to penicillin"),
        (("我养了只狗，对青霉素过敏",), "陈立对青霉素过敏"),
    ],
)
def test_an_allergy_stays_the_customers_where_nobody_else_can_be_meant(lines: tuple[str, ...], word: str) -> None:
    reading = english(*lines) if "".join(lines).isascii() else read(*lines)
    assert any(word in each.content for each in reading.statements if each.about is None)


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        (("a: Has your dog been vaccinated?", "No", "a: Any allergies?", "chicken"), "chicken"),
        (("a: Is your cat allergic to anything?", "I have a cat. Allergic to penicillin"), "penicillin"),
        (("我养了只狗，对牛肉过敏",), "牛肉"),
        (("It's for my dog, just me bringing him", "a: Any allergies?", "chicken"), "chicken"),
        (("我家狗要洗澡，没有别人在家", "a: 有过敏史吗？", "牛肉"), "牛肉"),
        (("a: 带孩子来吗？", "带，两个", "a: 有忌口吗？", "花生"), "花生"),
    ],
)
def test_an_allergy_that_may_be_an_animals_or_a_childs_is_not_his(lines: tuple[str, ...], word: str) -> None:
    reading = english(*lines) if "".join(lines).isascii() else read(*lines)
    assert not [each.content for each in reading.statements if word in each.content and each.about is None]


def test_what_he_wishes_beside_a_relative_is_his() -> None:
    contents = [each.content for each in read("周末要陪老公，想周三来").statements]
    assert any("周三" in each for each in contents)


@pytest.mark.parametrize(
    "said", ["I'd like to proceed with the order", "I need to up the order", "I want to no longer get the newsletter"]
)
def test_a_verb_that_looks_like_none_is_one(said: str) -> None:
    assert len(english(said).statements) == 1


@pytest.mark.parametrize("said", ["我搬…", "我那台电脑修好没", "我已经换"])
def test_a_verb_that_lacks_what_it_needs_says_nothing(said: str) -> None:
    assert read(said).statements == ()


def test_since_when_stands_with_what_is_so_since_then() -> None:
    contents = [each.content for each in english("Since we moved to Leeds I run every day").statements]
    assert not any("Leeds they" in each and not each.startswith("Tom Hale says since") for each in contents)


def test_what_is_so_instead_is_stated_and_not_denied() -> None:
    reading = english(
        "We buy two cases of Oatly", "a: Still two cases of Oatly?", "We've dropped Oatly, gone over to Alpro"
    )
    assert [each.modality for each in reading.statements if "Alpro" in each.content] == [Modality.STATED]


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("Lost my keys in the canal, ugh", "Tom Hale lost their keys in the canal"),
        ("Dropped my laptop down the stairs", "Tom Hale dropped their laptop down the stairs"),
        ("We've tripled since spring", "Tom Hale's organisation has tripled since spring"),
    ],
)
def test_who_did_it_is_named(said: str, content: str) -> None:
    assert [each.content for each in english(said).statements] == [content]


def test_an_agreed_time_stands_behind_one_preposition() -> None:
    contents = [each.content for each in english("a: Shall we say on Friday?", "Yes, perfect").statements]
    assert contents == ["Tom Hale agrees to Friday (2026-03-06)"]


@pytest.mark.parametrize("said", ["a: 您有买过是吧", "人数改一下"])
def test_a_verb_without_its_object_tells_nothing(said: str) -> None:
    assert not any(each.content.endswith(("过", "改一下")) for each in read(said, "嗯嗯").statements)


def test_a_form_of_address_names_no_relative() -> None:
    reading = read("a: 欢迎林小姐！入住日期和预算方便说一下吗？", "10月3号，预算一个月1600欧以内")
    assert any("1600" in each.content for each in reading.statements)
