"""Relations between names: what words between two names say, and what they do not."""

import pytest

from agentmem.domain.entity import Mention
from agentmem.language.relations import relations_of

AIP = Mention(name="AIP", kind="product")


def told(text: str, topic: Mention | None = None) -> list[tuple[str, ...]]:
    return [
        (each.source.name, each.relation, each.destination.name, *(other.name for other in each.others))
        for each in relations_of(text, topic=topic)
    ]


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("Acme uses Redis.", ("Acme", "USES", "Redis")),
        ("Larch Freight was founded by Anna Berg.", ("Larch Freight", "FOUNDED_BY", "Anna Berg")),
        ("Bolt Scheduler integrates with Redis.", ("Bolt Scheduler", "CONNECTS_TO", "Redis")),
        ("Redis is a Cache Server.", ("Redis", "IS_A", "Cache Server")),
        ("Acme launched Bolt Scheduler.", ("Acme", "MADE", "Bolt Scheduler")),
        ("Bolt Scheduler requires Postgres.", ("Bolt Scheduler", "DEPENDS_ON", "Postgres")),
        ("青穹科技由闻昱衡创立。", ("青穹科技", "FOUNDED_BY", "闻昱衡")),
        ("昆玦系统取代了旧的社保管理系统。", ("昆玦系统", "REPLACED", "社保管理系统")),
        ("青穹科技位于青石镇。", ("青穹科技", "LOCATED_IN", "青石镇")),
        ("刘强维护昆玦系统。", ("刘强", "MAINTAINS", "昆玦系统")),
    ],
)
def test_words_between_two_names_relate_them(text: str, pair: tuple[str, ...]) -> None:
    assert told(text) == [pair]


def test_a_statement_over_several_names_is_one_and_two_statements_are_two() -> None:
    assert told("Acme uses Redis, Kafka and Postgres.") == [("Acme", "USES", "Redis", "Kafka", "Postgres")]
    assert told("Acme uses Redis and depends on Kafka.") == [
        ("Acme", "USES", "Redis"),
        ("Acme", "DEPENDS_ON", "Kafka"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Acme does not use Redis.",
        "Does Acme use Redis? Acme uses Redis?",
        "If Acme uses Redis, call Bolt.",
        "Acme might switch to Redis, and Acme could have used Kafka.",
        "Perhaps Acme uses Redis.",
        "刘强没有维护昆玦系统。",
        "如果刘强维护昆玦系统,就打电话。",
        "刘强可能维护昆玦系统。",
        "刘强维护昆玦系统吗",
        "Acme and Redis. Acme, Redis.",
        "It is not true that Acme uses Redis.",
        "It isn't the case that Acme uses Redis.",
        "I doubt that Acme uses Redis.",
        "The claim “Acme uses Redis” is wrong.",
        "Nobody believes that Acme uses Redis.",
        "There is no evidence that Acme uses Redis.",
        "Acme has NOT replaced Redis.",
        "Acme uses no Redis.",
        "Acme uses NO Redis.",
        "Acme hardly uses Redis.",
        "Neither Acme uses Redis nor Bolt Works does.",
        "Acme uses Redis not at all.",
        "Acme denied it: Redis is owned by Acme.",
        "It is false that Acme owns Redis.",
        "The rumour that Acme acquired Redis was withdrawn.",
        "Allegedly, Acme acquired Redis.",
        "Acme acquired Redis, allegedly.",
        "Acme is said to own Redis, and people say Acme owns Bolt.",
        "Perhaps, one day, Acme uses Redis.",
        "Acme uses Redis, maybe.",
        "Assuming Acme uses Redis, call Bolt.",
        "Only in a dream Acme uses Redis.",
        "没有证据表明刘强维护昆玦系统。",
        "刘强维护昆玦系统的说法是假的。",
        "没人相信刘强维护昆玦系统。",
        "据说刘强维护昆玦系统。",
        "传闻刘强维护昆玦系统。",
        "刘强否认了:刘强维护昆玦系统。",
        "我不认为刘强维护昆玦系统。",
        "刘强绝不维护昆玦系统。",
        "并非刘强维护昆玦系统。",
        "刘强维护昆玦系统这件事不属实。",
        "只要刘强维护昆玦系统,就打电话。",
    ],
)
def test_what_is_denied_asked_supposed_or_possible_relates_nobody(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Acme uses Redis and does not like Kafka.",
        "Bolt Works does not pay, but Acme uses Redis.",
        "Acme uses Redis, not Kafka.",
        "Acme uses Redis because nothing else is fast.",
        "Acme uses Redis to find false alarms and wrong dates.",
    ],
)
def test_a_denial_of_something_else_takes_nothing_from_what_is_said(text: str) -> None:
    assert ("Acme", "USES", "Redis") in [each[:3] for each in told(text)]


def test_a_denial_of_something_else_takes_nothing_from_what_is_said_in_chinese() -> None:
    assert told("刘强维护昆玦系统,但是没有薪水。") == [("刘强", "MAINTAINS", "昆玦系统")]
    assert told("特别地,刘强维护昆玦系统,价格不高。") == [("刘强", "MAINTAINS", "昆玦系统")]


@pytest.mark.parametrize("text", ["该平台支持社保管理系统。", "- 支持社保管理系统", "它支持社保管理系统。"])
def test_the_topic_stands_for_a_subject_that_is_missing_or_nameless(text: str) -> None:
    assert told(text, AIP) == [("AIP", "SUPPORTS", "社保管理系统")]
    assert told(text) == []


def test_the_topic_is_no_subject_once_somebody_else_was_spoken_of() -> None:
    assert told("Bolt Scheduler was built by Acme. It uses Redis.", AIP) == [("Bolt Scheduler", "MADE_BY", "Acme")]
    assert told("It uses Redis. The platform depends on Kafka.", AIP) == [
        ("AIP", "USES", "Redis"),
        ("AIP", "DEPENDS_ON", "Kafka"),
    ]
    assert told("It uses Redis.", Mention(name="Anna Berg", kind="person")) == []
