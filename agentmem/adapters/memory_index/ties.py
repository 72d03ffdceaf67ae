"""Where a channel is cut off: of memories that score alike at the cut the newest stay.

An engine keeps any of them, by the order of its ids or of its files: two agents who know the same would be told
different things. `timestamp` goes along with a copy, ids do not.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from operator import neg
from typing import Final

Hit = tuple[str, float]

BEYOND: Final = 14
"""Hits asked for beyond those that are wanted: as many alike at the cut cost no second question."""

FURTHER: Final = 8
"""So many times as many hits are asked for where those beyond were all alike."""

MOST: Final = 20_000
"""Hits beyond which nobody looks further: of so many memories that score alike the question says nothing."""


def reaches_too_short(scores: Sequence[float], asked: int, limit: int) -> bool:
    """Whether memories may score as the last wanted one does and yet be missing, of `asked` scores, best first."""
    return limit < len(scores) == asked < MOST and scores[-1] == scores[limit - 1]


def worth_naming(scores: Sequence[float], limit: int) -> int:
    """How many of these, best first, are as good as the last wanted one: an id costs more to read than a score."""
    return len(scores) if len(scores) <= limit else bisect_right(scores, -scores[limit - 1], key=neg)


def at_the_cut(hits: Sequence[Hit], limit: int) -> list[str]:
    """The ids of those alike of which some stay and some go; none where no two are parted."""
    if len(hits) <= limit or hits[limit - 1][1] != hits[limit][1]:
        return []
    return [memory_id for memory_id, score in hits if score == hits[limit][1]]


def cut(hits: Sequence[Hit], limit: int, timestamps: Mapping[str, int]) -> tuple[Hit, ...]:
    """The best, at most `limit`, best first, equal ones in the order of their ids; at the cut the newest stay."""
    newest = sorted(hits, key=lambda hit: (-hit[1], -timestamps.get(hit[0], 0), hit[0]))
    return tuple(sorted(newest[:limit], key=lambda hit: (-hit[1], hit[0])))
