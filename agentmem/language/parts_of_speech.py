"""Chinese word classes: whether a clause names who or what it speaks of, or leaves out the one who speaks, and whether
words name a thing at all."""

from typing import Final

import rjieba

from agentmem.bounded_cache import bounded_cache

_BEFORE_SUBJECT: Final = frozenset(("t", "d", "c", "f", "m", "q", "y", "e", "u", "ul", "uj", "i", "l", "x"))
"""Times, adverbs, numbers and what else may stand before a verb that has no subject."""
_VERBS: Final = frozenset(("v", "vd", "vi", "p", "a", "ad", "df"))


@bounded_cache(4_096, longest=200)
def opens_with_verb(clause: str) -> bool:
    """Whether the first word that is no time, adverb or number is a verb or a preposition: 28号搬, 给儿子找个家教; or
    nothing but a number is said to have come about: 现在六十一家了."""
    tags = [tag for _, tag in rjieba.tag(clause)]
    first = next((tag for tag in tags if tag not in _BEFORE_SUBJECT), None)
    return first in _VERBS if first is not None else "m" in tags and clause.endswith("了")


_IN_NOUN_PHRASE: Final = frozenset(("n", "l", "i", "j", "a", "b", "m", "q", "e"))
"""First letters of the classes of nouns, set phrases, what describes a noun, amounts, and English words."""


@bounded_cache(4_096, longest=200)
def is_noun_phrase(words: str) -> bool:
    """Whether these words name a thing: no verb, adverb or pronoun is among them, and a noun ends them."""
    tags = [tag for _, tag in rjieba.tag(words)]
    inside = all(tag[0] in _IN_NOUN_PHRASE or tag == "uj" for tag in tags)
    return bool(tags) and inside and tags[-1][0] in "nlije"
