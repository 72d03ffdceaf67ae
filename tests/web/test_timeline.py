"""Bars begin and end where facts do, and what differs between two texts is found."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.domain.change import Change
from agentmem.interfaces.web.differences import field_changes, marked
from agentmem.interfaces.web.rendering import moment
from agentmem.interfaces.web.timeline import MAX_TICKS, MIN_BAR, WIDTH, timeline
from agentmem.interfaces.web.wording import words_of
from tests.support.nodes import NOON, a_memory

DAY = timedelta(days=1)


def test_bars_lie_where_facts_hold() -> None:
    old = a_memory("old", attribute="city", valid_at=NOON - 100 * DAY).ended(at=NOON - 50 * DAY, now=NOON, by=None)
    new = a_memory("new", attribute="city", valid_at=NOON - 50 * DAY)
    other = a_memory("other", valid_at=NOON - 25 * DAY)
    shown = timeline([other, new, old], {}, now=NOON, at=NOON - 75 * DAY)
    assert shown is not None
    assert [slot.attribute for slot in shown.slots] == ["city", None]
    first, second = shown.slots[0].bars
    assert (first.memory.content, second.memory.content) == ("old", "new")
    assert first.x + first.width == pytest.approx(second.x, abs=0.2)
    now = timeline([new], {}, now=NOON, at=NOON)
    assert now is not None
    assert now.slots[0].bars[0].x + now.slots[0].bars[0].width == pytest.approx(now.marker, abs=0.2) != WIDTH
    assert (first.holds, second.holds) == (True, False)
    assert shown.marker == pytest.approx(first.x + first.width / 2, abs=1)
    assert (shown.first, shown.last) == (NOON - 100 * DAY, NOON)


def test_what_took_the_place_of_something_stands_beside_it() -> None:
    new = a_memory("new", attribute="city")
    old = a_memory("old", attribute="city", valid_at=NOON - DAY).ended(at=NOON, now=NOON, by=new.memory_id)
    shown = timeline([old], {new.memory_id: new}, now=NOON, at=NOON)
    assert shown is not None
    assert shown.slots[0].bars[0].successors == (new,)


def test_nothing_has_no_timeline() -> None:
    assert timeline([], {}, now=NOON, at=NOON) is None


def test_a_talk_of_a_few_minutes_fills_the_timeline_and_has_its_hours() -> None:
    minute = timedelta(minutes=1)
    old = a_memory("old", attribute="city", valid_at=NOON).ended(at=NOON + 2 * minute, now=NOON, by=None)
    new = a_memory("new", attribute="city", valid_at=NOON + 2 * minute)
    now = NOON + 5 * minute
    shown = timeline([new, old], {}, now=now, at=now)
    assert shown is not None
    first, second = shown.slots[0].bars
    assert first.width > WIDTH / 5
    assert second.width > WIDTH / 3
    assert [tick.label for tick in shown.ticks] == [f"{NOON + each * minute:%H:%M}" for each in range(6)]
    assert [tick.below for tick in shown.ticks] == [f"{NOON:%Y-%m-%d}", "", "", "", "", ""]


@pytest.mark.parametrize(
    ("begin", "span", "told"),
    [
        ("12:00", timedelta(minutes=1), "12:00 on 2026-03-09, 12:01"),
        ("12:00", timedelta(hours=5), "12:00 on 2026-03-09, 13:00, 14:00, 15:00, 16:00, 17:00"),
        ("22:00", timedelta(hours=4), "22:00, 23:00, 00:00 on 2026-03-10, 01:00, 02:00"),
        ("23:00", timedelta(hours=20), "00:00 on 2026-03-10, 03:00, 06:00, 09:00, 12:00, 15:00, 18:00"),
        ("12:00", timedelta(days=2), "12:00, 00:00 on 2026-03-10, 12:00, 00:00 on 2026-03-11, 12:00"),
        ("12:00", timedelta(days=5), "03-10 on 2026, 03-11, 03-12, 03-13, 03-14"),
        ("12:00", timedelta(days=120), "2026-04, 2026-05, 2026-06, 2026-07"),
    ],
)
def test_each_label_of_the_axis_is_read_as_one_moment(begin: str, span: timedelta, told: str) -> None:
    first = datetime.fromisoformat(f"2026-03-09T{begin}:00+00:00")
    shown = timeline([a_memory("x", valid_at=first)], {}, now=first + span, at=first)
    assert shown is not None
    assert ", ".join(f"{tick.label} on {tick.below}" if tick.below else tick.label for tick in shown.ticks) == told


times = st.datetimes(datetime(1900, 1, 1), datetime(9000, 1, 1)).map(lambda at: at.replace(tzinfo=NOON.tzinfo))  # noqa: DTZ001


@given(st.lists(st.tuples(times, times), min_size=1, max_size=8), times)
def test_whatever_the_times_are_everything_lies_within(spans: list[tuple[datetime, datetime]], at: datetime) -> None:
    nodes = [a_memory("x", valid_at=min(span), invalid_at=max(span)) for span in spans]
    shown = timeline(nodes, {}, now=NOON, at=at)
    assert shown is not None
    assert 0 <= shown.marker <= WIDTH
    assert len(shown.ticks) <= 2 * MAX_TICKS
    assert [tick.x for tick in shown.ticks] == sorted(tick.x for tick in shown.ticks)
    for bar in (bar for slot in shown.slots for bar in slot.bars):
        assert bar.width >= MIN_BAR
        assert 0 <= bar.x <= bar.x + bar.width <= WIDTH + 0.1


def test_words_that_changed_are_told_and_the_rest_stays() -> None:
    before = a_memory("Tom lives in Oslo", importance=5)
    after = before.revised(content="Tom lives in Rome", importance=6, revision=2)
    content, importance = field_changes(Change(act="refresh", before=before, after=after), words_of("en"), UTC)
    assert content.parts == (("same", "Tom lives in "), ("gone", "Oslo"), ("new", "Rome"))
    assert (importance.name, importance.parts) == ("importance", (("gone", "5"), ("new", "6")))
    (added,) = field_changes(Change(act="add", after=after), words_of("en"), UTC)
    assert added.parts == (("new", "Tom lives in Rome"),)


def test_long_texts_are_told_by_what_is_near_what_is_meant() -> None:
    text = "a" * 5_000 + "here" + "b" * 5_000
    parts = marked(text, [(5_000, 5_004)])
    assert [part.text for part in parts if part.marked] == ["here"]
    assert sum(len(part.text) for part in parts) < 1_000


@given(st.text(max_size=200), st.lists(st.tuples(st.integers(0, 250), st.integers(0, 250)), max_size=6))
def test_marking_loses_and_repeats_nothing(text: str, spans: list[tuple[int, int]]) -> None:
    assert "".join(part.text for part in marked(text, spans)) == text


@pytest.mark.parametrize(("old", "new"), [("啊吧" * 300, "吧吧啊" * 200), ("a b " * 150, "b b a " * 100)])
def test_long_texts_that_only_look_alike_are_told_as_wholes_and_what_is_the_same_around_them_as_such(
    old: str, new: str
) -> None:
    """The search for what they have in common would take minutes, in which nobody else is answered."""
    kept = "This stands in both. " * 40
    pairs = [(old, new), (kept + old, kept + new)]
    apart, framed = (field_changes(rewritten(before, after), words_of("en"), UTC)[0] for before, after in pairs)
    assert [kind for kind, _ in apart.parts] in (["gone", "new"], ["same", "gone", "new"], ["gone", "new", "same"])
    assert framed.parts[0][0] == "same"


@given(st.text("ab 吧", max_size=60), st.text("ab 吧", max_size=60))
def test_the_parts_of_a_difference_make_up_both_texts(old: str, new: str) -> None:
    for told in field_changes(rewritten(f"x {old}", f"x {new}"), words_of("en"), UTC):
        if told.name == "content":
            assert "".join(text for kind, text in told.parts if kind != "new") == f"x {old}"
            assert "".join(text for kind, text in told.parts if kind != "gone") == f"x {new}"


def rewritten(old: str, new: str) -> Change:
    """A memory whose content is another from now on."""
    before = a_memory(old)
    return Change(act="refresh", before=before, after=before.revised(content=new, revision=2))


def test_a_fact_of_long_before_does_not_squeeze_a_talk_of_minutes_and_what_is_ended_lies_before_now() -> None:
    minute = timedelta(minutes=1)
    before = a_memory("before", valid_at=NOON - 12 * DAY)
    old = a_memory("old", attribute="city", valid_at=NOON).ended(at=NOON + 2 * minute, now=NOON, by=None)
    new = a_memory("new", attribute="city", valid_at=NOON + 2 * minute)
    now = NOON + 5 * minute
    shown = timeline([before, new, old], {}, now=now, at=now)
    assert shown is not None
    first, second = shown.slots[0].bars
    assert first.width > WIDTH / 5
    assert second.width > WIDTH / 3
    assert (shown.first, shown.slots[1].bars[0].x) == (NOON - 12 * DAY, 0.0)
    gone = before.ended(at=NOON - 11 * DAY, now=NOON, by=None)
    whole = timeline([gone, new, old], {}, now=now, at=now)
    assert whole is not None
    assert whole.slots[1].bars[0].x > 0  # what is over would be nowhere on an axis that begins later
    assert all(bar.x + bar.width <= whole.marker + 0.1 for slot in whole.slots for bar in slot.bars)


def test_two_times_of_one_minute_are_told_to_the_second() -> None:
    second = timedelta(seconds=1)
    assert moment(NOON, UTC, [NOON + second, NOON]) == f"{NOON:%Y-%m-%d %H:%M:%S}"
    assert moment(NOON, UTC, [NOON, NOON + 60 * second]) == f"{NOON:%Y-%m-%d %H:%M}"
    before = a_memory("x", valid_at=NOON, invalid_at=NOON + 2 * second)
    after = before.revised(invalid_at=NOON + second, revision=2)
    (until,) = field_changes(Change(act="refresh", before=before, after=after), words_of("en"), UTC)
    assert "".join(text for kind, text in until.parts if kind != "new").endswith(":02")
