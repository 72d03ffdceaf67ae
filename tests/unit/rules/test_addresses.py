"""Whom the customer greets or addresses is nobody he tells of."""

import pytest

from agentmem.adapters.cognition.rules.addresses import without_addresses
from agentmem.language.word_lists import word_list
from tests.unit.rules.support import english, read


def told(*lines: str, agent: str = "前台") -> list[tuple[str | None, str]]:
    return [(each.about, each.content) for each in read(*lines, agent=agent).statements]


@pytest.mark.parametrize(
    ("said", "agent"),
    [
        ("方工啊 报价看了", "方设计"),
        ("贺哥后天过不去了", "教练老贺"),
        ("贺哥后天过不去了", "前台"),
        ("罗姐你们周末几点开门", "前台"),
        ("韩师傅 楼道又停电了", "前台"),
        ("沈老师呀，作文交了", "机构"),
        ("曹医生，报告出来了", "诊所"),
        ("陆总您上次说的折扣还在", "销售"),
    ],
)
def test_who_is_addressed_is_told_of_by_nothing(said: str, agent: str) -> None:
    assert [about for about, _ in told(said, agent=agent) if about is not None] == []


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("韩师傅，我想换个时间", "陈立希望换个时间"),
        ("曹医生 我膝盖还疼", "陈立的膝盖还疼"),
        ("贺哥我住在苏州", "陈立住在苏州"),
        ("李老师周六我女儿来不了", "周六(2026-03-07)陈立的女儿来不了"),
        ("刘医生现在我在吃降压药", "现在陈立在吃降压药"),
        ("王师傅早上我对花粉过敏得厉害", "早上陈立对花粉过敏得厉害"),
        ("程工今天我请假", "今天(2026-03-04)陈立请假"),
        ("王医生下周我要去北京出差", "下周(2026-03-09/2026-03-15)陈立要去北京出差"),
        ("韩师傅，想换个时间", "陈立希望换个时间"),
    ],
)
def test_what_follows_an_address_is_the_speakers_where_he_names_himself(said: str, content: str) -> None:
    assert told(said) == [(None, content)]


@pytest.mark.parametrize(
    ("lines", "about"),
    [
        (("杜老师教我儿子数学",), "杜老师"),
        (("薛经理负责采购",), "薛经理"),
        (("a: 薛教练和杜教练都有空", "杜教练住得近"), "杜教练"),
        (("王医生现在不让我喝酒",), "王医生"),
        (("孙老师现在教我女儿数学",), "孙老师"),
        (("张总昨天给我打电话了",), "张总"),
        (("张总给我打电话了",), "张总"),
        (("王总请假了",), "王总"),
        (("黄哥刚搬到苏州",), "黄哥"),
        (("李姐下周生孩子",), "李姐"),
    ],
)
def test_who_is_the_subject_is_told_of(lines: tuple[str, ...], about: str) -> None:
    assert about in [who for who, _ in told(*lines)]


@pytest.mark.parametrize(
    ("said", "agent"),
    [("王总要买三台打印机", "王府井客服"), ("王总住在苏州", "王府井客服"), ("方总要三箱橙子", "东方超市")],
)
def test_a_character_of_the_agents_name_makes_nobody_the_agent(said: str, agent: str) -> None:
    assert [about for about, _ in told(said, agent=agent)] == [said[:2]]


@pytest.mark.parametrize(
    ("said", "agent", "content"),
    [
        ("小儿子对花生过敏", "少儿英语", "陈立小儿子对花生过敏"),
        ("老家在湖南", "家政客服", "陈立的老家在湖南"),
        ("小区在西湖边", "小区客服", "陈立的小区在西湖边"),
        ("老公对花生过敏", "公寓管家", "陈立的老公对花生过敏"),
    ],
)
def test_what_begins_as_one_calls_somebody_is_no_address(said: str, agent: str, content: str) -> None:
    assert content in [content for _, content in told(said, agent=agent)]


KIN = word_list("kinship_zh", "children", "relatives")


@pytest.mark.parametrize("kin", KIN)
def test_no_relative_is_addressed_whatever_the_agents_name(kin: str) -> None:
    for agent in (f"{kin[-1]}客服", f"客服{kin[:2]}", f"{kin[:2]}教练", f"{kin}管家", "孙教练", "教练老公"):
        said = f"{kin}住在苏州"
        assert without_addresses(said, agent, ()) == said


@pytest.mark.parametrize(
    ("said", "agent"),
    [
        ("贺哥对花生过敏", "教练老贺"),
        ("贺哥电话是13800138000", "教练老贺"),
        ("老贺住在苏州", "教练老贺"),
        ("王总，住在苏州", "前台"),
    ],
)
def test_of_the_speaker_nothing_is_told_where_he_neither_names_himself_nor_asks(said: str, agent: str) -> None:
    assert told(said, agent=agent) == []


def test_what_stands_apart_from_the_listeners_own_name_is_the_speakers() -> None:
    assert told("老贺 手机号换了 现在用 13800138000", agent="教练老贺")[0] == (None, "陈立的手机号是13800138000")


@pytest.mark.parametrize("said", ["老师好", "大夫您好", "沈老师早上好", "教练好啊", "你好", "大家晚上好"])
def test_a_greeting_is_no_fact(said: str) -> None:
    assert told(said) == []


@pytest.mark.parametrize("said", ["morning Rita", "Good evening Sam!", "Hey Lucy,", "Rita can we move it to Friday"])
def test_an_english_greeting_or_address_is_no_fact(said: str) -> None:
    assert english(said).statements == ()


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("Morning Rita, my boiler is broken", "Tom Hale's boiler is broken"),
        ("Hi Bella, my wife loved the cake", "Tom Hale's wife loved the cake"),
    ],
)
def test_what_follows_a_greeting_is_read(said: str, content: str) -> None:
    assert [each.content for each in english(said).statements] == [content]
