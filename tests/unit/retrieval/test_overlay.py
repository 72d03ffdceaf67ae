"""Turns that wait are worked out once, and never shown as they no longer are."""

from dataclasses import replace

from agentmem.retrieval.overlay import KEPT, UnreadTurns
from tests.support.nodes import a_turn, numbered


def test_a_turn_that_waits_is_worked_out_once() -> None:
    unread, turns = UnreadTurns(), numbered(a_turn("I rent a flat"), a_turn("in Leeds", 1))
    assert [one is other for one, other in zip(unread.of(turns), unread.of(turns), strict=True)] == [True, True]


def test_what_was_erased_in_its_place_is_not_remembered_as_it_was() -> None:
    unread = UnreadTurns()
    [before] = unread.of(numbered(a_turn("my number is 5550100")))
    [after] = unread.of(numbered(a_turn("…")))

    assert before.node.content == "my number is 5550100"
    assert (after.node.content, after.words & before.words) == ("…", frozenset())


def test_no_more_turns_are_kept_in_mind_than_there_is_room_for() -> None:
    unread, turns = UnreadTurns(), numbered(a_turn("I rent a flat"))
    [first] = unread.of(turns)
    unread.of([replace(turns[0], seq=turns[0].seq + number) for number in range(1, KEPT + 1)])
    [again] = unread.of(turns)
    assert again is not first
