"""What a text is about, in the words of who would ask: a question for somebody's diet finds what he eats.

Topics are everyday matters, each with the words, in Chinese and English, that people ask for it and tell of it with.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from agentmem import patterns as re
from agentmem.characters import is_han
from agentmem.language.tokens import tokens
from agentmem.language.word_lists import word_groups

READ_CHARACTERS: Final = 2_000
"""Characters of a text that are looked through; a longer one is a document, which is about many things."""

_LONGEST_HAN: Final = 4
_HAN_RUN: Final = re.compile("[\u4e00-\u9fff]+")


@lru_cache(1)
def _topics() -> Mapping[str, frozenset[str]]:
    """For each word, as search reads it, its topics."""
    found: dict[str, set[str]] = {}
    for name, *words in word_groups("topics"):
        for word in words:
            for term in (word,) if is_han(word[0]) else tokens(word):
                found.setdefault(term, set()).add(name)
    return {term: frozenset(names) for term, names in found.items()}


def topics_of(text: str) -> frozenset[str]:
    """The names of the topics that the text has words of."""
    topics, read = _topics(), text[:READ_CHARACTERS]
    words = [*tokens(read), *_han_pieces(read)]
    return frozenset(name for word in words for name in topics.get(word, ()))


def topic_terms(text: str) -> list[str]:
    """The same as search terms, unlike any word."""
    return [f"topic:{name}" for name in sorted(topics_of(text))]


def _han_pieces(text: str) -> list[str]:
    """All runs of two to four Han characters: what a dictionary would cut differently is found all the same."""
    return [
        run[start : start + size]
        for run in _HAN_RUN.findall(text)
        for size in range(2, _LONGEST_HAN + 1)
        for start in range(len(run) - size + 1)
    ]
