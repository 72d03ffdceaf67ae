"""A date without its year, its month or its week is written out only where it is sure which is meant."""

import pytest

from tests.unit.rules.support import english, read


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("我六月开始就不在门店了", "陈立六月开始就不在门店了"),
        ("我七月份换届就退了", "陈立七月份换届就退了"),
        ("我四月底就去西宁了", "陈立四月底就去西宁了"),
        ("我也想去趟厦门，十二号走", "陈立也希望去趟厦门，十二号走"),
    ],
)
def test_a_day_that_may_be_past_or_to_come_stays_as_it_was_said(line: str, told: str) -> None:
    assert told in [each.content for each in read(line).statements]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("I do the accounts on Sunday evening", "Tom Hale does the accounts on Sunday evening"),
        ("We get married on 12 August in Bergen", "Tom Hale gets married on 12 August in Bergen"),
        ("I lost three kilos in a month", "Tom Hale lost three kilos in a month"),
    ],
)
def test_a_habit_or_a_stretch_of_time_is_no_day(line: str, told: str) -> None:
    assert told in [each.content for each in english(line).statements]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("I sold the van in January", "Tom Hale sold the van in January (2026-01)"),
        ("I gave up smoking in August", "Tom Hale gave up smoking in August (2025-08)"),
        ("I'm flying to Oslo on Friday", "Tom Hale is flying to Oslo on Friday (2026-03-06)"),
    ],
)
def test_a_day_that_is_sure_is_written_out(line: str, told: str) -> None:
    assert told in [each.content for each in english(line).statements]


def test_a_chinese_day_that_is_sure_is_written_out() -> None:
    told = [each.content for each in read("我一月换了车", "我爷爷八月去世了", "我打算四月搬家").statements]
    assert told == ["陈立一月(2026-01)换了车", "陈立的爷爷八月(2025-08)去世了", "陈立打算四月(2026-04)搬家"]
