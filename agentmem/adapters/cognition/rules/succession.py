"""Which earlier statement a turn puts an end to, weighed by what the two have in common and by what the turn, and the
agent's answer to it, say of change.

`bench/succession.py` fits the weights of the signs in `succession_signs` on written dialogues.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from agentmem.adapters.cognition.rules.cancellations import cancelled, cancelled_in
from agentmem.adapters.cognition.rules.certain import ends_for_certain, roles_in
from agentmem.adapters.cognition.rules.matters import Matter, in_common, is_exception, is_of_another
from agentmem.adapters.cognition.rules.model import Clause, Who
from agentmem.adapters.cognition.rules.still_so import no_longer_so
from agentmem.adapters.cognition.rules.succession_signs import Exchange, KnownMatter, SaidClause, said_in, signs
from agentmem.adapters.cognition.rules.value_groups import others


@dataclass(frozen=True, slots=True)
class _Weights:
    """What each sign is worth, and what has to be made up for."""

    bias: float
    of: Mapping[str, float]


@lru_cache(maxsize=1)
def _weights() -> _Weights:
    held = json.loads(files("agentmem.adapters.cognition.rules").joinpath("succession.json").read_text("utf-8"))
    return _Weights(held["bias"], held["weights"])


def likelihood(found: Mapping[str, float]) -> float:
    """How likely it is, by its signs, that a clause puts an end to a statement; from 0 to 1."""
    if not found:
        return 0.0
    weights = _weights()
    return 1 / (1 + math.exp(-weights.bias - sum(weights.of.get(name, 0.0) * value for name, value in found.items())))


SURE: Final = 0.55
"""Likelihood from which a statement is ended. By weighing alone, 7 of 792 expected memories ended wrongly with the four
writers left out of the fit in turn, and 5 of 369 of two others."""

LIKELY: Final = 0.3
"""Likelihood from which two statements that give other values of one type are linked as a conflict, where it is not
enough to end the older."""


def succeeded(clauses: Sequence[Clause], now: Exchange) -> Iterator[tuple[Clause, Matter, float]]:
    """The statements that the clauses of a turn are likely to put an end to, each with the clause that does and how
    likely it is: `LIKELY` at least."""
    yield from ((clause, matter, 1.0) for clause, matter in cancelled(clauses, now.reply, now.talk))
    clauses = [clause for clause in clauses if cancelled_in(clause) is None]
    said = [said_in(clauses, place, now.talk) for place in range(len(clauses))]
    yield from ((clause, matter, 1.0) for clause, matter in no_longer_so(now.turn, clauses, now.talk))
    for place, known in enumerate(now.known):
        weighed = [(_likely(place, each, now), each) for each in said]
        likely, by = max(weighed, key=lambda each: each[0], default=(0.0, None))
        if by is not None and (likely >= SURE or (likely >= LIKELY and _gives_another(known, by))):
            yield by.clause, known.matter, likely


def _gives_another(known: KnownMatter, said: SaidClause) -> bool:
    """Whether the clause gives another value of one type; amounts are of anything unless a word says of what."""
    other = others(known.values, said.values)
    return bool(other - {"amount"}) or bool(other and in_common(said.topic, known.topic))


def _is_of_somebody_else(known: KnownMatter, said: SaidClause) -> bool:
    """Whether the clause is about one of those around the speaker of whom the statement says nothing."""
    return said.clause.subject.who is Who.THIRD and not roles_in(said.clause.text) <= roles_in(known.bare)


def _likely(place: int, said: SaidClause, now: Exchange) -> float:
    known, clause = now.known[place], said.clause
    if is_of_another(known.matter, clause, now.talk) or _is_of_somebody_else(known, said):
        return 0.0
    if is_exception(said.beside, known.bare):
        return 0.0
    if ends_for_certain(clause, said.gist, known.standing, now.standing, said.beside):
        return 1.0
    return likelihood(signs(place, said, now))
