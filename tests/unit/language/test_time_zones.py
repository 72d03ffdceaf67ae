"""Days and clock times are those of the speaker's zone: beside midnight, far from UTC, when the clocks change."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from agentmem.language.time import annotate, find_times

BERLIN, NEW_YORK, SHANGHAI = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York"), ZoneInfo("Asia/Shanghai")
EIGHT = timezone(timedelta(hours=8))

# The clocks leap from 02:00 to 03:00 on 29 March 2026 in Berlin and on 8 March in New York; they go back from 03:00 to
# 02:00 on 25 October in Berlin and from 02:00 to 01:00 on 1 November in New York.
BEFORE_SPRING = datetime(2026, 3, 28, 12, 0, tzinfo=BERLIN)
BEFORE_AUTUMN = datetime(2026, 10, 24, 12, 0, tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("text", "spoken", "begins", "ends"),
    [
        ("tomorrow", BEFORE_SPRING, "2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00"),
        ("明天", BEFORE_SPRING, "2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00"),
        ("tomorrow at 9am", BEFORE_SPRING, "2026-03-29T09:00:00+02:00", "2026-03-29T10:00:00+02:00"),
        ("明天上午九点", BEFORE_SPRING, "2026-03-29T09:00:00+02:00", "2026-03-29T10:00:00+02:00"),
        ("tomorrow at 2:30am", BEFORE_SPRING, "2026-03-29T03:30:00+02:00", "2026-03-29T03:31:00+02:00"),
        ("in 24 hours", BEFORE_SPRING, "2026-03-29T13:00:00+02:00", "2026-03-29T13:01:00+02:00"),
        ("24小时后", BEFORE_SPRING, "2026-03-29T13:00:00+02:00", "2026-03-29T13:01:00+02:00"),
        ("in March", BEFORE_SPRING, "2026-03-01T00:00:00+01:00", "2026-04-01T00:00:00+02:00"),
        ("tomorrow", BEFORE_AUTUMN, "2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00"),
        ("明天下午三点", BEFORE_AUTUMN, "2026-10-25T15:00:00+01:00", "2026-10-25T16:00:00+01:00"),
        ("in 24 hours", BEFORE_AUTUMN, "2026-10-25T11:00:00+01:00", "2026-10-25T11:01:00+01:00"),
        ("in 30 minutes", datetime(2026, 3, 8, 1, 45, tzinfo=NEW_YORK), "2026-03-08T03:15:00-04:00",
         "2026-03-08T03:16:00-04:00"),
        ("half an hour ago", datetime(2026, 11, 1, 1, 15, fold=1, tzinfo=NEW_YORK), "2026-11-01T01:45:00-04:00",
         "2026-11-01T01:46:00-04:00"),
        ("yesterday", datetime(2026, 11, 2, 8, 0, tzinfo=NEW_YORK), "2026-11-01T00:00:00-04:00",
         "2026-11-02T00:00:00-05:00"),
        ("下周四下午三点", datetime(2026, 3, 6, 10, 0, tzinfo=SHANGHAI), "2026-03-12T15:00:00+08:00",
         "2026-03-12T16:00:00+08:00"),
    ],
)  # fmt: skip
def test_time_has_the_offset_of_its_own_day(text: str, spoken: datetime, begins: str, ends: str):
    (mention,) = find_times(text, spoken)
    assert mention.begins is not None
    assert mention.ends is not None
    assert (mention.begins.isoformat(), mention.ends.isoformat()) == (begins, ends)


def test_what_is_noted_is_what_the_clock_shows():
    assert annotate("yesterday evening", datetime(2026, 3, 30, 9, tzinfo=BERLIN)) == "yesterday (2026-03-29) evening"
    (mention,) = find_times("in 30 minutes", datetime(2026, 3, 8, 1, 45, tzinfo=NEW_YORK))
    assert mention.iso == "2026-03-08T03:15"


@pytest.mark.parametrize(
    ("text", "late", "early"),
    [
        ("today", "2026-03-31", "2026-04-01"),
        ("tomorrow", "2026-04-01", "2026-04-02"),
        ("yesterday", "2026-03-30", "2026-03-31"),
        ("this month", "2026-03", "2026-04"),
        ("last Saturday", "2026-03-28", "2026-03-28"),
        ("in 2 minutes", "2026-04-01T00:01", "2026-04-01T00:03"),
        ("2 minutes ago", "2026-03-31T23:57", "2026-03-31T23:59"),
        ("今天", "2026-03-31", "2026-04-01"),
        ("后天", "2026-04-02", "2026-04-03"),
        ("上个月", "2026-02", "2026-03"),
        ("昨晚八点", "2026-03-30T20:00", "2026-03-31T20:00"),
        ("两分钟前", "2026-03-31T23:57", "2026-03-31T23:59"),
    ],
)
def test_midnight_divides_the_days(text: str, late: str, early: str):
    before = datetime(2026, 3, 31, 23, 59, tzinfo=EIGHT)
    for spoken, iso in ((before, late), (before + timedelta(minutes=2), early)):
        (mention,) = find_times(text, spoken)
        assert mention.iso == iso


def test_day_of_the_speaker_counts_and_not_that_of_utc():
    (mention,) = find_times("today", datetime(2026, 3, 31, 7, 0, tzinfo=EIGHT))
    assert mention.begins == datetime(2026, 3, 30, 16, 0, tzinfo=UTC)
