"""Which held statements a window is read beside: those it may repeat, change or end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import nlargest
from typing import Final

from agentmem.domain.attributes import VOCABULARY
from agentmem.domain.naming import fold
from agentmem.domain.statement import Held, Window
from agentmem.language.gists import Gist, gist_of
from agentmem.language.tokens import terms

MAX_HELD: Final = 16
"""Held statements that are shown with a window."""

READ_OF_A_TURN: Final = 400
"""Characters of a turn that are held against what is remembered."""

_EVER: Final = datetime.min.replace(tzinfo=UTC)


def spoken_of(window: Window) -> list[Held]:
    """Of the statements that hold the likeliest to concern what is said, at most `MAX_HELD`, the oldest first."""
    current = [each for each in (*window.held, *window.others) if each.by is None and each.memory_id is not None]
    current.sort(key=lambda each: each.since or _EVER)
    if len(current) <= MAX_HELD:
        return current
    names = (window.person.name, window.person.label)
    turns = [_Said.of(turn.text[:READ_OF_A_TURN], names) for turn in (*window.context, *window.turns)]
    weighed = [(_met(each, turns, names), place) for place, each in enumerate(current)]
    return [current[place] for place in sorted(place for _, place in nlargest(MAX_HELD, weighed))]


@dataclass(frozen=True, slots=True)
class _Said:
    """One turn: its folded text, its words, and its gist."""

    text: str
    words: frozenset[str]
    gist: Gist

    @classmethod
    def of(cls, text: str, names: Iterable[str]) -> "_Said":
        return cls(fold(text), frozenset(terms(text)), gist_of(text, names))


def _met(held: Held, turns: Sequence[_Said], names: Sequence[str]) -> float:
    """How likely one of the turns concerns a held statement, from 0: by topic words, what it names as over, values of
    one type, the words its attribute goes by, and its keys; more where the turn says that something has changed."""
    gist = gist_of(held.content, names)
    asked, keys = _asked_by(held.attribute), [fold(key) for key in held.key]
    return max(_meets(gist, asked, keys, turn) for turn in turns)


def _meets(gist: Gist, asked: frozenset[str], keys: Sequence[str], turn: _Said) -> float:
    met = len(gist.words & turn.words) / max(1, len(gist.words))
    met += 0.4 * (not gist.values.keys().isdisjoint(turn.gist.values))
    met += 0.3 * (not asked.isdisjoint(turn.words)) + 0.2 * any(key in turn.text for key in keys)
    named = any(words & (gist.words | gist.said) for words in turn.gist.over)
    return met and met + 0.3 * turn.gist.changes + 0.5 * named


def _asked_by(attribute: str | None) -> frozenset[str]:
    known = VOCABULARY.get(attribute) if attribute else None
    return frozenset(terms(known.words)) if known else frozenset()
