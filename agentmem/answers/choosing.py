"""Which of several given answers is the right one, by what was found."""

from collections.abc import Sequence
from typing import Final

from agentmem.answers.asking import says
from agentmem.domain.naming import canonical_name
from agentmem.language.tokens import tokens

HALF: Final = 0.5
"""The share of what sets a choice apart that must be said for it."""


def chosen(choices: Sequence[str], answer: str, passages: Sequence[str]) -> int | None:
    """The number, from 1, of the choice that the answer says, or else the first passage that says only one of them;
    None where nothing tells them apart.

    What all choices have in common speaks for none of them.
    """
    return next((number for text in (answer, *passages) if (number := _said(choices, text)) is not None), None)


def _said(choices: Sequence[str], text: str) -> int | None:
    """The one choice of which the text says most; None where it says half of none, or as much of two."""
    plain, words = canonical_name(text), frozenset(tokens(text))
    of_each = [frozenset(tokens(choice)) for choice in choices]
    common = frozenset[str].intersection(*of_each)
    shares = [
        1.0 if says(plain, canonical_name(choice)) else len((own - common) & words) / (len(own - common) or 1)
        for choice, own in zip(choices, of_each, strict=True)
    ]
    best = max(shares)
    return shares.index(best) + 1 if best >= HALF and shares.count(best) == 1 else None
