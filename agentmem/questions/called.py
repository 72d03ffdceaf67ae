"""How a question calls somebody whose full name is known: by that, by his first or last name, or in Chinese by his
given name alone."""

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Final

import rjieba

from agentmem import patterns as re
from agentmem.characters import has_han
from agentmem.language.names import placed_names
from agentmem.language.word_lists import word_list

_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f][A-Za-z\u00c0-\u024f'’-]+")
_HAN: Final = re.compile("[\u4e00-\u9fff]+")
_DESCRIBED: Final = re.compile("['’]s |的")
"""In what somebody is called whose name was never told: Tom's wife, 小明的妈妈."""
_GIVEN: Final = 2
"""Characters of a Chinese given name that is called without the surname."""
_LONGEST: Final = 4

LETTER: Final = r"0-9A-Za-z_\u00c0-\u024f\u0300-\u036f"
"""What a word in Latin letters goes on with, for use inside the brackets of a regular expression."""

_BEFORE: Final = re.compile(r"[A-Z\u00c0-\u00de][\w'’-]* $")
_AFTER: Final = re.compile(r" [A-Z\u00c0-\u00de]\w")
_TITLE: Final = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Dr|Mister)\.? $")
_NEAR: Final = 40
"""Characters before a name in which the word before it is looked for."""

_ORDINARY: Final = frozenset(
    (*word_list("called_en", "ordinary"), *map(str.lower, word_list("names_en", "open a sentence")))
)
"""Words that a sentence begins with as often as somebody's name."""
_CALENDAR: Final = frozenset(word_list("names_en", "calendar"))
_OPENS: Final = re.compile(r"(?:^|[.!?。！？\n])[\s\"'“‘(¿¡]*$")
_GOES_ON_AS_NAME: Final = re.compile("['’]s?\\b|[\u4e00-\u9fff]")
_OF_TIME: Final = re.compile(
    r"(?:\b(?:in|on|by|since|until|till|last|next|this|of|from|to|before|after|early|late|mid|every|during)"
    r"|\d(?:st|nd|rd|th)?)[ -]$",
    re.IGNORECASE,
)
_DAY: Final = re.compile(r",? \d")

_NO_NAMES: Final = frozenset((*word_list("names_zh", "no person"), *word_list("called_zh", "only look like names")))
_ASKED_OF_ONE: Final = re.compile(
    "的?(?:手机|电话|号码|邮箱|微信|地址|住址|生日|年龄|职业)|多大|几岁|住[在哪]|喜欢(?:什么|吃什么|喝什么)"
)
"""What stands right behind somebody, and hardly behind a common word."""


@lru_cache(4_096)
def short_names(name: str) -> tuple[str, ...]:
    """What a person of that name is called for short; none where he has one name only, or is called
    by what he is to somebody else."""
    if _DESCRIBED.search(name):
        return ()
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
            if not within and _calls_somebody(text, found.start(), found.end()):
                yield found.start(), found.end()


def named_among(people: Iterable[str], text: str, agents: Collection[str] = ()) -> frozenset[str]:
    """Those of these people whom a text names: none whose name is there only a part of somebody else's. Those of them
    who are `agents` are called by their full names alone."""
    plain = text.casefold()
    likely = (name for name in people if name.casefold() in plain or any(each in text for each in short_names(name)))
    places = {name: list(places_of(name, text, person=name not in agents)) for name in likely}
    every = {place for found in places.values() for place in found}
    if any(has_han(text[start:end]) for start, end in every):
        every |= {(each.start, each.end) for each in placed_names(text) if each.mention.kind == "person"}
    return frozenset(name for name, found in places.items() if any(not _is_within(one, every) for one in found))


def _is_within(place: tuple[int, int], places: Iterable[tuple[int, int]]) -> bool:
    """Whether it is a part of a longer one of the places."""
    start, end = place
    return any(begin <= start and end <= stop and (begin, stop) != place for begin, stop in places)


def _whole(name: str) -> str:
    """The name as a pattern: no part of a longer word in Latin letters, where it begins or ends with one."""
    before = "" if has_han(name[0]) else f"(?<![{LETTER}])"
    after = "" if has_han(name[-1]) else f"(?![{LETTER}])"
    return before + re.escape(name) + after


def _calls_somebody(text: str, start: int, end: int) -> bool:
    """Whether what could be a short name is one there, and neither a common word nor a part of another name."""
    if has_han(text[start:end]):
        return _is_given_name(text, start, end)
    return not _is_common_word(text, start, end) and not _is_of_another_name(text, start, end)


def _is_given_name(text: str, start: int, end: int) -> bool:
    """Whether no word of the dictionary goes over the edges of a Chinese given name, and it is none itself, unless one
    that only names people or that is followed by what is asked of somebody."""
    begin = max(0, start - _NEAR)
    edges = {begin, *(begin + size for size in accumulate(map(len, rjieba.cut(text[begin : end + _NEAR], False))))}
    if not {start, end} <= edges:
        return False
    word = text[start:end]
    coined = any(start < edge < end for edge in edges)
    of_people = word not in _NO_NAMES and all(kind.startswith("nr") for _, kind in rjieba.tag(word))
    return coined or of_people or _ASKED_OF_ONE.match(text, end) is not None


def _is_common_word(text: str, start: int, end: int) -> bool:
    """Whether a short name in Latin letters may as well be a word with a capital: the first of a sentence, a month."""
    word, near = text[start:end], text[max(0, start - _NEAR) : start]
    if word in _CALENDAR and (_OF_TIME.search(near) is not None or _DAY.match(text, end) is not None):
        return True
    return (
        _OPENS.search(near) is not None
        and word.lower() in _ORDINARY
        and _GOES_ON_AS_NAME.match(text, end) is None
        and _TITLE.search(near) is None
    )


def _is_of_another_name(text: str, start: int, end: int) -> bool:
    """Whether a name in Latin letters stands beside it; what only begins a sentence is none."""
    if _AFTER.match(text, end) is not None:
        return True
    begin = max(0, start - _NEAR)
    near = text[begin:start]
    before = _BEFORE.search(near)
    return before is not None and begin + before.start() > 0 and _TITLE.search(near) is None
