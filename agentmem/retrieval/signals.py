"""What speaks for a candidate: the signals, each a number from 0 to 1 by which profiles weigh and explanations show."""

import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Final

import numpy as np

from agentmem.domain.memory import MemoryType, Trust
from agentmem.domain.value import JsonValue
from agentmem.language.time import TimeMention
from agentmem.language.tokens import query_sparse, term_ids
from agentmem.ports.memory_index import CUES
from agentmem.questions.form import is_the_moment
from agentmem.questions.question import Question
from agentmem.retrieval.pool import SAID, Candidate, Pool, place_in
from agentmem.retrieval.term_weights import Column

Signal = Callable[[Pool], Column]

NEAR, FAR = 0.5, 0.3
"""How much of a neighbour's match counts for the talk: of the turns beside it, and of those next to them."""

LONG_TEXT = 60
"""Terms of a text beyond which it counts less that it says the question's words: a long one says everybody's."""

SMALL_POOL = 50
"""Candidates below which what stands around a turn says little of it: then all of the talk is there."""

MANY_CANDIDATES, BY_WORDS = 150, 0.8
"""Among so many candidates, so much of what a topic says is better said by words."""

SEEDS = 3
"""Of so many of the best candidates the terms are taken to find others like them."""

FIRST_TURNS = 2
"""Turns of a talk with nothing before them to lean on."""

MANY_SOURCES = 8
BARE = 0.5
"""What a filled slot is worth beside words of the question that the memory does not say."""
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


def coverage(pool: Pool) -> Column:
    """How much of the question, by the rarity of its words, the text says at all."""
    return pool.terms.covered * brief(pool)


def topic(pool: Pool) -> Column:
    """How much of what the question is about, by rarity, the text has words of, whatever words these are; the less the
    more candidates there are, for among many some say the question's own words."""
    among = 1 - BY_WORDS * min(1.0, len(pool) / MANY_CANDIDATES)
    return pool.terms.share_of(term_ids(pool.question.topics)) * brief(pool) * among


def feedback(pool: Pool) -> Column:
    """Words shared with the best matches, for what does not say the question's own."""
    best = pool.by_match[:SEEDS]
    best = best[pool.match[best] > 0]
    return _share(pool.terms.likeness(best)) * (1 - pool.lexical) * _enough(pool)


def answer(pool: Pool) -> Column:
    """The match of the turn before, where that one asks, somebody else speaks and this one does not ask back."""
    before = pool.rows_beside(-1)
    asks = pool.read(lambda item: float(bool(cues_in(item).get("asks"))))
    speakers = [item.fields.get("speaker") for item in pool.candidates]
    replies = np.array([at >= 0 and speakers[at] != speakers[row] for row, at in enumerate(before.tolist())])
    return np.where(replies, asks[before] * (1 - asks) * pool.match[before], 0.0) * brief(pool)


def second(pool: Pool) -> Column:
    """What of the question was said two turns before, mostly by the same speaker, and is not said again."""
    before = pool.rows_beside(-2)
    if len(pool.question.speakers) < 2 or not pool.terms.score.any():
        return np.zeros(len(pool))
    more = np.maximum(pool.terms.said[before] - pool.terms.said, 0.0) @ pool.terms.rarity
    return np.where(before < 0, 0.0, np.minimum(more / pool.terms.score.max(), 1.0)) * brief(pool)


def opening(pool: Pool) -> Column:
    """The match of a turn that opens a talk between several people."""
    if len(pool.question.speakers) < 2:
        return np.zeros(len(pool))
    first = pool.read(lambda item: float((at := place_in(item.fields)) is not None and at[1] <= FIRST_TURNS))
    return first * pool.match * _enough(pool)


def session(pool: Pool) -> Column:
    """The best spot of the talk the turn is part of, a spot being a turn with its neighbours."""
    near = pool.beside(pool.match, -1) + pool.beside(pool.match, 1)
    far = pool.beside(pool.match, -2) + pool.beside(pool.match, 2)
    spots = pool.match + NEAR * near + FAR * far
    return pool.best_of_talk(spots) / (1 + 2 * NEAR + 2 * FAR) * _enough(pool)


def talk(pool: Pool) -> Column:
    """How much of the question the turns of the talk say together."""
    values = np.zeros(len(pool))
    for rows in pool.talks:
        values[rows] = pool.terms.said[rows].max(axis=0) @ pool.terms.rarity
    return _share(values) * _enough(pool)


def speaker(pool: Pool) -> Column:
    """1 where the question names who speaks or whom it is about, 0 where it names another, a half where it names nobody
    or nobody said it; 0 for what was told of somebody who neither speaks nor is asked for."""
    named, question = pool.question.named, pool.question

    def of(item: Candidate) -> float:
        about = str(item.fields.get("targetName"))
        if item.fields.get("memoryType") == MemoryType.OBSERVATION and question.speakers and not question.means(about):
            return 0.0
        if not named or item.fields.get("memoryType") not in SAID:
            return 0.5
        return float(not named.isdisjoint(str(item.fields.get(role)) for role in _ROLES))

    return pool.read(of)


def time(pool: Pool) -> Column:
    """1 where the memory's own time, or one its text names, meets a time the question names; "now" only what was
    measured."""
    times, now = pool.question.times, pool.question.now
    if not times:
        return np.zeros(len(pool))
    lasting = [each for each in times if not is_the_moment(each, now)]

    def of(item: Candidate) -> float:
        asked = times if item.fields.get("memoryType") == MemoryType.PERCEPTUAL else lasting
        return float(any(_meets(mention, item, now.tzinfo) for mention in asked))

    return pool.read(of)


def dated(pool: Pool) -> Column:
    """1 where the question asks for a time and the text names one."""
    if not pool.question.wants_time:
        return np.zeros(len(pool))
    return pool.read(lambda item: float(bool(cues_in(item).get("dated"))))


def asked(pool: Pool) -> Column:
    """Where the memory fills a slot the question asks for, how much of what else is asked it says; at least `BARE`."""
    filled = pool.read(lambda item: float(str(item.fields.get("attribute")) in pool.question.asked))
    rest = query_sparse(pool.question.beside)[0] if pool.question.beside.strip() else ()
    return filled * (BARE + (1 - BARE) * pool.terms.share_of(rest)) if rest and filled.any() else filled


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
        *(lexical, dense, keys, relevance, coverage, topic, feedback),
        *(answer, second, opening, session, talk),
        *(speaker, time, dated),
        *(asked, association, mentions, importance, recency, trust),
    )
}
"""By name, as profiles weigh them and explanations show them."""


def brief(pool: Pool) -> Column:
    """From 1 for a short text down to 0 for a very long one."""
    return 1 / (1 + (pool.terms.sizes / LONG_TEXT) ** 2)


def _enough(pool: Pool) -> float:
    """1 where there are candidates enough to tell a talk's good spots from the rest of it."""
    return min(1.0, len(pool) / SMALL_POOL)


def _share(column: Column) -> Column:
    best = column.max(initial=0.0)
    return column / best if best > 0 else column


def _meets(mention: TimeMention, item: Candidate, zone: tzinfo | None) -> bool:
    """Whether the memory's own time lies in the one named, or an interval its text names overlaps with it."""
    own = _spoken(item)
    if own is not None and mention.covers(own):
        return True
    told = _spans(cues_in(item).get("times"))
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


def is_coming(item: Candidate, question: Question) -> bool:
    """Whether it has not begun at the time that is asked about."""
    begins = _spoken(item)
    return begins is not None and begins > question.now and not question.looks_to(begins)


def _moment(item: Candidate) -> float:
    own = _spoken(item)
    return 0.0 if own is None else own.timestamp()


def cues_in(item: Candidate) -> Mapping[str, JsonValue]:
    """What the index has of the cues of a text."""
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
