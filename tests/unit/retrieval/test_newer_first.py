"""Of two memories that contradict each other the newer is told first."""

from datetime import timedelta

from agentmem.questions.question import read_question
from agentmem.retrieval.query import Hit
from agentmem.retrieval.recall import newer_first
from tests.support.nodes import NOON, a_memory

ASKED = read_question("预算", NOON + timedelta(days=9))


def test_the_newer_of_two_in_conflict_takes_the_place_of_the_older() -> None:
    old = a_memory("罗小东的预算是三万")
    new = a_memory("罗小东的预算现在是五万", valid_at=NOON + timedelta(days=3), conflicts_with=(old.memory_id,))
    old = old.revised(conflicts_with=(new.memory_id,))
    first, other, last = Hit(old, 3.0), Hit(a_memory("罗小东喜欢咖啡"), 2.0), Hit(new, 1.0)
    assert newer_first((first, other, last), ASKED) == (last, first, other)
    assert newer_first((other, last, first), ASKED) == (other, last, first)


def test_what_contradicts_nothing_found_stays_where_it_is() -> None:
    hits = tuple(Hit(a_memory(text), 1.0) for text in ("罗小东喜欢咖啡", "罗小东住在上海"))
    assert newer_first(hits, ASKED) == hits
