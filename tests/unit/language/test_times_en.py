"""English time expressions. Spoken on Tuesday, 21 April 2026, at ten in the morning."""

from datetime import datetime, timedelta, timezone

import pytest

from agentmem.language.time import TimeMention, find_times

NOW = datetime(2026, 4, 21, 10, 0, tzinfo=timezone(timedelta(hours=2)))


def only(text: str) -> TimeMention:
    (mention,) = find_times(text, NOW)
    return mention


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("today", "2026-04-21"),
        ("tomorrow", "2026-04-22"),
        ("the day after tomorrow", "2026-04-23"),
        ("next Thursday", "2026-04-30"),
        ("last Saturday", "2026-04-18"),
        ("this Friday", "2026-04-24"),
        ("Monday", "2026-04-27"),
        ("this weekend", "2026-04-25/2026-04-26"),
        ("two weekends ago", "2026-04-11/2026-04-12"),
        ("last week", "2026-04-13/2026-04-19"),
        ("next month", "2026-05"),
        ("last year", "2025"),
        ("3 days ago", "2026-04-18"),
        ("in two weeks", "2026-05-05"),
        ("a couple of weeks ago", "2026-04-07"),
        ("five years ago", "2021"),
        ("Dec 26", "2026-12-26"),
        ("26 December 2024", "2024-12-26"),
        ("December 26th, 2024", "2024-12-26"),
        ("12/26/2024", "2024-12-26"),
        ("26/12/2024", "2024-12-26"),
        ("2024-12-26", "2024-12-26"),
        ("Thursday, May 7", "2026-05-07"),
        ("Thursday 18 June", "2026-06-18"),
        ("Monday 14th September", "2026-09-14"),
        ("Wed 23 Dec 2026", "2026-12-23"),
        ("Thursday 23", "2026-04-23"),
        ("June 2023", "2023-06"),
        ("Q3 2025", "2025-07/2025-09"),
        ("the first week of May", "2026-05-04/2026-05-10"),
        ("third Sunday of May", "2026-05-17"),
        ("tuesday of last week", "2026-04-14"),
        ("mid-2021", "2021-05/2021-08"),
        ("the 1990s", "1990/1999"),
        ("tonight", "2026-04-21"),
        ("last night", "2026-04-20"),
        ("next easter", "2027-03-28"),
        ("three days after May 3rd", "2026-05-06"),
        ("last summer", "2025-06/2025-08"),
        ("next winter", "2026-12/2027-02"),
        ("this spring", "2026-03/2026-05"),
        ("the fall of 2019", "2019-09/2019-11"),
        ("the first half of March 2024", "2024-03-01/2024-03-15"),
        ("the fifth Sunday of August", "2026-08-30"),
        ("the week before August 3, 2023", "2023-07-24/2023-07-30"),
        ("the weekend before 15 July 2023", "2023-07-08/2023-07-09"),
        ("the weekend after 12 July 2023", "2023-07-15/2023-07-16"),
        ("the Sunday before October 25, 2022", "2022-10-23"),
        ("the Tuesday after Easter 2024", "2024-04-02"),
        ("the day after Christmas 2024", "2024-12-26"),
        ("the month before March 2024", "2024-02"),
        ("weekend of 16 May", "2026-05-16/2026-05-17"),
        ("in 4 days on Thursday", "2026-04-23"),
        ("two weeks ago on Monday", "2026-04-06"),
        ("next week on Friday", "2026-05-01"),
        ("the second week of June on Wednesday", "2026-06-10"),
        ("Sat 25th", "2026-04-25"),
        ("less than 4 days after tomorrow", "2026-04-22/2026-04-25"),
        ("less than two weeks ago", "2026-04-07/2026-04-20"),
        ("in less than 5 days", "2026-04-21/2026-04-25"),
        ("twenty-ninth of the month", "2026-04-29"),
        ("late 1960s", "1967/1969"),
        ("early eighties", "1980/1983"),
        ("last Christmas", "2025-12-25"),
        ("next Halloween", "2026-10-31"),
        ("Christmas last year", "2025-12-25"),
        ("March 3 of next year", "2027-03-03"),
        ("June last year", "2025-06"),
        ("end of June last year", "2025-06-21/2025-06-30"),
        ("Monday the 4th of May", "2026-05-04"),
        ("two Mondays ago", "2026-04-13"),
        ("the last weekend of August", "2026-08-29/2026-08-30"),
        ("a month and a half ago", "2026-03"),
        ("three and a half years ago", "2022-10"),
    ],
)
def test_date_resolves(text: str, iso: str):
    mention = only(f"I think {text}.")
    assert (mention.text, mention.iso) == (text, iso)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("tomorrow at 6pm", "2026-04-22T18:00"),
        ("next Thursday at 3 o'clock", "2026-04-30T03:00"),
        ("6pm tomorrow", "2026-04-22T18:00"),
        ("next Tuesday morning at 9:30", "2026-04-28T09:30"),
        ("tonight at 8", "2026-04-21T20:00"),
        ("noon on Friday", "2026-04-24T12:00"),
        ("in 30 minutes", "2026-04-21T10:30"),
        ("half an hour ago", "2026-04-21T09:30"),
        ("yesterday evening", "2026-04-20"),
        ("in 3 days and 2 hours", "2026-04-24T12:00"),
        ("1 week 5 hours ago", "2026-04-14T05:00"),
        ("July 8 (Wed) at 11:30", "2026-07-08T11:30"),
        ("tomorrow after lunch", "2026-04-22T13:00/.."),
    ],
)
def test_date_and_time_are_one_mention(text: str, iso: str):
    mention = only(f"Call me {text}.")
    assert (mention.text, mention.iso) == (text, iso)


@pytest.mark.parametrize(
    ("text", "clock"),
    [("6pm", "18:00"), ("15:00", "15:00"), ("3 o'clock", "03:00"), ("noon", "12:00"), ("half past seven", "07:30"),
     ("quarter to six in the evening", "17:45"), ("8.30pm", "20:30"), ("seven in the evening", "19:00")],
)  # fmt: skip
def test_clock_time_resolves_without_a_date(text: str, clock: str):
    mention = only(f"Let us meet at {text}")
    assert (mention.text, mention.iso, mention.dated) == (text, clock, False)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("from Monday to Friday", "2026-04-27/2026-05-01"),
        ("Tuesday to Thursday this week", "2026-04-21/2026-04-23"),
        ("between 2014 and 2018", "2014/2018"),
        ("from March 3 to May 5 2020", "2020-03-03/2020-05-05"),
        ("4 to 22 January 2017", "2017-01-04/2017-01-22"),
        ("5 to 7pm", "17:00/19:00"),
        ("tomorrow from 7:00 to 8:00pm", "2026-04-22T19:00/2026-04-22T20:00"),
        ("between 7 and 9 last night", "2026-04-20T19:00/2026-04-20T21:00"),
        ("from 2pm for 2 hours", "14:00/16:00"),
        ("from 8 for 1.5 hours", "08:00/09:30"),
        ("between 22:00 and 02:00", "22:00/02:00"),
        ("May 4th for 3 hours from 2pm", "2026-05-04T14:00/2026-05-04T17:00"),
        ("between 9 and 11:15 on 2/3/2027", "2027-02-03T09:00/2027-02-03T11:15"),
        ("from 11:30 to 2 on 2/3/2027", "2027-02-03T11:30/2027-02-03T14:00"),
        ("between 4 and 9am next Tuesday", "2026-04-28T04:00/2026-04-28T09:00"),
        ("between March and May", "2026-03/2026-05"),
        ("from the middle of June to the end of August", "2026-06-10/2026-08-31"),
        ("from the 28th to the second of June", "2026-05-28/2026-06-02"),
    ],
)
def test_range_is_one_mention(text: str, iso: str):
    mention = only(f"Out of office {text}.")
    assert (mention.text, mention.iso) == (text, iso)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("before Friday", "../2026-04-24"),
        ("since 2020", "2020/.."),
        ("after Feb 2018", "2018-02/.."),
        ("by the end of the month", "../2026-04-30"),
        ("until next Monday", "../2026-04-27"),
        ("before the twenty-third of the month", "../2026-04-23"),
        ("more than three weeks ago", "../2026-03-31"),
        ("more than 2 days after tomorrow", "2026-04-24/.."),
        ("after dinner", "20:00/.."),
        ("before lunch", "../11:00"),
    ],
)
def test_open_expression_has_one_end(text: str, iso: str):
    mention = only(f"Not {text}.")
    assert (mention.text, mention.iso) == (text, iso)
    assert (mention.begins is None) != (mention.ends is None)


@pytest.mark.parametrize(
    "text", ["every Monday", "every day at 7", "on weekends", "Thursdays at 5pm", "twice a week", "daily"]
)
def test_recurrence_is_not_resolved(text: str):
    mention = only(f"I run {text}.")
    assert (mention.recurring, mention.begins, mention.ends) == (True, None, None)


@pytest.mark.parametrize(
    "text",
    [
        "May I ask? You may.", "They march forward.", "He sat second in the sun.", "Call 555-123-4567",
        "Tel: +86 138-2010-2015",
        "It costs $3,000 for 5 users", "version 1.2.3", "a 4:3 ratio", "recently, soon, just now", "a few years ago",
        "one day",
        "There are 10 students.", "Good morning Paul", "I have known them for 4 years",
        "my son is 5 years old",
        "I need more than 3 days for it", "it takes less than 2 weeks", "I like spring water", "up to date",
        "The Employer may, at its discretion, change it", "I may have to go", "from 9 to 5", "Nice day.", "8/1.5",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_time_is_none(text: str):
    assert find_times(text, NOW) == []


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("I met her in December", "2025-12"),
        ("It should be delivered in December", "2026-12"),
        ("I need it to be finished in June", "2026-06"),
        ("It was to arrive and was delivered in December", "2025-12"),
        ("I will meet her in December", "2026-12"),
        ("I've booked the 20th of November", "2026-11-20"),
        ("We got tickets for 20 November", "2026-11-20"),
        ("The cat died on 20 November", "2025-11-20"),
        ("I wrote it at the end of May", "2025-05-21/2025-05-31"),
        ("It is scheduled for early March", "2027-03-01/2027-03-10"),
        ("We sold it on Tuesday", "2026-04-14"),
        ("I have eaten fish since Easter", "2026-04-05/.."),
        ("We met at Easter", "2026-04-05"),
        ("I'll bake one for Easter", "2027-03-28"),
        ("He will be here next Thanksgiving", "2026-11-26"),
    ],
)
def test_month_without_year_follows_the_direction_of_speech(text: str, iso: str):
    assert only(text).iso == iso


def test_year_needs_a_word_that_asks_for_one():
    assert only("I was born in 1990").iso == "1990"
    assert find_times("I have 1990 followers", NOW) == []


def test_reference_without_offset_is_refused():
    with pytest.raises(ValueError, match="UTC offset"):
        find_times("today", NOW.replace(tzinfo=None))
