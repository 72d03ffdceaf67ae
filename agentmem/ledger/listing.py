"""Listing memories page by page: who goes on where he stopped misses nothing and sees nothing twice."""

import struct
from base64 import b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from typing import overload
from uuid import UUID

from agentmem.domain.memory import MemoryNode
from agentmem.errors import InvalidInput
from agentmem.ports.ledger import Ledger, Selection

_PLACE = struct.Struct(">q16s")
_SMALLEST, _LARGEST = 100, 1_000
"""So many memories are read from the ledger at once, whatever the size of a page: ever more, where few are kept."""


ALL = 2**31 - 1
"""The limit of a page that holds every memory there is."""


@dataclass(frozen=True, slots=True)
class Page(Sequence[MemoryNode]):
    """Memories, newest first. `next` is what the following page begins after, None where this is the last one."""

    memories: tuple[MemoryNode, ...]
    next: str | None

    def __len__(self) -> int:
        return len(self.memories)

    @overload
    def __getitem__(self, place: int) -> MemoryNode: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[MemoryNode, ...]: ...
    def __getitem__(self, place: int | slice) -> MemoryNode | tuple[MemoryNode, ...]:
        return self.memories[place]


def cursor(place: tuple[int, str]) -> str:
    """A place in a listing, timestamp and id, as text that needs no quoting and means nothing to its reader."""
    timestamp, memory_id = place
    return urlsafe_b64encode(_PLACE.pack(timestamp, UUID(memory_id).bytes)).decode()


def place_at(text: str) -> tuple[int, str]:
    """The place a cursor stands for. Raises `InvalidInput` for text that is none."""
    try:
        timestamp, raw = _PLACE.unpack(b64decode(text.encode(), altchars=b"-_", validate=True))
    except (Error, struct.error, UnicodeEncodeError) as error:
        raise InvalidInput(f"{text!r} is no cursor: use the one that came with the previous page") from error
    place = timestamp, str(UUID(bytes=raw))
    if timestamp < 0 or cursor(place) != text:
        raise InvalidInput(f"{text!r} is no cursor: use the one that came with the previous page")
    return place


async def page(ledger: Ledger, selection: Selection, keep: Callable[[MemoryNode], bool]) -> Page:
    """The first `limit` memories of the selection that `keep` lets through, however many it does not."""
    kept: list[MemoryNode] = []
    rest = replace(selection, limit=min(max(selection.limit + 1, _SMALLEST), _LARGEST))
    while len(kept) <= selection.limit and (batch := await ledger.select(rest)):
        kept += filter(keep, batch)
        rest = replace(rest, after=_place(batch[-1]), limit=min(2 * rest.limit, _LARGEST))
    shown = tuple(kept[: selection.limit])
    return Page(shown, cursor(_place(shown[-1])) if len(kept) > len(shown) else None)


async def every(ledger: Ledger, selection: Selection) -> AsyncIterator[MemoryNode]:
    """All memories of the selection, newest first, read `limit` at a time."""
    rest = selection
    while batch := await ledger.select(rest):
        for node in batch:
            yield node
        if len(batch) < rest.limit:
            return
        rest = replace(rest, after=_place(batch[-1]))


def _place(node: MemoryNode) -> tuple[int, str]:
    return node.timestamp, node.memory_id
