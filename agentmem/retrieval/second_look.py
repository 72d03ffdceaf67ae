"""A second look at the best hits, now that their texts are there: whether one has the kind of thing that is asked for,
whether it asks itself, and how late it was said of what the question is about."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.language.tokens import term_ids, tokens
from agentmem.questions.form import Wanted, wanted_by
from agentmem.questions.question import reached_in
from agentmem.questions.wanted_kind import REPLY, is_a_question, is_of_the_kind, is_supposed
from agentmem.retrieval.pool import Pool
from agentmem.retrieval.profiles import Profile
from agentmem.retrieval.query import Hit
from agentmem.retrieval.signals import answer, brief

LOOKED_AGAIN: Final = 20
"""So many of the best hits are looked at, or as many as are asked for."""

MAX_CHARS: Final = 1_000
"""Characters of a text that are looked at."""

FEW, WHOLE, NOTHING = 25, 60, 120
"""Candidates from which all signs count, for six questions of seven in the fit had as many; up to which they count in
full; from which on nothing is looked at: among many some say the question's own words, and what else they show tells
less (of a year of one person R@10 fell from .526 to .467 by it)."""

TOLD: Final = frozenset(("when", "how much", "where", "reached", "asks", "supposed", "replies"))
"""What counts among few, too: whether a text has the kind of thing that is asked for, and tells it."""

MAX_WORDS: Final = 30
"""Words up to which it is a question: a whole talk, put as one, says the words of everything and wants no one kind."""

SHORT: Final = 0.5
"""As short a text must be (`signals.brief`): in a long one anything is found that a question may want."""

ENOUGH_WORDS: Final = 25
"""Words from which on a text is not more likely to have an answer for having more."""

Sign = str
STORED: Final = Path(__file__).with_name("second_look.json")
WEIGHTS: Final[Mapping[Sign, float]] = json.loads(STORED.read_text("utf-8"))["weights"]
"""What each sign is worth beside the signals: fitted by `bench/asked.py` on talks of strangers."""

_SIGN_OF: Final[Mapping[Wanted, Sign]] = {
    "time": "when",
    "age": "how much",
    "money": "how much",
    "number": "how much",
    "place": "where",
}
_OF_SIGNALS: Final = ("lexical", "answer", "dated")
"""Signals that count for more among few candidates."""


def looked_again(hits: Sequence[Hit], pool: Pool, profile: Profile) -> tuple[Hit, ...]:
    """The hits in the order of their scores with these signs, none of which takes away from what the last one has."""
    few = min(1.0, (NOTHING - len(pool)) / (NOTHING - WHOLE))
    if few <= 0 or len(tokens(pool.question.text)) > MAX_WORDS:
        return tuple(hits)
    whole = len(pool) >= FEW
    worth = [
        {name: few * WEIGHTS.get(name, 0.0) * value for name, value in of.items() if whole or name in TOLD}
        for of in signs(hits, pool, profile)
    ]
    least = min((sum(of.values()) for of in worth[:LOOKED_AGAIN]), default=0.0)
    # What all have in common tells nothing; without it, what was dropped or joins later is measured as before.
    seen = [_with(hit, {**of, "length": of.get("length", 0.0) - least}) for hit, of in zip(hits, worth, strict=True)]
    return tuple(sorted(seen, key=lambda hit: -hit.score))


def signs(hits: Sequence[Hit], pool: Pool, profile: Profile) -> list[dict[Sign, float]]:
    """The signs of each hit, those of what is asked for weighed by its layer and speaker as its signals are; without
    those that are 0."""
    seen, short = _Seen(pool), brief(pool)
    places = [0.0] * len(hits) if pool.question.of_the_past else _places_in_time([hit.memory for hit in hits])
    found: list[dict[Sign, float]] = []
    for hit, place in zip(hits, places, strict=True):
        node, row = hit.memory, seen.rows[hit.memory.memory_id]
        if short[row] < SHORT:
            found.append({"length": math.log1p(ENOUGH_WORDS)})
            continue
        layer = float(short[row]) * profile.layer(node.memory_type, of_agent=node.speaker == node.user_name)
        of = {name: hit.signals.get(name, 0.0) for name in _OF_SIGNALS} | seen.of_place(node, row) | {"late": place}
        of |= _of_text(node) | {name: value * layer for name, value in _of_kind(node, pool).items()}
        found.append({name: value for name, value in of.items() if value})
    return found


class _Seen:
    """What the candidates say of the question, by row: themselves, the turn before, the turn that one was made of."""

    def __init__(self, pool: Pool) -> None:
        self.rows = {item.memory_id: row for row, item in enumerate(pool.candidates)}
        self._about = pool.terms.share_of(term_ids(pool.question.topics))
        self._before, self._replies = pool.beside(pool.terms.covered, -1), answer(pool)

    def of_place(self, node: MemoryNode, row: int) -> dict[Sign, float]:
        made_of = [self.rows[key] for key in node.source_ids if key in self.rows] or [row]
        return {
            "about": float(self._about[row]),
            "before": float(self._before[row]),
            "replies": max(float(self._replies[each]) for each in made_of),
        }


def _of_text(node: MemoryNode) -> dict[Sign, float]:
    text = _own(node)
    asks, words = is_a_question(text), len(frozenset(tokens(text)))
    return {"length": math.log1p(min(words, ENOUGH_WORDS)), "supposed": float(is_supposed(text)), "asks": float(asks)}


def _of_kind(node: MemoryNode, pool: Pool) -> dict[Sign, float]:
    """Whether it tells the kind of thing that is asked for."""
    question = pool.question
    text, wanted = _own(node), wanted_by(question.text)
    of: dict[Sign, float] = {}
    if is_a_question(text):
        return of
    if wanted in _SIGN_OF:
        names = tuple(name for name in (node.target_name, node.speaker) if name)
        of[_SIGN_OF[wanted]] = float(is_of_the_kind(wanted, text, question.text, names))
    if question.asked:
        of["reached"] = float(reached_in(text, question.asked))
    return of


def _own(node: MemoryNode) -> str:
    """What is said, without the question that it answers."""
    text = node.content[:MAX_CHARS]
    reply = REPLY.match(text)
    return text[reply.end() :] if reply else text.replace(node.target_name, " ", 1)


def _places_in_time(nodes: Sequence[MemoryNode]) -> list[float]:
    """For each what share of the talks that were found are earlier than its own; 0 of what is of no talk."""
    begun: dict[str, int] = {}
    for node in nodes:
        if node.run_id is not None and node.memory_type is not MemoryType.LONGTERM:
            begun[node.run_id] = min(node.timestamp, begun.get(node.run_id, node.timestamp))
    order = {run: number for number, run in enumerate(sorted(begun, key=lambda run: begun[run]))}
    last = max(1, len(order) - 1)
    return [order.get(node.run_id or "", 0) / last for node in nodes]


def _with(hit: Hit, shares: Mapping[Sign, float]) -> Hit:
    if not shares:
        return hit
    score = hit.score + sum(shares.values())
    node = hit.memory.model_copy(update={"score_rank": score, "score_rerank": score})
    signals = {name: hit.signals.get(name, 0.0) + shares.get(name, 0.0) for name in (*hit.signals, *shares)}
    return replace(hit, memory=node, score=score, signals=signals)
