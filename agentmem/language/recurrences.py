"""What recurs: every Saturday, 每年7月2日, each summer."""

from dataclasses import dataclass
from datetime import datetime

from agentmem.language.dates import Days, Partial


@dataclass(frozen=True, slots=True)
class Recurrence:
    """What all occurrences have in common; an empty field is a wildcard: every 2 July leaves year and weekday open.

    Months and days count from 1, weekdays from 0 for Monday; `hours` are seconds after midnight, the end exclusive.
    """

    months: frozenset[int] = frozenset()
    days: frozenset[int] = frozenset()
    weekdays: frozenset[int] = frozenset()
    hours: tuple[int, int] | None = None

    def holds(self, local: datetime) -> bool:
        """Whether a moment, on the clock of those who speak, may be an occurrence."""
        second = local.hour * 3600 + local.minute * 60 + local.second
        return (
            (not self.months or local.month in self.months)
            and (not self.days or local.day in self.days)
            and (not self.weekdays or local.weekday() in self.weekdays)
            and (self.hours is None or self.hours[0] <= second < self.hours[1])
        )


def recurrence(
    said: Days | Partial | None = None, *, weekdays: frozenset[int] = frozenset(), hours: tuple[int, int] | None = None
) -> Recurrence:
    """The recurrence of a date that leaves out its year; of one that is said in full, only what stands beside it."""
    if not isinstance(said, Partial):
        return Recurrence(weekdays=weekdays, hours=hours)
    first, count = (said.month, said.months) if said.month is not None else (1, 0)
    months = frozenset((first - 1 + more) % 12 + 1 for more in range(count))
    days = frozenset(() if said.day is None else (said.day,))
    if said.weekday is not None:
        weekdays |= {said.weekday}
    return Recurrence(months, days, weekdays, hours)
