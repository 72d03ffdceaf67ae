"""Chinese time expressions. Spoken on Friday, 6 March 2026, at ten in the morning."""

from datetime import datetime, timedelta, timezone

import pytest

from agentmem.language.time import TimeMention, find_times

NOW = datetime(2026, 3, 6, 10, 0, tzinfo=timezone(timedelta(hours=8)))


def only(text: str) -> TimeMention:
    (mention,) = find_times(text, NOW)
    return mention


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("今天", "2026-03-06"),
        ("大后天", "2026-03-09"),
        ("前天", "2026-03-04"),
        ("下周四", "2026-03-12"),
        ("下个星期四", "2026-03-12"),
        ("上周六", "2026-02-28"),
        ("这周五", "2026-03-06"),
        ("上上周五", "2026-02-20"),
        ("下下周日", "2026-03-22"),
        ("下周", "2026-03-09/2026-03-15"),
        ("本周末", "2026-03-07/2026-03-08"),
        ("下个月", "2026-04"),
        ("下个月5号", "2026-04-05"),
        ("本月十日", "2026-03-10"),
        ("去年", "2025"),
        ("明年3月", "2027-03"),
        ("去年年底", "2025-11/2025-12"),
        ("今年下半年", "2026-07/2026-12"),
        ("2025年第三季度", "2025-07/2025-09"),
        ("三天后", "2026-03-09"),
        ("两周前", "2026-02-20"),
        ("半个月后", "2026-03-21"),
        ("三个月前", "2025-12"),
        ("五年前", "2021"),
        ("2024年12月26日", "2024-12-26"),
        ("二零二四年十二月二十六号", "2024-12-26"),
        ("３月１２日", "2026-03-12"),
        ("26号", "2026-03-26"),
        ("四月二十", "2026-04-20"),
        ("3月12日(周四)", "2026-03-12"),
        ("后天下午", "2026-03-08"),
        ("下週四", "2026-03-12"),
        ("十月的第一周", "2026-09-28/2026-10-04"),
        ("九十年代", "1990/1999"),
        ("国庆节", "2026-10-01"),
        ("去年夏天", "2025-06/2025-08"),
        ("2023年的秋天", "2023-09/2023-11"),
        ("上个冬天", "2025-12/2026-02"),
        ("下个春天", "2027-03/2027-05"),
        ("六月的第三个星期日", "2026-06-21"),
        ("2025年1月最后一个周二", "2025-01-28"),
        ("八月的第一个周末", "2026-08-01/2026-08-02"),
        ("6月上半月", "2026-06-01/2026-06-15"),
        ("两个半月前", "2025-12"),
        ("一个半星期后", "2026-03-16"),
        ("前年的今天", "2024-03-06"),
        ("上个月今天", "2026-02-06"),
        ("2024年6月8日那个周末", "2024-06-08/2024-06-09"),
        ("4月2日那一周", "2026-03-30/2026-04-05"),
        ("国庆节前一天", "2026-09-30"),
        ("2024年6月12日后的那个周六", "2024-06-15"),
        ("六十年代末", "1967/1969"),
        ("乾隆六年", "1741"),
        ("民国38年10月", "1949-10"),
        ("令和元年", "2019"),
    ],
)
def test_date_resolves(text: str, iso: str):
    mention = only(f"我{text}。")
    assert (mention.text, mention.iso) == (text, iso)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("下午三点", "15:00"),
        ("上午9:30", "09:30"),
        ("晚上八点半", "20:30"),
        ("下午五点一刻", "17:15"),
        ("凌晨两点", "02:00"),
        ("中午十二点", "12:00"),
        ("16时40分50秒", "16:40:50"),
        ("八点十五分", "08:15"),
        ("十点", "10:00"),
    ],
)
def test_clock_time_resolves_without_a_date(text: str, clock: str):
    mention = only(f"我们{text}见")
    assert (mention.text, mention.iso, mention.dated) == (text, clock, False)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("下周四下午三点", "2026-03-12T15:00"),
        ("明晚七点", "2026-03-07T19:00"),
        ("明天上午9点半", "2026-03-07T09:30"),
        ("3月12日 14:30", "2026-03-12T14:30"),
        ("两个小时后", "2026-03-06T12:00"),
        ("半小时前", "2026-03-06T09:30"),
    ],
)
def test_date_and_time_are_one_mention(text: str, iso: str):
    mention = only(f"{text}开会")
    assert (mention.text, mention.iso) == (text, iso)


def test_midnight_ends_the_evening_it_was_said_with():
    assert only("今天晚上十二点").begins == datetime(2026, 3, 7, tzinfo=NOW.tzinfo)
    assert only("明天晚上一点").begins == datetime(2026, 3, 8, 1, tzinfo=NOW.tzinfo)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("3月1日到5日", "2026-03-01/2026-03-05"),
        ("十月一号到七号", "2026-10-01/2026-10-07"),
        ("从2023年3月到2024年5月", "2023-03/2024-05"),
        ("周一到周五", "2026-03-09/2026-03-13"),
        ("2014年至2018年", "2014/2018"),
        ("1995–1997年", "1995/1997"),
        ("明天上午9点到11点", "2026-03-07T09:00/2026-03-07T11:00"),
        ("下午三点到五点", "15:00/17:00"),
        ("早上五到六点", "05:00/06:00"),
    ],
)
def test_range_is_one_mention_and_holds_both_ends(text: str, iso: str):
    mention = only(f"{text}。")
    assert (mention.text, mention.iso) == (text, iso)


def test_range_of_days_holds_the_last_day_and_keeps_the_ends_as_spoken():
    mention = only("3月1日到5日放假")
    assert (mention.begins, mention.ends) == (day(3, 1), day(3, 6))
    assert mention.edges == (day(3, 1), day(3, 5))


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("2018年之后", "2019-01-01", None),
        ("3月10日以前", None, "2026-03-10"),
        ("自从2018年", "2018-01-01", None),
        ("3月10日或之前", None, "2026-03-11"),
        ("月底之前", None, "2026-04-01"),
        ("周日前", None, "2026-03-08"),
    ],
)
def test_open_expression_has_one_end(text: str, begins: str | None, ends: str | None):
    mention = only(text)
    assert (mention.begins and mention.begins.date().isoformat()) == begins
    assert (mention.ends and mention.ends.date().isoformat()) == ends


def test_a_day_that_is_broken_off_is_not_its_first_figure():
    assert [(each.text, each.iso) for each in find_times("三月二十……", NOW)] == [("三月二十", "2026-03-20")]


@pytest.mark.parametrize(
    "text", ["每天", "每周四下午三点", "每年7月2日", "每个月5号", "每晚十点", "每周一三五", "每隔两天", "天天"]
)
def test_recurrence_is_not_resolved(text: str):
    mention = only(f"我{text}跑步")
    assert (mention.text, mention.recurring, mention.begins, mention.ends) == (text, True, None, None)


@pytest.mark.parametrize(
    "text",
    [
        "我们聊天吧", "重点是日常", "一点都不贵", "早点来", "晚点说", "天气有点冷", "三点建议", "一共有三点",
        "以后再说", "最近很忙", "刚才说过", "手机13900139000", "价格3000元", "版本1.2.3", "一周三次", "20年的老客户",
        "工作了三年", "几天前", "两三天后", "地址是中山路12号", "12号楼", "三点五万", "大年初三", "生日快乐", "星期几",
        "第二天", "半天", "一对二日文班", "一日三餐", "房租一月一交",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_time_is_none(text: str):
    assert find_times(text, NOW) == []


def test_word_before_the_weather_is_read_to_its_own_end():
    assert only("三天后天气会好").text == "三天后"


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("我12月去过北京", "2025-12"),
        ("我12月要去北京", "2026-12"),
        ("12月来不了", "2026-12"),
        ("报了十一月二十号的课", "2026-11-20"),
        ("已经报名十月三号的比赛", "2026-10-03"),
    ],
)
def test_month_without_year_follows_the_direction_of_speech(text: str, iso: str):
    assert only(text).iso == iso


def test_weekday_said_of_the_past_lies_behind():
    assert only("周四开了会").iso == "2026-03-05"
    assert only("周四开会").iso == "2026-03-12"


def test_day_is_that_of_the_speaker():
    late = datetime(2026, 3, 6, 23, 30, tzinfo=timezone(timedelta(hours=-8)))
    (mention,) = find_times("明天", late)
    assert mention.iso == "2026-03-07"
    assert mention.begins == datetime(2026, 3, 7, tzinfo=late.tzinfo)


def test_offsets_survive_width_and_invisible_characters():
    text = "好的\u200b，２０２４年１２月２６日 １５：００见"
    (mention,) = find_times(text, NOW)
    assert text[mention.start : mention.end] == mention.text == "２０２４年１２月２６日 １５：００"


def test_english_inside_chinese_is_read_too():
    assert [m.iso for m in find_times("我们next Tuesday 3pm开会，下周三确认", NOW)] == [
        "2026-03-10T15:00",
        "2026-03-11",
    ]


def day(month: int, number: int) -> datetime:
    return datetime(2026, month, number, tzinfo=NOW.tzinfo)
