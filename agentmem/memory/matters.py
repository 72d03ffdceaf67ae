"""What else a word of a wish is said by: 老婆 is said by 妻子 and by "wife", an allergy by "allergic"."""

from collections.abc import Iterable, Mapping
from typing import Final

from agentmem.language.tokens import tokens
from agentmem.language.word_lists import word_groups


def _groups(name: str, place: int) -> dict[str, frozenset[int]]:
    found: dict[str, frozenset[int]] = {}
    for number, group in enumerate(word_groups(name), place):
        for term in {term for word in group for term in tokens(word)}:
            found[term] = found.get(term, frozenset()) | {number}
    return found


_SYNONYMS: Final = {term: places for term, places in _groups("synonyms", 0).items() if len(term) > 1}
_MATTERS: Final[Mapping[str, frozenset[int]]] = _groups("matters", len(word_groups("synonyms")))
_NOBODY: Final = frozenset[int]()


def says(word: str, said: Iterable[str]) -> bool:
    """Whether one of the words says what this word does, as `tokens` has them."""
    meant = _places(word)
    return any(word == each or not meant.isdisjoint(_places(each)) for each in said)


def is_matter(word: str) -> bool:
    """Whether a word is listed as somebody's or something's name in general, such as "wife"."""
    return word in _MATTERS


def _places(word: str) -> frozenset[int]:
    return _SYNONYMS.get(word, _NOBODY) | _MATTERS.get(word, _NOBODY)
