"""From a model's answer to what is over: each held statement that it was shown, and until when that one was so."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain
from typing import Final

from agentmem import patterns as re
from agentmem.adapters.cognition.llm.comparing import parts
from agentmem.adapters.cognition.llm.days import last_day
from agentmem.adapters.cognition.llm.output_schemas import EndedAnswer, Json, SaidAnswer, items, numbers
from agentmem.domain.statement import Held, Turn, Window, Withdrawal

_DAY: Final = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d{1,2}))?(?:-(?P<day>\d{1,2}))?")


@dataclass(slots=True)
class EndingsReader:
    """Checks what one answer says of the held statements, counting what it leaves out. What it says to be still true as
    well is left as it is."""

    window: Window
    offered: Mapping[int, Turn]
    held: Sequence[Held]
    answer: Json
    dropped: Counter[str]
    _said: list[EndedAnswer] = field(init=False)
    _still: frozenset[int] = field(init=False)
    _meant: dict[int, int | None] = field(default_factory=dict[int, int | None])
    _replaced: dict[int, datetime] = field(default_factory=dict[int, datetime])

    def __post_init__(self) -> None:
        said, bad = items(self.answer, "no_longer_true", EndedAnswer)
        meant = [(each, self._number(each)) for each in said]
        plainly_last = sorted(meant, key=lambda one: one[0].held == one[1])
        self._meant = {each.held: number for each, number in plainly_last}
        self._said = [each.model_copy(update={"held": number}) for each, number in meant if number is not None]
        self._still = frozenset(numbers(self.answer, "still_true"))
        self.dropped["malformed"] += bad
        self.dropped["held"] += len(said) - len(self._said)

    def _number(self, item: EndedAnswer) -> int | None:
        """The number of the held statement that is meant: another one where that alone has most of the words given, and
        what bears the number has not half of them; None where several have."""
        said = parts(item.says or "") - parts(self.window.person.label)
        shares = {number: len(said & parts(each.content)) for number, each in enumerate(self.held, start=1)}
        most = max(shares.values(), default=0)
        if 2 * most < len(said) or 2 * shares.get(item.held, 0) >= len(said):
            return item.held
        alike = [number for number, share in shares.items() if share == most]
        return alike[0] if len(alike) == 1 else None

    def renumbered(self, item: SaidAnswer) -> SaidAnswer:
        """A statement with the numbers that are meant of those it replaces."""
        meant = (self._meant.get(number, number) for number in item.replaces)
        return item.model_copy(update={"replaces": tuple(number for number in meant if number is not None)})

    @property
    def going_on(self) -> frozenset[int]:
        """Numbers of those that hold up to a later day."""
        return frozenset(each.held for each in self._said if each.until)

    def looked_at(self, said: Iterable[SaidAnswer]) -> tuple[str, ...]:
        """Those of which the answer tells what becomes of them; all where it tells it of none."""
        told = {*self._still, *(each.held for each in self._said)}
        told.update(chain.from_iterable((*item.replaces, *item.adds_to) for item in said))
        shown = (each.memory_id for number, each in enumerate(self.held, start=1) if not told or number in told)
        return tuple(key for key in shown if key is not None)

    def replace(self, item: SaidAnswer, turn: Turn) -> None:
        """Take note of what is over since the person said something else, whether or not the sentence about that may
        stand, and whatever it weighs beside the other."""
        if not turn.by_agent and item.mode != "maybe":
            since = max(turn.at, moment(item.since, turn.at) or turn.at)
            self._replaced |= dict.fromkeys(item.replaces, since)

    def withdrawn(self, settled: Collection[str]) -> tuple[Withdrawal, ...]:
        """What is not true any more, as a turn of the person shows or since its day has passed; but for the `settled`,
        which a statement tells in full."""
        found: dict[str, Withdrawal] = {}
        for item in self._said:
            self._end(found, item.held, self._over_at(item), settled)
        for number in self._replaced.keys() - self._still:
            self._end(found, number, self._replaced[number], settled)
        return tuple(found.values())

    def _end(self, found: dict[str, Withdrawal], number: int, at: datetime | None, settled: Collection[str]) -> None:
        held = self._shown(number)
        if held is None or held.memory_id is None or at is None:
            self.dropped["held"] += 1
        elif held.memory_id not in settled:
            found.setdefault(held.memory_id, Withdrawal(content=held.content, at=at, memory_id=held.memory_id))

    def _shown(self, number: int) -> Held | None:
        return self.held[number - 1] if 1 <= number <= len(self.held) else None

    def _over_at(self, item: EndedAnswer) -> datetime | None:
        """When the person spoke who shows that it is over, or the later time up to which it holds; without a turn, the
        end of the last day that the held statement names, if that was over when the talk began."""
        held = self._shown(item.held)
        if held is None or item.held in self._still:
            return None
        if item.turn is None:
            begun = self.window.turns[0].at
            day = last_day(held.content, held.said_at or begun)
            over = moment(day.isoformat(), begun, end=True) if day else None
            return over if over is not None and over <= begun else None
        heard = self._heard(item.turn)
        return None if heard is None else max(heard, moment(item.until, heard, end=True) or heard)

    def _heard(self, number: int) -> datetime | None:
        """When the person said it; what the agent said, when he next spoke, unless he rejects it."""
        if number < 1 or number not in self.offered or number in numbers(self.answer, "rejected"):
            return None
        later = (turn.at for place, turn in self.offered.items() if place >= number and not turn.by_agent)
        return next(later, None)


def moment(value: str | None, spoken: datetime, *, end: bool = False) -> datetime | None:
    """An ISO time in the offset of the turn, also with slashes. A year or month alone is its beginning, and no end; an
    end on a day is the end of that day. Anything else says nothing."""
    text = (value or "").strip().replace("/", "-")
    found = _DAY.fullmatch(text)
    if found and (found["day"] or not end):
        text = f"{found['year']}-{int(found['month'] or 1):02}-{int(found['day'] or 1):02}"
    try:
        told = datetime.fromisoformat(text) + timedelta(days=1 if found and end else 0)
    except (ValueError, OverflowError):
        return None
    if not 1900 <= told.year <= 2200:
        return None
    return told if told.tzinfo is not None else told.replace(tzinfo=spoken.tzinfo)
