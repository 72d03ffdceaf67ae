"""What a question asks, against what was met on the way to its answer: how rare each of its words is there, and what a
memory says of it."""

import math
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final

from agentmem import patterns as re
from agentmem.domain.memory import MemoryNode
from agentmem.domain.naming import canonical_name
from agentmem.language.names import names_of
from agentmem.language.tokens import tokens
from agentmem.retrieval.asked import asked_for

LONGEST: Final = 4_000
"""Characters of a memory that are looked at."""


class Asking:
    """One question. Each memory that is met makes its words more common, and is read once."""

    def __init__(self, question: str) -> None:
        self.words = frozenset(tokens(question))
        self.slots = asked_for(question)
        self._names = frozenset(word for mention in names_of(question) for word in tokens(mention.name))
        self._plain = canonical_name(question)
        self._having: Counter[str] = Counter()
        self._said: dict[str, frozenset[str]] = {}
        self._plains: dict[str, str] = {}

    def meet(self, nodes: Iterable[MemoryNode]) -> None:
        """Read what was not met yet."""
        for node in nodes:
            if node.memory_id not in self._said:
                self._said[node.memory_id] = self.in_text(node.content[:LONGEST])
                self._having.update(self._said[node.memory_id])

    def in_text(self, text: str) -> frozenset[str]:
        """The words of the question that a text says."""
        return self.words & frozenset(tokens(text))

    def said(self, node: MemoryNode) -> frozenset[str]:
        """The words of the question that a memory says."""
        self.meet((node,))
        return self._said[node.memory_id]

    def plain(self, node: MemoryNode) -> str:
        """A memory's text in canonical form."""
        if node.memory_id not in self._plains:
            self._plains[node.memory_id] = canonical_name(node.content[:LONGEST])
        return self._plains[node.memory_id]

    def share(self, words: Collection[str], of: Collection[str] | None = None) -> float:
        """What some words of the question weigh of others, of all of them where none are given; 0 of none."""
        whole = self._weight(self.words if of is None else of)
        return self._weight(words) / whole if whole else 0.0

    def told_by(self, said: Iterable[frozenset[str]]) -> float:
        """What some passages say together of what is asked beside the names; 1 where nothing else is asked."""
        rest = self.words - self._names
        return self.share(rest.intersection(frozenset[str]().union(*said)), rest) if rest else 1.0

    def names(self, name: str) -> bool:
        """Whether the question itself says the name."""
        return says(self._plain, canonical_name(name))

    def _weight(self, words: Iterable[str]) -> float:
        return sum(math.log(1 + (len(self._said) + 1) / (self._having[word] + 0.5)) for word in words)


def says(plain: str, name: str) -> bool:
    """Whether a text has a name, not as a part of a longer Latin word; both in canonical form."""
    return name in plain and _whole(name).search(plain) is not None


@lru_cache(4_096)
def _whole(name: str) -> re.Pattern:
    before = r"(?<![a-z0-9])" if name[:1].isascii() else ""
    after = r"(?![a-z0-9])" if name[-1:].isascii() else ""
    return re.compile(before + re.escape(name) + after)
