"""What the texts of the best hits show beside their words."""

from collections.abc import Sequence
from datetime import UTC, datetime

from agentmem.language.tokens import sparse
from agentmem.ports.memory_index import Sparse
from agentmem.questions.question import read_question
from agentmem.retrieval.pool import Candidate, Pool
from agentmem.retrieval.profiles import MEMORIES
from agentmem.retrieval.query import Hit
from agentmem.retrieval.second_look import FEW, NOTHING, looked_again
from tests.support.nodes import a_memory

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def first(question: str, texts: Sequence[str], *, others: int = FEW) -> str:
    """The text of the first hit, of what was said in this order, all found equally well."""
    nodes = [a_memory(text, run_id=f"talk {place}", timestamp=place + 1) for place, text in enumerate(texts)]
    beside = [a_memory(f"filler {place}") for place in range(others)]
    candidates = [
        Candidate(node.memory_id, {"memoryType": str(node.memory_type)}, terms=Sparse(*sparse(node.content)))
        for node in (*nodes, *beside)
    ]
    pool = Pool(read_question(question, NOW), candidates)
    return looked_again([Hit(node, 1.0) for node in nodes], pool, MEMORIES)[0].memory.content


def test_what_has_a_number_goes_first_where_a_number_is_asked_for() -> None:
    assert first("How many tables do they have?", ["The tables are lovely", "There are 14 of them"]) == (
        "There are 14 of them"
    )


def test_what_tells_goes_before_what_asks() -> None:
    assert first("What about the parcel?", ["Is the parcel there?", "The parcel is there"]) == "The parcel is there"


def test_a_later_word_that_says_what_has_changed_goes_first() -> None:
    texts = ["I take the tram to work", "I switched from the tram to a bike"]
    assert first("Does she take the tram?", texts) == texts[1]


def test_among_many_candidates_the_words_decide() -> None:
    texts = ["The tables are lovely", "There are 14 of them"]
    assert first("How many tables do they have?", texts, others=NOTHING) == texts[0]


def test_how_much_a_text_tells_counts_for_nothing_among_few() -> None:
    texts = ["The tables are lovely", "The tables came by ferry from a yard in Bergen with eleven lamps"]
    assert first("What about the tables?", texts, others=0) == texts[0]
    assert first("What about the tables?", texts) == texts[1]


def test_what_tells_more_goes_first_of_what_was_found_equally_well() -> None:
    assert first("What about the sofa?", ["Hm.", "The long one by the window, please."]) != "Hm."


def test_what_has_no_word_that_counts_is_looked_at_too() -> None:
    assert first("How many tables do they have?", ["!!", "???"], others=30) in ("!!", "???")
