"""A cache of what was read of texts, bounded in bytes: by how many texts it holds, and by how long each may be."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

R = TypeVar("R")

MAX_CHARS = 4_000


def bounded_cache(entries: int, *, longest: int = MAX_CHARS) -> Callable[[Callable[[str], R]], Callable[[str], R]]:
    """Remember what a function made of the last `entries` texts of up to `longest` characters. Longer ones are read
    anew each time: counted in entries alone, a cache of a thousand texts may hold a gigabyte."""

    def decorate(function: Callable[[str], R]) -> Callable[[str], R]:
        remembered = lru_cache(entries)(function)

        @wraps(function)
        def call(text: str) -> R:
            return remembered(text) if len(text) <= longest else function(text)

        return call

    return decorate
