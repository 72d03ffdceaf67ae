"""Words taken out of a text without moving the rest: each character becomes a blot, so that whatever points into the
text still points at the same words."""

from collections.abc import Iterable
from typing import Final

BLOT: Final = "\u2588"
"""A full block: no word of any language."""


def blotted(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """The text with these stretches (start, end) blotted out; line breaks stay."""
    letters = list(text)
    for start, end in stretches:
        letters[start:end] = [letter if letter == "\n" else BLOT for letter in letters[start:end]]
    return "".join(letters)


def blotted_whole(text: str) -> str:
    """Nothing of a text but its length."""
    return blotted(text, [(0, len(text))])


def says_nothing(text: str) -> bool:
    """Whether no letter or digit of a text is left."""
    return not any(map(str.isalnum, text))


def is_blotted(text: str) -> bool:
    """Whether something was taken out of a text."""
    return BLOT in text


def is_forgotten(text: str) -> bool:
    """Whether nothing of a text is left that was taken out of."""
    return is_blotted(text) and says_nothing(text)


def same_but_blotted(stored: str, given: str) -> bool:
    """Whether a text is what a stored one was before words of it were blotted out."""
    if stored == given:
        return True
    return len(stored) == len(given) and all(one in (other, BLOT) for one, other in zip(stored, given, strict=True))
