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


@dataclass(frozen=True)
class Pages:
    """An answer with two lists of memories."""

    first: tuple[MemoryNode, ...]
    second: tuple[MemoryNode, ...]


def test_of_every_field_what_is_another_s_is_left_out_and_the_answer_itself_stays_as_it_was() -> None:
    pages = Pages((HIS, OTHERS), (OTHERS, HIS))
    assert shown_part(pages, may_see) == Pages((HIS,), (HIS,))
    assert pages == Pages((HIS, OTHERS), (OTHERS, HIS))
    assert shown_part([(pages, 1)], may_see) == [(Pages((HIS,), (HIS,)), 1)]


def test_of_a_mapping_an_item_goes_and_a_mapping_among_others_goes_with_any_of_its_items() -> None:
    mixed = {"a": HIS, "b": OTHERS}
    assert shown_part(mixed, may_see) == {"a": HIS}
    assert shown_part([mixed, {"a": HIS}], may_see) == [{"a": HIS}]
    assert shown_part({"a": 1, "b": "x"}, may_see) == {"a": 1, "b": "x"}


def test_what_a_mapping_holds_is_handed_out_without_what_is_another_s() -> None:
    held = {"a": Pages((HIS, OTHERS), (HIS,)), "b": 1}
    assert shown_part(held, may_see) == {"a": Pages((HIS,), (HIS,)), "b": 1}
    assert shown_part([held], may_see) == [{"a": Pages((HIS,), (HIS,)), "b": 1}]
