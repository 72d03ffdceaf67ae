"""Where the bars of a timeline lie: facts by what they are about, each from when to until when it holds.

Pure geometry in units of `WIDTH`, so that a template has only to write it down as SVG.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from agentmem.domain.bounds import in_zone
from agentmem.domain.memory import MemoryNode

WIDTH: Final = 1_000.0
MIN_BAR: Final = 8.0
"""So wide is the bar of what held for a moment only."""

MAX_TICKS: Final = 7
_MARGIN: Final = 0.02
_FEW, _SQUEEZED = 3, 10
"""One fact of so many may begin before the axis does, where all the rest would have less than one part of so many."""

_SMALLEST: Final = timedelta(minutes=2)
_MINUTES: Final = (1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720)
_DAYS: Final = (1, 2, 7, 14)
_MONTHS: Final = (1, 2, 3, 6, 12, 24, 60, 120, 300, 600, 1_200, 6_000, 24_000)


@dataclass(frozen=True, slots=True)
class Tick:
    """A month or a day on the axis, or an hour where all lies within a few days. `below` is the day of that hour or the
    year of that day, at the first tick that is in it, so that each label is read as one moment."""

    x: float
    label: str
    below: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A memory from `x` on for `width`. `holds`: at the moment that is looked at. `successors`
    are what took its place, as far as they are to be seen."""

    memory: MemoryNode
    x: float
    width: float
    holds: bool
    successors: tuple[MemoryNode, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """The facts about one thing, the earliest first. `attribute` is None for all the rest."""

    attribute: str | None
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """From `first` to `last`, with a little room at both ends; `marker` is where the moment lies that is looked at."""

    slots: tuple[Slot, ...]
    ticks: tuple[Tick, ...]
    marker: float
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True)
class _Scale:
    first: datetime
    last: datetime

    def place(self, at: datetime) -> float:
        share = (at - self.first) / (self.last - self.first)
        return round(min(1.0, max(0.0, share)) * WIDTH, 1)


def timeline(
    nodes: Sequence[MemoryNode], successors: Mapping[str, MemoryNode], *, now: datetime, at: datetime
) -> Timeline | None:
    """The facts as bars, those last told of first; None where there are none. `at` is the moment looked at; days are
    those of the zone of `now`."""
    if not nodes:
        return None
    first, last = reach(nodes, now)
    begin = _drawn_from(nodes, first, last)
    room = max((last - begin) * _MARGIN, _SMALLEST / 2)
    scale = _Scale(_moved(begin, -room), _moved(last, room))
    until = scale.place(now)
    slots: dict[str | None, list[MemoryNode]] = {}
    for node in nodes:
        slots.setdefault(node.attribute, []).append(node)
    ordered = sorted(slots.items(), key=lambda slot: (slot[0] is None, -max(node.timestamp for node in slot[1])))
    return Timeline(
        tuple(
            Slot(name, tuple(_bar(node, scale, until, successors, at) for node in _by_time(held)))
            for name, held in ordered
        ),
        tuple(_ticks(scale)),
        scale.place(at),
        first,
        last,
    )


def _drawn_from(nodes: Sequence[MemoryNode], first: datetime, last: datetime) -> datetime:
    """Where the axis begins: later than the first fact where that and a few others, which go on, began so long before
    all the rest that nothing of it could be told apart; their bars begin at the edge."""
    ordered = sorted(nodes, key=lambda node: node.valid_at)
    for number in range(1, len(ordered) // _FEW + 1):
        begin = ordered[number].valid_at
        go_on = all(node.invalid_at is None or node.invalid_at > begin for node in ordered[:number])
        if go_on and begin < last and (last - begin) * _SQUEEZED < last - first:
            return in_zone(begin, first.tzinfo) if first.tzinfo else begin
    return first


def _by_time(nodes: Iterable[MemoryNode]) -> list[MemoryNode]:
    return sorted(nodes, key=lambda node: (node.valid_at, node.timestamp))


def reach(nodes: Sequence[MemoryNode], now: datetime) -> tuple[datetime, datetime]:
    """From when to when there is something to show, today included."""
    ends = [node.invalid_at for node in nodes if node.invalid_at is not None]
    begins = [node.valid_at for node in nodes]
    zone = now.tzinfo
    assert zone is not None
    return in_zone(min(now, *begins), zone), in_zone(max(now, *begins, *ends), zone)


def _moved(at: datetime, by: timedelta) -> datetime:
    try:
        return at + by
    except OverflowError:
        return at


def _bar(node: MemoryNode, scale: _Scale, until: float, successors: Mapping[str, MemoryNode], at: datetime) -> Bar:
    """What holds on is drawn until now, and what is planned to the end of the scale."""
    begin = scale.place(node.valid_at)
    open_end = until if begin < until else WIDTH
    end = open_end if node.invalid_at is None else scale.place(node.invalid_at)
    width = max(MIN_BAR, end - begin)
    begin = min(begin, WIDTH - width, max(0.0, until - width) if begin < until else WIDTH)
    after = successors.get(node.superseded_by or "")
    return Bar(node, begin, width, node.holds_at(at), () if after is None else (after,))


def _ticks(scale: _Scale) -> Iterator[Tick]:
    span = scale.last - scale.first
    minutes = next((step for step in _MINUTES if span / timedelta(minutes=step) <= MAX_TICKS), None)
    days = next((step for step in _DAYS if span / timedelta(days=step) <= MAX_TICKS), None)
    if minutes:
        moments = _each(scale, timedelta(minutes=minutes))
    else:
        moments = _each(scale, timedelta(days=days)) if days else _each_month(scale, span / timedelta(days=1))
    form, wide = ("%H:%M", "%Y-%m-%d") if minutes else ("%m-%d", "%Y") if days else ("%Y-%m", "")
    shown = [at for at in moments if scale.first < at < scale.last]
    for at, below in zip(shown, _told_once([at.strftime(wide) for at in shown]), strict=True):
        yield Tick(scale.place(at), at.strftime(form), below)


def _told_once(within: Sequence[str]) -> Iterator[str]:
    """What each tick is within, where that begins; not at the first where one of the next two, which need the room,
    begins another."""
    for number, name in enumerate(within):
        begins = name != within[number - 1] if number else {name}.issuperset(within[1:3])
        yield name if begins else ""


def _each(scale: _Scale, step: timedelta) -> Iterator[datetime]:
    """Midnight before the first moment, and on by this step as long as there is something to show."""
    at = scale.first.replace(hour=0, minute=0, second=0, microsecond=0)
    at += (scale.first - at) // step * step
    while at < scale.last:
        yield at
        at += step


def _each_month(scale: _Scale, days: float) -> Iterator[datetime]:
    months = days / 30.4
    step = next((step for step in _MONTHS if months / step <= MAX_TICKS), _MONTHS[-1])
    start = scale.first.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    number = (start.year * 12 + start.month - 1) // step * step
    while number // 12 <= min(scale.last.year, 9_998):
        if number >= 12:
            yield start.replace(year=number // 12, month=number % 12 + 1)
        number += step
