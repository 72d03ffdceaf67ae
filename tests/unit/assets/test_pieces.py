"""The order of pieces survives edits, and only neighbours notice."""

from hypothesis import given
from hypothesis import strategies as st

from agentmem.assets.pieces import seated, successors


def test_a_changed_piece_takes_over_from_the_one_in_its_place() -> None:
    assert successors(["a", "b", "c"], ["a", "x", "c"]) == {"x": "b"}
    assert successors(["a", "b", "c"], ["a", "x", "b", "y"]) == {"y": "c"}
    assert successors(["a", "b"], ["a", "x", "b"]) == {}
    assert successors(["a", "b", "c"], ["a", "c"]) == {}


def test_an_inserted_piece_moves_no_other() -> None:
    seats = seated(["a", "x", "b", "c"], {"a": 0.0, "b": 1.0, "c": 2.0})
    assert [seat.place for seat in seats.values()] == [0.0, 0.5, 1.0, 2.0]
    assert (seats["x"].before, seats["x"].behind) == ("a", "b")
    assert (seats["a"].before, seats["c"].behind) == (None, None)


@given(st.data())
def test_places_always_rise(data: st.DataObject) -> None:
    order = [str(number) for number in range(data.draw(st.integers(0, 12)))]
    kept = data.draw(st.lists(st.sampled_from(order), unique=True)) if order else []
    known = {name: data.draw(st.floats(-5, 5)) for name in kept}
    places = [seat.place for seat in seated(order, known).values()]
    assert places == sorted(set(places))
    assert len(places) == len(order)
