"""From a pool to an order: the signals, each a number from 0 to 1, and each one's share of a candidate's score."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Final

import numpy as np

from agentmem.domain.memory import Trust
from agentmem.domain.value import JsonValue
from agentmem.language.time import TimeMention
from agentmem.ports.memory_index import CUES
from agentmem.retrieval.pool import Candidate, Column, Pool
from agentmem.retrieval.profiles import Profile


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score, which is the sum of `shares`; they stand in row `row` of the signals' columns.
    `match`, from 0 to 1, is how well the channels found it."""

    candidate: Candidate
    score: float
    match: float
    row: int
    columns: Mapping[str, Column]

    @property
    def shares(self) -> dict[str, float]:
        """What each signal gave."""
        return {name: float(column[self.row]) for name, column in self.columns.items()}


def ranked(pool: Pool, profile: Profile) -> list[Ranked]:
    """The candidates, best first; of equal ones the newer, then by id. Each memory once, by its better place."""
    if not len(pool):
        return []
    ratio = _ratio(pool, profile)
    weighed = {
        name: weight * _column(name, pool, profile) * ratio for name, weight in profile.weights.items() if weight
    }
    scores: list[float] = sum(weighed.values(), np.zeros(len(pool))).tolist()
    found: dict[str, Ranked] = {}
    for row in sorted(range(len(pool)), key=_order(pool.candidates, scores)):
        if scores[row] >= profile.floor:
            item = pool.candidates[row]
            found.setdefault(item.memory_id, Ranked(item, scores[row], float(pool.match[row]), row, weighed))
    return list(found.values())


def _column(name: str, pool: Pool, profile: Profile) -> Column:
    column = SIGNALS[name](pool)
    return _spread(column) if profile.spread else column


def _spread(column: Column) -> Column:
    low, high = float(column.min()), float(column.max())
    return np.full(len(column), 0.5) if low == high else (column - low) / (high - low)


def _ratio(pool: Pool, profile: Profile) -> Column:
    """What a whole score is multiplied by: for its layer, for how it is held, for the time the question names."""
    held = pool.read(
        lambda item: (
            profile.types.get(str(item.fields.get("memoryType")), 1.0)
            * (profile.in_doubt if item.fields.get("needsReview") else 1.0)
            * (profile.hypothesis if item.fields.get("modality") == "hypothesis" else 1.0)
        )
    )
    return held if profile.time_match == 1.0 else held * (1.0 + (profile.time_match - 1.0) * time(pool))


def _order(candidates: Sequence[Candidate], scores: Sequence[float]) -> Callable[[int], tuple[float, int, str]]:
    def key(row: int) -> tuple[float, int, str]:
        timestamp = candidates[row].fields.get("timestamp")
        return -scores[row], -timestamp if isinstance(timestamp, int) else 0, candidates[row].memory_id

    return key


Signal = Callable[[Pool], Column]

NEAR, FAR = 0.5, 0.3
"""How much of a neighbour's match counts for the talk: of the turns beside it, and of those next to them."""

MANY_SOURCES = 8
_ROLES = ("speaker", "targetName")

_TOLD_IN_EVERY_ZONE = range(
    int(datetime(2, 1, 1, tzinfo=UTC).timestamp()), int(datetime(9999, 1, 1, tzinfo=UTC).timestamp())
)
"""Seconds since 1970 that have a date in any zone; next to the first and the last year a `datetime` overflows."""


def lexical(pool: Pool) -> Column:
    """BM25 of the content."""
    return pool.lexical


def dense(pool: Pool) -> Column:
    """Cosine between question and content."""
    return pool.dense


def keys(pool: Pool) -> Column:
    """Cosine between the question and the best of the memory's keys."""
    return pool.keys


def relevance(pool: Pool) -> Column:
    """BM25 and cosine together, as neighbours are judged by."""
    return pool.match


def previous(pool: Pool) -> Column:
    """The match of the turn before: an answer seldom repeats the words of what it answers."""
    return pool.beside(pool.match, -1)


def following(pool: Pool) -> Column:
    """The match of the turn behind: a question put back, a comment."""
    return pool.beside(pool.match, 1)


def second_previous(pool: Pool) -> Column:
    """The match two turns before: mostly the same speaker going on."""
    return pool.beside(pool.match, -2)


def session(pool: Pool) -> Column:
    """The best spot of the talk the turn is part of, a spot being a turn with its neighbours."""
    near = previous(pool) + following(pool)
    far = second_previous(pool) + pool.beside(pool.match, 2)
    return pool.best_of_talk(pool.match + NEAR * near + FAR * far) / (1 + 2 * NEAR + 2 * FAR)


def speaker(pool: Pool) -> Column:
    """1 where the question names who speaks or whom it is about, 0 where it names another, a half where nobody."""
    named = pool.question.named
    if not named:
        return np.full(len(pool), 0.5)
    return pool.read(lambda item: float(not named.isdisjoint(str(item.fields.get(role)) for role in _ROLES)))


def time(pool: Pool) -> Column:
    """1 where the memory's own time, or one its text names, meets a time the question names."""
    times = pool.question.times
    if not times:
        return np.zeros(len(pool))
    zone = pool.question.now.tzinfo
    return pool.read(lambda item: float(any(_meets(mention, item, zone) for mention in times)))


def dated(pool: Pool) -> Column:
    """1 where the question asks for a time and the text names one."""
    if not pool.question.wants_time:
        return np.zeros(len(pool))
    return pool.read(lambda item: float(bool(_cues(item).get("dated"))))


def statement(pool: Pool) -> Column:
    """0 for a text that asks, 1 otherwise: who asks does not answer."""
    return pool.read(lambda item: 0.0 if _cues(item).get("asks") else 1.0)


def asked(pool: Pool) -> Column:
    """1 where the memory fills a slot the question asks for."""
    return pool.read(lambda item: float(str(item.fields.get("attribute")) in pool.question.asked))


def association(pool: Pool) -> Column:
    """1 where the question names a key of the memory, as a key is written."""
    text = pool.question.text.casefold()
    return pool.read(lambda item: float(any(key.casefold() in text for key in _texts(item.fields.get("key")))))


def mentions(pool: Pool) -> Column:
    """How many memories it was made from, on a logarithmic scale up to 8."""
    return pool.read(
        lambda item: min(1.0, math.log1p(len(_texts(item.fields.get("sourceIds")))) / math.log1p(MANY_SOURCES))
    )


def importance(pool: Pool) -> Column:
    """Importance from 0 to 9, as a share."""
    return pool.read(lambda item: _number(item.fields.get("importance"), 5) / 9)


def recency(pool: Pool) -> Column:
    """0.99 to the power of the hours since the memory's event (the decay of generative agents, Park et al. 2023)."""
    now = pool.question.now.timestamp()
    return pool.read(lambda item: math.pow(0.99, max(now - _moment(item), 0.0) / 3600))


def trust(pool: Pool) -> Column:
    """0 for words of an untrusted source, 1 otherwise."""
    return pool.read(lambda item: float(item.fields.get("trust") != Trust.UNTRUSTED))


SIGNALS: Final[Mapping[str, Signal]] = {
    signal.__name__: signal
    for signal in (
        *(lexical, dense, keys, relevance),
        *(previous, following, second_previous, session),
        *(speaker, time, dated, statement),
        *(asked, association, mentions, importance, recency, trust),
    )
}
"""By name, as profiles weigh them and explanations show them."""


def _meets(mention: TimeMention, item: Candidate, zone: tzinfo | None) -> bool:
    """Whether the memory's own time lies in the one named, or an interval its text names overlaps with it."""
    own = _spoken(item)
    if own is not None and mention.covers(own):
        return True
    told = _spans(_cues(item).get("times"))
    if mention.recurring:
        return any(mention.covers(_local(first, zone)) for first, _ in told if first in _TOLD_IN_EVERY_ZONE)
    begins, ends = _seconds(mention.begins), _seconds(mention.ends)
    return any((ends is None or first < ends) and (begins is None or begins < last) for first, last in told)


def _local(seconds: int, zone: tzinfo | None) -> datetime:
    return datetime.fromtimestamp(seconds, zone or UTC)


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()


def _spoken(item: Candidate) -> datetime | None:
    at = item.fields.get("validAt")
    return _read_time(at) if isinstance(at, str) else None


_read_time = lru_cache(16_384)(datetime.fromisoformat)  # of each candidate for every question, by two signals


def _moment(item: Candidate) -> float:
    own = _spoken(item)
    return 0.0 if own is None else own.timestamp()


def _cues(item: Candidate) -> Mapping[str, JsonValue]:
    cues = item.fields.get(CUES)
    return cues if isinstance(cues, Mapping) else {}


def _number(value: JsonValue, absent: float) -> float:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else absent


def _texts(value: JsonValue) -> list[str]:
    return [text for text in value if isinstance(text, str) and text] if isinstance(value, list | tuple) else []


def _spans(value: JsonValue) -> list[tuple[int, int]]:
    return [(_edge(row, 0), _edge(row, 1)) for row in _rows(value)]


def _rows(value: JsonValue) -> list[list[JsonValue]]:
    return [row for row in value if isinstance(row, list) and len(row) == 2] if isinstance(value, list) else []


def _edge(row: list[JsonValue], which: int) -> int:
    return int(_number(row[which], 0))
