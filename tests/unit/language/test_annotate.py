"""Dates written behind the words that were spoken."""

from datetime import datetime, timedelta, timezone

import pytest

from agentmem.language.time import annotate, find_times

NOW = datetime(2026, 3, 6, 10, 0, tzinfo=timezone(timedelta(hours=8)))


@pytest.mark.parametrize(
    ("spoken", "written"),
    [
        ("下周四下午三点我们开会", "下周四(2026-03-12)下午三点我们开会"),
        ("I was ill at Christmas last year.", "I was ill at Christmas last year (2025-12-25)."),
        ("We moved last summer.", "We moved last summer (2025-06/2025-08)."),
        ("我们去年夏天搬的家", "我们去年夏天(2025-06/2025-08)搬的家"),
        ("meet tomorrow at 6pm", "meet tomorrow (2026-03-07) at 6pm"),
        ("meet at 6pm tomorrow.", "meet at 6pm tomorrow (2026-03-07)."),
        ("明晚七点见", "明晚(2026-03-07)七点见"),
        ("上周末去了，下个月再去", "上周末(2026-02-28/2026-03-01)去了，下个月(2026-04)再去"),
        ("3月12日付款", "3月12日(2026-03-12)付款"),
        ("3月1日到5日放假", "3月1日到5日(2026-03-01/2026-03-05)放假"),
        ("周五之前给我", "周五(2026-03-06)之前给我"),
        ("月底之前给我", "月底(2026-03-31)之前给我"),
        ("去年买的", "去年(2025)买的"),
        ("last year's budget", "last year's (2025) budget"),
        ("it is due on 4/5", "it is due on 4/5 (2026-04-05)"),
        ("4/5 at the latest", "4/5 (2026-04-05) at the latest"),
        ("改到4/5", "改到4/5 (2026-04-05)"),
        ("4/5下午到货", "4/5 (2026-04-05)下午到货"),
        ("the fair, 5/14", "the fair, 5/14 (2026-05-14)"),
        ("我6/20有个面试", "我6/20 (2026-06-20)有个面试"),
        ("今天9点到下周一10点", "今天(2026-03-06)9点到下周一(2026-03-09)10点"),
    ],
)
def test_relative_date_is_followed_by_its_resolution(spoken: str, written: str):
    assert annotate(spoken, NOW) == written


@pytest.mark.parametrize(
    "text",
    ["2024年12月26日签的", "on 26 December 2024", "2018年之后", "下午三点见", "at 6pm", "每年7月2日", "every Monday",
     "最近很忙",
     "two hours ago", "partner of the week",
     "half is left, or 3/4 of it", "要3/4英寸的管子",
     "a pipe of 5/6 inch", "cut it by 1/2", "降到1/3", "打了4/5分", "约1/2杯"],
)  # fmt: skip
def test_what_says_itself_or_has_no_date_is_left_alone(text: str):
    assert annotate(text, NOW) == text


@pytest.mark.parametrize(
    "text",
    [
        "下周四下午三点开会，明晚七点吃饭，周一到周五上班",
        "see you tomorrow at 6pm, this morning, from Monday to Friday, the week of April 27",
        "last year's budget, 3月12日, 去年年底, 月底之前",
    ],
)
def test_written_date_holds_when_the_text_is_read_again_later(text: str):
    once = annotate(text, NOW)
    later = NOW + timedelta(days=400)
    assert annotate(once, later) == once
    assert [m.begins for m in find_times(once, later)] == [m.begins for m in find_times(text, NOW)]
