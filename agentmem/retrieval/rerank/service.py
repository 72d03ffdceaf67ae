"""Reranking as recall uses it: within a time limit, and never worse than no reranking when something goes wrong."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from agentmem.errors import BackendUnavailable, BadAnswer, without_content
from agentmem.ports.reranker import Inquiry, Rankable, Reranker

RERANKED: Final = 50
"""So many of the best are reranked; those behind them stay where they are."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Reranking:
    """`order`: places of the items, best first. `relevance`: what the reranker gave the first of the items as they
    were handed in, none where it failed. `fallback`: why the order is the old one, or None."""

    order: tuple[int, ...]
    relevance: tuple[float, ...] = ()
    fallback: str | None = None


async def reranked(
    reranker: Reranker, inquiry: Inquiry, items: Sequence[Rankable], *, seconds: float, first: int = RERANKED
) -> Reranking:
    """Order the `first` items, which come best first, by relevance; equal ones and all others keep their order.

    A reranker that takes longer than `seconds`, is down, or answers with something that is no ranking changes nothing.
    """
    head = items[:first]
    if not head:
        return Reranking(tuple(range(len(items))))
    try:
        async with asyncio.timeout(seconds):
            answer = await reranker.rerank(inquiry, head)
    except TimeoutError:
        return _unchanged(items, f"no answer within {seconds:g} s")
    except (BackendUnavailable, BadAnswer, OSError) as error:
        return _unchanged(items, str(error), logged=without_content(error))
    if len(answer) != len(head):
        return _unchanged(items, f"{len(answer)} relevances for {len(head)} memories")
    relevance = tuple(map(float, answer))
    if not all(map(math.isfinite, relevance)):
        return _unchanged(items, "a relevance that is no finite number")
    best_first = sorted(range(len(head)), key=lambda place: -relevance[place])
    return Reranking((*best_first, *range(len(head), len(items))), relevance)


def _unchanged(items: Sequence[Rankable], reason: str, *, logged: str | None = None) -> Reranking:
    log.warning("rerank_fell_back", reason=logged or reason, memories=len(items))
    return Reranking(tuple(range(len(items))), fallback=reason)
