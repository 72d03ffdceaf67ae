"""He and she are the only one named who may be of that gender, and words for relatives are not always the speaker's."""

import pytest

from agentmem.domain.statement import Reading
from tests.unit.rules.support import english, read


def _of_others(reading: Reading) -> list[str]:
    return [s.content for s in reading.statements if s.about is not None or s.kind == "family"]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("我舅舅开出租，他住城南",), "陈立的舅舅住城南"),
        (("我姐来帮忙了。", "她不吃辣"), "陈立的姐不吃辣"),
        (("我爸下周搬来，我妈不来，她晕车",), "陈立的妈晕车"),
    ],
)
def test_the_only_one_of_that_gender_is_meant(lines: tuple[str, ...], told: str) -> None:
    assert told in _of_others(read(*lines))


@pytest.mark.parametrize(
    ("lines", "never"),
    [
        (("我姑姑退休了，收银换我嫂子，她手快",), "手快"),
        (("周老师休假了，你联系小范，她只有下午在",), "下午在"),
        (("我外甥不干了，新来的大姐姓姚。她听不见",), "听不见"),
        (("我奶奶身体还行。", "他坐不了飞机"), "坐不了飞机"),
        (("我外甥在家。", "今天水管又漏了，修了一上午", "他怕黑"), "怕黑"),
    ],
)
def test_where_several_may_be_meant_nobody_is(lines: tuple[str, ...], never: str) -> None:
    assert not [each for each in _of_others(read(*lines)) if never in each]


def test_she_is_the_only_woman_named_before() -> None:
    told = _of_others(english("My uncle drives the van.", "My aunt Vera came too. She hates stairs."))
    assert "Vera hates stairs" in told


@pytest.mark.parametrize(
    ("lines", "never"),
    [
        (("My wife Nadia had the baby. A girl, Elsie.", "She's still in hospital"), "hospital"),
        (("My sister Vera is back.", "The boiler broke again.", "She turns eighty in June"), "eighty"),
        (("My aunt Vera is staying.", "He snores all night"), "snores"),
        (("My niece has walnut, it scratches",), "scratches"),
    ],
)
def test_where_another_may_be_meant_nothing_is_told(lines: tuple[str, ...], never: str) -> None:
    assert not [each for each in _of_others(english(*lines)) if never in each]


@pytest.mark.parametrize(
    "line", ["老人多，走得慢", "师傅来了敲后门", "蓝的太亮,孩子们坐不住", "姚阿姨回老家了，女婿住院"]
)
def test_a_word_for_anybody_is_nobody_of_the_speaker(line: str) -> None:
    assert not [each for each in _of_others(read(line)) if "陈立" in each]


def test_the_speakers_own_are_told() -> None:
    assert _of_others(read("儿子去外地了，老婆在家")) == ["陈立儿子去外地了", "陈立的老婆在家"]


@pytest.mark.parametrize(
    ("line", "never"),
    [
        ("我弟去外地了，周末没人接，减成两次吧", "减成"),
        ("我爷爷说那叫糟蹋，不懂木头", "木头"),
        ("我弟去外地了，周末没人接", "没人接"),
        ("吴姐只来上午了，下午我陪", "下午"),
    ],
)
def test_what_is_asked_or_said_by_him_is_not_told_of_him(line: str, never: str) -> None:
    assert not [each for each in _of_others(read(line)) if never in each]


def test_somebody_with_a_name_and_a_trade_is_told_of() -> None:
    assert _of_others(read("韩师傅手艺好")) == ["韩师傅手艺好"]
