"""Changes that leave to the talk what they are about: what they change, what they leave alone."""

from datetime import UTC, datetime

import pytest

from agentmem.adapters.cognition.rules.contrasts import exchanged
from agentmem.adapters.cognition.rules.engine import read_window
from agentmem.domain.event import Person
from agentmem.domain.ids import derived_id
from agentmem.domain.statement import Held, Reading, Turn, Window

AT = datetime(2026, 3, 2, 10, tzinfo=UTC)
"""A Monday."""


def read(*said: str, held: tuple[str | Held, ...] = ()) -> Reading:
    """What is read in a talk, the agent's turns marked with `a: `, where this is held."""
    chinese = not said[0].removeprefix("a: ").isascii()
    turns = tuple(
        Turn(
            turn_id=derived_id("turn", str(place)),
            by_agent=line.startswith("a: "),
            speaker="x",
            text=line.removeprefix("a: "),
            at=AT,
        )
        for place, line in enumerate(said)
    )
    return read_window(
        Window(
            window_id="w",
            agent_name="Rowan",
            person=Person(name="周岚" if chinese else "Ada Penn"),
            language="zh" if chinese else "en",
            turns=turns,
            held=tuple(each if isinstance(each, Held) else Held(content=each) for each in held),
        )
    )


def changes(reading: Reading) -> list[tuple[str, str]]:
    return [(old, each.content) for each in reading.statements for old in each.replaces]


@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        (
            ("Actually, make it Friday", "a: Sure."),
            "Ada Penn has a haircut on Wednesday (2026-03-04) at 2pm",
            "Ada Penn has a haircut on Friday (2026-03-06) at 2pm",
        ),
        (
            ("Can we make it 4pm instead?", "a: No problem, 4pm."),
            "Ada Penn has a haircut on Wednesday (2026-03-04) at 2pm",
            "Ada Penn has a haircut on Wednesday (2026-03-04) at 4pm",
        ),
        (
            ("Let's move it to the 27th", "a: Done."),
            "Ada Penn has the boiler service on 20 April (2026-04-20)",
            "Ada Penn has the boiler service on the 27th (2026-04-27)",
        ),
        (
            ("Better make that 35 plates",),
            "Ada Penn needs 20 dinner plates for the supper",
            "Ada Penn needs 35 dinner plates for the supper",
        ),
        (("Not the oak, the walnut",), "Ada Penn would like an oak shelf", "Ada Penn would like a walnut shelf"),
        (("改到周六吧",), "周岚约了周四(2026-03-05)上午十点洗牙", "周岚约了周六(2026-03-07)上午十点洗牙"),
        (("改成八盒",), "周岚要订五盒月饼", "周岚要订八盒月饼"),
        (("不是萝卜,是山药",), "周岚说汤里放萝卜", "周岚说汤里放山药"),
        (("三号仓的主管现在是老苗了",), "周岚说三号仓的主管是老焦", "周岚说三号仓的主管是老苗"),
    ],
)
def test_a_change_takes_its_matter_from_what_was_stated(said: tuple[str, ...], old: str, new: str) -> None:
    assert changes(read(*said, held=(old,))) == [(old, new)]


def test_a_change_in_the_same_talk_takes_the_statement_just_made() -> None:
    reading = read("Please book me a table for Tuesday", "a: Booked.", "Sorry, make it Thursday", "a: Fine.")

    [(old, new)] = changes(reading)
    assert "Tuesday (2026-03-03)" in old
    assert "Thursday (2026-03-05)" in new


@pytest.mark.parametrize(
    "said",
    [
        ("Could we make it Friday?", "a: Sorry, we are fully booked on Friday."),
        ("Could we make it Friday?",),
        ("If I made it Friday, what would that cost?", "a: The same."),
        ("What about Friday?", "a: That's free too."),
        ("My sister is coming on Friday", "a: Lovely."),
    ],
)
def test_what_is_not_settled_changes_nothing(said: tuple[str, ...]) -> None:
    assert changes(read(*said, held=("Ada Penn has a haircut on Wednesday (2026-03-04) at 2pm",))) == []


def test_of_two_matters_the_one_that_is_named_changes() -> None:
    held = ("Ada Penn has a haircut on Wednesday (2026-03-04)", "Ada Penn has the dentist on Thursday (2026-03-05)")

    assert changes(read("The dentist moved to Friday", held=held))[0][0] == held[1]
    assert changes(read("Make it Friday", held=held)) == []


def test_another_one_beside_it_changes_nothing() -> None:
    assert changes(read("I need another 10 plates", held=("Ada Penn needs 20 plates",))) == []


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ("Please cancel the boiler service", "Ada Penn has the boiler service on 20 April (2026-04-20)"),
        ("The boiler service is off, I'm afraid", "Ada Penn has the boiler service on 20 April (2026-04-20)"),
        ("月饼不要了", "周岚要订五盒月饼"),
        ("取消洗牙吧", "周岚约了周四(2026-03-05)上午十点洗牙"),
    ],
)
def test_what_is_called_off_is_over_and_nothing_else_is(said: str, gone: str) -> None:
    reading = read(said, held=(gone, "Ada Penn lives in Hull"))

    assert [*(old for old, _ in changes(reading)), *(item.content for item in reading.withdrawn)] == [gone]


@pytest.mark.parametrize("said", ["Scratch that", "Actually, forget I said that"])
def test_what_was_just_said_can_be_taken_back(said: str) -> None:
    reading = read("I need 20 plates", "a: Noted.", said)

    assert [item.content for item in reading.statements if item.invalid_at is None] == []


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ("瑜伽课我不上了", "周岚报了瑜伽课"),
        ("I'm pulling out of the pottery class", "Ada Penn goes to the pottery class"),
        ("夜班取消了", "周岚上夜班"),
    ],
)
def test_what_a_turn_says_is_over_ends(said: str, gone: str) -> None:
    reading = read(said, held=(gone,))

    assert gone in [*(old for old, _ in changes(reading)), *(item.content for item in reading.withdrawn)]


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("My brother moved to Selby", "Ada Penn lives in Hull"),
        ("If they let me go I'd open a shop", "Ada Penn works as a baker in Ripon"),
        ("I'm picking the kids up myself", "Ada Penn says the colours are up to her sister"),
        ("Have you moved to Selby?", "Ada Penn lives in Hull"),
        ("We've moved to Selby", "Ada Penn lives in a flat in Hull with two parrots"),
    ],
)
def test_what_says_nothing_of_an_end_ends_nothing(said: str, held: str) -> None:
    reading = read(said, held=(held,))

    assert changes(reading) == []
    assert reading.withdrawn == ()


def test_a_value_given_anew_for_the_same_thing_takes_the_place_of_the_older() -> None:
    assert changes(read("鹅蛋留九筐", held=("周岚说鹅蛋给自己留七筐",)))[0][1] == "周岚说鹅蛋给自己留九筐"


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("I'm at my cousin's until Friday", 7),
        ("We're staying at the inn for two weeks", 16),
        ("这周我住招待所", 9),
        ("I'm meeting the notary on Friday", 7),
        ("周五我们一起去看房", 7),
        ("我周五自己去看牙", 7),
        ("周五我从公司去看牙", 7),
        ("周五我去看牙", 7),
    ],
)
def test_what_has_a_bound_ends_there(said: str, day: int) -> None:
    (statement,) = read(said).statements

    assert statement.invalid_at is not None
    assert (statement.invalid_at.month, statement.invalid_at.day) == (3, day)


@pytest.mark.parametrize(
    "said",
    [
        "I start at the bakery on Friday",
        "I teach on Friday evenings",
        "I retire on Friday",
        "My son graduates this Friday",
        "I buy the house on Friday",
        "I adopt a dog on Friday",
        "I get my citizenship on Friday",
        "My daughter turns six on Friday",
        "I'm getting divorced on Friday",
        "I sell the shop on Friday",
        "My wedding is on 12 June",
        "My twins need insulin, their prescription ends on Friday",
        "下周五我搬家",
        "我们周一店休，一直都是",
        "我周五结婚",
        "我周五退休",
        "我周五拿到绿卡",
        "我女儿周五满六岁",
        "我周五领养一只狗",
    ],
)
def test_what_begins_on_a_day_or_comes_again_has_no_bound(said: str) -> None:
    assert [item.invalid_at for item in read(said).statements if item.invalid_at is not None] == []


@pytest.mark.parametrize(
    "said",
    [
        "I'm so sorry, but my father died in May",
        "I'll pay cash only",
        "I will pay 500 euros at most",
        "I'm waiting for a kidney transplant",
        "My daughter will talk only French",
        "I've been having migraines lately",
        "I prefer to sit by the window, sorry",
        "I have no car for now",
        "I'm working in Berlin at the moment",
        "My mother died this morning",
        "I'll phone my mother every Sunday",
        "In a moment of luck I moved to Berlin",
        "From now on I'll email the invoices",
        "我还没有孩子",
        "我还没结婚",
        "我要当爸爸了",
        "我女儿要高考了",
        "我正在学日语",
        "我老婆帮我管账",
        "我父亲当时是军人",
        "我们要改天花板",
        "我改天花板去了",
        "我做临时工",
        "我爸给我留了一套房",
        "我马上要当妈妈了",
        "我到时候带孩子来",
    ],
)
def test_what_lasts_is_held_whatever_else_is_said_with_it(said: str) -> None:
    assert read(said).statements != ()


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ("My wedding is on 12 June", "My exam was postponed to 20 June"),
        ("Our appointment is at 3 pm", "The store's closing time was changed to 6 pm"),
        ("We are 12 people", "The speed limit was lowered to 30"),
        ("My birthday is May 12", "I moved in on May 20"),
        ("My birthday is May 12", "We moved house on May 20"),
        ("We need 40 chairs", "My rent was raised to 50"),
        ("我订了40把椅子", "改天我带12把雨伞来"),
        ("我订了40个杯子", "二店的盘子换成了60个"),
        ("我的生日是5月12日", "我是5月20日搬来的"),
    ],
)
def test_what_changes_something_else_changes_nothing_that_was_stated(stated: str, said: str) -> None:
    assert changes(read(stated, said)) == []


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("周岚的老公生日是5月3号", "我三月份从杭州搬到上海了"),
        ("周岚的租约12月31号到期", "开业改到下周四了"),
        ("周岚每天练琴到晚上十点", "周三不行了，改到周五上午十点吧"),
        ("周岚每周一值班到中午", "周三的试讲不行了，改到周五上午十点吧"),
        ("周岚说店里下午六点关门", "试讲改到周五上午十点吧"),
        ("周岚的外甥在杭州上学", "单位从杭州搬到苏州了"),
        ("周岚的爸爸在杭州开店", "我从杭州搬到绍兴了"),
        ("周岚的预算是60万", "合同金额改到80万"),
        ("周岚的押金是3万", "尾款改成5万"),
        ("周岚每周三去游泳", "验收推到周五了"),
        ("周岚的儿子9月1号开学", "我换到6月3号体检了"),
        ("Ada Penn's nephew goes to school in Hull", "The office moved from Hull to Selby"),
        ("Ada Penn's budget is 60k", "The deposit went up to 80k"),
        ("Ada Penn practises until ten every night", "Wednesday is no good, let's move it to Friday at eleven"),
        ("Ada Penn swims on Wednesdays", "The audit was pushed to Friday"),
        ("Ada Penn's lease runs out on 31 December", "The opening moved to next Thursday"),
    ],
)
def test_what_changes_something_else_ends_nothing_of_an_earlier_talk(held: str, said: str) -> None:
    reading = read(said, held=(held,))

    assert (changes(reading), reading.withdrawn) == ([], ())
    assert not any(each.disputes for each in reading.statements)


@pytest.mark.parametrize(
    ("held", "said", "new"),
    [
        ("周岚住在杭州", "我三月份从杭州搬到上海了", "周岚住在上海"),
        ("周岚的单位在杭州", "单位从杭州搬到苏州了", "周岚的单位在苏州"),
        ("Ada Penn's office is in Hull", "The office moved from Hull to Selby", "Ada Penn's office is in Selby"),
    ],
)
def test_what_moved_is_in_the_new_place(held: str, said: str, new: str) -> None:
    assert (held, new) in changes(read(said, held=(held,)))


def test_no_amount_of_something_else_is_put_into_what_was_stated() -> None:
    reading = read("My budget is 40 thousand dollars", "The roof repair has gone up to 12 thousand dollars")
    assert not [each for each in reading.statements if "budget is 12" in each.content]


def test_the_choice_of_one_of_two_is_told_as_a_choice() -> None:
    assert [item.content for item in read("a: 要大杯还是小杯?", "小杯").statements] == ["周岚选小杯"]


def test_what_others_want_is_not_the_speakers() -> None:
    reading = read("Tess wants a trampoline", "老邓不吃香菜")

    assert [item for item in reading.statements if item.about is None] == []


def test_an_offer_that_is_turned_down_takes_nothing_back() -> None:
    reading = read("我要订五盒月饼", "a: 要不要再加一盒茶叶?", "算了")

    assert any("月饼" in item.content and item.invalid_at is None for item in reading.statements)


def test_an_old_value_holds_again() -> None:
    old = Held(content="Ada Penn's phone number is 555-0171", attribute="phone", value="555-0171", by="")
    new = Held(content="Ada Penn's phone number is 555-0162", attribute="phone", value="555-0162")
    held = (old.revised(by=new.content), new)

    assert changes(read("I'm back on the old number", held=held)) == [(new.content, old.content)]


def test_what_is_a_story_or_too_large_to_be_meant_is_not_held() -> None:
    for said in ("In the film I saw, the chef lives in Turin", "I've called a million times", "那部电影里主角住在敦煌"):
        assert read(said).statements == ()


def test_the_day_of_the_old_words_is_none_of_the_new_ones() -> None:
    held = ("Ada Penn uses HubSpot today (2026-02-02)",)
    assert changes(read("We switched from HubSpot to Zoho", held=held)) == [(held[0], "Ada Penn uses Zoho")]


def test_words_that_stand_in_no_content_are_exchanged_for_nothing() -> None:
    assert exchanged("Ada Penn wants the red Oak (2026-03-01) desk", "red desk", "blue desk", AT) is None
    assert exchanged("Ada Penn wants the red desk", "red desk", "blue desk", AT) == "Ada Penn wants the blue desk"


def test_a_bare_number_changes_nothing_of_an_earlier_talk() -> None:
    assert changes(read("make it 8", "a: 8 from tomorrow", held=("Ada Penn says nothing before 9.30",))) == []


def test_an_amount_of_thousands_changes_the_one_amount_of_an_earlier_talk() -> None:
    assert len(changes(read("it was cut to 15k", held=("Ada Penn's budget is about 20k dollars",)))) == 1


def test_an_answer_gets_another_value_in_its_own_words_and_not_in_its_question() -> None:
    reading = read("a: How many of you?", "40 people", "a: Noted.", "My cousins come too, so make it 52 people")

    told = 'Asked "How many of you?", Ada Penn answers "{} people"'
    assert changes(reading) == [(told.format(40), told.format(52))]


def test_a_reason_beside_a_new_value_hides_not_what_it_is_of() -> None:
    held = ("周岚要80个杯子", "周岚住在江东中路18号")

    assert changes(read("二店要开了，加到120个", held=held)) == [(held[0], "周岚要120个杯子")]
    assert changes(read("二店要开了，杯子加到120个", held=held)) == [(held[0], "周岚要120个杯子")]
    assert changes(read("二店要开了，盘子加到120个", held=held)) == []
    assert changes(read("二店要开了，改成120", held=("周岚说九点半以前不行",))) == []


def test_a_value_named_again_brings_back_what_gave_it_and_nothing_else() -> None:
    old = Held(content="周岚要80个杯子", by="周岚要120个杯子")
    hall = Held(content="周岚订了三楼大厅", by="周岚订了二楼小厅")
    now = (Held(content="周岚要120个杯子"), Held(content="周岚订了二楼小厅"))

    assert changes(read("数量改回80", held=(hall, old, *now))) == [("周岚要120个杯子", "周岚要80个杯子")]
    assert changes(read("Back to 45 I'm afraid", held=(hall, old, *now))) == []


_ASKED = Held(content='Asked "How large is the office?", Ada Penn answers "60 square metres"', kind="answer")
_ASKED_ZH = Held(content="被问到“办公室多大？”，周岚回答“办公室60平米”", kind="answer")


@pytest.mark.parametrize(
    ("said", "held", "new"),
    [
        ("The office is 80 square metres now", _ASKED, "Ada Penn says the office is 80 square metres now"),
        ("Make the office 80 square metres", _ASKED, "Ada Penn says make the office 80 square metres"),
        ("我们办公室现在80平米了", _ASKED_ZH, "周岚的办公室现在80平米了"),
        ("办公室改成80平米", _ASKED_ZH, "周岚的办公室改成80平米"),
    ],
)
def test_a_question_of_one_talk_is_not_answered_in_another(said: str, held: Held, new: str) -> None:
    assert changes(read(said, held=(held,))) == [(held.content, new)]


def test_words_that_take_the_place_of_an_answer_are_found_by_its_question() -> None:
    (new,) = read("Make the office 80 square metres", held=(_ASKED,)).statements
    assert new.asked_with == ("How large is the office",)


def test_an_answer_is_changed_no_more_once_something_else_was_asked() -> None:
    talk = ("a: How many of you?", "40 people", "a: And which hall would you like?", "Actually make it 52 people")
    reading = read(*talk)

    assert not any("How many of you" in item.content and "52" in item.content for item in reading.statements)


def test_no_answer_of_another_talk_is_given_again() -> None:
    told = 'Asked "How many of you?", Ada Penn answers "{} people"'
    old = Held(content=told.format(40), kind="answer", by=told.format(52))
    new = Held(content=told.format(52), kind="answer")

    assert all("Asked" not in item.content for item in read("We're back to 40 people", held=(old, new)).statements)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("a: How large is the office?", "By the way, dinner is at 8."),
        ("a: How many of you?", "Oh, one more thing: parking costs 12 a day."),
        ("a: 办公室多大？", "对了，晚饭八点开始"),
    ],
)
def test_an_aside_answers_nothing(asked: str, said: str) -> None:
    assert all("answers" not in item.content and "回答" not in item.content for item in read(asked, said).statements)


@pytest.mark.parametrize(
    ("said", "held", "new"),
    [
        (
            "Not the oak, the walnut",
            "Ada Penn would like an oak shelf tomorrow (2026-03-20)",
            "Ada Penn would like a walnut shelf on 2026-03-20",
        ),
        ("We switched from HubSpot to Zoho", "Ada Penn uses HubSpot tonight (2026-02-02)", "Ada Penn uses Zoho"),
        ("不是萝卜,是山药", "周岚说明天(2026-03-20)汤里放萝卜", "周岚说2026-03-20汤里放山药"),
    ],
)
def test_a_day_named_from_an_earlier_talk_is_told_by_its_date(said: str, held: str, new: str) -> None:
    assert changes(read(said, held=(held,))) == [(held, new)]


@pytest.mark.parametrize("said", ["We use HubSpot today.", "Our budget is 40k today."])
def test_what_lasts_is_not_told_of_one_day(said: str) -> None:
    (found,) = read(said).statements
    assert "today" not in found.content


@pytest.mark.parametrize(
    "said",
    [
        ("The appointment on Friday doesn't work, can we do Monday the 30th at 3pm?", "a: Monday the 30th it is."),
        ("Friday at 10 is too early for us.", "a: How about Monday at 3pm?", "Make it Monday at 3pm then"),
        ("I can't come on Friday at noon.", "a: Which day then?", "Make it Monday at 3pm"),
        ("约好的周六上午十点不行了,改到周日下午两点吧", "a: 好的"),
        ("周五下午三点太晚了", "a: 那周四两点呢?", "行,改成周四下午两点"),
    ],
)
def test_what_does_not_suit_is_not_said_of_the_day_in_its_place(said: tuple[str, ...]) -> None:
    assert changes(read(*said)) == []


def test_another_of_the_things_once_offered_takes_the_place_of_the_one_chosen() -> None:
    held = Held(content='Asked "Birch or walnut?", Ada Penn answers "Birch"', kind="answer", language="en")
    assert changes(read("Walnut instead, please", held=(held,))) == [(held.content, "Ada Penn chooses walnut")]


def test_what_one_is_stays_where_only_the_place_is_another() -> None:
    held = Held(
        content="Ada Penn is a baker at a hotel",
        kind="occupation",
        attribute="occupation",
        value="baker",
        language="en",
    )
    assert (held.content, "Ada Penn is a baker") in changes(read("I have a new job", held=(held,)))


@pytest.mark.parametrize(
    "said",
    [
        "I bought a new drill, the old one is broken",
        "We have a new shed, the old one was torn down",
        "The previous one has a crack",
        "I lost the old one's key, the first one got wet",
    ],
)
def test_what_became_of_an_old_thing_brings_no_older_value_back(said: str) -> None:
    lines = ("Our budget is 60k", "The budget was cut to 40k", "a: Noted.", said)
    assert "Ada Penn's budget is 40k" in [each.content for each in read(*lines).statements if each.invalid_at is None]


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("I keep going out to look at it", False),
        ("I'm back in the office on Monday", False),
        ("I'll stick with the black gutters", False),
        ("Go back to the old number please", True),
        ("Let's go back to the landline", True),
        ("Keep my original number", True),
    ],
)
def test_what_held_before_holds_again_only_where_it_is_meant(said: str, back: bool) -> None:
    old = Held(content="Ada Penn's landline number is 029 2018 0044", by="Ada Penn's phone number is 07700 900268")
    new = Held(content="Ada Penn's phone number is 07700 900268")
    again = [item for item in read(said, held=(old, new)).statements if "0044" in item.content]
    assert bool(again) is back
