"""Cutting a document into pieces worth remembering: by headings, then paragraphs, then sentences; never mid-word.

Where a section is cut depends on its words and not on how much stands before them: of all places between paragraphs
the one whose next paragraph has the smallest digest parts the section first, then each part likewise until it is small
enough. So an edit changes the piece it is in and, now and then, one beside it, wherever it is in the document.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentmem import patterns as re
from agentmem.assets.headings import heading_in
from agentmem.language.clauses import sentences

CHUNK_CHARACTERS = 600
"""A piece is at most so long, unless one sentence alone is longer."""

LEAST_CHARACTERS = 120
"""No section is cut so that less is left on a side, where it can be cut elsewhere."""

OPENING = 16
"""Characters of a paragraph that decide about a cut before it; an edit behind them moves no cut."""

DEEPEST = 64
"""Cuts within one another; deeper ones, which only made-up texts need, are made in the middle."""

_FENCE = re.compile(r"^(```|~~~)")
_BREAK = re.compile(r"^(-{3,}|\*{3,}|_{3,})[ \t]*$")
_BLANK_LINES = re.compile(r"\n\s*\n")


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


@dataclass(frozen=True, slots=True)
class _Unit:
    """A paragraph, or a sentence of a long one; `order` says how good a place to cut it begins at, least first."""

    start: int
    end: int
    order: tuple[bool, bytes]


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
    """What stands between headings, and between breaks: lines of dashes by themselves."""
    path: list[tuple[int, str]] = []
    body: list[str] = []
    begin = position = 0
    fenced = False
    for line in text.splitlines(keepends=True):
        if _FENCE.match(line):
            fenced = not fenced
        bare = line.rstrip("\r\n")
        heading = None if fenced else heading_in(bare)
        alone = not body or not body[-1].strip()
        if heading or (not fenced and alone and _BREAK.match(bare)):
            yield _Section(tuple(name for _, name in path), "".join(body), begin)
            if heading:
                path = [*((deep, name) for deep, name in path if deep < heading[0]), heading]
            body, begin = [], position + len(line)
        else:
            body.append(line)
        position += len(line)
    yield _Section(tuple(name for _, name in path), "".join(body), begin)


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    """Paragraphs as long as they are short together, else parted; a longer one between its sentences."""
    units = list(_units(text))
    todo = [(0, len(units), 0)] if units else []
    while todo:
        first, last, depth = todo.pop()
        begin, end = units[first].start, units[last - 1].end
        if last - first == 1 or end - begin <= CHUNK_CHARACTERS:
            yield text[begin:end].strip(), begin
        else:
            cut = _cut(units, first, last) if depth < DEEPEST else (first + last) // 2
            todo += [(cut, last, depth + 1), (first, cut, depth + 1)]


def _cut(units: Sequence[_Unit], first: int, last: int) -> int:
    """Which unit begins the second part; of equals the one nearest to the middle."""
    begin, end, middle = units[first].start, units[last - 1].end, (first + last) // 2
    inner = range(first + 1, last)
    balanced = [
        at for at in inner if units[at].start - begin >= LEAST_CHARACTERS and end - units[at].start >= LEAST_CHARACTERS
    ]
    return min(balanced or inner, key=lambda at: (units[at].order, abs(at - middle)))


def _units(text: str) -> Iterator[_Unit]:
    for begin, stop in _paragraphs(text):
        starts = [begin]
        if stop - begin > CHUNK_CHARACTERS:
            starts += [begin + span.start for span in sentences(text[begin:stop])][1:]
        for start, end in zip(starts, [*starts[1:], stop], strict=True):
            opening = text[start : min(end, start + OPENING)].encode("utf-8", "surrogatepass")
            yield _Unit(start, end, (start != begin, hashlib.sha256(opening).digest()))


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Where each begins, blanks left out, and where blank lines or the text end it."""
    begin = 0
    for end, after in (*(found.span() for found in _BLANK_LINES.finditer(text)), (len(text), len(text))):
        part = text[begin:end]
        if part.strip():
            yield begin + len(part) - len(part.lstrip()), end
        begin = after
