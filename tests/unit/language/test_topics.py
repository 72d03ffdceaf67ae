"""What texts are about, in both languages."""

import pytest

from agentmem.language.cues import READ_CHARACTERS, topic_terms, topics_of


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("What livestock does she keep?", "We've two goats and a donkey"),
        ("How much can they afford?", "Our budget is 4,000 euros"),
        ("他忌口什么", "我对花生过敏"),
        ("What does he do for a living?", "他是会计"),
        ("怎么联系她", "my mobile is on the card"),
        ("Which chemist does she use?", "the pharmacy in town has my tablets"),
        ("他听力怎么样", "上个月配了助听器"),
        ("What do the hens get?", "they are on pellets"),
        ("Where is the holiday?", "飞机票订好了，住海边的酒店"),
    ],
)
def test_who_asks_and_who_tells_of_one_matter_share_a_topic(asked: str, told: str) -> None:
    assert topics_of(asked) & topics_of(told)


@pytest.mark.parametrize(("one", "other"), [("What does she drive?", "我喜欢游泳"), ("他的生日", "a cheap sofa")])
def test_other_matters_share_none(one: str, other: str) -> None:
    assert not topics_of(one) & topics_of(other)


def test_a_text_of_no_known_matter_has_no_topics() -> None:
    assert topics_of("Zorblax frumious") == topics_of("") == frozenset()


def test_topics_are_terms_that_no_word_is() -> None:
    assert topic_terms("a cat") == ["topic:pet"]


def test_of_a_long_text_the_beginning_is_read() -> None:
    assert "pet" not in topics_of("x" * READ_CHARACTERS + " cat")
