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
    ],
)
def test_what_is_denied_asked_supposed_or_possible_relates_nobody(text: str) -> None:
    assert told(text) == []


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
