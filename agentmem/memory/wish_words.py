"""What else a word of a wish is said by: 老婆 is said by 妻子 and by "wife", an allergy by "allergic"."""

from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Final

from agentmem import patterns as re
from agentmem.characters import has_han
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


def is_related(word: str, text: str, said: Iterable[str]) -> bool:
    """Whether a text, and its words as `tokens` has them, say a word at least in another of its forms: therapy is
    related to a therapist, 离婚 to 离过婚."""
    if says(word, said):
        return True
    if has_han(word):
        return len(word) > 1 and word in _ASPECTS.sub("", text)
    return any(_is_akin(word, each) for each in said)


def _is_akin(one: str, other: str) -> bool:
    begun = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return begun >= MIN_STEM and one[begun:] in _ENDINGS and other[begun:] in _ENDINGS


MIN_STEM: Final = 6
"""Letters that two words have in common at their beginning where one is made of the other."""

_ENDING: Final = (
    "e i y s t d er or ist st ion on al ous ic ment ant ent anc enc iv ation ship ful ing iti ism ian an ed"
)
_ENDINGS: Final = frozenset(("", *_ENDING.split()))
"""What may be left of either behind that."""

_ASPECTS: Final = re.compile("[了过着完掉]")
"""What stands within a Chinese word and says only how far it has come."""


def is_matter(word: str) -> bool:
    """Whether a word is listed as somebody's or something's name in general, such as "wife"."""
    return word in _MATTERS


def _places(word: str) -> frozenset[int]:
    return _SYNONYMS.get(word, _NOBODY) | _MATTERS.get(word, _NOBODY)
