"""Which held statements a window is read beside: those it may repeat, change, end, or go back from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import nlargest
from typing import Final

from agentmem import patterns as re
from agentmem.domain.attributes import VOCABULARY
from agentmem.domain.naming import fold
from agentmem.domain.statement import Held, Window
from agentmem.language.gists import Gist, gist_of
from agentmem.language.synonyms import kin_in
from agentmem.language.tokens import terms

MAX_HELD: Final = 40
"""Held statements that are shown with a window: all where they are no more."""

READ_OF_A_TURN: Final = 400
"""Characters of a turn that are held against what is remembered."""

MAX_BEFORE: Final = 3
"""Earlier statements that are shown with the one that took their place."""

_GOES_BACK: Final = re.compile(
    r"\b(?:back|again|before|first|original(?:ly)?|earlier|initial(?:ly)?|previous(?:ly)?|old|used to|return|restore"
    r"|reinstate|revert|after all|as it was|still|same)\b"
    r"|回到|改回|换回|恢复|原来|原先|原定|最早|最初|当初|起初|开始|以前|之前|先前|还是|照旧|又|老样子",
    re.IGNORECASE,
)
"""What a return to something earlier is told with, among much else."""

_EVER: Final = datetime.min.replace(tzinfo=UTC)


def spoken_of(window: Window) -> list[Held]:
    """Of the statements that hold those that may concern what is said, at most `MAX_HELD`, the oldest first. Where they
    are fewer, others are shown beside them, what he denied among them, for a change may name no word of what it
    changes: the latest of the person himself, then the latest of what he told of others. Names are no matter that
    changes. Where the talk may go back to something earlier, each has what it took the place of."""
    names = (window.person.name, window.person.label)
    turns = [_Said.of(turn.text[:READ_OF_A_TURN], names) for turn in (*window.context, *window.turns)]
    all_held = sorted((*window.held, *window.others), key=_since)
    weighed = [_Weighed(_met(each, turns, names), each, place) for place, each in enumerate(all_held)]
    shown = nlargest(MAX_HELD, (each for each in weighed if _may_change(each.held)), key=_Weighed.order)
    offered = [each.held for each in sorted(shown, key=lambda each: each.place)]
    if any(_GOES_BACK.search(turn.text[:READ_OF_A_TURN]) for turn in window.turns):
        return [each.revised(before=_taken_over(each, window)) for each in offered]
    return offered


def _since(held: Held) -> datetime:
    return held.since or _EVER


def _taken_over(held: Held, window: Window) -> tuple[str, ...]:
    """What it took the place of, the first and the last of it, the first first."""
    over = [each.content for each in window.held if each.by == held.content != each.content]
    told = list(dict.fromkeys(over))
    return tuple(told if len(told) <= MAX_BEFORE else (told[0], *told[1 - MAX_BEFORE :]))


def _may_change(held: Held) -> bool:
    return held.by is None and held.memory_id is not None and held.attribute != "alias"


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A held statement, how likely it is spoken of, and its place by age."""

    met: float
    held: Held
    place: int

    def order(self) -> tuple[float, bool, int]:
        """The likelier after the others, of equals the person's own, and of these the later."""
        return self.met, self.held.own, self.place


@dataclass(frozen=True, slots=True)
class _Said:
    """One turn: its folded text, its words, the relatives it names, and its gist."""

    text: str
    words: frozenset[str]
    kin: frozenset[str]
    gist: Gist

    @classmethod
    def of(cls, text: str, names: Iterable[str]) -> "_Said":
        return cls(fold(text), frozenset(terms(text)), frozenset(kin_in(text)), gist_of(text, names))


def _met(held: Held, turns: Sequence[_Said], names: Sequence[str]) -> float:
    """How likely one of the turns concerns a held statement, from 0: by topic words, what it names as over, values of
    one type, the words its attribute goes by, its keys, and a relative; more where the turn says that something has
    changed."""
    gist = gist_of(held.content, names)
    asked, keys = _asked_by(held.attribute), [fold(key) for key in held.key]
    kin = frozenset(kin_in(held.content))
    return max(_meets(gist, asked, keys, turn) + 0.3 * (not kin.isdisjoint(turn.kin)) for turn in turns)


def _meets(gist: Gist, asked: frozenset[str], keys: Sequence[str], turn: _Said) -> float:
    met = len(gist.words & turn.words) / max(1, len(gist.words))
    met += 0.4 * (not gist.values.keys().isdisjoint(turn.gist.values))
    met += 0.3 * (not asked.isdisjoint(turn.words)) + 0.2 * any(key in turn.text for key in keys)
    named = any(words & (gist.words | gist.said) for words in turn.gist.over)
    return met and met + 0.3 * turn.gist.changes + 0.5 * named


def _asked_by(attribute: str | None) -> frozenset[str]:
    known = VOCABULARY.get(attribute) if attribute else None
    return frozenset(terms(known.words)) if known else frozenset()
