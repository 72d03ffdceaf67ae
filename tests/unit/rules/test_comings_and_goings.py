"""How many came or went is no count of what there is; what is left is counted by what is left."""

import pytest

from agentmem.domain.statement import Reading
from tests.unit.rules.support import english, holds, read

_EN = [
    (("There are 12 people on my team.", "Two people joined my team, we're 14 people now."), "14 people", "12 people"),
    (("We have 25 customers.", "Ten customers left, so we have 15 now."), "15 customers", "25 customers"),
    (("Our company has 14 employees.", "We hired three people, so we are 17 now."), "17 people", "14 employees"),
    (("We run 40 trucks.", "We sold ten trucks, so we have 30 left."), "30 trucks", "40 trucks"),
    (("We have 8 shops.", "We opened two more shops, so there are 10 now."), "10 shops", "8 shops"),
    (("We have 25 clients.", "We lost ten clients, that leaves 15."), "15 clients", "25 clients"),
]
_ZH = [
    (("我们有25个客户。", "走了十个客户，现在只有15个了。"), "15个客户", "25个客户"),
    (("公司有14名员工。", "我们招了三个人，现在17个了。"), "17个人", "14名员工"),
    (("我们有40辆卡车。", "卖了十辆卡车，还剩30辆。"), "30辆卡车", "40辆卡车"),
    (("我们团队有12个人。", "来了两个新人，现在14个人了。"), "14个人", "12个人"),
    (("我们团队有12个人。", "两个人离职了，现在我们10个人。"), "10个人", "12个人"),
    (("我有三只猫。", "一只猫去世了，现在剩两只。"), "两只猫", "三只猫"),
]


def _checked(reading: Reading, now: str, before: str) -> None:
    """The last statement counts what there is now, in the place of the first: by its words or by its slot."""
    first, last = reading.statements[0], reading.statements[-1]
    assert now in last.content
    assert before in first.content
    assert first.content in last.replaces or (first.attribute == last.attribute and last.attribute is not None)


@pytest.mark.parametrize(("lines", "now", "before"), _EN)
def test_what_is_left_takes_the_place_of_the_older_count(lines: tuple[str, str], now: str, before: str) -> None:
    _checked(english(*lines), now, before)


@pytest.mark.parametrize(("lines", "now", "before"), _ZH)
def test_what_is_left_takes_the_place_of_the_older_count_in_chinese(
    lines: tuple[str, str], now: str, before: str
) -> None:
    _checked(read(*lines), now, before)


@pytest.mark.parametrize(
    "line",
    [
        "Ten customers left last week.",
        "We hired three people.",
        "We laid off four people.",
        "Two more colleagues joined.",
        "We sold ten trucks.",
        "走了十个客户。",
        "我们招了三个人。",
        "我们裁了20人。",
        "上个月关了三家店。",
        "卖了十辆卡车。",
    ],
)
def test_how_many_came_or_went_fills_no_slot(line: str) -> None:
    reading = english(line) if line.isascii() else read(line)
    assert [each.attribute for each in reading.statements if each.attribute] == []


@pytest.mark.parametrize("line", ["We are 17 now.", "So we have two now.", "现在有三个了。", "还剩30辆。"])
def test_a_count_of_nothing_that_is_named_is_left_to_the_turn(line: str) -> None:
    assert (english(line) if line.isascii() else read(line)).statements == ()


@pytest.mark.parametrize(
    "lines",
    [("他们公司招了三个人，现在17个了。",), ("The neighbours have two dogs.", "They sold two dogs, so they have 3.")],
)
def test_what_others_have_is_not_counted_as_the_speaker_s(lines: tuple[str, ...]) -> None:
    reading = english(*lines) if lines[0].isascii() else read(*lines)
    assert [each.content for each in reading.statements if each.about is None and holds(each)] == []


@pytest.mark.parametrize("line", ["I got promoted.", "I got laid off.", "We got married.", "I got back home."])
def test_what_one_got_to_be_is_no_possession(line: str) -> None:
    assert "possession" not in [each.attribute for each in english(line).statements]
