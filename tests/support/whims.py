"""A cognition whose every answer is another one: random in wording and in count, and signed.

Asked twice about the same window it gives two different answers, so whatever was made of both is seen: each memory
names the window, the answer it comes from, its place in it, and how many there are.
"""

import asyncio
import re
from collections.abc import Sequence
from random import SystemRandom
from typing import NamedTuple

from agentmem.domain.memory import MemoryNode
from agentmem.domain.statement import Insight, Pair, Quote, Reading, Statement, Turn, Usage, Verdict, Window
from agentmem.errors import BackendUnavailable
from agentmem.ports.cognition import Judged, Read, Reflected, ReflectionInput

LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""Places and counts are letters: numbers in two statements would make them unrelated without asking anybody."""

_dice = SystemRandom()
_SIGNED = re.compile(r"<(\S+) (\w+) (\w)/(\w)>")


class Signature(NamedTuple):
    """What a memory says about where it comes from: of what, by which answer, in which place of how many."""

    source: str
    answer: str
    place: int
    of: int


def signature(node: MemoryNode) -> Signature:
    """Read the signature of a memory made by `Whims`."""
    found = _SIGNED.search(node.content)
    assert found is not None, f"no signature in {node.content!r}"
    source, answer, place, of = found.groups()
    return Signature(source, answer, LETTERS.index(place), LETTERS.index(of))


class Whims:
    """`moody`: one call in six fails, in one of the three ways there are."""

    def __init__(self, *, moody: bool = True, thinking: float = 0.01) -> None:
        self._moody, self._thinking = moody, thinking
        self.calls = 0

    @property
    def name(self) -> str:
        """Says what it is."""
        return "whims"

    async def read(self, window: Window) -> Read:
        """One to six statements, the first resting on every turn."""
        await self._think()
        answer, count = _word(24), _dice.randint(1, 6)
        first = _statement(window.turns, window, answer, 1, count)
        rest = [_statement([_dice.choice(window.turns)], window, answer, place, count) for place in range(2, count + 1)]
        if self._moody and _dice.random() < 0.05:
            rest.append(first.revised(quotes=(Quote(turn_id=window.turns[0].turn_id, start=0, end=100_000),)))
        return Read(Reading(statements=(first, *rest)), Usage(calls=1, tokens_in=1, tokens_out=1))

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        """Nothing is like anything else."""
        await self._think()
        verdicts = tuple(Verdict(number=pair.number, relation="unrelated") for pair in pairs)
        return Judged(verdicts, Usage(calls=1, tokens_in=1, tokens_out=1))

    async def reflect(self, request: ReflectionInput) -> Reflected:
        """Up to three insights, each on an attribute nobody has thought of yet."""
        await self._think()
        lasting = [node for node in request.observations if node.attribute is None]
        answer, count = _word(24), _dice.randint(0, 3) if lasting else 0
        insights = tuple(
            Insight(
                attribute=_word(12),
                value=_word(8),
                content=f"<reflection {answer} {LETTERS[place]}/{LETTERS[count]}> {_word(30)}",
                source_ids=(_dice.choice(lasting).memory_id,),
            )
            for place in range(1, count + 1)
        )
        return Reflected(insights, Usage(calls=1, tokens_in=1, tokens_out=1))

    async def _think(self) -> None:
        self.calls += 1
        await asyncio.sleep(_dice.random() * self._thinking)
        mood = _dice.random()
        if self._moody and mood < 0.08:
            raise BackendUnavailable("the model is overloaded", retry_after=0.01)
        if self._moody and mood < 0.12:
            raise RuntimeError("the model's library broke down")


def _statement(turns: Sequence[Turn], window: Window, answer: str, place: int, count: int) -> Statement:
    signed = f"{window.person.label}<{window.window_id} {answer} {LETTERS[place]}/{LETTERS[count]}> {_word(60)}"
    phone = place == 2 and _dice.random() < 0.5
    number = str(_dice.randint(10_000_000_000, 19_999_999_999))
    return Statement(
        layer="insight" if place > 2 and _dice.random() < 0.3 else "observation",
        content=f"{signed} {number}" if phone else signed,
        attribute="phone" if phone else None,
        value=number if phone else None,
        quotes=tuple(Quote(turn_id=turn.turn_id, start=0, end=len(turn.text)) for turn in turns),
    )


def _word(length: int) -> str:
    return "".join(_dice.choices(LETTERS, k=length))
