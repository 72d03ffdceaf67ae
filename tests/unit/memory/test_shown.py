"""What a reading is shown of what is remembered, however often it has changed."""

from datetime import timedelta

from agentmem.domain.memory import Ending, MemoryNode, StoreStatus
from agentmem.memory.intake import MAX_HELD, shown
from tests.support.nodes import NOON, a_memory

HOUR = timedelta(hours=1)


def replaced(content: str, by: MemoryNode, number: int, ending: Ending = Ending.SUPERSEDED) -> MemoryNode:
    return a_memory(
        content,
        valid_at=NOON + number * HOUR,
        invalid_at=NOON + (number + 1) * HOUR,
        store_status=StoreStatus.EXPIRED,
        ending=ending,
        superseded_by=by.memory_id,
    )


def chain(length: int) -> list[MemoryNode]:
    """A value that changed so often, the one that holds first."""
    nodes = [a_memory(f"罗小东的预算是{length}万", valid_at=NOON + length * HOUR)]
    for number in reversed(range(length)):
        nodes.append(replaced(f"罗小东的预算是{number}万", nodes[-1], number))
    return nodes


def test_what_holds_is_shown_however_old_it_is_and_however_often_something_else_changed() -> None:
    old = a_memory("罗小东对坚果过敏", valid_at=NOON - timedelta(days=900))
    held = shown([*chain(1_000), old])
    assert len(held) == MAX_HELD
    assert [each.content for each in held if each.by is None] == [old.content, "罗小东的预算是1000万"]
    assert {each.by for each in held[1:-1]} == {"罗小东的预算是1000万"}


def test_what_was_replaced_at_any_remove_names_what_holds_in_its_place() -> None:
    first, *_, last = reversed(chain(3))
    held = shown(chain(3))
    assert (held[0].content, held[0].by) == (first.content, last.content)


def test_what_was_only_said_again_in_fuller_words_was_not_replaced() -> None:
    fuller = a_memory("罗小东的电话是13800138000,是手机")
    assert [
        each.content for each in shown([replaced("罗小东的电话是13800138000", fuller, 0, Ending.RETIRED), fuller])
    ] == [fuller.content]


def test_a_circle_of_successors_ends() -> None:
    one, other = a_memory("一"), a_memory("二")
    circle = [
        replaced("一", other, 0).revised(memory_id=one.memory_id),
        replaced("二", one, 1).revised(memory_id=other.memory_id),
    ]
    assert shown(circle) == ()


def test_where_all_places_are_taken_by_what_holds_nothing_that_is_over_is_shown() -> None:
    many = [a_memory(f"罗小东读过第{number}本书", valid_at=NOON + number * HOUR) for number in range(MAX_HELD)]
    held = shown([*many, replaced("罗小东读过一本书", many[0], 0)])
    assert (len(held), {each.by for each in held}) == (MAX_HELD, {None})
