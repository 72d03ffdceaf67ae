"""Cuts a document into pieces worth remembering, and gives them ids, an order and neighbours.

Cuts follow headings, then paragraphs, then sentences, never the middle of a word. Where a section is cut depends on its
words and not on how much text precedes them: the paragraph with the smallest digest starts a new part, and each part is
cut likewise until it is small enough. So an edit changes the piece it is in and sometimes a neighbour, wherever it is.
A document that came with a copy of an agent keeps the ids it came under, so that a new version replaces its pieces.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from itertools import pairwise

from agentmem import patterns as re
from agentmem.assets.file_reading import heading_in
from agentmem.domain.event import AssetReceived
from agentmem.domain.ids import derived_id
from agentmem.domain.lineage import copied_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.value import JsonValue
from agentmem.language.clauses import sentences
from agentmem.ports.agent_records import Lineages

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


Agent = tuple[str, str]
"""Tenant and id."""


@dataclass(frozen=True, slots=True)
class Descent:
    """An agent, and whom it was made from with all documents, itself first."""

    line: tuple[Agent, ...]

    def ids(self, made: Callable[[str, str], str]) -> tuple[str, ...]:
        """The ids of what has the id `made(tenant, agent)` where an agent took it in itself, its own first."""
        return tuple(self._here(place, made(*agent)) for place, agent in enumerate(self.line))

    def _here(self, place: int, original: str) -> str:
        for heir in reversed(self.line[:place]):
            original = copied_id(*heir, original)
        return original


async def descent_of(lineages: Lineages, tenant: str, agent: str) -> Descent:
    """That of an agent. A hire brings no document along that could be known again."""
    line: list[Agent] = [(tenant, agent)]
    while (origin := await lineages.origin(*line[-1])) is not None and origin.kind in ("clone", "import"):
        source = origin.packed
        known = source in line
        line.append(source)
        if known:
            break
    return Descent(tuple(line))


def known_as(ids: Sequence[str], known: Collection[str]) -> str:
    """The one under which it is known, its own where it is not."""
    return next((key for key in ids if key in known), ids[0])


WORKER = "longterm"


@dataclass(frozen=True, slots=True)
class PiecePosition:
    """Where a piece stands: numbers rise through the document, with gaps; `before` and `behind` are its neighbours."""

    place: float
    before: str | None
    behind: str | None

    @property
    def meta(self) -> dict[str, JsonValue]:
        """As a memory has it."""
        return {"place": self.place, "previous": self.before, "next": self.behind}


@dataclass(frozen=True, slots=True)
class Identified:
    """A piece, and the ids under which it may be known."""

    ids: tuple[str, ...]
    chunk: Chunk


def identified(asset: AssetReceived, descent: Descent) -> list[Identified]:
    """The pieces in order: the same words under the same heading keep their id, a repetition counts on."""
    seen: Counter[str] = Counter()
    found: list[Identified] = []
    for chunk in chunks(asset.text, asset.media_type):
        parts = (asset.asset_id, WORKER, chunk.digest, seen[chunk.digest])
        seen[chunk.digest] += 1
        found.append(Identified(descent.ids(partial(_piece_id, parts)), chunk))
    return found


def successors(before: Sequence[str], after: Sequence[str]) -> dict[str, str]:
    """For each new piece that stands where an old one stood, between the same unchanged ones: which one that was."""
    found: dict[str, str] = {}
    for tag, first, last, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "replace":
            found.update(zip(after[start:end], before[first:last], strict=False))
    return found


def seated(order: Sequence[str], known: Mapping[str, float]) -> dict[str, PiecePosition]:
    """Where each piece stands. Those with a `known` place keep it, so that an inserted piece moves no other."""
    places = _between(order, known)
    if any(left >= right for left, right in pairwise(places)):
        places = [float(number) for number in range(len(order))]
    neighbours = zip((None, *order[:-1]), (*order[1:], None), strict=True) if order else ()
    return {
        memory_id: PiecePosition(place, before, behind)
        for memory_id, place, (before, behind) in zip(order, places, neighbours, strict=True)
    }


def place_of(node: MemoryNode) -> float | None:
    """Where a stored piece stands."""
    place = node.meta_data.get("place")
    return float(place) if isinstance(place, int | float) else None


def _piece_id(parts: tuple[str | int, ...], tenant: str, agent: str) -> str:
    return derived_id("memory", tenant, agent, *parts)


def _between(order: Sequence[str], known: Mapping[str, float]) -> list[float]:
    places: list[float] = []
    waiting = 0
    for memory_id in order:
        if memory_id not in known:
            waiting += 1
            continue
        end = known[memory_id]
        start = places[-1] if places else end - waiting - 1
        places += [start + (end - start) * step / (waiting + 1) for step in range(1, waiting + 1)]
        places.append(end)
        waiting = 0
    last = places[-1] if places else -1.0
    return [*places, *(last + step for step in range(1, waiting + 1))]
