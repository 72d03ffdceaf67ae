"""Whom the customer greets or addresses is nobody he tells of."""

import pytest

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
    ],
)
def test_who_is_the_subject_is_told_of(lines: tuple[str, ...], about: str) -> None:
    assert about in [who for who, _ in told(*lines)]


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
