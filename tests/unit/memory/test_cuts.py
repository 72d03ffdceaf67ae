"""Words are taken out of a text in whole clauses, and what points into it moves along."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.domain.memory import Evidence
from agentmem.memory.cuts import apart, moved, pieces, widened, without
from tests.support.nodes import TARGET


def cut(text: str, *words: str) -> str:
    """The text without the clauses that hold one of the words."""
    stretches = [piece for piece in pieces(text) if any(word in text[slice(*piece)] for word in words)]
    return without(text, widened(text, stretches))


@pytest.mark.parametrize(
    ("text", "words", "left"),
    [
        ("My phone is 555-0142 and I live at 12 Oak St.", ["555"], "I live at 12 Oak St."),
        ("My phone is 555-0142 and I live at 12 Oak St.", ["Oak"], "My phone is 555-0142."),
        ("Hello, my phone is 555-0142 and I live in Rome.", ["555"], "Hello, I live in Rome."),
        ("Call me at 555. Bye.", ["555"], "Bye."),
        ("Call me at 555, Tom and Ann are here. Bye.", ["Ann"], "Call me at 555. Bye."),
        ("我的电话是13812345678,我住在北京朝阳区。", ["138"], "我住在北京朝阳区。"),
        ("我的电话是13812345678,而且我住在北京。", ["北京"], "我的电话是13812345678。"),
        ("你好!我叫小东,电话13812345678,住北京。", ["138", "小东"], "你好!住北京。"),
        ("Tom and Ann like tea", ["tea"], ""),
    ],
)
def test_a_clause_goes_with_its_separators(text: str, words: list[str], left: str) -> None:
    assert cut(text, *words) == left


def test_of_what_is_spared_whole_no_stretch_is_left() -> None:
    assert apart([(0, 4), (6, 9)], [(0, 4)]) == ((6, 9),)
    assert apart([(2, 4)], [(0, 3), (3, 6)]) == ()
    assert apart([(0, 9)], [(3, 5)]) == ((0, 3), (5, 9))


def test_evidence_points_at_the_same_words_afterwards() -> None:
    text = "Hello, my phone is 555-0142 and I live at 12 Oak St."
    cuts = widened(text, [piece for piece in pieces(text) if "555" in text[slice(*piece)]])
    home = Evidence(memory_id=TARGET, start=text.index("I live"), end=len(text))
    phone = Evidence(memory_id=TARGET, start=text.index("my"), end=text.index(" and"))
    there = moved(home, cuts)
    assert there is not None
    assert without(text, cuts)[there.start : there.end] == "I live at 12 Oak St."
    assert moved(phone, cuts) is None


@given(text=st.text(alphabet="ab, .。,and", max_size=60), data=st.data())
def test_what_is_not_cut_stays_in_order_and_can_be_pointed_at(text: str, data: st.DataObject) -> None:
    chosen = [piece for piece in pieces(text) if data.draw(st.booleans())]
    cuts = widened(text, chosen)
    left = without(text, cuts)
    for start, end in pieces(text):
        there = moved(Evidence(memory_id=TARGET, start=start, end=end), cuts)
        whole = all(end <= begin or stop <= start for begin, stop in cuts)
        if whole:
            assert there is not None
            assert left[there.start : there.end] == text[start:end]
        if (start, end) in chosen:
            assert there is None
