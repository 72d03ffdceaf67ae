"""Whether a text says no more than others do: their names and numbers, whole, and no denial or order of its own.

It compares words and not meanings. What is refused for nothing costs a summary, for which the sentences themselves are
told; what is let through for nothing is a false memory.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from agentmem import patterns as re
from agentmem.language.clauses import clauses, sentences
from agentmem.language.injection import gives_orders
from agentmem.language.normal import fold
from agentmem.language.polarity import denies, orders
from agentmem.language.tokens import tokens

MOST: Final = 0.6
"""The share of the words of a denial, or an order, that one denial or order of the others must have."""

_LETTER: Final = "a-z0-9\u00df-\u024f"
_NUMBER: Final = re.compile(r"\d[\d.,:/-]*\d|\d")
_PARTS: Final = re.compile(r"[:/-]")


def place_of(name: str, text: str) -> tuple[int, int] | None:
    """Where a name stands in a folded text, as a word and not within one, white space aside."""
    found = _whole(name).search(text)
    return found.span() if found is not None else None


def stands_in(name: str, text: str) -> bool:
    """Whether a text has a name as a word, whatever its case and width: not `Al` in `Also`, but `AIP` in `用AIP办`."""
    return place_of(name, fold(text)) is not None


def has_new_number(text: str, texts: Iterable[str]) -> bool:
    """Whether a text has a number that no other has: 50 is not in 1500, and the year is in a date."""
    known = {part for each in texts for number in _numbers(each) for part in (number, *_PARTS.split(number))}
    return not known.issuperset(_numbers(text))


def has_new_tone(text: str, texts: Sequence[str]) -> bool:
    """Whether a text denies, or orders, what no sentence of the others does, or affirms what they rather deny."""
    said = [span for each in texts for span in sentences(each)]
    units = [span.text for span in said] + [part.text for span in said for part in clauses(span)]
    parts = [part.text for span in sentences(text) for part in clauses(span)]
    return any(
        _strange(part, units, denies) or _affirms(part, units) or _strange(part, units, _orders) for part in parts
    )


def share_in(words: Iterable[str], texts: Iterable[str]) -> float:
    """The share of these search terms that the texts have; 1 where there are none."""
    wanted = set(words)
    held = {word for each in texts for word in tokens(each)}
    return len(wanted & held) / len(wanted) if wanted else 1.0


def _strange(part: str, said: Sequence[str], tone: Callable[[str], bool]) -> bool:
    """Whether a clause has a tone that nothing with most of its words has, or less than what is without that tone."""
    if not tone(part):
        return False
    words = tokens(part)
    alike = max((share_in(words, [each]) for each in said if tone(each)), default=0.0)
    other = max((share_in(words, [each]) for each in said if not tone(each)), default=0.0)
    return alike < MOST or alike < other


def _affirms(part: str, said: Sequence[str]) -> bool:
    """Whether a clause affirms what others deny: it has a word that stands in clauses that deny, and in no other."""
    if denies(part):
        return False
    denied = {word for each in said if denies(each) for word in tokens(each)}
    return not denied.difference(word for each in said if not denies(each) for word in tokens(each)).isdisjoint(
        tokens(part)
    )


def _orders(text: str) -> bool:
    return orders(text) or gives_orders(text)


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "") for number in _NUMBER.findall(fold(text))}


@lru_cache(maxsize=1_024)
def _whole(name: str) -> re.Pattern:
    plain = "".join(fold(name).split())
    before = rf"(?<![{_LETTER}])" if re.match(f"[{_LETTER}]", plain) else ""
    after = rf"(?![{_LETTER}])" if re.search(f"[{_LETTER}]$", plain) else ""
    return re.compile(before + r"\s*".join(map(re.escape, plain)) + after)
