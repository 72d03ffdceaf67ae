"""Whether a statement of which a model says that it adds to a held one says all of it, by words alone."""

from collections.abc import Sequence
from typing import Literal

from agentmem.characters import is_han
from agentmem.language.clauses import clauses, sentences
from agentmem.language.polarity import denies, opposed
from agentmem.language.support_check import has_new_number, has_new_tone
from agentmem.language.tokens import tokens


def beside(content: str, held: str, label: str) -> Literal["adds", "says_less"] | None:
    """How a statement on the matter of a held one stands to it: it adds where it has its numbers, half of its words
    and its tone; None where both stand. `label` is how both call the person."""
    said, known = parts(content), parts(held)
    if opposed(content, held):
        return None
    if said < known:
        return "says_less"
    own = known - parts(label)
    less = has_new_number(held, (content,)) or 2 * len(own & said) < len(own)
    return None if less or not _keeps_tone(content, held, label) else "adds"


def parts(text: str) -> frozenset[str]:
    """What a sentence is made of: its words, of Chinese its characters, for words are cut otherwise beside others."""
    return frozenset((*filter(is_han, text), *filter(str.isascii, tokens(text))))


def _keeps_tone(content: str, held: str, label: str) -> bool:
    """Whether a sentence affirms and denies as a held one does: as a whole; or, whatever it adds, in a clause that says
    of the person all that the first clause of the held one does and begins as it does, while no other is turned."""
    if not has_new_tone(content, (held,)):
        return True
    said, (first, *others) = _clauses(content), _clauses(held)
    begins = first[: len(label) + 2]
    alike = [part for part in said if first.startswith(label) and part.startswith(begins)]
    told = [part for part in alike if parts(first) <= parts(part) and not has_new_tone(part, (first,))]
    return bool(told) and not any(_is_turned(part, said, label) for part in others)


def _is_turned(part: str, said: Sequence[str], label: str) -> bool:
    """Whether the clause that says most of a held one, if any says half of it, is of another tone."""
    own = parts(part) - parts(label)
    shares = [len(own & parts(each)) for each in said]
    most = max(shares)
    alike = (denies(each) for each, share in zip(said, shares, strict=True) if share == most)
    return 2 * most >= len(own) and denies(part) not in alike


def _clauses(text: str) -> list[str]:
    return [part.text for span in sentences(text) for part in clauses(span)] or [text]
