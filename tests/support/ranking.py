"""Found memories for rerankers, and rerankers that misbehave."""

import asyncio
from collections.abc import Sequence

import numpy as np

from agentmem.domain.memory import MemoryNode
from agentmem.ports.embedder import Matrix
from agentmem.ports.models import Inquiry, Rankable
from tests.support.nodes import a_memory


def a_row(*numbers: float) -> Matrix:
    """One vector, of any length, as one row."""
    return np.array([numbers], dtype=np.float32)


def found(*contents: str | MemoryNode, **channels: Sequence[float | None]) -> list[Rankable]:
    """Memories in the order they were found, with what each channel gave them; None where it did not find one."""
    memories = [a_memory(content) if isinstance(content, str) else content for content in contents]
    return [
        Rankable(
            memory,
            score=1.0 - place / (1 + len(memories)),
            channels={name: score for name, scores in channels.items() if (score := scores[place]) is not None},
        )
        for place, memory in enumerate(memories)
    ]


class Answering:
    """Answers with the same relevances, whatever it is asked; remembers how many memories it was shown."""

    def __init__(self, *relevance: float) -> None:
        self._relevance, self.shown = relevance, 0

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """The relevances it was made with."""
        self.shown = len(items)
        return self._relevance


class Failing:
    """Raises the same error each time."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """Never answers."""
        raise self._error


class Hanging:
    """Waits until somebody gives up; `given_up` says whether somebody did."""

    given_up = False

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """Never answers."""
        try:
            await asyncio.Event().wait()
        finally:
            self.given_up = True
        return []
