"""How a question calls somebody whose full name is known: by that, by his first or last name, or in Chinese by his
given name alone."""

from collections.abc import Iterator
from typing import Final

from agentmem import patterns as re
from agentmem.characters import has_han

_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f][A-Za-z\u00c0-\u024f'’-]+")
_HAN: Final = re.compile("[\u4e00-\u9fff]+")
_GIVEN: Final = 2
"""Characters of a Chinese given name that is called without the surname."""
_LONGEST: Final = 4

_BEFORE: Final = re.compile(r"[A-Z\u00c0-\u00de][\w'’-]* $")
_AFTER: Final = re.compile(r" [A-Z\u00c0-\u00de]\w")
_TITLE: Final = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Dr|Mister) $")
_NEAR: Final = 40
"""Characters before a name in which the word before it is looked for."""


def short_names(name: str) -> tuple[str, ...]:
    """What a person of that name is called for short; none where he has one name only."""
    words = _LATIN.findall(name)
    latin = dict.fromkeys((*words[:1], *words[-1:])) if len(words) > 1 or has_han(name) else {}
    han = [run[-_GIVEN:] for run in _HAN.findall(name) if _GIVEN < len(run) <= _LONGEST]
    return tuple(word for word in (*latin, *han) if word != name)


def places_of(name: str, text: str, *, person: bool) -> Iterator[tuple[int, int]]:
    """Where a text says the name, whatever its letters' case; of a `person` also where it says a short form, written as
    a name and no part of another one."""
    taken: list[tuple[int, int]] = []
    for found in re.finditer(_whole(name), text, re.IGNORECASE):
        taken.append((found.start(), found.end()))
        yield found.start(), found.end()
    for short in short_names(name) if person else ():
        for found in re.finditer(_whole(short), text):
            within = any(begin <= found.start() < end for begin, end in taken)
            if not within and not _is_of_another_name(text, found.start(), found.end()):
                yield found.start(), found.end()


def _whole(name: str) -> str:
    """The name as a pattern: no part of a longer word in Latin letters, where it begins or ends with one."""
    before = r"(?<![A-Za-z0-9_])" if name[0].isascii() else ""
    after = r"(?![A-Za-z0-9_])" if name[-1].isascii() else ""
    return before + re.escape(name) + after


def _is_of_another_name(text: str, start: int, end: int) -> bool:
    """Whether a name in Latin letters stands beside it; what only begins a sentence is none."""
    if has_han(text[start:end]):
        return False
    if _AFTER.match(text, end) is not None:
        return True
    begin = max(0, start - _NEAR)
    near = text[begin:start]
    before = _BEFORE.search(near)
    return before is not None and begin + before.start() > 0 and _TITLE.search(near) is None
