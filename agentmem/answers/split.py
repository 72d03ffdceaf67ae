"""A question that asks for several things, taken apart: at question marks and conjunctions, at relative clauses.

A part that could not be understood without the rest is no part: owners, names and what is asked of them are repeated.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from agentmem import patterns as re
from agentmem.language.clauses import sentences
from agentmem.language.names import placed_names
from agentmem.language.normal import normalise
from agentmem.ports.embedder import Matrix

MOST: Final = 3
ALIKE: Final = 0.9
"""Cosine from which two parts ask for the same."""

LONGEST: Final = 2_000
"""Characters of a question that are taken apart."""

_SHORTEST: Final = 2

_AND: Final = re.compile(
    r"[,，;；]?\s*(?:\band then\b|\bas well as\b|\band\b|以及|并且|而且|然后|还有|同时|和|与)\s*|[;；]\s*",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"什么|谁|哪|怎么|如何|多少|几|为何|吗|呢|\b(?:what|who|whom|whose|which|when|where|why|how)\b", re.IGNORECASE
)
_BETWEEN: Final = re.compile(
    r"关系|区别|不同|共同|相比|比较|之间|\b(?:between|difference|differ|common|compare|compared|versus|vs)\b",
    re.IGNORECASE,
)
_OWNER: Final = re.compile(r"^(.*?的)(?=[^的]+$)|^(.*?\S['’]s )", re.IGNORECASE | re.DOTALL)
_TAIL: Final = re.compile(r"(?:各|分别|都)?(?:是什么|是多少|是谁|在哪里?|怎么样|如何|有哪些)$")
_POINTS_BACK: Final = re.compile(
    r"[他她它]们?的?|这个|那个|该|\b(?:he|him|his|she|her|hers|it|its|they|them|their|this|that|these|those)\b",
    re.IGNORECASE,
)
_RELATIVE: Final = re.compile(r"(?<=\w)(?<!\band),? (?:that|which|who|whose|where) (?=\w)", re.IGNORECASE)


def parts_of(question: str) -> list[str]:
    """At most three questions in its order that together ask what the whole asks; it alone, where it asks one thing."""
    text = question.strip()[:LONGEST]
    asked = [span.text for span in sentences(text)]
    found = [part for one in asked[:MOST] for part in _conjoined(one, MOST)]
    # What points back to an earlier part asks nothing without it.
    whole = [text if place and _POINTS_BACK.search(part) else part for place, part in enumerate(found)]
    found = [part for one in whole for part in _nested(one)]
    parts = list({normalise(part): part for part in found if len(part) >= _SHORTEST}.values())
    return parts[:MOST] if len(parts) > 1 else [text]


def asks_between(question: str) -> bool:
    """Whether it asks what several things have to do with one another."""
    return _BETWEEN.search(question) is not None


def is_nested(question: str) -> bool:
    """Whether it asks for something of something that it does not name."""
    return any(len(_nested(span.text)) > 1 for span in sentences(question[:LONGEST]))


def diverse(parts: Sequence[str], rows: Matrix) -> list[str]:
    """The parts without those that ask for what an earlier one asks; `rows` are their vectors."""
    kept: list[int] = []
    for place in range(len(parts)):
        if all(float(rows[place] @ rows[other]) < ALIKE for other in kept):
            kept.append(place)
    return [parts[place] for place in kept]


def _conjoined(text: str, most: int) -> list[str]:
    """The sentence, or what stands on both sides of a conjunction, made whole; the last of `most` parts is not taken
    apart any more."""
    if most == 1 or _BETWEEN.search(text):
        return [text]
    names = placed_names(text)
    for found in _AND.finditer(text):
        left, right = text[: found.start()].strip(), text[found.end() :].strip()
        ends = next((each for each in names if each.end == found.start()), None)
        begins = next((each for each in names if each.start == found.end()), None)
        if ends and begins:
            return [text[: found.start()] + text[begins.end :], text[: ends.start] + text[found.end() :]]
        if (
            _ASKS.search(left)
            and _ASKS.search(right)
            and not any(each.start < found.start() < each.end for each in names)
        ):
            return [left, *_conjoined(right, most - 1)]
        if (shared := list(_shared(left, right))) and left:
            return shared
    return [text]


def _shared(left: str, right: str) -> Iterator[str]:
    """Two things of one owner: "罗小东的电话" and "预算是多少", "What is Tom's number" and "budget"."""
    owner = _OWNER.search(left)
    if owner is not None and right and not placed_names(right):
        tail = _TAIL.search(right)
        yield left + (tail.group() if tail else "")
        yield owner.group() + right


def _nested(text: str) -> list[str]:
    """What has to be known first, then the whole: "罗小东用的产品" before who answers for it."""
    relative = _RELATIVE.search(text)
    if relative is not None and relative.start() > 0 and len(text[relative.end() :].split()) > 1:
        return [text[relative.end() :], text]
    last = text.rfind("的")
    named = any(each.end == last for each in placed_names(text))
    if "的" in text[: max(last, 0)] and not named:
        return [text[:last], text]
    return [text]
