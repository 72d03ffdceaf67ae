"""What ends and replaces a statement says so of the same holder and of the whole; the rest stands."""

import pytest

from tests.unit.rules.support import english, over, read, stated


def _lasts(held: str, said: str) -> bool:
    """Whether what is held stands after what is said."""
    read_in = english if held.isascii() else read
    before = {each.content for each in read_in(held).statements}
    assert before
    return before.isdisjoint(over(read_in(held, "a: OK" if held.isascii() else "a: 好的", said)))


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("I play the harp", "The vicar gave up the harp"),
        ("I rent a flat opposite the library", "The library has closed down"),
        ("I have a season ticket for the theatre", "The theatre's cafe has closed"),
        ("I dance tango with Milena on Fridays", "Milena sprained her wrist"),
        ("My daughter Ilse goes to Birch Lane school", "My younger daughter changed schools"),
        ("I live in Cork", "In the series the detective moved to Dublin"),
        ("My niece Wilma is allergic to shellfish", "Wilma isn't allergic to cats any more"),
        ("I lead a scout troop", "The troop's van was sold"),
        ("I'm a plumber", "The plumber at our hotel quit"),
        ("I work as a midwife", "The midwife on the late shift has left"),
        ("我是厨师", "我们学校的厨师辞职了"),
        ("我是律师", "那个律师走了"),
        ("我在工地开塔吊", "工地食堂关门了"),
        ("我在邮局旁边租了间房", "邮局关门了"),
        ("我是羽毛球协会的会员", "协会的微信群解散了"),
        ("我在镇上的面包房做学徒", "隔壁老太太退休了"),
        ("我侄女朵朵在春晖中学上学", "朵朵不怕打针了"),
        ("我住在绍兴", "我昨晚梦见我搬到昆明了"),
        ("我弹琵琶", "女主角不弹琵琶了"),
    ],
)
def test_what_is_said_of_another_ends_nothing(held: str, said: str) -> None:
    assert _lasts(held, said)


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("I play the harp", "I gave up the harp"),
        ("I rent a garage on Salt Lane", "The garage was sold"),
        ("I have a room in Elm House", "Elm House closed down"),
        ("I have a piano lesson on Tuesday at 5", "The piano lesson was cancelled"),
        ("My daughter Ilse goes to Birch Lane school", "Ilse changed schools"),
        ("I dance tango with Milena on Fridays", "Milena quit the tango"),
        ("我跟小顾搭班", "小顾离职了"),
        ("I live in Cork", "I moved from Cork to Galway"),
        ("My niece Wilma is allergic to shellfish", "Wilma isn't allergic to shellfish any more"),
        ("I swim at the lido every day", "The lido has closed"),
        ("I have a cello lesson on Monday", "The teacher cancelled my cello lesson"),
        ("我周二学书法", "书法课取消了"),
        ("我租了邮局旁边的车位", "车位退了"),
        ("我们公司用的是老系统", "老系统停用了"),
        ("我养了一只鹦鹉叫豆包", "豆包上周死了"),
        ("我弹琵琶", "我不弹琵琶了"),
        ("I work as a midwife", "I'm not a midwife any more"),
        ("I work as a cook", "The cook job ended in May"),
        ("I'm a plumber", "The plumber business closed"),
        ("我是厨师", "那个厨师工作我辞了"),
        ("我是护士", "医院的护士我不做了"),
        ("我是老师", "学校的老师不当了"),
    ],
)
def test_what_is_said_of_the_same_holder_ends(held: str, said: str) -> None:
    read_in = english if held.isascii() else read

    assert {each.content for each in read_in(held).statements} & over(
        read_in(held, "a: OK" if held.isascii() else "a: 好的", said)
    )


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("I have six goats", "One of the goats died"),
        ("We have four trainees", "Two of them left"),
        ("我有四个学生", "学生走了一个"),
        ("我养了两只鹦鹉和三条金鱼", "金鱼死了一条"),
    ],
)
def test_some_that_left_are_no_new_number(held: str, said: str) -> None:
    read_in = english if held.isascii() else read
    after = stated(read_in(held, "a: OK" if held.isascii() else "a: 好的", said))

    assert set(stated(read_in(held))) <= set(after)
    assert not any("one goat" in each or "一个学生" in each for each in after)


@pytest.mark.parametrize(
    ("held", "said", "rest"),
    [
        ("I own a canoe and a caravan", "I sold the caravan", "Tom Hale owns a canoe"),
        ("I own a canoe and a caravan", "I sold the canoe", "Tom Hale owns a caravan"),
        ("I live in Perth with my brother Colin", "Colin died in May", "Tom Hale lives in Perth"),
        ("我有一辆摩托和一台拖拉机", "拖拉机卖了", "陈立有一辆摩托"),
        ("我会弹琵琶和古筝", "古筝我不弹了", "陈立会弹琵琶"),
    ],
)
def test_what_is_left_when_a_part_ends_stands(held: str, said: str, rest: str) -> None:
    read_in = english if held.isascii() else read

    assert rest in stated(read_in(held, "a: OK" if held.isascii() else "a: 好的", said))


@pytest.mark.parametrize(
    ("held", "said", "ends"),
    [
        ("I pay 310 a month for the studio", "The car park costs 45 a month", False),
        ("I pay 310 a month for the studio", "The studio costs 340 a month now", True),
        ("I weigh 82 kilos", "The parcel weighs 12 kilos", False),
        ("I weigh 82 kilos", "I weigh 79 kilos now", True),
        ("我每月挣9000块", "幼儿园每月收1500块", False),
        ("停车每月260块", "停车涨到310了", True),
    ],
)
def test_a_number_goes_to_what_is_named_with_it(held: str, said: str, ends: bool) -> None:
    assert _lasts(held, said) is not ends


@pytest.mark.parametrize(
    "told",
    [
        ("My aunt turned 81", "a: And your blood pressure?", "It's 150 now"),
        ("我奶奶八十一岁了", "a: 您血压多少？", "现在150"),
    ],
)
def test_a_number_answers_what_was_asked_and_no_other_matter(told: tuple[str, ...]) -> None:
    read_in = english if told[0].isascii() else read
    before = {each.content for each in read_in(told[0]).statements}

    assert before
    assert before.isdisjoint(over(read_in(*told)))
