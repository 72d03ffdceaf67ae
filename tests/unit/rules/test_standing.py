"""A memory can be understood by itself: what only points back at the talk is none."""

import pytest

from tests.unit.rules.support import english, read, stated


@pytest.mark.parametrize(
    "line",
    [
        "我想法变了",
        "我又改变主意了",
        "我还没想好",
        "旧的坏了",
        "原来那个退掉了",
        "那个不要了",
        "我哥哥有两辆",
        "我姐姐是",
        "我的手机",
        "我们公司",
    ],
)
def test_a_chinese_clause_that_points_back_is_no_memory(line: str) -> None:
    assert read(f"你好，{line}").statements == ()


@pytest.mark.parametrize(
    "line",
    [
        "We've changed our minds.",
        "The other one is broken.",
        "I had second thoughts.",
        "My brother has two.",
        "My sister is too.",
        "The new one works.",
        "I'm still deciding.",
        "It changed.",
    ],
)
def test_an_english_clause_that_points_back_is_no_memory(line: str) -> None:
    assert english(line).statements == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("我有两只猫", "两只猫"),
        ("旧系统太慢了", "慢"),
        ("我换了新手机", "新手机"),
        ("我妹妹有三只猫", "三只猫"),
        ("I have two dogs", "two dogs"),
        ("My brother has two boats", "two boats"),
        ("We bought a new van", "new van"),
        ("My team has ten people", "ten people"),
    ],
)
def test_a_clause_that_names_its_thing_is_kept(line: str, words: str) -> None:
    statements = (read if line[0] > "z" else english)(line).statements
    assert any(words in s.content for s in statements)


@pytest.mark.parametrize(
    "line",
    [
        "我太太王敏的电话是13811112222，有事可以找她",
        "我老公的手机是13811112222，急事直接打就行",
        "我爸爸的电话是13811112222，你也能联系他",
        "我姐姐李娜的微信是lina8899，欢迎加她",
    ],
)
def test_what_may_be_done_to_a_third_person_is_nothing_he_does(line: str) -> None:
    told = [s.content for s in read(line).statements]
    assert not [content for content in told if any(word in content for word in ("找她", "联系他", "直接打", "加她"))]


def test_another_person_keeps_his_capital_and_the_speaker_is_them() -> None:
    told = [s.content for s in english("Hello there.", "The deposit is 300 euros, Anna owes me 300 euros").statements]
    assert not [content for content in told if "anna" in content or "owes they" in content]


@pytest.mark.parametrize(
    "line",
    [
        "The couple downstairs are getting divorced",
        "The high street is closed until Friday",
        "Petrol is up to 1.60 now",
        "I would have bought the red one had it been cheaper",
        "I could sleep for a week",
        "In a perfect world I'd live by the sea",
        "I wish I lived closer to the centre",
        "Say I took the larger room, what then",
        "The brochure says delivery takes five days",
        "Like my gran used to say: never lend books",
        "I'm just getting off the bus",
        "I'm asking for my cousin",
        "Oh sure, and I'm the Queen of Sheba",
    ],
)
def test_english_talk_of_others_or_of_what_is_not_so_is_no_memory_of_the_speaker(line: str) -> None:
    assert [each.content for each in english(line).statements if each.about is None] == []


@pytest.mark.parametrize(
    "line",
    [
        "这条路封到周五",
        "在那条街停车得有证",
        "门口牌子写着周一休息",
        "我困得能睡三天三夜",
        "我昨晚梦到自己有四个孩子",
        "油价涨到八块五",
        "上一任房东养了三条狗",
        "财务的小周对花生过敏",
        "早知道就买红色那款",
    ],
)
def test_chinese_talk_of_others_or_of_what_is_not_so_is_no_memory_of_the_speaker(line: str) -> None:
    assert [each.content for each in read(line).statements if each.about is None] == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("I'm coeliac if you bake those yourselves", "coeliac"),
        ("I'm allergic to latex, so gloves without it please", "latex"),
    ],
)
def test_what_is_so_whatever_the_listener_does_is_told_without_it(line: str, words: str) -> None:
    assert any(words in each.content for each in english(line).statements)


@pytest.mark.parametrize(
    "line",
    [
        '我在单曲循环那句"我怕来不及,我要抱着你"',
        "Been humming “I want to break free, I want it all” since Monday",
        "我们楼上那家的儿子考上清华了,放了一天鞭炮",
        "隔壁邻居家装修了三个月,花了二十万",
    ],
)
def test_what_is_quoted_or_a_neighbours_is_nobodys_memory(line: str) -> None:
    assert [s.content for s in read(line).statements if s.about is None] == []


def test_a_title_in_quotation_marks_is_no_quotation() -> None:
    assert any("40" in s.content for s in english('I like "The Crown". My budget is 40 euros').statements)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Booked Lisbon on 3 June", "Tom Hale booked Lisbon on 3 June"),
        ("例会改了，以后每周四上午十点", "陈立说例会改了，以后每周四上午十点"),
    ],
)
def test_a_subject_left_out_is_the_speaker(line: str, told: str) -> None:
    reading = read(line) if line[0] > "z" else english(line)
    assert any(s.content.startswith(told) for s in reading.statements)


@pytest.mark.parametrize("line", ["Delayed by 20 minutes", "The rate is 320", "They booked 3 rooms", "It is 5"])
def test_a_subject_that_may_be_anybody_tells_nothing(line: str) -> None:
    assert english(line).statements == ()


@pytest.mark.parametrize(
    "asked",
    ["颜色呢?有旧车要置换吗?", "预算多少，纯电还是混动？"],
)
def test_of_several_questions_nobody_knows_which_is_answered(asked: str) -> None:
    assert not [s for s in read(f"a: {asked}", "c: 白的耐脏").statements if s.kind == "answer"]


@pytest.mark.parametrize("line", ["二十五桌", "改54吧，贪心一回", "现在62", "让稳一个月", "先这么着，来两斤"])
def test_a_fragment_is_left_to_its_turn(line: str) -> None:
    assert stated(read(line)) == []


def test_small_letters_begin_a_sentence_too() -> None:
    said = stated(english("that's a standing thing. my office is in Leeds. we have two vans"))
    assert said == ["Tom Hale's office is in Leeds", "Tom Hale has two vans"]


def test_where_paperwork_goes_is_not_of_the_relative_named_before() -> None:
    reading = english("My dad's dropping us. Paperwork to tom.h@post.example please")
    assert [(s.about, s.value) for s in reading.statements if s.attribute == "email"] == [(None, "tom.h@post.example")]


def test_a_clock_time_ends_nothing_that_is_done_every_day() -> None:
    teaches = next(s for s in english("I teach till half past three").statements if "teach" in s.content)
    assert teaches.invalid_at is None


@pytest.mark.parametrize(
    ("before", "line", "never"),
    [
        ("今天称了60.5公斤", "不过56我还是要的", "称了56"),
        ("We want two weeks in August for four people", "call it 6.8 then", "for 6.8"),
        ("I need nothing before 9.30", "up to 180 a night", "before 180"),
    ],
)
def test_a_number_of_nothing_named_changes_no_other_number(before: str, line: str, never: str) -> None:
    reading = read(before, line) if line[0] > "z" else english(before, line)
    assert not [s.content for s in reading.statements if never in s.content]


@pytest.mark.parametrize("line", ["我回来啦", "我想通了", "有个新情况", "约个日子吧"])
def test_what_is_of_the_moment_is_left_to_its_turn(line: str) -> None:
    assert stated(read(line)) == []


def test_where_somebody_travels_is_not_where_he_lives() -> None:
    assert not [s for s in read("下个月我出差一整个月,在成都").statements if s.attribute == "city"]


@pytest.mark.parametrize("line", ["Sure, and I'm the Queen of Sheba", "Nope, happy where I am"])
def test_what_is_said_in_jest_or_waves_aside_is_no_memory(line: str) -> None:
    assert stated(english(line)) == []


@pytest.mark.parametrize(
    "line",
    [
        "My son has an interview that morning, so I want the Thursday.",
        "I pay the rent on the 1st.",
        "My cat went into hospital on Tuesday.",
        "My lessons are on the 8th.",
    ],
)
def test_a_day_that_may_be_another_one_is_given_no_date(line: str) -> None:
    assert "(20" not in " ".join(each.content for each in read(line).statements)


def test_a_day_to_come_is_given_its_date() -> None:
    contents = " ".join(each.content for each in read("I'd like to book a table for Friday.").statements)
    assert "Friday (2026-03-0" in contents


@pytest.mark.parametrize(
    "line",
    [
        "My wife — sorry, my sister — is allergic to latex.",
        "My brother, I mean my cousin, works at the harbour.",
        "我哥,不对,我弟在港口上班",
    ],
)
def test_who_names_one_and_then_another_in_his_place_is_told_of_neither(line: str) -> None:
    assert stated(read(line)) == []


@pytest.mark.parametrize(
    "line",
    ["My wife doesn't eat gluten. I do, though.", "He smokes. I don't.", "She has an allotment, and we have too."],
)
def test_what_leaves_out_its_verb_is_no_memory(line: str) -> None:
    assert not [
        each
        for each in stated(english(line))
        if each.startswith(("Tom Hale do", "Tom Hale has")) or each.endswith(("though", "too"))
    ]


@pytest.mark.parametrize(
    "line", ["帮我查下明天郑州下不下雨呗", "给我翻译一下这段话", "请帮我算算一共多少钱", "帮我搜附近的停车场"]
)
def test_what_the_agent_is_to_look_up_is_no_memory(line: str) -> None:
    assert stated(read(line)) == []
