"""Sentences and clauses of Chinese and English text, with offsets into it; and by its word classes, whether a Chinese
clause names who or what it speaks of, or leaves out the one who speaks.

Nothing is split inside a number, an address, an abbreviation or a quotation. What ended a span is kept beside
it (`Span.terminator`), because a question mark changes what a sentence says.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import rjieba

from agentmem import patterns as re
from agentmem.bounded_cache import bounded_cache
from agentmem.characters import is_han


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a longer text: `source[start:end] == text`; the terminator follows it and is not in it."""

    start: int
    end: int
    text: str
    terminator: str = ""

    @property
    def is_question(self) -> bool:
        """Whether it ends in a question mark of either width."""
        return "?" in self.terminator or "？" in self.terminator


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SENTENCE_ENDS = frozenset("。！？!?…\n\r\u2028\u2029｡")
_CLAUSE_ENDS = frozenset("，,；;—﹐､") | _SENTENCE_ENDS
_CLOSERS = frozenset("”’」』》〉）)\"'】]»")
_PAIRS = {"「": "」", "『": "』", "《": "》", "〈": "〉", "“": "”", "«": "»", "（": "）", "(": ")", "【": "】"}
_QUOTES = frozenset(_PAIRS) | {'"'}
_ADDRESS = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'，。！？；、（）《》「」\u4e00-\u9fff]+"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}",
    re.ASCII | re.IGNORECASE,
)
_ABBREVIATIONS = _words(
    "mr mrs ms dr prof st vs etc eg ie e.g i.e a.m p.m u.s u.k no inc ltd co corp jr sr dept est approx fig vol "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun"
)
_WORD_BEFORE = re.compile(r"[A-Za-z][A-Za-z.]{0,8}\Z")


def sentences(text: str, start: int = 0, stop: int | None = None) -> list[Span]:
    """The sentences of a text, or of a stretch of it, trimmed, in order; empty ones are left out."""
    return list(_split(text, start, len(text) if stop is None else stop, _SENTENCE_ENDS, text))


def clauses(sentence: Span | str) -> list[Span]:
    """The clauses of a sentence. The clauses of a `Span` carry offsets into the text the span came from."""
    if isinstance(sentence, str):
        return list(_split(sentence, 0, len(sentence), _CLAUSE_ENDS, sentence))
    found = list(_split(sentence.text, 0, len(sentence.text), _CLAUSE_ENDS, sentence.text))
    moved = [Span(sentence.start + c.start, sentence.start + c.end, c.text, c.terminator) for c in found]
    if moved and not moved[-1].terminator:
        last = moved[-1]
        moved[-1] = Span(last.start, last.end, last.text, sentence.terminator)
    return moved


def _split(text: str, start: int, stop: int, ends: frozenset[str], source: str) -> Iterator[Span]:
    marks = [place for place in range(start, stop) if text[place] in ends or text[place] == "."]
    shelter = _Shelter(text, start, stop) if marks else None
    begin = start
    for position in marks:
        if position < begin or (shelter and shelter.covers(position)) or not _ends_here(text, position):
            continue
        after = _after_terminator(text, position, ends)
        span = _trimmed(source, begin, position, text[position:after].strip())
        if span is not None:
            yield span
        begin = after
    rest = _trimmed(source, begin, stop, "")
    if rest is not None:
        yield rest


def _trimmed(source: str, start: int, end: int, terminator: str) -> Span | None:
    while start < end and source[start].isspace():
        start += 1
    while end > start and source[end - 1].isspace():
        end -= 1
    return Span(start, end, source[start:end], terminator) if start < end else None


def _after_terminator(text: str, position: int, ends: frozenset[str]) -> int:
    """Where the next span begins: past repeated marks (`?!`, `……`) and the quotes that close with them."""
    end = position + 1
    while end < len(text) and (text[end] in ends or (text[end] == "." and text[end - 1] in ".…")):
        end += 1
    while end < len(text) and text[end] in _CLOSERS and text[position] not in ",，":
        end += 1
    return end


def _ends_here(text: str, position: int) -> bool:
    """Whether the mark at this position ends a span at all, rather than belonging to a number or a word."""
    ch = text[position]
    before = text[position - 1] if position else " "
    after = text[position + 1] if position + 1 < len(text) else " "
    if ch == ",":
        return not (before.isdigit() and _is_thousands(text, position))
    if ch == "—":
        return after == "—" or before == "—" or after.isspace()
    if ch != ".":
        return True
    if after == "." or before == ".":
        return after != "." and (after.isspace() or is_han(after))
    if not (after.isspace() or is_han(after) or after in _CLOSERS):
        return False
    return not _is_abbreviation(text, position, after)


def _is_thousands(text: str, position: int) -> bool:
    """Whether a comma groups digits: one to three before it, exactly three after it."""
    before, after = text[max(0, position - 4) : position], text[position + 1 : position + 5]
    grouped = re.search(r"(?<!\d)\d{1,3}\Z", before) or re.search(r",\d{3}\Z", before)
    return grouped is not None and re.match(r"\d{3}(?!\d)", after) is not None


def _is_abbreviation(text: str, position: int, after: str) -> bool:
    word = _WORD_BEFORE.search(text[max(0, position - 9) : position])
    if word is None or position + 1 >= len(text):
        return False
    letters = word.group().lower()
    return letters in _ABBREVIATIONS or (len(letters) == 1 and word.group().isupper() and after == " ")


class _Shelter:
    """The stretches of a text in which nothing is split: addresses from `start` to `stop`, and what stands between
    quotes."""

    def __init__(self, text: str, start: int, stop: int) -> None:
        addresses = _ADDRESS.finditer(text, start, stop)
        stretches = [(m.start(), m.start() + len(m.group().rstrip(".,!?;:"))) for m in addresses]
        stretches.extend(_quotations(text))
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(stretches):
            if self._ends and start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def covers(self, position: int) -> bool:
        index = bisect_right(self._starts, position) - 1
        return index >= 0 and position < self._ends[index]


def _quotations(text: str) -> Iterator[tuple[int, int]]:
    """Outermost stretches between matching quotes or brackets; one that never closes shelters nothing."""
    if _QUOTES.isdisjoint(text):
        return
    open_marks: list[tuple[str, int]] = []
    straight: int | None = None
    for position, ch in enumerate(text):
        if ch in "\n\r":
            open_marks, straight = [], None
        elif ch == '"':
            if straight is not None:
                yield straight, position
            straight = None if straight is not None else position
        elif ch in _PAIRS:
            open_marks.append((_PAIRS[ch], position))
        elif open_marks and ch == open_marks[-1][0]:
            yield open_marks.pop()[1], position


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
