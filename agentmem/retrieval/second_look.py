"""A second look at the best hits, now that their texts are there: whether one has the kind of thing that is asked for,
whether it asks itself, and how late it was said of what the question is about."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.language.gists import gist_of
from agentmem.language.tokens import term_ids
from agentmem.questions.form import Wanted, wanted_by
from agentmem.questions.question import reached_in
from agentmem.questions.wanted_kind import REPLY, is_a_question, is_of_the_kind, is_supposed, says_of_change
from agentmem.retrieval.pool import Pool
from agentmem.retrieval.profiles import Profile
from agentmem.retrieval.query import Hit
from agentmem.retrieval.signals import answer, brief
from agentmem.retrieval.term_weights import Column

LOOKED_AGAIN: Final = 20
"""So many of the best hits are looked at, or as many as are asked for."""

MAX_CHARS: Final = 1_000
"""Characters of a text that are looked at."""

WHOLE, NOTHING = 60, 120
"""Candidates up to which the signs count in full, and from which on nothing is looked at: among many some say the
question's own words, and what else they show tells less (of a year of one person R@10 fell from .526 to .467 by it)."""

SHORT: Final = 0.5
"""As short a text must be (`signals.brief`): in a long one anything is found that a question may want."""

Sign = str
WEIGHTS: Final[Mapping[Sign, float]] = {
    "when": 3.0,
    "how much": 3.0,
    "where": 1.0,
    "called": 2.0,
    "reached": 2.0,
    "asks": -2.0,
    "late": 0.5,
    "changed": 2.0,
}
"""What each sign is worth beside the signals: fitted on dialogues that were read, as `bench/fit.py` fits, and then
drawn towards 0 as far as questions that were left out of the fit fared no worse."""

_SIGN_OF: Final[Mapping[Wanted, Sign]] = {
    "time": "when",
    "age": "how much",
    "money": "how much",
    "number": "how much",
    "place": "where",
    "name": "called",
}


def _bearing(pool: Pool) -> Column:
    """How much each candidate has to do with the question, from 0 to 1: by the words of it that it says, by what these
    are about, and by the turn before it."""
    return np.maximum.reduce([pool.terms.covered, pool.terms.share_of(term_ids(pool.question.topics)), answer(pool)])


def looked_again(hits: Sequence[Hit], pool: Pool, profile: Profile) -> tuple[Hit, ...]:
    """The hits in the order of their scores with these signs, without those that fall below the profile's floor."""
    few = min(1.0, (NOTHING - len(pool)) / (NOTHING - WHOLE))
    if few <= 0:
        return tuple(hits)
    found = zip(hits, signs(hits, pool, profile), strict=True)
    seen = [_with(hit, {name: few * WEIGHTS[name] * value for name, value in of.items()}) for hit, of in found]
    kept = (hit for hit in seen if hit.score >= profile.floor)
    return tuple(sorted(kept, key=lambda hit: -hit.score))


def signs(hits: Sequence[Hit], pool: Pool, profile: Profile) -> list[dict[Sign, float]]:
    """The signs of each hit, those of its layer and speaker weighed as its signals are; without those that are 0."""
    rows = {item.memory_id: row for row, item in enumerate(pool.candidates)}
    bearing, short = _bearing(pool), brief(pool)
    places = _places_in_time([hit.memory for hit in hits])
    found: list[dict[Sign, float]] = []
    for hit, place in zip(hits, places, strict=True):
        node, row = hit.memory, rows[hit.memory.memory_id]
        if short[row] < SHORT:
            found.append({})
            continue
        of = _of_text(node, pool) | _of_time(node, 0 if pool.question.of_the_past else place, float(bearing[row]))
        layer = float(short[row]) * profile.layer(node.memory_type, of_agent=node.speaker == node.user_name)
        found.append({name: value * layer for name, value in of.items() if value})
    return found


def _of_text(node: MemoryNode, pool: Pool) -> dict[Sign, float]:
    question = pool.question
    text, wanted = _own(node), wanted_by(question.text)
    of: dict[Sign, float] = {"asks": float(is_a_question(text))}
    if wanted in _SIGN_OF:
        names = tuple(name for name in (node.target_name, node.speaker) if name)
        of[_SIGN_OF[wanted]] = float(is_of_the_kind(wanted, text, question.text, names))
    if question.asked:
        of["reached"] = float(reached_in(text, question.asked))
    return of


def _of_time(node: MemoryNode, place: float, bears: float) -> dict[Sign, float]:
    if not place or not bears:
        return {}
    text = _own(node)
    changed = not is_a_question(text) and not is_supposed(text) and _changes(text, node)
    return {"late": place * bears, "changed": place * bears * changed}


def _changes(text: str, node: MemoryNode) -> bool:
    gist = gist_of(text, (node.target_name,))
    return gist.changes or says_of_change(text)


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
    return replace(hit, memory=node, score=score, signals={**hit.signals, **shares})
