"""Reciprocal rank fusion: places count, scores do not (Cormack, Clarke and Büttcher, SIGIR 2009)."""

import math
from collections.abc import Mapping, Sequence

from agentmem.errors import InvalidInput
from agentmem.ports.reranker import Inquiry, Rankable


class RankFusion:
    """Sum over the channels of weight / (k + place), places counted from 1.

    `k` dampens what the first places are worth; a channel without a weight counts 1. What a channel did not find gets
    nothing from it. Equal scores in a channel take their places in the order given.
    """

    def __init__(self, k: float = 60.0, weights: Mapping[str, float] | None = None) -> None:
        self._k, self._weights = k, dict(weights or {})
        for name, value in {"k": k, **self._weights}.items():
            if not (math.isfinite(value) and value >= 0):
                raise InvalidInput(f"rank fusion: {name} is {value}, allowed: 0 or more")

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """See `Reranker.rerank`."""
        fused = [0.0] * len(items)
        for channel in sorted({name for item in items for name in item.channels}):
            found = [place for place, item in enumerate(items) if channel in item.channels]
            found.sort(key=lambda place: -items[place].channels[channel])
            for rank, place in enumerate(found, start=1):
                fused[place] += self._weights.get(channel, 1.0) / (self._k + rank)
        return fused
