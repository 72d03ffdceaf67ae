"""Telling what passages say, as a port; without one, answers are made of the passages' own sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agentmem.domain.statement import Usage


@dataclass(frozen=True, slots=True)
class Narrated:
    """An answer in words of its own. `cited` are numbers of offered passages, from 1, in rising order; with `text` None
    the passages do not answer the question. `choice` is the number, from 1, of the offered choice that it is."""

    text: str | None
    cited: tuple[int, ...] = ()
    usage: Usage = Usage()
    choice: int | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """A question taken apart: at least one, each to be understood by itself."""

    questions: tuple[str, ...]
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Summary:
    """What facts tell about a question; empty where they tell nothing about it."""

    text: str
    usage: Usage = Usage()


class Narrator(Protocol):
    """Answers from passages and from nothing else. Holds no state between calls and writes nothing.

    Every method raises `BadAnswer` when what came back cannot be used, after at most one repair, and
    `BackendUnavailable` when the service does not answer.
    """

    @property
    def name(self) -> str:
        """The model string."""
        ...

    async def answer(
        self, question: str, passages: Sequence[str], graph: Sequence[str] = (), *, choices: Sequence[str] = ()
    ) -> Narrated:
        """The answer that the passages give, with the passages it rests on: at least one where there is an answer.

        `graph` tells how things hang together, as `(name:description)` and `(a)-[RELATION:description]->(b)`.
        Where there are `choices`, the answer is one of them or none.
        """
        ...

    async def split(self, question: str, *, most: int) -> Split:
        """At most `most` questions that together ask what the whole asks, what has to be known first before it."""
        ...

    async def summarise(self, question: str, facts: Sequence[str]) -> Summary:
        """What the facts tell that bears on the question, in a few sentences."""
        ...
