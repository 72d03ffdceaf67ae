"""Change stories: what is true now and was true then, in whatever order the statements arrive."""

from collections.abc import Sequence
from itertools import permutations

import pytest

from tests.support.stories import Story, play, stories

STORIES = stories()


def _orders(story: Story, longer: int) -> Sequence[tuple[int, ...]]:
    """The orders but the one in which it is told; three of them at most where nothing longer is asked for."""
    others = [*permutations(range(len(story.tell)))][1:]
    return others if longer > 1 else others[:: len(others) // 3 + 1]


def test_there_are_stories_enough_in_both_languages() -> None:
    by_person = [story.person for story in STORIES]
    assert len({story.id for story in STORIES}) == len(STORIES) >= 150
    assert all(by_person.count(person) >= 75 for person in set(by_person))


@pytest.mark.longer
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.id)
def test_story_is_answered_right_at_every_time_in_every_order_of_arrival(story: Story, longer: int) -> None:
    told = play(story)
    assert told.wrong() == []
    state = told.state()
    for order in _orders(story, longer):
        shuffled = play(story, order)
        assert (order, shuffled.wrong()) == (order, [])
        assert (order, shuffled.state()) == (order, state)
