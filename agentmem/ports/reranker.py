"""Putting what was found into a better order, as a port."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from agentmem.domain.memory import MemoryNode
from agentmem.ports.embedder import Matrix


@dataclass(frozen=True, slots=True, eq=False)
class Inquiry:
    """What was asked. `vector` is one row; `centres`, what it revolves around: ids of memories or entities, or keys."""

    text: str
    vector: Matrix | None = None
    centres: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Rankable:
    """A found memory with the score it has so far, what each channel gave it, and its vector as one row.

    A channel that did not find the memory is absent from `channels`; higher is better in each.
    """

    memory: MemoryNode
    score: float = 0.0
    channels: Mapping[str, float] = field(default_factory=dict[str, float])
    vector: Matrix | None = None


class Reranker(Protocol):
    """Judges how well memories answer a question. Holds no state between calls; the same call gives the same answer,
    as far as the model behind it does."""

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """One finite relevance per item, in the order given, on a scale of its own; higher is better.

        Items come best first, so equal relevance leaves their order alone. None for no items. Raises
        `BackendUnavailable`, and `BadAnswer` where a model's answer cannot be used.
        """
        ...
