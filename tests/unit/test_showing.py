"""What of an answer is handed out, wherever in it a memory stands that its reader may not touch."""

from dataclasses import dataclass

import pytest

from agentmem.domain.memory import MemoryNode
from agentmem.errors import NotFound
from agentmem.runtime.facade.showing import shown_part
from tests.support.nodes import a_memory

HIS, OTHERS = a_memory("his"), a_memory("another's")


@dataclass(frozen=True)
class Group:
    """An item of an answer with memories in it."""

    name: str
    memories: tuple[MemoryNode, ...]


def may_see(node: MemoryNode) -> bool:
    return node is HIS


def test_of_a_group_among_groups_the_memory_of_another_is_left_out() -> None:
    whole, mixed = Group("whole", (HIS,)), Group("mixed", (HIS, OTHERS))
    assert shown_part((whole, mixed), may_see) == (whole, Group("mixed", (HIS,)))
    assert shown_part({"a": whole, "b": mixed}, may_see) == {"a": whole, "b": Group("mixed", (HIS,))}


def test_an_answer_of_which_nothing_is_hidden_is_handed_out_as_it_is() -> None:
    for answer in ((HIS, 1, "a"), [Group("whole", (HIS,))], {"a": HIS}, Group("whole", (HIS, HIS))):
        assert shown_part(answer, may_see) is answer


def test_an_item_of_a_list_goes_and_a_pair_goes_with_either_of_its_two() -> None:
    assert shown_part([HIS, OTHERS], may_see) == [HIS]
    assert shown_part([(HIS, OTHERS), (HIS, HIS)], may_see) == [(HIS, HIS)]
    with pytest.raises(NotFound):
        shown_part(OTHERS, may_see)
