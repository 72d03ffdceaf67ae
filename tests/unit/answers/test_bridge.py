"""Names that lead on from what was found."""

import pytest

from agentmem.answers.demand import Asking, says
from agentmem.answers.passages import Passage
from agentmem.answers.traversal import across, bridges
from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryNode, MemoryType
from tests.support.nodes import AGENT, TENANT, a_memory

QUESTION = "How does the leader of Northlight calm his nerves?"
MOVE = a_memory("Northlight is led by Callum Strake. Fenwick Data lays the cables.", memory_type=MemoryType.LONGTERM)


def told_by(name: str, content: str, **fields: object) -> MemoryNode:
    target = named(TENANT, AGENT, name)
    return a_memory(content, **{"target_id": target, "target_name": name, "entity_ids": (target,), **fields})


ROASTS = told_by("Callum Strake", "Callum Strake roasts coffee on the roof")
LIKES = told_by("Ann Hale", "Ann Hale once met Callum Strake")
OTHER = told_by("Ann Hale", "Ann Hale paints boats")


def met(*nodes: MemoryNode) -> tuple[Asking, list[Passage]]:
    asking = Asking(QUESTION)
    asking.meet(nodes)
    return asking, [Passage(node, 1.0 / place, said=asking.said(node)) for place, node in enumerate(nodes, start=1)]


def test_a_way_leads_on_over_names_that_the_question_does_not_say() -> None:
    asking, passages = met(MOVE)
    over = bridges(passages, asking, ())
    assert [bridge.name for bridge in over][:2] == ["Callum Strake", "Fenwick Data"]
    assert "Northlight" not in [bridge.name for bridge in over]
    assert over[0].worth > over[1].worth


def test_what_was_crossed_is_not_crossed_again() -> None:
    asking, passages = met(MOVE)
    crossed = {named(TENANT, AGENT, "Callum Strake")}
    assert "Callum Strake" not in [bridge.name for bridge in bridges(passages, asking, crossed)]


def test_the_far_end_inherits_what_its_way_is_worth_and_says() -> None:
    asking, passages = met(MOVE)
    (bridge,) = [one for one in bridges(passages, asking, ()) if one.name == "Callum Strake"]
    found = {one.memory.content: one for one in across(bridge, {bridge.entity}, [ROASTS, LIKES, OTHER], asking, 2)}
    assert found.keys() == {ROASTS.content, LIKES.content}
    assert found[ROASTS.content].score > found[LIKES.content].score
    assert found[ROASTS.content].behind == MOVE.memory_id
    assert found[ROASTS.content].said >= passages[0].said


def test_a_memory_under_another_id_of_the_same_entity_is_about_it() -> None:
    asking, passages = met(MOVE)
    (bridge,) = [one for one in bridges(passages, asking, ()) if one.name == "Callum Strake"]
    nick = told_by("Cal", "roasts on the roof")
    assert across(bridge, {bridge.entity}, [nick], asking, 2) == []
    assert [one.memory for one in across(bridge, {bridge.entity, nick.target_id}, [nick], asking, 2)] == [nick]


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("the marram box", "marram", True),
        ("the marramweed", "marram", False),
        ("在青石镇出生", "青石镇", True),
        ("tarn数据库", "tarn", True),
        ("plover-30 is out", "plover-3", False),
    ],
)
def test_a_name_is_said_as_a_whole_word(text: str, name: str, said: bool) -> None:
    assert says(text, name) is said


def test_a_question_of_which_only_the_names_were_found_is_told_by_nothing() -> None:
    asking = Asking("Who composed the anthem of Whitcombe Valley?")
    asking.meet([told_by("Whitcombe Valley", "Whitcombe Valley has eight hundred inhabitants")])
    assert asking.told_by([frozenset(asking.words & {"whitcomb", "valley"})]) < 0.1
    assert asking.told_by([asking.words]) == 1.0
