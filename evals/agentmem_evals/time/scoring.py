"""Scores the resolver on time cases: exact is the share of cases of which every time is found and resolved right.

In scope are cases that name only dates, times of day and ranges of them, and those that name none, where nothing may
be found. Durations, recurrences and time zones are not resolved to a time, so cases with them are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from agentmem.language.time import TimeMention, find_times
from agentmem_evals.time.cases import POINTS, RANGES, ExpectedTime, TimeCase

NOTHING = "no time"
SEVERAL = "several kinds"


@dataclass(frozen=True, slots=True)
class ScoredCase:
    """A case in scope and what was found in it. `kind` is what it names: a date, a time, several kinds, no time."""

    case: TimeCase
    kind: str
    found: tuple[TimeMention, ...]
    correct: bool


@dataclass(frozen=True, slots=True)
class TimeReport:
    """`cases` counts all cases of a file, `scored` holds those in scope."""

    cases: int
    scored: tuple[ScoredCase, ...]

    @property
    def correct(self) -> int:
        """How many of the scored cases are right."""
        return sum(one.correct for one in self.scored)

    @property
    def exact(self) -> float:
        """The share of the scored cases that are right; 0 where there are none."""
        return self.correct / len(self.scored) if self.scored else 0.0

    @property
    def failures(self) -> list[ScoredCase]:
        """The scored cases that are not right, in the order of the file."""
        return [one for one in self.scored if not one.correct]


def score(cases: Sequence[TimeCase]) -> TimeReport:
    """Read every case in scope with the resolver as it is."""
    return TimeReport(len(cases), tuple(_scored(case) for case in cases if in_scope(case)))


def in_scope(case: TimeCase) -> bool:
    """Whether a case names nothing but dates, times of day and ranges of them."""
    return all(one.kind in POINTS | RANGES for one in case.expected)


def _scored(case: TimeCase) -> ScoredCase:
    found = tuple(find_times(case.text, case.reference))
    kinds = {one.kind for one in case.expected}
    kind = SEVERAL if len(kinds) > 1 else next(iter(kinds), NOTHING)
    right = all(any(_is(mention, one) for mention in found) for one in case.expected)
    return ScoredCase(case, kind, found, right if case.expected else not found)


def _is(mention: TimeMention, expected: ExpectedTime) -> bool:
    if mention.start != expected.start or (expected.kind.startswith("time") and mention.dated):
        return False
    begins, ends = (_whole(edge) for edge in mention.edges)
    if expected.kind in RANGES:
        return (begins, ends) in expected.allowed
    if expected.kind == "date" and (begins is None or ends != begins + timedelta(days=1)):
        return False
    return (begins, begins) in expected.allowed


def _whole(edge: datetime | None) -> datetime | None:
    """To the second, which is as fine as the format is."""
    return None if edge is None else edge.replace(microsecond=0)
