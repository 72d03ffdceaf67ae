"""Single points of reading: whose, how held, from when, with which words."""

import pytest

from agentmem.domain.memory import Modality
from agentmem.domain.statement import MAX_STATEMENTS, Reading, Statement
from tests.unit.rules.support import english, read, stated


def _one(reading: Reading, attribute: str) -> Statement:
    found = [s for s in reading.statements if s.attribute == attribute]
    assert len(found) == 1, [s.content for s in reading.statements]
    return found[0]


def test_a_rejected_paraphrase_is_taken_back_with_its_turn() -> None:
    reading = read("a: 我们理解您希望改造系统。", "c: 不是，我只是问问")
    assert reading.statements == ()
    assert len(reading.rejected) == 1


def test_a_rejection_reaches_a_paraphrase_of_the_window_before() -> None:
    reading = read("a: 我们理解您希望改造系统。", "c: 不是，我只是问问", context=1)
    assert reading.statements == ()
    assert len(reading.rejected) == 1


def test_a_confirmed_paraphrase_is_also_stated() -> None:
    reading = read("a: 我们理解您希望改造系统。", "c: 对，没错")
    held = {(s.layer, s.modality) for s in reading.statements if "希望改造系统" in s.content}
    assert held == {("insight", Modality.ASSERTED_BY_AGENT), ("observation", Modality.STATED)}


def test_a_confirmation_quotes_both_turns() -> None:
    reading = english("a: So you need three licences, right?", "c: Exactly")
    confirmed = next(s for s in reading.statements if s.layer == "observation")
    assert len({quote.turn_id for quote in confirmed.quotes}) == 2


def test_an_unanswered_alternative_stays_a_hypothesis() -> None:
    reading = read("a: 您希望做数据分析还是自动化？请留下您的邮箱。", "c: 这是我的邮箱 a@b.cn")
    assert [s.content for s in reading.statements if s.modality is Modality.HYPOTHESIS] == [
        "陈立希望做数据分析和自动化"
    ]
    assert stated(reading) == ["陈立的邮箱是a@b.cn"]


@pytest.mark.parametrize(
    "line",
    [
        "如果您希望了解更多，可以联系我们。",
        "我们不确定您希望改造系统。",
        "请问您希望改造系统吗，如果方便的话",
        "希望您生活愉快",
        "If you need more, let me know.",
        "You can call us any time.",
    ],
)
def test_what_the_agent_supposes_is_nothing(line: str) -> None:
    assert [s for s in read(f"a: {line}").statements if s.modality is not Modality.HYPOTHESIS] == []


@pytest.mark.parametrize(
    ("line", "attribute", "value"),
    [
        ("我的电话是13800138000", "phone", "13800138000"),
        ("微信号：luo_xd88", "wechat", "luo_xd88"),
        ("QQ 12345678", "qq", "12345678"),
        ("办公室座机0755-8888666转801", "work_phone", "0755-8888666转801"),
        ("预算大概三万左右", "budget", "大概三万左右"),
        ("我们公司有50个员工", "headcount", "50"),
        ("我在杭州", "city", "杭州"),
        ("我是一名会计", "occupation", "会计"),
        ("我是做外贸生意的", "business", "外贸生意"),
        ("My mobile is 07700 900123", "phone", "07700 900123"),
        ("reach me at tom@x.io", "email", "tom@x.io"),
        ("Our budget is around 4k", "budget", "around 4k"),
        ("I'm an accountant", "occupation", "accountant"),
        ("We're based in Leeds", "city", "Leeds"),
        ("We have 12 employees", "headcount", "12"),
    ],
)
def test_a_certain_slot_is_filled(line: str, attribute: str, value: str) -> None:
    assert _one(read(line), attribute).value == value


def test_a_third_persons_number_is_remembered_about_him() -> None:
    reading = read("我同事王芳的电话是13911112222")
    assert [(s.about, s.value) for s in reading.statements if s.attribute == "phone"] == [("王芳", "13911112222")]
    assert stated(reading) == []


@pytest.mark.parametrize("line", ["你们的电话是13800138000吗", "你们客服电话是4008001234", "订单号是13800138000"])
def test_numbers_that_are_nobodys_contact_are_left(line: str) -> None:
    assert [s for s in read(line).statements if s.attribute and "phone" in s.attribute] == []


def test_a_former_job_is_remembered_as_ended() -> None:
    reading = english("I used to work at Acme, I'm at Brightside now")
    ended = [s.content for s in reading.statements if s.invalid_at is not None]
    assert ended == ["Tom Hale used to work at Acme"]
    assert any("Brightside" in content for content in stated(reading))


def test_a_wish_denied_is_negated() -> None:
    reading = read("我不想添加自动能力")
    assert [(s.content, s.modality) for s in reading.statements] == [("陈立不希望添加自动能力", Modality.NEGATED)]


def test_relative_dates_carry_their_day() -> None:
    assert "下周四(2026-03-12)下午三点" in " ".join(stated(read("我下周四下午三点过来看房")))
    assert "tomorrow (2026-03-05) at 6pm" in " ".join(stated(english("I'd like to come in tomorrow at 6pm")))


@pytest.mark.parametrize(
    ("line", "kept", "gone"),
    [
        ("我周三过来，不对，周四过来", "周四", "周三"),
        ("预算两万…说错了，三万", "三万", "两万"),
        ("We need 10, no wait, 12 licences", "12", "10"),
    ],
)
def test_only_the_corrected_word_counts(line: str, kept: str, gone: str) -> None:
    told = " ".join(stated(read(line)))
    assert kept in told
    assert gone not in told


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("a: 您现在用的什么系统?", "c: 金蝶"), "陈立现在用金蝶"),
        (("a: 请问您贵姓?", "c: 姓王"), "陈立姓王"),
        (("a: 您的预算大概是多少?", "c: 三万左右"), "陈立的预算是三万左右"),
        (
            ("a: How many people will use it?", "c: About 15"),
            'Asked "How many people will use it?", Tom Hale answers "About 15"',
        ),
        (("a: What's your budget?", "c: Around 5k"), "Tom Hale's budget is around 5k"),
        (
            ("a: When do you need it by?", "c: End of May"),
            'Asked "When do you need it by?", Tom Hale answers "End of May',
        ),
        (("a: Where are you based?", "c: Leeds"), "Tom Hale is based in Leeds"),
    ],
)
def test_a_short_answer_is_told_with_its_question(lines: tuple[str, ...], expected: str) -> None:
    reading = read(*lines) if expected.startswith("陈立") else english(*lines)
    assert any(expected in content for content in stated(reading)), stated(reading)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ("a: Is it still Harper's for the coal?", "c: no, the depot in Bridge Street"),
            'Asked "Is it still Harper\'s for the coal?", Tom Hale answers "no, the depot in Bridge Street"',
        ),
        (
            ("a: Is Sam's wrist any better?", "c: out of plaster since Monday"),
            'Asked "Is Sam\'s wrist any better?", Tom Hale answers "out of plaster since Monday',
        ),
        (
            ("a: Saturday 21st at the boathouse?", "c: Sat works for all four"),
            'Asked "Saturday 21st at the boathouse?", Tom Hale answers "Sat works for all four"',
        ),
        (
            ("a: Is it still the bus?", "c: no, the depot lends me a van"),
            'Asked "Is it still the bus?", Tom Hale answers "no, the depot lends me a van"',
        ),
        (("a: 有没有受过伤？", "c: 右脚踝扭过，跳不高"), "被问到“有没有受过伤？”，陈立回答“右脚踝扭过，跳不高”"),
        (("a: 牌子上写什么？", "c: 写“老地方”"), "被问到“牌子上写什么？”，陈立回答“写老地方”"),
    ],
)
def test_a_reply_that_says_more_than_yes_or_no_is_told_with_its_question(lines: tuple[str, ...], expected: str) -> None:
    reading = english(*lines) if "".join(lines).isascii() else read(*lines)
    assert any(content.startswith(expected) for content in stated(reading)), stated(reading)


@pytest.mark.parametrize(
    "lines",
    [
        ("a: Is it still Harper's for the coal?", "c: yes please"),
        ("a: Shall I keep the Tuesday slot?", "c: lovely"),
        ("a: Does she like it there?", "c: loves every minute, the garden most"),
        ("a: Is the boiler in the cellar?", "c: which boiler do you mean"),
        ("a: 您看可以吗？", "c: 那就先这样定下来"),
        ("a: 需要发票吗？", "c: 好的"),
    ],
)
def test_a_reply_that_says_no_more_than_yes_is_told_with_no_question(lines: tuple[str, ...]) -> None:
    reading = english(*lines) if "".join(lines).isascii() else read(*lines)
    assert not [content for content in stated(reading) if content.startswith(("Asked", "被问到"))]


def test_what_the_agent_reads_back_is_told_with_the_words_it_is_of() -> None:
    reading = english("c: come up cutter's yard, side gate", "a: Side gate, Cutter's Yard, will do.")
    told = 'Tom Hale says "come up cutter\'s yard, side gate", and'
    assert any(content.startswith(told) for content in stated(reading)), stated(reading)


@pytest.mark.parametrize(
    "after",
    [
        ("a: Sorry, no side gate at Cutter's Yard.",),
        ("a: Side gate, Cutter's Yard?",),
        ("a: Side gate, Cutter's Yard.", "c: no, the front one"),
        ("a: Lovely weather for it.",),
    ],
)
def test_what_is_turned_down_asked_or_denied_is_not_read_back(after: tuple[str, ...]) -> None:
    assert not [each for each in stated(english("c: come up cutter's yard, side gate", *after)) if "confirms" in each]


@pytest.mark.parametrize(
    "lines",
    [
        ("c: drop it to four bags", "a: Four bags for Mrs Klein and her number is 0161 496 0123."),
        ("c: Not four bags", "a: Four bags it is."),
        ("c: Her old number ended in 42, wasn't it", "a: Yes, ended in 42."),
        ("a: Four bags a month. Anything else?", "c: Actually no, three."),
    ],
)
def test_what_may_be_another_ones_is_not_read_back_nor_a_next_matter_answered(lines: tuple[str, ...]) -> None:
    assert not [each for each in stated(english(*lines)) if "confirms" in each or "answers" in each]


@pytest.mark.parametrize(("line", "alias"), [("叫我小明就行", "小明"), ("Call me Bob", "Bob")])
def test_a_given_nickname_is_an_alias(line: str, alias: str) -> None:
    assert [a.name for a in read(line).aliases] == [alias]


def test_what_a_title_says_is_inferred_once() -> None:
    reading = read("我的电话是13800138000，我想换系统", title="店长")
    assert [s.content for s in reading.statements if s.modality is Modality.INFERRED] == ["店长陈立是一名店长"]
    assert read("你们有哪些产品", title="店长").statements == ()


def test_a_window_gives_no_more_than_the_contract_allows() -> None:
    lines = [f"我想买{n}号产品{n}台" for n in range(MAX_STATEMENTS + 15)]
    assert len(read(*lines).statements) == MAX_STATEMENTS


def test_nothing_is_taken_from_the_context() -> None:
    assert read("c: 我的电话是13800138000", "c: 好的", context=1).statements == ()


def test_the_same_thing_said_twice_is_one_statement() -> None:
    assert len(read("我不吃香菜", "我不吃香菜。").statements) == 1
