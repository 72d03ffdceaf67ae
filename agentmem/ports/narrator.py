"""Telling what passages say, as a port; without one, answers are made of the passages' own sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agentmem.domain.statement import Usage


@dataclass(frozen=True, slots=True)
class Narrated:
    """An answer in words of its own. `cited` are numbers of offered passages, from 1, in rising order; with `text` None
    the passages do not answer the question."""

    text: str | None
    cited: tuple[int, ...] = ()
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

    async def answer(self, question: str, passages: Sequence[str]) -> Narrated:
        """The answer that the passages give, with the passages it rests on: at least one where there is an answer."""
        ...
