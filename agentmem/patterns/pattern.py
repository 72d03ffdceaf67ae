"""Compiled patterns with the interface of Python's `re`, whose work is bounded for every text.

A text that is short enough, by what `work` proves of the pattern, goes to Python's engine; all others go to `linear`.
"""

import re
import sys
from collections.abc import Callable, Iterator
from enum import Enum, auto
from itertools import islice
from typing import Any, cast

from agentmem.patterns.linear import Linear
from agentmem.patterns.needed import needed
from agentmem.patterns.positions import Spans
from agentmem.patterns.proved import LONGEST, UNBOUNDED, known, steps_allowed
from agentmem.patterns.syntax import Parsed, SameText, parse, walk
from agentmem.patterns.text import holds_one
from agentmem.patterns.work import Work

_STEPS = (16, 64, 512, 8_192, LONGEST)
_TO_THE_END = sys.maxsize


Match = re.Match[str]
"""What a match tells; one of the linear engines tells the same under the same names."""


class LinearMatch:
    """A match of the linear engines."""

    __slots__ = ("_names", "_spans", "_text")

    def __init__(self, text: str, spans: Spans, names: dict[str, int]) -> None:
        self._text = text
        self._spans = spans
        self._names = names

    @property
    def lastgroup(self) -> str | None:
        ends = [end for _, end in self._spans[1:]]
        if not ends or max(ends) < 0:
            return None
        last = ends.index(max(ends)) + 1
        return next((name for name, number in self._names.items() if number == last), None)

    def __getitem__(self, key: int | str, /) -> str | None:
        begin, end = self.span(key)
        return None if begin < 0 else self._text[begin:end]

    def group(self, *keys: int | str) -> Any:
        if len(keys) > 1:
            return tuple(self[key] for key in keys)
        return self[keys[0] if keys else 0]

    def groups(self) -> tuple[str | None, ...]:
        return tuple(self[number] for number in range(1, len(self._spans)))

    def groupdict(self) -> dict[str, str | None]:
        return {name: self[number] for name, number in self._names.items()}

    def span(self, group: int | str = 0, /) -> tuple[int, int]:
        number = self._names.get(group, -1) if isinstance(group, str) else group
        if not 0 <= number < len(self._spans):
            raise IndexError("no such group")
        return self._spans[number]

    def start(self, group: int | str = 0, /) -> int:
        return self.span(group)[0]

    def end(self, group: int | str = 0, /) -> int:
        return self.span(group)[1]

    def expand(self, template: str) -> str:
        return _TEMPLATE.sub(self._replaced, template)

    def _replaced(self, part: re.Match[str]) -> str:
        number, name, other = part.groups()
        if other is not None:
            return "\n" if other == "n" else other
        key = number or name
        return self[int(key) if key.isdigit() else key] or ""


def filled(template: str) -> Callable[[Match], str]:
    """What a match is replaced by: the template with what the groups it names have found."""
    return lambda match: match.expand(template)


def _as_it_stands(text: str) -> Callable[[Match], str]:
    return lambda _: text


_SPARED = 500
"""So often a pattern is not made for texts that hold none of the strings it needs."""

_TEMPLATE = re.compile(r"\\(?:(\d{1,2})|g<(\w{1,60})>|(.))", re.DOTALL)


class _Way(Enum):
    """How a text is read."""

    PYTHON = auto()
    LINEAR = auto()
    NOT_AT_ALL = auto()
    """It holds none of the strings of which each match has one."""


_PYTHON, _LINEAR, _NOT_AT_ALL = _Way


class _Limit:
    """Up to which length of text one way of matching may be left to Python's engine."""

    __slots__ = ("_refused", "_tries", "proof", "safe")

    def __init__(self, *, tries: bool) -> None:
        self.safe = -1
        """Up to this length Python's engine may be asked at once: it is there."""
        self._tries = tries
        self._refused = _TO_THE_END
        self.proof: int | None = None
        """The same as proved before, if it was."""

    def keep(self, proof: int) -> None:
        """Go by what was proved before."""
        self.proof = _TO_THE_END if proof == UNBOUNDED else proof

    def allows(self, length: int, work: Work) -> bool:
        """Whether a text of a length is short enough. Proves it once for each step of lengths."""
        if length <= self.safe:
            return True
        wide = next((step for step in _STEPS if length <= step), length)
        if wide < self._refused and self._proved(wide, work):
            return True
        rung = _rung(length)
        return rung < min(wide, self._refused) and self._proved(rung, work)

    def open(self) -> None:
        """Python's engine is there to be asked."""
        self.safe = self.safe if self.proof is None else self.proof

    def _proved(self, rung: int, work: Work) -> bool:
        places = rung + 1 if self._tries and not work.anchored else 1
        if work.within(steps_allowed(rung, places=places), rung):
            self.safe = rung
            return True
        self._refused = min(rung, self._refused)
        return False


def _rung(length: int) -> int:
    """The next of 8, 12, 16, 24, 32, 48 and so on."""
    power = max(8, 1 << (length - 1).bit_length())
    return power * 3 // 4 if length <= power * 3 // 4 and power > 8 else power


class Pattern:
    """A pattern. It is read when it is first used, so that a program starts as fast as if it had none."""

    def __init__(self, source: str, flags: int = 0) -> None:
        self.pattern = source
        self._flags = flags
        self._any_place = _Limit(tries=True)
        self._one_place = _Limit(tries=False)
        self._whole = _Limit(tries=False)
        self._needed: frozenset[str] | None = None
        self._python: re.Pattern[str]
        self._works: tuple[Work, Work]
        self._linear: Linear | None = None
        self._spared = 0

    def __repr__(self) -> str:
        return f"compile({self.pattern!r})"

    @property
    def flags(self) -> int:
        """The flags it was compiled with."""
        return self._flags

    def prepare(self) -> None:
        """Make the engine that is otherwise made for the first text: Python's, or the linear one if Python's may read
        no text at all."""
        if self._needed is None:
            self._needed = self._read()
        proofs = [limit.proof for limit in (self._any_place, self._one_place, self._whole) if limit.proof is not None]
        if max(proofs, default=0) < 0:
            self._engine()
        elif not hasattr(self, "_python"):
            self._make()

    def search(self, text: str, pos: int = 0, endpos: int = _TO_THE_END) -> Match | None:
        """The first match anywhere."""
        if len(text) <= self._any_place.safe:
            return self._python.search(text, pos, endpos)
        way = self._way(self._any_place, text, pos, endpos)
        if way is not _LINEAR:
            return self._python.search(text, pos, endpos) if way is _PYTHON else None
        part, at, cut = self._part(text, pos, endpos)
        return self._matched(text, self._engine().search(part, at), cut)

    def match(self, text: str, pos: int = 0, endpos: int = _TO_THE_END) -> Match | None:
        """The match at a place."""
        if len(text) <= self._one_place.safe:
            return self._python.match(text, pos, endpos)
        way = self._way(self._one_place, text, pos, endpos)
        if way is not _LINEAR:
            return self._python.match(text, pos, endpos) if way is _PYTHON else None
        part, at, cut = self._part(text, pos, endpos)
        return self._matched(text, self._engine().match(part, at, whole=False), cut)

    def fullmatch(self, text: str, pos: int = 0, endpos: int = _TO_THE_END) -> Match | None:
        """The match of all the text."""
        if len(text) <= self._whole.safe:
            return self._python.fullmatch(text, pos, endpos)
        way = self._way(self._whole, text, pos, endpos)
        if way is not _LINEAR:
            return self._python.fullmatch(text, pos, endpos) if way is _PYTHON else None
        part, at, cut = self._part(text, pos, endpos)
        return self._matched(text, self._engine().match(part, at, whole=True), cut)

    def finditer(self, text: str, pos: int = 0, endpos: int = _TO_THE_END) -> Iterator[Match]:
        """All matches, from left to right."""
        if len(text) <= self._any_place.safe:
            return self._python.finditer(text, pos, endpos)
        way = self._way(self._any_place, text, pos, endpos)
        if way is not _LINEAR:
            return self._python.finditer(text, pos, endpos) if way is _PYTHON else iter(())
        return self._each(text, pos, endpos)

    def findall(self, text: str) -> list[Any]:
        """What all matches say: the whole match, its only group, or all its groups."""
        if len(text) <= self._any_place.safe:
            return self._python.findall(text)
        way = self._way(self._any_place, text)
        if way is not _LINEAR:
            return self._python.findall(text) if way is _PYTHON else []
        found = ((match.group(), *(part or "" for part in match.groups())) for match in self._each(text))
        return [said[min(len(said) - 1, 1)] if len(said) < 3 else said[1:] for said in found]

    def split(self, text: str, maxsplit: int = 0) -> list[str | Any]:
        """The text between the matches, and what their groups say."""
        if len(text) <= self._any_place.safe:
            return self._python.split(text, maxsplit)
        way = self._way(self._any_place, text)
        if way is not _LINEAR:
            return self._python.split(text, maxsplit) if way is _PYTHON else [text]
        parts: list[str | Any] = []
        done = 0
        for match in islice(self._each(text), maxsplit or None):
            parts.extend((text[done : match.start()], *match.groups()))
            done = match.end()
        return [*parts, text[done:]]

    def sub(self, by: str | Callable[[Match], str], text: str, count: int = 0) -> str:
        """The text with its matches replaced: by a text as it stands, which may be somebody's name, or by what `filled`
        or another function makes of each."""
        return self.subn(by, text, count)[0]

    def subn(self, by: str | Callable[[Match], str], text: str, count: int = 0) -> tuple[str, int]:
        """The text with its matches replaced, and how many there were."""
        if isinstance(by, str) and "\\" in by:
            by = _as_it_stands(by)
        if len(text) <= self._any_place.safe:
            return self._python.subn(by, text, count)
        way = self._way(self._any_place, text)
        if way is not _LINEAR:
            return self._python.subn(by, text, count) if way is _PYTHON else (text, 0)
        parts: list[str] = []
        done = number = 0
        for match in islice(self._each(text), count or None):
            parts += (text[done : match.start()], by if isinstance(by, str) else by(match))
            done = match.end()
            number += 1
        return "".join((*parts, text[done:])), number

    def _each(self, text: str, pos: int = 0, endpos: int = _TO_THE_END) -> Iterator[Match]:
        part, at, cut = self._part(text, pos, endpos)
        return filter(None, (self._matched(text, spans, cut) for spans in self._engine().all(part, at)))

    @property
    def needs(self) -> frozenset[str]:
        """Strings, in one case, of which each match has one; empty where that is not known."""
        if self._needed is None:
            self._needed = self._read()
        return self._needed

    def _part(self, text: str, pos: int, endpos: int) -> tuple[str, int, int]:
        """The part of a text that is read, the place in it to begin at, and how much was cut off before it."""
        cut = self._engine().window(text, pos, endpos)
        return text[cut:endpos], pos - cut, cut

    def _matched(self, text: str, spans: Spans | None, cut: int) -> Match | None:
        if spans is not None and cut:
            spans = [(begin + cut, end + cut) if begin >= 0 else (-1, -1) for begin, end in spans]
        return None if spans is None else cast(Match, LinearMatch(text, spans, self._engine().names))

    def _way(self, limit: _Limit, text: str, pos: int = 0, endpos: int = _TO_THE_END) -> _Way:
        if self.needs and not holds_one(text, self.needs):
            self._spared += 1
            if self._spared != _SPARED or limit.proof != _TO_THE_END or hasattr(self, "_python"):
                return _NOT_AT_ALL
            # Asked so often, Python's engine says no faster than it is found out that it need not be asked.
        length = max(0, min(len(text), endpos) - pos)
        if limit.proof is not None:
            allowed = length <= limit.proof
        else:
            allowed = limit.allows(length, self._works[limit is self._whole])
        if not allowed:
            return _LINEAR
        if not hasattr(self, "_python"):
            self._make()
        return _PYTHON

    def _make(self) -> None:
        """Make Python's engine. What it may be asked of a text of any length it is asked without a detour."""
        self._python = re.compile(self.pattern, self._flags)
        ways = ((self._any_place, ("search", "finditer")), (self._one_place, ("match",)), (self._whole, ("fullmatch",)))
        for limit, names in ways:
            limit.open()
            if limit.safe == _TO_THE_END:
                vars(self).update({name: getattr(self._python, name) for name in names})

    def _read(self) -> frozenset[str]:
        """The strings of which each match has one."""
        proof = known(self.pattern, self._flags)
        if proof is None:
            return self._prepared(parse(self.pattern, self.flags))
        self._any_place.keep(proof.any_place)
        self._one_place.keep(proof.one_place)
        self._whole.keep(proof.whole)
        return frozenset(proof.needed)

    def _prepared(self, parsed: Parsed) -> frozenset[str]:
        """The same for a pattern of which nothing is kept: what Python's engine may read is proved when it is asked."""
        works = Work(parsed.root, whole=False), Work(parsed.root, whole=True)
        if any(isinstance(node, SameText) for node in walk(parsed.root)):
            most = steps_allowed(LONGEST, places=LONGEST + 1)
            if not all(work.within(most, LONGEST) for work in works):
                raise re.error("a group that is said again needs a pattern whose work is bounded", self.pattern)
        self._python, self._works = re.compile(self.pattern, self._flags), works
        return needed(parsed.root)

    def _engine(self) -> Linear:
        if self._linear is None:
            self._linear = Linear(parse(self.pattern, self._flags))
        return self._linear
