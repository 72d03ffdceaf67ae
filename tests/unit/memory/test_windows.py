"""Where windows are cut."""

from agentmem.domain.persona import Windows
from agentmem.memory.episodes import cut, window_job
from tests.support.nodes import a_turn, an_ending, numbered

THREE = Windows(turns=3)


def test_a_full_window_is_cut_and_the_rest_stays_open() -> None:
    found = cut(numbered(*(a_turn("hi", n) for n in range(5))), THREE, silent=False)
    assert [len(window) for window in found.windows] == [3]
    assert found.through == 3


def test_the_end_of_the_conversation_closes_a_short_window() -> None:
    found = cut(numbered(a_turn("hi", 0), a_turn("ho", 1), an_ending()), THREE, silent=False)
    assert [len(window) for window in found.windows] == [2]
    assert [item.seq for item in found.endings] == [3]
    assert found.through == 3


def test_an_ending_right_behind_a_full_window_makes_no_empty_one() -> None:
    found = cut(numbered(*(a_turn("hi", n) for n in range(3)), an_ending()), THREE, silent=False)
    assert len(found.windows) == 1
    assert found.through == 4


def test_another_conversation_closes_the_window_before_it() -> None:
    found = cut(numbered(a_turn("a", 0), a_turn("b", 0, run="next")), THREE, silent=False)
    assert [len(window) for window in found.windows] == [1]
    assert found.through == 1


def test_silence_closes_what_is_open() -> None:
    found = cut(numbered(a_turn("a", 0)), THREE, silent=True)
    assert [len(window) for window in found.windows] == [1]


def test_turns_not_to_be_read_are_in_no_window() -> None:
    found = cut(numbered(a_turn("a", 0, extract=False), a_turn("b", 1)), THREE, silent=True)
    assert [[item.event.event_id for item in window] for window in found.windows] == [["talk/1"]]


def test_a_window_has_the_same_job_however_often_it_is_cut() -> None:
    turns = numbered(a_turn("a", 0), a_turn("b", 1))
    assert window_job(turns) == window_job(list(turns))
