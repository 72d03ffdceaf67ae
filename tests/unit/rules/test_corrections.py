"""Values put right in the same breath count once, and what is only asked about does not count at all."""

import pytest

from agentmem.adapters.cognition.rules.replies import corrected
from tests.unit.rules.support import english, over, read, stated


def _contacts(*lines: str) -> list[str | None]:
    return [s.value for s in read(*lines).statements if s.kind == "contact" and s.invalid_at is None]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("我的电话不是13811112222，应该是13811113333", "13811113333"),
        ("邮箱是li@b.cn，不是li@c.cn", "li@b.cn"),
        ("我手机不是13811112222，是13811113333，上次打错了", "13811113333"),
        ("不好意思，刚才说错了，不是13811112222而是13811113333", "13811113333"),
        ("My number isn't 555-3111, it's 555-3222.", "555-3222"),
        ("My phone is not 555-3111 but 555-3222, sorry, I misspoke", "555-3222"),
        ("My email is ann@b.org, not ann@c.org", "ann@b.org"),
        ("Call me on 555-3222 rather than 555-3111", "555-3222"),
        ("My phone is 555-3111. Sorry, I mistyped, it's 555-3222", "555-3222"),
    ],
)
def test_a_number_put_right_is_the_only_one(line: str, value: str) -> None:
    assert _contacts(line) == [value]


@pytest.mark.parametrize(
    ("line", "kept", "gone"),
    [
        ("我们的预算不是5万，是8万", "8万", "5万"),
        ("我们有30个人，不是20个人", "30", "20"),
        ("We need 12 licences, not 10", "12", "10"),
        ("我们用的不是用友，是金蝶", "金蝶", "用友"),
        ("Our budget isn't $500, it's $800", "$800", "$500"),
    ],
)
def test_a_figure_put_right_is_the_only_one(line: str, kept: str, gone: str) -> None:
    told = " ".join(s.content for s in read(line).statements)
    assert kept in told
    assert gone not in told


@pytest.mark.parametrize(
    "line",
    [
        "我的电话是13811112222吗？",
        "要不要告诉他我的手机是13811112222？算了",
        "难道我的手机号是13811112222？",
        "是不是我的邮箱a@b.cn有问题？",
        "Is my number 555-3111?",
        "Should I give them my email a@b.org? Rather not.",
        "Did I tell you my phone is 555-3111?",
        "What if my phone were 555-3111?",
    ],
)
def test_a_contact_that_is_only_asked_about_is_none(line: str) -> None:
    assert _contacts(line) == []


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("您方便加我微信吗？我的微信是lin8866", "lin8866"),
        ("有问题请联系我，13811112222", "13811112222"),
        ("Could you call me on 555-3111?", "555-3111"),
        ("If anything comes up, my number is 555-3111", "555-3111"),
    ],
)
def test_a_contact_given_with_a_request_is_kept(line: str, value: str) -> None:
    assert _contacts(line) == [value]


@pytest.mark.parametrize(
    "line", ["不是双胞胎，是两个女儿", "It's not that I mind, it's the price", "这不是5万吗？是8万？"]
)
def test_a_contrast_of_other_things_corrects_no_value(line: str) -> None:
    assert not [s for s in read(line).statements if s.attribute in ("phone", "budget", "headcount")]


@pytest.mark.parametrize("line", ["发票的抬头不对，请改一下", "尺寸不对，我要换货", "我觉得方向错了", "他的算法不对"])
def test_a_thing_that_is_wrong_takes_nothing_back(line: str) -> None:
    assert corrected(line) == (line, False)


@pytest.mark.parametrize("line", ["Turns out I'm not allergic to cats after all.", "Well, it is not cats after all."])
def test_a_denial_puts_no_half_sentence_in_the_place_of_what_it_denies(line: str) -> None:
    told = [s.content for s in read("I'm allergic to cats.", line).statements]
    assert not any("is Turns out" in content or "is Well" in content for content in told)


@pytest.mark.parametrize(
    ("held", "said", "value", "hedged"),
    [
        ("预算大概40万", "预算改成50万", "50万", False),
        ("Our budget is about 40k", "Make the budget 50k", "50k", False),
        ("The budget is 40k", "Make the budget about 50k", "about 50k", True),
    ],
)
def test_how_sure_the_older_value_was_says_nothing_of_the_newer(held: str, said: str, value: str, hedged: bool) -> None:
    last = next(s for s in reversed(read(held, "a: 好的", said).statements) if s.attribute == "budget")
    assert last.value == value
    assert ("大概" in last.content or "about" in last.content) is hedged


@pytest.mark.parametrize(
    "line",
    [
        "Send the invoices to Colleen, colleen@hart.example",
        "My bookkeeper is Colleen Hart. Email colleen@hart.example",
        "发票发给小王，邮箱xiaowang@a.example",
    ],
)
def test_an_address_named_after_somebody_else_is_not_the_speakers(line: str) -> None:
    assert [s.about for s in read(line, name="Yolanda Pike").statements if s.kind == "contact"] != [None]


def test_the_words_of_an_answer_are_not_changed() -> None:
    told = read(
        "a: What are you working on?", "Mostly a picture book, 32 pages, due 12 December", "New prices, 380 from now on"
    )
    assert not any("380 pages" in s.content for s in told.statements)


@pytest.mark.parametrize(
    ("lines", "now"),
    [
        (("我们现在用的是用友的ERP。", "我们上个月已经从用友换到金蝶了。"), "陈立上个月(2026-02)已经从用友换到金蝶了"),
        (("我们一直用钉钉办公版。", "我们从钉钉换成了飞书。"), "陈立从钉钉换成了飞书"),
        (("我住在杭州西湖区。", "我三月从杭州搬到上海了。"), "陈立住在上海"),
        (("We use SAP for billing.", "We switched from SAP to Odoo."), "Tom Hale switched from SAP to Odoo"),
        (("I work at Boots in Leeds.", "I moved from Boots to Tesco."), "Tom Hale works at Tesco"),
        (("I work at Boots in Leeds.", "Not Boots, Tesco."), "Tom Hale works at Tesco in Leeds"),
        (("Our budget is 40k.", "Not 40k, 60k."), "Tom Hale's budget is 60k"),
        (("I live in Bergen.", "I live in Oslo, not in Bergen."), "Tom Hale lives in Oslo"),
        (("I live in Bergen.", "I live in Oslo, not Bergen."), "Tom Hale lives in Oslo"),
        (("I commute by bus.", "I commute by train, not by bus."), "Tom Hale commutes by train"),
        (("我们的预算是40万。", "预算不是40万，是60万。"), "陈立的预算是60万"),
    ],
)
def test_what_was_said_of_the_old_is_not_said_of_the_new(lines: tuple[str, str], now: str) -> None:
    reading = english(*lines) if lines[0].isascii() else read(*lines)
    assert now in stated(reading)
    assert reading.statements[0].content in over(reading)


@pytest.mark.parametrize(
    ("held", "line"),
    [
        ("I was born in 1990.", "I live in Leeds, not in York."),
        ("I moved to Oslo in 2020.", "I live in Oslo, not in Bergen."),
        ("I was in the army for two years.", "I did it for fun, not for money."),
    ],
)
def test_a_word_that_places_a_thing_is_nothing_that_another_takes_the_place_of(held: str, line: str) -> None:
    reading = english(held, line)
    assert not over(reading)
    assert not any(word in said for said in stated(reading) for word in ("York 1990", "Bergen 2020", "money two"))
