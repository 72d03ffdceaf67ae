"""An answer without a model is told from the first few of what was found."""

from agentmem.answers.ask import FIRST, is_far_down
from agentmem.answers.extractive import ExtractedAnswer
from agentmem.answers.passages import Looked, Part, Passage
from tests.support.nodes import a_memory

FOUND = tuple(Passage(a_memory(f"fact {place}"), 1.0) for place in range(FIRST + 1))
LOOKED = Looked((Part("?", FOUND),), 0.9, ())


def test_what_stands_below_the_first_few_is_no_answer_by_itself() -> None:
    assert is_far_down(told_from(FOUND[FIRST:]), LOOKED)
    assert not is_far_down(told_from(FOUND[FIRST - 1 :]), LOOKED)


def told_from(sources: tuple[Passage, ...]) -> ExtractedAnswer:
    return ExtractedAnswer("fact", sources, frozenset(one.memory.memory_id for one in sources))
