"""The times a question names. Asked on Friday, 25 August 2023, at noon."""

from datetime import datetime, timedelta, timezone

import pytest

from agentmem.language.time import Recurrence, TimeMention, asked_times, find_times

NOW = datetime(2023, 8, 25, 12, 0, tzinfo=timezone(timedelta(hours=8)))


def only(question: str) -> TimeMention:
    (mention,) = asked_times(question, NOW)
    return mention


@pytest.mark.parametrize(
    ("question", "iso"),
    [
        ("Where did Ada go in May?", "2023-05"),
        ("In December, what was she working on?", "2022-12"),
        ("What has Ada painted since June?", "2023-06/.."),
        ("Who won the race on Saturday?", "2023-08-19"),
        ("What did I say on Friday?", "2023-08-18"),
        ("Which book had she read by October 3?", "../2022-10-03"),
        ("What happened on the 28th?", "2023-07-28"),
        ("What did he buy between March and May?", "2023-03/2023-05"),
        ("Where did they go last summer?", "2022-06/2022-08"),
        ("What did she do in the summer?", "2023-06/2023-08"),
        ("What did she grow during winter?", "2022-12/2023-02"),
        ("What did they build in the fall of 2021?", "2021-09/2021-11"),
        ("What did Ada do in 2022?", "2022"),
        ("What did they do the weekend of 15 July 2023?", "2023-07-15/2023-07-16"),
        ("What did Ada break last Saturday?", "2023-08-19"),
        ("Who came over two weeks ago?", "2023-08-11"),
        ("What did Ada wear on Halloween?", "2022-10-31"),
        ("What did she cook on July 2nd?", "2023-07-02"),
    ],
)
def test_question_about_the_past_names_the_past_one(question: str, iso: str):
    assert only(question).iso == iso


@pytest.mark.parametrize(
    ("question", "iso"),
    [
        ("5月的时候她在哪里?", "2023-05"),
        ("她12月去了哪里?", "2022-12"),
        ("她9月买的是什么?", "2022-09"),
        ("周六他说了什么?", "2023-08-19"),
        ("周五我跟你说过什么?", "2023-08-18"),
        ("上周六他们去哪儿了?", "2023-08-19"),
        ("28号发生了什么?", "2023-07-28"),
        ("去年夏天她住在哪里?", "2022-06/2022-08"),
        ("夏天的时候她去了哪里?", "2023-06/2023-08"),
        ("上个冬天他们做了什么?", "2022-12/2023-02"),
        ("2021年的秋天他学了什么?", "2021-09/2021-11"),
        ("今春她种了什么?", "2023-03/2023-05"),
        ("2022年她换过工作吗?", "2022"),
        ("3月到5月之间他见过谁?", "2023-03/2023-05"),
        ("国庆节他们去了哪儿?", "2022-10-01"),
        ("7月2日她做了什么菜?", "2023-07-02"),
    ],
)
def test_chinese_question_about_the_past_names_the_past_one(question: str, iso: str):
    assert only(question).iso == iso


@pytest.mark.parametrize(
    ("question", "iso"),
    [
        ("What will she do in May?", "2024-05"),
        ("What is planned for Saturday?", "2023-08-26"),
        ("What are we supposed to bring on October 3?", "2023-10-03"),
        ("Is she going anywhere next summer?", "2024-06/2024-08"),
        ("5月她打算去哪里?", "2024-05"),
        ("周六的时候你有空吗?", "2023-08-26"),
        ("下周六有什么安排?", "2023-09-02"),
        ("明年冬天他们要搬家吗?", "2024-12/2025-02"),
    ],
)
def test_question_about_plans_names_the_coming_one(question: str, iso: str):
    assert only(question).iso == iso


def test_each_clause_is_read_in_its_own_tense():
    question = "What did she do on Saturday, and what will she do on Sunday?"
    assert [mention.iso for mention in asked_times(question, NOW)] == ["2023-08-19", "2023-08-27"]


@pytest.mark.parametrize(
    ("question", "every"),
    [
        ("每年7月2日他们做什么?", Recurrence(months=frozenset({7}), days=frozenset({2}))),
        ("每年的5月有什么活动?", Recurrence(months=frozenset({5}))),
        ("每年夏天她去哪里?", Recurrence(months=frozenset({6, 7, 8}))),
        ("每月15号她付什么?", Recurrence(days=frozenset({15}))),
        ("每个周六她做什么?", Recurrence(weekdays=frozenset({5}))),
        ("每逢周日他去哪儿?", Recurrence(weekdays=frozenset({6}))),
        ("每周一、三、五她学什么?", Recurrence(weekdays=frozenset({0, 2, 4}))),
        ("每周一到周五她几点上班?", Recurrence(weekdays=frozenset({0, 1, 2, 3, 4}))),
        ("每个周末他做什么?", Recurrence(weekdays=frozenset({5, 6}))),
        ("每天早上她做什么?", Recurrence(hours=(8 * 3600, 12 * 3600))),
        ("每晚八点他在做什么?", Recurrence(hours=(20 * 3600, 21 * 3600))),
        ("What do they do every July 2nd?", Recurrence(months=frozenset({7}), days=frozenset({2}))),
        ("What do they do on July 2nd every year?", Recurrence(months=frozenset({7}), days=frozenset({2}))),
        ("Where do they go each year in May?", Recurrence(months=frozenset({5}))),
        ("Where do they go every winter?", Recurrence(months=frozenset({12, 1, 2}))),
        ("What does she pay on the 15th of every month?", Recurrence(days=frozenset({15}))),
        ("What happens on the second Tuesday of each month?",
         Recurrence(days=frozenset(range(8, 15)), weekdays=frozenset({1}))),
        ("What does Ada do every Monday and Thursday at 7pm?",
         Recurrence(weekdays=frozenset({0, 3}), hours=(19 * 3600, 20 * 3600))),
        ("What does Ada do on Saturdays?", Recurrence(weekdays=frozenset({5}))),
        ("What does Ada do on weekends?", Recurrence(weekdays=frozenset({5, 6}))),
        ("When does she get up on weekdays?", Recurrence(weekdays=frozenset(range(5)))),
        ("What does she drink every morning?", Recurrence(hours=(8 * 3600, 12 * 3600))),
        ("How often does she run twice a week?", Recurrence()),
    ],
)  # fmt: skip
def test_what_recurs_leaves_open_what_it_does_not_name(question: str, every: Recurrence):
    assert only(question).every == every


def test_recurrence_covers_the_day_of_any_year():
    every = only("每年7月2日他们做什么?")
    at = datetime(2019, 7, 2, 21, 30, tzinfo=NOW.tzinfo)
    assert every.covers(at)
    assert not every.covers(at + timedelta(days=1))


def test_interval_covers_its_begin_and_not_its_end():
    may = only("Where did Ada go in May?")
    assert may.begins is not None
    assert may.ends is not None
    assert (may.covers(may.begins), may.covers(may.ends)) == (True, False)


@pytest.mark.parametrize(
    "question", ["When did Ada move?", "她什么时候搬的家?", "她最近怎么样?", "What is a coil spring?"]
)
def test_question_that_names_no_time_has_none(question: str):
    assert asked_times(question, NOW) == []


@pytest.mark.parametrize("text", ["I love to swim in the summer.", "我喜欢夏天。", "She took a fall."])
def test_season_without_its_year_is_no_time_in_a_statement(text: str):
    assert find_times(text, NOW) == []
