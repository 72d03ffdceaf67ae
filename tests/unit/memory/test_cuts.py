"""Words are taken out of a text in whole clauses, and what points into it moves along."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.domain.entity import MENTIONS
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Evidence, MemoryNode, Modality
from agentmem.memory.cuts import (
    NamesOf,
    apart,
    clauses_said,
    made_of,
    moved,
    names_in,
    pieces,
    saying,
    still_named,
    widened,
    without,
)
from tests.support.nodes import TARGET, a_memory


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


@pytest.mark.parametrize("text", ["而且我喜欢茶", "但是我喜欢茶", " and I like tea"])
def test_a_joint_with_nothing_before_it_parts_nothing(text: str) -> None:
    (cut,) = pieces(text)
    assert text[slice(*cut)] == text.strip()


def test_the_evidence_of_a_value_that_is_said_in_other_words_is_the_clause_most_like_it() -> None:
    text = "I like tea, my budget is half a million."
    node = a_memory("罗小东's budget is 500000", attribute="budget", value="500000")
    whole = Evidence(memory_id=TARGET, start=0, end=len(text))
    assert [text[slice(*cut)] for cut in saying(node, text, whole, [])] == ["my budget is half a million"]


def said_by(node: MemoryNode, text: str, *beside: MemoryNode) -> list[str]:
    """The stretches of a turn, which is the whole evidence, that say a memory."""
    whole = Evidence(memory_id=TARGET, start=0, end=len(text))
    return [text[slice(*cut)] for cut in saying(node, text, whole, beside)]


def test_the_clause_that_has_its_value_says_a_memory_and_its_value_alone_where_another_is_beside_it() -> None:
    phone = a_memory("罗小东's phone is 555-0142", attribute="phone", value="555-0142")
    fax = a_memory("罗小东's fax is 555-0177", attribute="fax", value="555-0177")
    tea = a_memory("罗小东 likes tea")
    text = "I like tea, call 555-0142 or 555-0177, not on my old phone"
    assert said_by(phone, text, tea, fax) == ["555-0142"]
    assert said_by(phone, text, tea, phone) == ["call 555-0142 or 555-0177"]
    assert said_by(phone, "call 555-0142", tea, fax) == ["call 555-0142"]


def test_what_only_a_title_told_is_said_by_no_words_but_those_that_have_it() -> None:
    baker = a_memory(
        "罗小东 is a baker",
        attribute="occupation",
        value="baker",
        modality=Modality.INFERRED,
        meta_data={"title": "baker"},
    )
    assert said_by(baker, "I moved house") == []
    assert said_by(baker, "I am a baker") == ["I am a baker"]


def test_a_memory_is_made_of_the_words_that_its_evidence_meets_and_of_none_beside_them() -> None:
    turn, other = derived_id("test", "turn"), derived_id("test", "other")
    node = a_memory("x", evidence=(Evidence(memory_id=turn, start=4, end=8),))
    cuts = [(0, 4), (0, 5), (7, 9), (8, 9)]
    assert [made_of([node], turn, cut) for cut in cuts] == [False, True, True, False]
    assert not made_of([node], other, (0, 9))


def test_of_a_memory_that_says_nothing_but_what_goes_no_clause_is_taken_out() -> None:
    both = a_memory("罗小东 likes tea, 罗小东 plays chess")
    assert [both.content[slice(*cut)] for cut in clauses_said(both, ["plays chess"])] == ["罗小东 plays chess"]
    assert clauses_said(both, ["likes tea and plays chess"]) == []
    assert clauses_said(both, ["likes coffee"]) == []
    assert clauses_said(a_memory("罗小东, 罗小东 plays chess"), ["likes tea"]) == []


def test_what_was_given_along_with_a_memory_stays_when_a_name_goes() -> None:
    node = a_memory("likes tea", meta_data={"caption": "at work", MENTIONS: [{"name": "Globex", "kind": "thing"}]})
    assert still_named(node, {"tea"})["meta_data"] == {"caption": "at work"}


def test_the_names_of_a_person_are_those_that_memories_about_him_give() -> None:
    alias = a_memory("罗小东 is called Max", attribute="alias", value="Max")
    phone = a_memory("罗小东's phone is 555-0142", attribute="phone", value="555-0142")
    nameless = a_memory("罗小东 has another name", attribute="alias")
    assert [list(names_in(node, TARGET)) for node in (alias, phone, nameless)] == [
        ["罗小东", "Max"],
        ["罗小东"],
        ["罗小东"],
    ]
    assert list(names_in(alias, None)) == []


@pytest.mark.parametrize(
    ("name", "text", "stands"),
    [
        ("孟伟", "我问孟伟了", True),
        ("Ann", "我问Ann了", True),
        ("Ann", "ask ann, please", True),
        ("Ann", "Annika left", False),
        ("Ann", "JoAnn left", False),
        ("A", "a cat", False),
    ],
)
def test_a_name_of_letters_stands_by_itself_and_one_of_chinese_characters_anywhere(
    name: str, text: str, *, stands: bool
) -> None:
    assert NamesOf([name]).stand_in(text) is stands


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
