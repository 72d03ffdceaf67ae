"""Matching in time that grows with the text's length: RE2 where it can say the pattern, sets of places where not."""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Protocol, cast

import re2  # pyright: ignore[reportMissingTypeStubs] # it ships none

from agentmem.patterns.matching import Matching
from agentmem.patterns.positions import Node, Spans, build
from agentmem.patterns.spelling import Spelling, spelled
from agentmem.patterns.syntax import Edge, Parsed, sight, walk, width

_TooLarge = cast(type[Exception], re2.error)  # pyright: ignore[reportUnknownMemberType] # no stubs


class _Match(Protocol):
    def span(self, group: int = 0) -> tuple[int, int]: ...


class _Program(Protocol):
    """What is used of RE2's compiled pattern, over UTF-8."""

    def search(self, text: bytes, pos: int | None = None) -> _Match | None: ...
    def match(self, text: bytes, pos: int | None = None) -> _Match | None: ...
    def fullmatch(self, text: bytes, pos: int | None = None) -> _Match | None: ...
    def finditer(self, text: bytes, pos: int | None = None) -> Iterator[_Match]: ...


class _Programs:
    """A pattern for RE2: `test` tells whether it may match, `spans` where, unless RE2 says less than the pattern."""

    def __init__(self, spelling: Spelling) -> None:
        self.test = _compiled(spelling.source, groups=False)
        self._spelling = spelling

    @cached_property
    def spans(self) -> _Program | None:
        return _compiled(self._spelling.source, groups=True) if self._spelling.exact else None


class Linear:
    """One pattern, matched in linear time."""

    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed
        self.names = parsed.names
        self._before_break = any(node is Edge.END for node in walk(parsed.root))
        self._may_be_empty = width(parsed.root)[0] == 0
        self._sight = sight(parsed.root)

    @cached_property
    def root(self) -> Node:
        """The pattern over sets of places."""
        return build(self._parsed.root)

    @cached_property
    def _for_ascii(self) -> _Programs | None:
        return self._programs(ascii_text=True)

    @cached_property
    def _for_any(self) -> _Programs | None:
        edges = any(node in (Edge.WORD, Edge.NO_WORD) for node in walk(self._parsed.root))
        return self._programs(ascii_text=False) if edges else self._for_ascii

    def _programs(self, *, ascii_text: bool) -> _Programs | None:
        """None where the pattern is too large for RE2."""
        spelling = spelled(self._parsed.root, ascii_text=ascii_text)
        try:
            return _Programs(spelling)
        except _TooLarge:
            return None

    def _asked(self, text: str) -> tuple[_Programs, bytes] | None:
        """RE2's programs for a text, and the text as they read it; None where they may not be asked."""
        if self._before_break and text.endswith("\n"):
            return None
        try:
            data = text.encode()
        except UnicodeEncodeError:
            return None
        programs = self._for_ascii if len(data) == len(text) else self._for_any
        return None if programs is None else (programs, data)

    def search(self, text: str, at: int) -> Spans | None:
        """The first match from `at` on."""
        asked = self._asked(text)
        if asked is not None:
            programs, data = asked
            if programs.test.search(data) is None:
                return None
            if not at and programs.spans is not None and (found := programs.spans.search(data)) is not None:
                return self._spans(found, data, len(data) == len(text))
        reading = _reading(self, text, False)
        start = reading.first(at)
        return None if start is None else reading.spans(start, self._parsed.groups)

    def match(self, text: str, at: int, *, whole: bool) -> Spans | None:
        """The match that begins at `at`, and ends at the text's end where it must be the `whole`."""
        asked = None if at else self._asked(text)
        if asked is not None:
            programs, data = asked
            if (programs.test.fullmatch(data) if whole else programs.test.match(data)) is None:
                return None
            if programs.spans is not None:
                found = programs.spans.fullmatch(data) if whole else programs.spans.match(data)
                return None if found is None else self._spans(found, data, len(data) == len(text))
        reading = _reading(self, text, whole)
        return reading.spans(at, self._parsed.groups) if reading.first(at) == at else None

    def all(self, text: str, at: int) -> Iterator[Spans]:
        """The matches from `at` on, none of which overlap."""
        asked = self._asked(text)
        if asked is not None:
            programs, data = asked
            if programs.test.search(data) is None:
                return iter(())
            if not at and programs.spans is not None and not self._may_be_empty:
                return self._each(programs.spans, data, len(data) == len(text))
        return self._each_read(_reading(self, text, False), at, len(text))

    def window(self, text: str, at: int, end: int) -> int:
        """Where the part of a text begins that a match between two places depends on."""
        return max(0, at - self._sight) if end < len(text) else 0

    def _each(self, program: _Program, data: bytes, same: bool) -> Iterator[Spans]:
        read = characters = 0
        for found in program.finditer(data):
            begin = found.span()[0]
            characters += begin - read if same else len(data[read:begin].decode())
            read = begin
            yield self._spans(found, data, same, begin, characters)

    def _each_read(self, reading: Matching, at: int, length: int) -> Iterator[Spans]:
        while at <= length and (start := reading.first(at)) is not None:
            spans = reading.spans(start, self._parsed.groups)
            yield spans
            at = spans[0][1] if spans[0][1] > start else start + 1

    def _spans(self, found: _Match, data: bytes, same: bool, read: int = 0, characters: int = 0) -> Spans:
        """RE2's spans in characters; `characters` come before the byte `read`, which is not after the match begins."""
        spans = [found.span(group) for group in range(self._parsed.groups + 1)]
        if same:
            return spans
        places = {-1: -1}
        for place in sorted({place for span in spans for place in span} - {-1}):
            characters += len(data[read:place].decode())
            places[place], read = characters, place
        return [(places[begin], places[end]) for begin, end in spans]


MAX_MEMORY = 1 << 20
"""Bytes that one program may fill with the states it has met: there are hundreds of programs."""


def _compiled(source: str, *, groups: bool) -> _Program:
    options = re2.Options()
    options.max_mem = MAX_MEMORY
    options.log_errors = False
    options.never_capture = not groups  # without groups to fill, RE2 runs its fastest automaton
    return cast(_Program, re2.compile(source, options))  # pyright: ignore[reportUnknownMemberType] # no stubs


@lru_cache(maxsize=256)  # one text is searched from place to place by the same patterns
def _reading(pattern: Linear, text: str, whole: bool) -> Matching:
    return Matching(pattern.root, text, whole=whole)
