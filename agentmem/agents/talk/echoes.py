"""Which parts of a reply only repeat what the agent had just been told by its memory or by a tool."""

from collections.abc import Iterable
from typing import Final

from agentmem.language.clauses import clauses, sentences
from agentmem.language.tokens import terms

SHARE: Final = 0.5
"""Of the words of a clause that stand in one told text. Marking too much loses what the agent asserts of itself, which
stays in the conversation anyway; marking too little lets a memory become evidence for itself."""

LONGEST: Final = 20_000
"""Characters of one told text that are looked at."""


def echoes(text: str, told: Iterable[str]) -> list[list[int]]:
    """Stretches `[start, end]` of the text, in order and apart, each a clause that one of the told texts says."""
    sources = [terms(source[:LONGEST]) for source in told]
    marked: list[list[int]] = []
    for sentence in sentences(text) if sources else ():
        for clause in clauses(sentence):
            words = terms(clause.text)
            if words and max(len(words & source) for source in sources) >= SHARE * len(words):
                marked.append([clause.start, clause.end])
    return marked


def repeats(text: str, told: Iterable[str]) -> bool:
    """Whether the text as a whole says what one of the told texts says."""
    words = terms(text)
    return any(len(words & terms(source[:LONGEST])) >= SHARE * len(words) for source in told)
