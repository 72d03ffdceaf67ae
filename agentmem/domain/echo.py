"""Echoes: what an agent only said because it had just been told, by its memory or by a tool.

They are marked in the turn, by code, and nothing is learned from them: a memory must not be evidence for itself.
"""

from collections.abc import Mapping
from typing import Final

from agentmem.domain.value import JsonValue

ECHOES: Final = "echoes"
"""In a turn's `meta`: a list of `[start, end]`, in characters of its text."""

NOTE: Final = "note"
"""In a turn's `meta`, true where the agent said it to itself: what it was asked to remember."""

Spans = tuple[tuple[int, int], ...]


def echoes_of(meta: Mapping[str, JsonValue]) -> Spans:
    """The marked stretches of a turn; what is no stretch is passed over."""
    marked = meta.get(ECHOES)
    return tuple(
        (item[0], item[1])
        for item in (marked if isinstance(marked, list) else ())
        if isinstance(item, list) and len(item) == 2 and isinstance(item[0], int) and isinstance(item[1], int)
    )


def covered(start: int, end: int, spans: Spans) -> bool:
    """Whether at least half of the characters from `start` to `end` are marked; spans do not overlap."""
    return 2 * sum(max(0, min(end, till) - max(start, since)) for since, till in spans) >= end - start
