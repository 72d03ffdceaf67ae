"""Cutting a document into pieces worth remembering: by headings, then paragraphs, then sentences; never mid-word."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from agentmem.language.clauses import sentences

CHUNK_CHARACTERS = 600
"""A piece is at most so long, unless one sentence alone is longer."""

_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*#*$")
_FENCE = re.compile(r"^(```|~~~)")


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece. `path` are the headings above it; `start` its place in the text; `digest` names heading and words."""

    path: tuple[str, ...]
    text: str
    start: int
    digest: str


@dataclass(frozen=True, slots=True)
class _Section:
    path: tuple[str, ...]
    text: str
    start: int


def chunks(text: str, media_type: str) -> list[Chunk]:
    """The pieces of a document, in its order; together they hold every sentence once. Blank documents have none."""
    sections = _sections(text) if media_type == "text/markdown" else iter([_Section((), text, 0)])
    found: list[Chunk] = []
    for section in sections:
        for piece, start in _pieces(section.text):
            found.append(Chunk(section.path, piece, section.start + start, _digest(section.path, piece)))
    return found


def _digest(path: tuple[str, ...], piece: str) -> str:
    return hashlib.sha256("\x1f".join((*path, piece)).encode()).hexdigest()


def _sections(text: str) -> Iterator[_Section]:
    path: list[tuple[int, str]] = []
    body: list[str] = []
    begin = position = 0
    fenced = False
    for line in text.splitlines(keepends=True):
        if _FENCE.match(line):
            fenced = not fenced
        heading = None if fenced else _HEADING.match(line.rstrip("\r\n"))
        if heading:
            yield _Section(tuple(name for _, name in path), "".join(body), begin)
            level = len(heading[1])
            path = [*((deep, name) for deep, name in path if deep < level), (level, heading[2])]
            body, begin = [], position + len(line)
        else:
            body.append(line)
        position += len(line)
    yield _Section(tuple(name for _, name in path), "".join(body), begin)


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    """Paragraphs joined up to the limit; a longer paragraph is cut between sentences."""
    start = end = None
    for begin, stop in _units(text):
        if start is not None and end is not None and stop - start > CHUNK_CHARACTERS:
            yield text[start:end].strip(), start
            start = None
        start, end = begin if start is None else start, stop
    if start is not None and end is not None:
        yield text[start:end].strip(), start


def _units(text: str) -> Iterator[tuple[int, int]]:
    for match in re.finditer(r"\S(?:.|\n(?!\s*\n))*", text):
        if len(match[0]) <= CHUNK_CHARACTERS:
            yield match.span()
            continue
        starts = [match.start() + span.start for span in sentences(match[0])]
        starts[:1] = [match.start()]
        yield from zip(starts, [*starts[1:], match.end()], strict=True)
