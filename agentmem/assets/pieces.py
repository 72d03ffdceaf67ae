"""The pieces of a version of a document as memories: their ids, their order, and what comes before and behind each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from itertools import pairwise

from agentmem.assets.chunks import Chunk, chunks
from agentmem.assets.descent import Descent
from agentmem.domain.event import AssetReceived
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.value import JsonValue

WORKER = "longterm"


@dataclass(frozen=True, slots=True)
class Seat:
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


def seated(order: Sequence[str], known: Mapping[str, float]) -> dict[str, Seat]:
    """Where each piece stands. Those with a `known` place keep it, so that an inserted piece moves no other."""
    places = _between(order, known)
    if any(left >= right for left, right in pairwise(places)):
        places = [float(number) for number in range(len(order))]
    neighbours = zip((None, *order[:-1]), (*order[1:], None), strict=True) if order else ()
    return {
        memory_id: Seat(place, before, behind)
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
