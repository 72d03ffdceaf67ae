"""What is said beside a plain statement, a hedge, a condition, somebody's yes or a laugh, takes nothing from it; and a
statement that opens like a question is one.
"""

import pytest

from tests.unit.rules.support import english, read, stated


def _told(said: str) -> list[str]:
    return stated(english(said) if said.isascii() else read(said))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Our budget is 8,000 pounds, possibly more if it saves us time.", "Tom Hale's budget is 8,000 pounds"),
        ("We have 12 vans, maybe 14 if the loan comes through.", "Tom Hale has 12 vans"),
        ("I'd like ten licences, twelve if the new office opens.", "Tom Hale would like ten licences"),
        ("I live in Leeds, perhaps not for much longer.", "Tom Hale lives in Leeds"),
        ("We close at six, a bit later if there are customers.", "Tom Hale closes at six"),
        ("My rent is 900 euros, probably more next year.", "Tom Hale's rent is 900 euros"),
        ("预算大概30万，领导同意的话可能更多。", "陈立的预算大概30万"),
    ],
)
def test_what_could_be_more_leaves_what_is_so(said: str, told: str) -> None:
    assert told in _told(said)


@pytest.mark.parametrize(
    "said",
    [
        "I'd come on Monday if it rains.",
        "Maybe our budget is 20,000 if my boss agrees.",
        "If my boss agrees, our budget is 20,000 euros, maybe more.",
        "We might need ten, perhaps twelve.",
        "I'll take the blue one, or perhaps the red one.",
        "I work Monday, Tuesday, perhaps Wednesday.",
        "如果领导同意，预算30万，可能更多。",
    ],
)
def test_what_is_open_as_a_whole_stays_open(said: str) -> None:
    assert _told(said) == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My manager agreed: our budget is 40,000 euros.", "Tom Hale's budget is 40,000 euros"),
        ("The board approved it: our deadline is 1 June.", "Tom Hale's deadline is 1 June (2026-06-01)"),
        ("My boss said yes, so our budget is 25,000.", "Tom Hale's budget is 25,000"),
        ("My boss said ok: the budget is 900 pounds.", "Tom Hale's budget is 900 pounds"),
        ("老板同意了：预算是25万。", "陈立的预算是25万"),
        ("老板说可以：预算25万。", "陈立的预算是25万"),
    ],
)
def test_what_follows_somebody_elses_decision_is_the_speakers_word(said: str, told: str) -> None:
    assert told in _told(said)


@pytest.mark.parametrize(
    "said",
    [
        "My boss said: the budget is 25,000 euros.",
        "My boss said yes, the budget is 25,000.",
        "My boss says the budget is 25,000.",
        "老板说：预算25万。",
        "网上说：预算25万够了。",
    ],
)
def test_what_somebody_is_quoted_with_stays_his(said: str) -> None:
    assert _told(said) == []


def test_whose_number_it_is_after_her_yes() -> None:
    (number,) = english("My sister said yes: her number is 555-0100.").statements
    assert (number.about, number.value) == ("Tom Hale's sister", "555-0100")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("haha, I'm vegan", "Tom Hale is vegan"),
        ("I'm 42, lol", "Tom Hale is 42"),
        ("We're 40 people, hahaha", "Tom Hale's organisation is 40 people"),
        ("I live in Leeds lol", "Tom Hale lives in Leeds"),
        ("I'm a dentist, lol, and I hate sweets", "Tom Hale is a dentist"),
        ("My son is allergic to milk, haha.", "Tom Hale's son is allergic to milk"),
        ("I'm allergic to latex haha, so no gloves please", "Tom Hale is allergic to latex, so no gloves please"),
        ("我花生过敏哈哈哈", "陈立花生过敏"),
        ("我是护士，哈哈", "陈立是护士"),
        ("我们公司30个人，哈哈", "陈立的公司有30个人"),
    ],
)
def test_who_laughs_about_what_he_is_means_it(said: str, told: str) -> None:
    assert told in _told(said)


@pytest.mark.parametrize(
    "said",
    [
        "I work for peanuts, haha",
        "We run on coffee, haha",
        "I want to marry your boss, haha",
        "I'm married to my job, lol",
        "I need a holiday on Mars, haha",
        "I hate my boss haha",
        "I'll pay you ten millions, lol",
        "我要买下你们公司，哈哈，开玩笑的",
    ],
)
def test_a_laugh_takes_the_weight_from_all_else(said: str) -> None:
    assert _told(said) == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("All I want is a quiet room.", "Tom Hale wants a quiet room"),
        ("What we sell is handmade shoes.", "Tom Hale sells handmade shoes"),
        ("What I really want is to pay monthly.", "Tom Hale really wants to pay monthly"),
        ("What I can't stand is cold calls.", "Tom Hale can't stand cold calls"),
        ("What I need is for the invoices to be in German.", "Tom Hale needs the invoices to be in German"),
        ("The thing I hate is waiting on the phone.", "Tom Hale hates waiting on the phone"),
        ("What worries me most is the data migration.", "Tom Hale is worried by the data migration"),
        ("What annoys us is that the printer jams.", "Tom Hale is annoyed that the printer jams"),
        ("我需要的是一个大一点的办公室。", "陈立需要的是一个大一点的办公室"),
        ("让我头疼的是噪音。", "陈立头疼的是噪音"),
        ("最让我烦的是等电话。", "陈立最烦的是等电话"),
    ],
)
def test_what_is_set_apart_with_what_is_stated(said: str, told: str) -> None:
    assert told in _told(said)


@pytest.mark.parametrize(
    "said",
    [
        "What I'd like to know is whether you ship to Norway.",
        "What I need is what?",
        "What I like is none of your business.",
        "What bothers you is the price.",
        "What I don't understand is why it takes so long.",
        "What I mean is the other one.",
        "What I need is not important.",
        "What is a bigger office good for?",
        "让我看看有什么。",
        "我需要的是什么？",
    ],
)
def test_what_asks_states_nothing(said: str) -> None:
    assert _told(said) == []


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("We plan our shifts on paper.", ["habit"]),
        ("Right now we plan all the deliveries in a spreadsheet.", ["habit"]),
        ("I plan the menus with Trello.", ["habit"]),
        ("We plan to move to Excel.", ["plan"]),
        ("We plan a wedding in Rome.", ["plan"]),
        ("I plan on switching in May.", ["plan"]),
        ("We have two vans, and right now I plan the tours on paper.", ["quantity", "habit"]),
        ("We use SAP and at the moment our warehouse is closed.", ["current_system", "fact"]),
    ],
)
def test_what_is_planned_with_a_tool_is_no_plan(said: str, kinds: list[str]) -> None:
    assert [each.kind for each in english(said).statements] == kinds


@pytest.mark.parametrize(
    ("said", "wished"),
    [
        ("下周三下午三点能给我们演示一下吗？", "下周三(2026-03-11)下午三点给自己演示一下"),
        ("明天上午能来公司聊聊吗？", "明天(2026-03-05)上午来公司聊聊"),
        ("周五方便过来看房吗？", "周五(2026-03-06)过来看房"),
        ("你们后天可以上门吗？", "后天(2026-03-06)上门"),
        ("下周一能不能给我们演示一下？", "下周一(2026-03-09)给自己演示一下"),
        ("3月9号下午可不可以视频一下？", "3月9号(2026-03-09)下午视频一下"),
        ("那周四上午十点方便见面吗？", "周四(2026-03-05)上午十点见面"),
        ("8号您方便来一趟吗？", "8号来一趟"),
        ("下周二我们可以试驾吗", "下周二(2026-03-10)试驾"),
    ],
)
def test_a_chinese_question_for_a_meeting_on_a_day_is_a_wish(said: str, wished: str) -> None:
    assert _told(said) == [f"陈立希望{wished}"]


@pytest.mark.parametrize(
    "said",
    [
        "周三你们开门吗？",
        "明天能到货吗？",
        "你们能演示一下吗？",
        "孩子周三能来吗？",
        "明天会下雨吗？",
        "上周三你们来过吗？",
        "周五我能来得及吗？",
        "他下周能来吗？",
        "周三几点能见面？",
        "你们周末能发货吗？",
    ],
)
def test_what_only_asks_of_a_day_is_no_wish(said: str) -> None:
    assert _told(said) == []


@pytest.mark.parametrize(
    ("lines", "over"),
    [
        (("Could you come by next Tuesday at ten?", "Tuesday doesn't work, can we make it Thursday at two?"), True),
        (("Could you deliver on Monday?", "Actually, can we do Wednesday instead?"), True),
        (("下周三下午三点能来演示吗？", "周三不行了，改到周五上午十点吧。"), True),
        (("My appointment is on Tuesday at ten.", "Can we make it Thursday at two?"), False),
        (("The meeting is on Tuesday.", "Could we move it to Friday?"), False),
    ],
)
def test_a_wish_is_another_once_another_day_is_asked_for(lines: tuple[str, str], over: bool) -> None:
    reading = english(*lines) if lines[0].isascii() else read(*lines)
    assert any(each.replaces for each in reading.statements) is over
