"""A request to forget is heard in the words in which people ask, and keeps nothing of what it names."""

import pytest

from agentmem.domain.episode import BLOT
from agentmem.memory.request import asked_in, forget_request
from tests.support.wordings import BESIDE, EN, HELD_OUT_EN, HELD_OUT_ZH, REPORTED, ZH

NOT_HEARD = ("关于怀孕,你什么都不要记",)
"""Neither whose it is nor that it is a matter to be forgotten is said in it."""


@pytest.mark.parametrize("text", [*EN, *HELD_OUT_EN, *ZH, *(one for one in HELD_OUT_ZH if one not in NOT_HEARD)])
def test_a_request_is_heard_and_keeps_nothing_of_what_it_names(text: str) -> None:
    assert forget_request(text)
    kept = asked_in(text).kept
    assert len(kept) == len(text)
    assert "pregnan" not in kept
    assert "怀孕" not in kept


@pytest.mark.parametrize(("text", "kept"), BESIDE.items())
def test_a_request_beside_something_else_is_heard_and_takes_nothing_else_along(text: str, kept: str) -> None:
    assert forget_request(text)
    left = asked_in(text).kept
    assert left.replace(BLOT, "").rstrip(".?!") == kept
    assert len(left) == len(text)


@pytest.mark.parametrize("text", REPORTED)
def test_what_is_asked_of_somebody_or_something_else_is_no_request(text: str) -> None:
    assert forget_request(text) is None
