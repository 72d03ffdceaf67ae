"""What changed between two states of a memory, and which words of a text are meant: cut into parts, for a template to
mark. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final, Literal, cast

from agentmem.domain.change import Change
from agentmem.interfaces.web.rendering import clipped, moment
from agentmem.interfaces.web.wording import Words

COMPARED: Final = (
    *("content", "value", "attribute", "modality", "store_status", "ending", "valid_at", "invalid_at", "importance"),
    *("memory_type", "superseded_by", "conflicts_with", "needs_review", "evidence"),
)
"""The fields of which a change is told; others follow from these or are for the machine."""

MAX_COMPARED: Final = 2_000
"""Characters of a text in which single words are compared."""

MIN_SAME: Final = 0.3
"""The share of two texts that must be the same for the rest to be told word by word."""

MAX_PAIRS: Final = 4_000
"""Pairs of words in which what two texts have in common is looked for; beyond that their middles are told as wholes."""

AROUND: Final = 400
"""Characters that are shown beside what is marked."""

_WORDED: Final = {"memory_type": "layer", "store_status": "status"}
"""Under which words the values of a field are told, where these are not called as it is."""

Kind = Literal["same", "gone", "new"]
_Step = tuple[bool, Sequence[str], Sequence[str]]
"""Whether a stretch stayed as it was, what it was, and what it is."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field, cut into what stayed, went and came."""

    name: str
    parts: tuple[tuple[Kind, str], ...]


@dataclass(frozen=True, slots=True)
class MarkedPart:
    """A stretch of a text, and whether it is meant."""

    text: str
    marked: bool


def field_changes(change: Change, words: Words, zone: tzinfo) -> list[FieldChange]:
    """What a change did, field by field, in these words and times of this zone; of a memory that came or went its
    content."""
    before, after = change.before, change.after
    if before is None or after is None:
        whole: Kind = "new" if after is not None else "gone"
        (node,) = change.states
        return [FieldChange("content", ((whole, clipped(node.content, MAX_COMPARED)),))]
    return [
        FieldChange(name, _parts(*_both(getattr(before, name), getattr(after, name), name, words, zone)))
        for name in COMPARED
        if getattr(before, name) != getattr(after, name)
    ]


def text_change(name: str, before: str, after: str) -> FieldChange:
    """What became of a text; one of the two is empty where it came or went."""
    return FieldChange(name, _parts(clipped(before, MAX_COMPARED), clipped(after, MAX_COMPARED)))


def is_told(change: Change) -> bool:
    """Whether `field_changes` has something to tell of a change."""
    before, after = change.before, change.after
    return before is None or after is None or any(getattr(before, name) != getattr(after, name) for name in COMPARED)


def marked(text: str, spans: Iterable[tuple[int, int]]) -> list[MarkedPart]:
    """The text with these stretches (start, end) marked; of long stretches between them only what is near is kept."""
    parts: list[MarkedPart] = []
    at = 0
    for start, end in sorted(set(spans)):
        start = max(at, start)
        if end <= start:
            continue
        parts += [MarkedPart(_shortened(text[at:start], first=not parts), False), MarkedPart(text[start:end], True)]
        at = end
    parts.append(MarkedPart(_shortened(text[at:], first=not parts, last=True), False))
    return [part for part in parts if part.text]


def _shortened(text: str, *, first: bool = False, last: bool = False) -> str:
    """A stretch between what is marked: its ends, as far as they are beside something."""
    if len(text) <= 2 * AROUND:
        return text
    if first and last:
        return f"{text[: 2 * AROUND]}…"
    before, after = ("" if first else text[:AROUND]), ("" if last else text[-AROUND:])
    return f"{before}…{after}"


def _both(before: object, after: object, name: str, words: Words, zone: tzinfo) -> tuple[str, str]:
    """A field as it was and as it is; two times of one minute to the second."""
    if isinstance(before, datetime) and isinstance(after, datetime):
        return moment(before, zone, (after,)), moment(after, zone, (before,))
    return _shown(before, name, words, zone), _shown(after, name, words, zone)


def _shown(value: object, name: str, words: Words, zone: tzinfo) -> str:
    match value:
        case None:
            return ""
        case datetime():
            return moment(value, zone)
        case StrEnum():
            return words.known(f"base.{_WORDED.get(name, name)}_{value.value}", value.value)
        case str() if name == "attribute":
            return words.known(f"attribute.{value}", value)
        case tuple():
            return str(len(cast("tuple[object, ...]", value)) or "")
        case _:
            return clipped(str(value), MAX_COMPARED)


def _parts(before: str, after: str) -> tuple[tuple[Kind, str], ...]:
    """Word by word, Chinese character by character; whole where hardly anything is the same."""
    old, new = _pieces(before), _pieces(after)
    first = _shared(old, new)
    last = _shared(old[first:][::-1], new[first:][::-1])
    steps: list[_Step] = [
        (True, old[:first], new[:first]),
        *_steps(old[first : len(old) - last], new[first : len(new) - last]),
        (True, old[len(old) - last :], new[len(new) - last :]),
    ]
    same = sum(len(left) for kept, left, _ in steps if kept)
    if not before or not after or 2 * same < MIN_SAME * (len(old) + len(new)):
        steps = [(False, old, new)]
    return tuple(part for step in steps for part in _told(*step) if part[1])


def _told(kept: bool, old: Sequence[str], new: Sequence[str]) -> Iterable[tuple[Kind, str]]:
    return [("same", "".join(old))] if kept else [("gone", "".join(old)), ("new", "".join(new))]


def _steps(old: Sequence[str], new: Sequence[str]) -> Sequence[_Step]:
    """Stretches that are the same, and what stands for what in between; the library's search costs more than the square
    of the length."""
    if len(old) * len(new) > MAX_PAIRS:
        return [(False, old, new)]
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(tag == "equal", old[a:b], new[c:d]) for tag, a, b, c, d in found]


def _shared(old: Sequence[str], new: Sequence[str]) -> int:
    """So many pieces are the same at the beginning."""
    return next(
        (at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
    )


def _pieces(text: str) -> list[str]:
    """Words of letters and digits, and every other character by itself."""
    pieces: list[str] = []
    for letter in text:
        if pieces and letter.isascii() and letter.isalnum() and pieces[-1][-1].isascii() and pieces[-1][-1].isalnum():
            pieces[-1] += letter
        else:
            pieces.append(letter)
    return pieces
