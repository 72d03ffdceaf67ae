"""What the agent asks whether it is still so, and what the reply to it ends and leaves."""

import pytest

from tests.unit.rules.support import english, over, read, stated


@pytest.mark.parametrize(
    ("held", "asked", "said"),
    [
        ("I play badminton on Tuesdays", "Still badminton on Tuesdays?", "No, the club closed its hall"),
        ("We're flying to Porto in October", "Is Porto still in October?", "November, my boss needs me before"),
        ("I have signed up for the Bergen marathon", "So the Bergen marathon?", "Deferred it, my knee is bad"),
        ("I drive a Skoda Octavia", "Is it still the Octavia?", "Not any more, we share a van"),
        ("I take sugar in my coffee", "Coffee with sugar as usual?", "No thanks, my doctor is strict"),
        ("We get two papers a week", "Still two papers a week?", "Four, my father reads them too"),
        ("I stay at the Harbour Hotel", "Same hotel as before, the Harbour?", "Nope, it got too dear"),
        ("My piano lesson is at four", "Lesson still at four?", "Half past five, school runs late now"),
        ("We have a gym card for the Arena", "Do you keep the Arena card?", "No, we never went"),
    ],
)
def test_what_is_no_longer_so_when_asked_ends(held: str, asked: str, said: str) -> None:
    assert set(stated(english(held))) <= over(english(held, "a: Noted.", "Thanks!", f"a: {asked}", said))
    assert stated(english(held))


@pytest.mark.parametrize(
    ("held", "asked", "said"),
    [
        ("我每周二打羽毛球", "还是周二打羽毛球吗？", "不了，球馆关门了"),
        ("我们十月去大理玩", "大理还是十月去吗？", "十一月吧，老板不放人"),
        ("我报了无锡马拉松", "那无锡马拉松呢？", "退了，膝盖不行"),
        ("我开一辆斯柯达", "还是开斯柯达吗？", "不是了，现在坐地铁"),
        ("我喝咖啡要加糖", "咖啡还是加糖吗？", "不了，医生管得严"),
        ("我每天送两份报纸", "报纸还是两份吗？", "四份，我爸也要看"),
        ("我周一去合唱团排练", "合唱团还去吗？", "不去了，嗓子不好"),
        ("我住海港酒店", "还住海港酒店？", "变了，太贵"),
        ("我的钢琴课是下午四点", "钢琴课时间不变？", "改了，五点"),
        ("我们做的是红烧口味", "口味还是红烧吗？", "换了，清淡点"),
    ],
)
def test_what_is_no_longer_so_when_asked_in_chinese_ends(held: str, asked: str, said: str) -> None:
    assert set(stated(read(held))) <= over(read(held, "a: 好的", "谢谢", f"a: {asked}", said))
    assert stated(read(held))


@pytest.mark.parametrize(
    ("held", "asked", "said"),
    [
        ("I play badminton on Tuesdays", "Still badminton on Tuesdays?", "Yes, every week"),
        ("I play badminton on Tuesdays", "Is your brother still in Kiel?", "No, he moved home"),
        ("We're flying to Porto in October", "Is Porto still in October?", "If I get the days off"),
        ("I drive a Skoda Octavia", "Do you need anything else?", "No, that's all"),
        ("I take sugar in my coffee", "Would you like a biscuit?", "No thanks"),
        ("I drive a Skoda Octavia", "Is the Octavia still running, and is the garage warm?", "No"),
        ("My piano lesson is at four", "Lesson still at four?", "Maybe five, I'll tell you"),
        ("We get two papers a week", "Still two papers a week?", "Right, two"),
        ("We have a gym card for the Arena", "Did you like the Arena?", "No, it was loud"),
    ],
)
def test_what_is_asked_and_not_denied_ends_nothing(held: str, asked: str, said: str) -> None:
    assert set(stated(english(held))) <= set(stated(english(held, "a: Noted.", "Thanks!", f"a: {asked}", said)))


@pytest.mark.parametrize(
    ("held", "asked", "said"),
    [
        ("我每周二打羽毛球", "还是周二打羽毛球吗？", "对，老时间"),
        ("我每周二打羽毛球", "您哥哥还在青岛吗？", "不在了，他回老家了"),
        ("我们十月去大理玩", "大理还是十月去吗？", "看能不能请到假"),
        ("我开一辆斯柯达", "还需要别的吗？", "不用了"),
        ("我喝咖啡要加糖", "要来块饼干吗？", "不了，谢谢"),
        ("我周一去合唱团排练", "合唱团怎么样？", "不错，在练新歌"),
        ("我的钢琴课是下午四点", "钢琴课时间不变？", "不变"),
        ("我每天送两份报纸", "报纸还是两份吗？", "嗯，两份"),
        ("我住海港酒店", "还住海港酒店？", "可能吧，到时候看"),
        ("我报了无锡马拉松", "无锡马拉松难吗？", "不难"),
    ],
)
def test_what_is_asked_and_not_denied_in_chinese_ends_nothing(held: str, asked: str, said: str) -> None:
    assert set(stated(read(held))) <= set(stated(read(held, "a: 好的", "谢谢", f"a: {asked}", said)))


def test_of_two_that_a_question_may_mean_none_ends() -> None:
    reading = english("We have a cat called Miso", "My cat Tofu is twelve", "a: Do you still have the cat?", "No")
    assert len(stated(reading)) == 2


@pytest.mark.parametrize(
    ("held", "asked", "said"),
    [
        ("I take metformin", "Are you still taking metformin?", "I forgot it."),
        ("I take metformin", "Are you still taking metformin?", "I checked it yesterday."),
        ("I take metformin", "Does your mother still take metformin?", "No, she stopped."),
        ("I go to the gym on Mondays", "Do you like the gym?", "I sold out."),
        ("I drink two coffees a day", "Coffee?", "I gave up."),
        ("I live in Berlin", "Still in Berlin?", "Loving it"),
        ("I drive a Skoda", "Still driving the Skoda?", "Changed the tyres"),
        ("My lesson is at four", "Lesson still at four?", "My brother has his at five"),
        ("We fly to Porto in October", "Is Porto still in October?", "My birthday is in November"),
        ("I have a dog", "How is the dog?", "Finished it"),
    ],
)
def test_a_reply_of_something_else_ends_nothing(held: str, asked: str, said: str) -> None:
    assert not set(stated(english(held))) & over(english(held, "a: Noted.", "Thanks!", f"a: {asked}", said))


def test_what_a_relative_takes_no_more_is_not_the_speakers() -> None:
    held = "我在吃二甲双胍"
    assert not set(stated(read(held))) & over(read(held, "a: 好的", "谢谢", "a: 你妈妈还在吃二甲双胍吗?", "不吃了"))
