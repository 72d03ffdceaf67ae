"""How many people a firm has, and how many are at home, at a table or away."""

import pytest

from tests.unit.rules.support import english


@pytest.mark.parametrize(
    "said",
    [
        "We have 4 people in our family.",
        "We have 8 people tonight.",
        "We are 2 people travelling to Rome.",
        "We have 2 people sick today.",
        "We have 2 people on leave.",
        "We have 2 staff allergic to nuts.",
        "We have 11 people coming on Sunday.",
        "We are 6 people in the tent.",
    ],
)
def test_how_many_of_us_something_is_told_of_is_no_size_of_a_firm(said: str) -> None:
    found = english(said).statements
    assert all("organisation" not in each.content and each.attribute != "headcount" for each in found)


def test_day_of_those_who_are_sick_stays() -> None:
    assert all("today" in each.content for each in english("We have 2 people sick today.").statements)


@pytest.mark.parametrize(
    "said", ["We have 12 employees.", "We have 12 people now.", "We're about 40 people.", "We're a 7-person bakery."]
)
def test_size_of_a_firm_is_kept(said: str) -> None:
    assert [each.attribute for each in english(said).statements] == ["headcount"]
