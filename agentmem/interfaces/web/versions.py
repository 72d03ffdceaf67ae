"""Two versions of a document side by side: which pieces stayed, which took the place of which, which came and went. In
time linear in their pieces; of more than `MAX_CHANGED` that differ nothing is said but how many."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agentmem.domain.memory import MemoryNode
from agentmem.interfaces.web.differences import FieldChange, text_change

SHOWN: Final = 100
"""Pieces of one document that are shown."""

MAX_CHANGED: Final = 2_000
"""Pieces that are in one of two versions alone, up to which the two are compared."""


@dataclass(frozen=True, slots=True)
class PiecePlace:
    """A place in the text of two versions: the ids of the piece that stood there and of the one that stands there; None
    where there is none."""

    before: str | None
    after: str | None

    @property
    def stayed(self) -> bool:
        """Whether it is the same piece."""
        return self.before == self.after


@dataclass(frozen=True, slots=True)
class ComparedPiece:
    """A piece of a version, or of the one before, and how its text differs between the two."""

    memory: MemoryNode
    text: FieldChange


def changed(old: Sequence[str], new: Sequence[str]) -> set[str]:
    """The ids of the pieces that only one of two versions has."""
    return set(old) ^ set(new)


def places(old: Sequence[str], new: Sequence[str], known: Mapping[str, MemoryNode]) -> list[PiecePlace]:
    """The places of a version, in its order; what has gone stands where it stood. `known` has what became of pieces
    that only one of the two has."""
    stayed, heirs = set(old) & set(new), _heirs(old, new, known)
    before = {heir: key for key, heir in heirs.items()}
    gone: dict[str | None, list[PiecePlace]] = {}
    last: str | None = None
    for key in old:
        if key in stayed or key in heirs:
            last = heirs.get(key, key)
        else:
            gone.setdefault(last, []).append(PiecePlace(key, None))
    found = list(gone.get(None, ()))
    for key in new:
        found.append(PiecePlace(key if key in stayed else before.get(key), key))
        found += gone.get(key, ())
    return found


def shown(found: Sequence[PiecePlace]) -> list[PiecePlace]:
    """The places that a page shows: all, or of a long document those that changed."""
    return list(found) if len(found) <= SHOWN else [place for place in found if not place.stayed][:SHOWN]


def compared(found: Iterable[PiecePlace], known: Mapping[str, MemoryNode]) -> list[ComparedPiece]:
    """The places with their texts; those of which nothing is left to see are left out."""
    told: list[ComparedPiece] = []
    for place in found:
        was, now = known.get(place.before or ""), known.get(place.after or "")
        if (node := now or (None if place.after else was)) is not None:
            told.append(
                ComparedPiece(node, text_change("content", was.content if was else "", now.content if now else ""))
            )
    return told


def _heirs(old: Sequence[str], new: Sequence[str], known: Mapping[str, MemoryNode]) -> dict[str, str]:
    """By the id of a piece that has gone that of the one which took its place; of several that became one the first."""
    gone, come = set(old).difference(new), set(new).difference(old)
    took = {key: heir for heir in come if heir in known for key in known[heir].supersedes}
    found: dict[str, str] = {}
    for key in (key for key in old if key in gone and key in known):
        heir = took.get(key, known[key].superseded_by)
        if heir in come:
            come.remove(heir)
            found[key] = heir
    return found
