"""Lexical overlap: how much of the question a memory says, with no model at all."""

import math
from collections import Counter
from collections.abc import Sequence

from agentmem.language.tokens import tokens
from agentmem.ports.reranker import Inquiry, Rankable


class LexicalOverlap:
    """The share of the question's distinct terms that a memory has, from 0 to 1, rare ones among the items weighing
    more: ln(1 + (n - df + 0.5) / (df + 0.5)), the inverse document frequency of BM25."""

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """See `Reranker.rerank`."""
        asked = set(tokens(inquiry.text))
        said = [asked.intersection(tokens(item.memory.content)) for item in items]
        having = Counter(term for terms in said for term in terms)
        rarity = {term: math.log(1 + (len(items) - having[term] + 0.5) / (having[term] + 0.5)) for term in asked}
        whole = math.fsum(rarity.values()) or 1.0
        return [math.fsum(rarity[term] for term in terms) / whole for terms in said]
