"""The newer school of a child is held with the child, and ends the older of the same child alone."""

from tests.unit.rules.support import english, over, stated


def test_the_newer_school_is_the_childs_and_no_place_of_work() -> None:
    reading = english("My daughter Nora goes to Fernhill School.", "Nora has changed schools, she's at Ashgrove now.")
    assert "Tom Hale's daughter Nora goes to Fernhill School" in over(reading)
    assert "Tom Hale's daughter Nora is at Ashgrove now" in stated(reading)
    assert [each for each in reading.statements if each.attribute == "employer"] == []


def test_the_school_of_another_child_stays() -> None:
    reading = english(
        "My daughter Nora goes to Fernhill School.",
        "My son Max goes to Oakdale School.",
        "Nora has changed schools, she's at Ashgrove now.",
    )
    assert "Tom Hale's son Max goes to Oakdale School" not in over(reading)


def test_where_a_grown_relative_is_stays_his_own() -> None:
    reading = english("My sister Ida has changed jobs, she's at Ashgrove now.")
    assert not any("Ashgrove" in each for each in stated(reading))
