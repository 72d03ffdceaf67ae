"""A community is recognised when all is grouped anew, and its digest says whether there is anything new to tell."""

from agentmem.graph.communities.clusters import Names, fact_of
from agentmem.graph.communities.drafts import drafted, recognised
from tests.support.circles import fact


def test_a_group_is_the_community_it_shares_most_with_and_each_is_taken_once() -> None:
    before = {"x": ["a", "b", "c"], "y": ["d", "e"]}
    assert recognised([("a", "b"), ("c", "d"), ("e", "f")], before) == {0: "x", 1: "y"}
    assert recognised([("a", "d")], {}) == {}


def test_the_larger_part_of_a_community_that_fell_apart_keeps_its_id() -> None:
    assert recognised([("a",), ("b", "c")], {"x": ["a", "b", "c"]}) == {1: "x"}


def test_a_digest_changes_with_members_names_and_words_and_with_nothing_else() -> None:
    names = Names(names={"a": "A", "b": "B"})
    one, two = (fact_of(fact(text, "A", "B"), names) for text in ("A uses B.", "A likes B."))
    assert one is not None
    assert two is not None
    digest = drafted("x", ["a", "b"], [one, two]).digest(names)
    assert drafted("y", ["b", "a"], [two, one]).digest(names) == digest
    assert drafted("x", ["a", "b"], [one]).digest(names) != digest
    assert drafted("x", ["a"], [one, two]).digest(names) != digest
    assert drafted("x", ["a", "b"], [one, two]).digest(Names(names={"a": "A", "b": "Bo"})) != digest
