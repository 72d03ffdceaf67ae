"""From the ledger to the index: every change is projected once, and copies take over the vectors of their originals."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import blake2b
from time import monotonic

import numpy as np
import structlog

from agentmem.domain.attributes import words_of
from agentmem.domain.document import is_document_fact
from agentmem.domain.ids import SEPARATOR
from agentmem.domain.lineage import origin_of
from agentmem.domain.memory import MemoryNode
from agentmem.domain.value import JsonValue, asked_with
from agentmem.errors import (
    BadAnswer,
    EmbedderChanged,
    IndexBroken,
    InvalidInput,
    NeedsRepair,
    NoRoom,
    Unreadable,
    input_faults,
    without_content,
)
from agentmem.language.cues import Cues, cues_of, topic_terms
from agentmem.language.time import terms_around
from agentmem.language.tokens import sparse
from agentmem.ports.embedder import EMBEDDED_CHARACTERS, Embedder, Matrix
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Marks, Version, number_in
from agentmem.ports.memory_index import Copied, MemoryIndex, Point, PointSource, Sparse, is_borrowed
from agentmem.ports.work_queue import SetAside
from agentmem.tracing import COMMITTED, span

log = structlog.get_logger()

BATCH = 256
FORM = 11
"""How a memory becomes a point. An index of another form is filled anew when it is opened; raise it when `points_of`,
the terms or the fields of the index change."""

SUSPECTS = "index.suspects"
"""The mark that names the memories which were being written when the index broke down."""

BROKE = "the index broke down when it was written"

FLUSH_POINTS = 5_000
FLUSH_SECONDS = 2.0
ACTIVE = "index.embedder"
"""The mark that names the embedder whose vectors searches use."""


_WATERMARK, _FORM = "index.watermark/", "index.form/"


def marks_of_another_index(marks: Mapping[str, str], beside: Collection[str]) -> dict[str, str]:
    """The marks of a store that was put in the place of another one, which had the marks named `beside`: every index
    there is was made from that other one, and is emptied and filled anew when it is opened."""
    kept = {name: value for name, value in marks.items() if not name.startswith((_FORM, _WATERMARK))}
    filled = {name for name in (*marks, *beside) if name.startswith(_WATERMARK)}
    return {**kept, **dict.fromkeys(sorted(filled), "1")}


async def check_embedder(marks: Marks, fingerprint: str) -> None:
    """Raise `EmbedderChanged` where the vectors in the index are another embedder's; a new store takes this one."""
    made_by = await marks.mark(ACTIVE)
    if made_by is None:
        await marks.set_mark(ACTIVE, fingerprint)
    elif made_by != fingerprint:
        raise EmbedderChanged(
            f"the index holds vectors of {made_by}, configured is {fingerprint}; "
            f"run `agentmem embedder migrate`, or configure {made_by}"
        )


async def points_of(nodes: Sequence[MemoryNode], embedder: Embedder) -> list[Point]:
    """What the index holds for these memories; one embedding call for all their texts."""
    texts = [text[:EMBEDDED_CHARACTERS] for node in nodes for text in (node.content, *node.key)]
    rows = await embedder.embed(texts, purpose="document")
    if rows.shape != (len(texts), embedder.size) or not np.isfinite(rows).all():
        raise BadAnswer(f"{embedder.fingerprint} answered with vectors of another shape, or without numbers in them")
    points: list[Point] = []
    begin = 0
    for node in nodes:
        end = begin + 1 + len(node.key)
        points.append(_point(node, rows[begin : begin + 1], rows[begin + 1 : end]))
        begin = end
    return points


def _point(node: MemoryNode, content: Matrix, keys: Matrix) -> Point:
    cues = cues_of(node.content, node.valid_at)
    return Point(node, content, keys, search_terms(node, cues), _told(cues), made_from(node))


def search_terms(node: MemoryNode, cues: Cues) -> Sparse:
    """The terms by which a memory with these cues is searched: its words, its times and its topics."""
    text = searchable(node)
    return Sparse(*sparse(text, [*_times_of(node, cues), *topic_terms(text)]))


def _times_of(node: MemoryNode, cues: Cues) -> list[str]:
    """The day of a memory and the times its text names, as search terms."""
    zone = node.valid_at.tzinfo
    named = ((datetime.fromtimestamp(first, zone), datetime.fromtimestamp(last, zone)) for first, last in cues.times)
    own = node.valid_at, node.valid_at + timedelta(microseconds=1)
    return [term for begins, ends in (own, *named) if begins < ends for term in terms_around(begins, ends)]


def shown_by(node: MemoryNode) -> dict[str, JsonValue]:
    """The cues of a memory's text as ranking reads them."""
    return _told(cues_of(node.content, node.valid_at))


def _told(cues: Cues) -> dict[str, JsonValue]:
    return {"asks": cues.asks, "dated": cues.dated, "times": [list(interval) for interval in cues.times]}


def searchable(node: MemoryNode) -> str:
    """The words by which a memory is found: its content, the caption of a picture shown with it, its slot's names, and
    words that somebody would ask for it with."""
    caption = node.meta_data.get("caption")
    more = (caption if isinstance(caption, str) else "", words_of(node.attribute), " ".join(asked_with(node.meta_data)))
    return "\n".join((node.content, *filter(None, more)))


class Projector:
    """Keeps one index up to date with one journal. `position` is the last ledger row the index has been given. One that
    is not `lasting` is filled whenever it is opened, and the journal knows nothing of it."""

    def __init__(self, journal: Journal, index: MemoryIndex, embedder: Embedder, *, lasting: bool = True) -> None:
        self._journal = journal
        self._index = index
        self._embedder = embedder
        self._lasting = lasting
        self._watermark = f"{_WATERMARK}{embedder.fingerprint}"
        self._form = f"{_FORM}{embedder.fingerprint}"
        self._lock = asyncio.Lock()
        self._unflushed = 0
        self._flushed_at = monotonic()
        self._aside: dict[str, SetAside] = {}
        self._suspects: frozenset[str] = frozenset()
        self.position = 0

    @property
    def fingerprint(self) -> str:
        """Of the embedder whose vectors the index holds."""
        return self._embedder.fingerprint

    async def open(self) -> str | None:
        """Read the watermark; the reason where all is to be projected anew: the index is empty, or of another form."""
        self._aside = {each.memory_id: each for each in await self._journal.set_asides.all()}
        self._suspects = frozenset((await self._journal.marks.mark(SUSPECTS) or "").split())
        if not self._lasting:
            return None
        self.position = number_in(await self._journal.marks.mark(self._watermark))
        form = await self._journal.marks.mark(self._form)
        filled = self.position > 0
        if not filled:
            await self._refuse_unknown()
        if filled and form != str(FORM):
            await self.start_over()
        if form != str(FORM):
            await self._note(self._form, str(FORM))
            return f"its memories were of form {form or 1}, now it is {FORM}" if filled else None
        if filled and await self._index.count() == 0:
            self.position = 0
            return "the index was empty"
        return None

    async def _refuse_unknown(self) -> None:
        """Raise `NeedsRepair` where the index holds memories and none that the journal has heard of: then it is
        not this journal's, or the journal is not what it was."""
        ledger = self._journal.ledger
        held = await self._index.scan(after=None, limit=BATCH)
        if held and not any([await ledger.get(str(point["tenant"]), [memory_id]) for memory_id, point in held]):
            raise NeedsRepair(
                "the index holds memories of which the journal knows nothing; put the journal back with "
                "`agentmem restore FILE --force`, or have the index of another one moved away"
            )

    async def catch_up(self) -> int:
        """Give the index everything the ledger has; how many memories were written or taken out."""
        written = step = await self.step()
        while step == BATCH:
            step = await self.step()
            written += step
        return written

    async def reach(self, head: int) -> None:
        """Catch up where the index has not been given the ledger's row `head`, or owes a flush; else ask nobody."""
        if self.position < head or self._flush_due:
            await self.catch_up()

    async def step(self) -> int:
        """One batch of `catch_up`; 0 where there is nothing left."""
        async with self._lock:
            versions = await self._journal.ledger.since(self.position, limit=BATCH)
            if versions:
                causes = COMMITTED.of(each.memory_id for each in versions)
                first, last = versions[0].seq, versions[-1].seq
                with span("index.project", causes=causes, memories=len(versions), first=first, last=last):
                    await self._write(versions)
            if self._flush_due:
                with suppress(NoRoom):  # nothing is lost: the watermark stays where it is
                    await self._flush()
            return len(versions)

    async def again(self, seq: int) -> None:
        """Give the index the state that row `seq` left and that was set aside, durably; nothing where another took its
        place since. Raises `Unreadable` where it is as bad as it was."""
        async with self._lock:
            versions = [each for each in await self._journal.ledger.since(seq - 1, limit=1) if each.seq == seq]
            for version in versions:
                self._aside.pop(version.memory_id, None)
            if refused := await self._taken_in(versions):
                raise Unreadable(refused[0].reason)
            self._unflushed += len(versions)
            await self._flush()

    async def flush(self) -> None:
        """Make durable what was written, and move the watermark there."""
        async with self._lock:
            if self._unflushed:
                await self._flush()

    async def start_over(self) -> None:
        """Empty the index and forget the watermark; `catch_up` then fills it anew, with what was set aside where it can
        be taken in by now, save what broke the index itself."""
        async with self._lock:
            await self._index.clear()
            self._aside = {key: each for key, each in self._aside.items() if each.reason.startswith(BROKE)}
            self.position = 0
            self._unflushed = 1
            await self._flush()

    @property
    def _flush_due(self) -> bool:
        waited = monotonic() - self._flushed_at > FLUSH_SECONDS
        return self._unflushed >= FLUSH_POINTS or (self._unflushed > 0 and waited)

    async def _write(self, versions: Sequence[Version]) -> None:
        """Take these in; what cannot be taken in is set aside, durably, before the watermark may pass it."""
        refused = await self._taken_in([each for each in versions if not self._is_aside(each)])
        await self._journal.set_asides.add(refused)
        mended = [each for each in versions if each.memory_id in self._aside and not self._is_aside(each)]
        await self._journal.set_asides.clear([(each.memory_id, self._aside.pop(each.memory_id).seq) for each in mended])
        self._aside |= {each.memory_id: each for each in refused}
        self.position = versions[-1].seq
        self._unflushed += len(versions)

    def _is_aside(self, version: Version) -> bool:
        """Whether this very state was set aside before."""
        known = self._aside.get(version.memory_id)
        return known is not None and known.seq == version.seq

    async def _taken_in(self, versions: Sequence[Version]) -> list[SetAside]:
        """Write these or take them out; the ones for which that cannot be done, found by halving."""
        if not versions:
            return []
        if len(versions) > 1 and not self._suspects.isdisjoint(each.memory_id for each in versions):
            return [each for version in versions for each in await self._taken_in([version])]
        try:
            with input_faults():
                await self._apply(versions)
        except IndexBroken:
            await self._suspect(versions)
            raise
        except Unreadable as error:
            if len(versions) == 1:
                return [await self._refused(versions[0], error)]
            middle = len(versions) // 2
            return [*await self._taken_in(versions[:middle]), *await self._taken_in(versions[middle:])]
        return []

    async def _suspect(self, versions: Sequence[Version]) -> None:
        """Note who was being written when the index broke: the next opening takes them one by one, and a single one is
        set aside, so that it breaks no other index."""
        if len(versions) == 1:
            await self._journal.set_asides.add([_set_aside(versions[0], BROKE)])
        await self._journal.marks.set_mark(SUSPECTS, " ".join(each.memory_id for each in versions))

    async def _refused(self, version: Version, error: Unreadable) -> SetAside:
        log.warning("set_aside", memory=version.memory_id, reason=without_content(error))
        with suppress(Unreadable), input_faults():
            await self._index.remove({version.memory_id})
        return _set_aside(version, str(error))

    async def _apply(self, versions: Sequence[Version]) -> None:
        if len(versions) == 1 and (reason := versions[0].unreadable) is not None:
            raise Unreadable(reason)
        if any(each.unreadable for each in versions):
            raise Unreadable("some of them cannot be read")
        kept = [item.node for item in versions if item.node and item.node.is_searchable]
        gone = {item.memory_id for item in versions} - {node.memory_id for node in kept}
        if gone:
            await self._index.remove(gone)
        if kept:
            await self._put(kept)

    async def _put(self, nodes: Sequence[MemoryNode]) -> None:
        """Write these memories; copies with what finds their originals, where they say the same."""
        done = await taken_over(nodes, self._index) if isinstance(self._index, PointSource) else set[str]()
        rest = [node for node in nodes if node.memory_id not in done]
        own = [node for node in rest if not is_document_fact(node)]
        unsought = [self._unsought(node) for node in rest if is_document_fact(node)]
        if rest:
            await self._index.upsert([*(await self._embedded(own) if own else ()), *unsought])

    def _unsought(self, node: MemoryNode) -> Point:
        """A point that is walked over and not searched for."""
        nothing = np.zeros((1, self._embedder.size), dtype=np.float32)
        return Point(node, nothing, nothing[:0], Sparse((), ()), _told(Cues(asks=False)))

    async def _embedded(self, nodes: Sequence[MemoryNode]) -> list[Point]:
        """Points made anew. One whose text the embedder refuses is found by its words alone."""
        try:
            return await points_of(nodes, self._embedder)
        except (BadAnswer, InvalidInput) as error:
            if len(nodes) > 1:
                middle = len(nodes) // 2
                return [*await self._embedded(nodes[:middle]), *await self._embedded(nodes[middle:])]
            log.warning("not_embedded", memory=nodes[0].memory_id, reason=without_content(error))
            nothing = np.zeros((1, self._embedder.size), dtype=np.float32)
            return [_point(nodes[0], nothing, nothing[:0])]

    async def _flush(self) -> None:
        position = self.position
        await self._index.flush()
        if self._lasting:
            await self._note(self._watermark, str(position))
        if self._suspects:
            await self._journal.marks.set_mark(SUSPECTS, "")
            self._suspects = frozenset()
        self._unflushed = 0
        self._flushed_at = monotonic()

    async def _note(self, mark: str, value: str) -> None:
        """Have the journal know what the index holds by now; not of a copy, whose own index holds none of it."""
        if not is_borrowed(self._index):
            await self._journal.marks.set_mark(mark, value)


def _set_aside(version: Version, reason: str) -> SetAside:
    return SetAside(version.memory_id, version.seq, version.lane, reason)


async def taken_over(nodes: Sequence[MemoryNode], index: PointSource) -> set[str]:
    """Write those memories that are copies of others which the index has in the same words; the ids of those."""
    origins = ((node, origin_of(node)) for node in nodes)
    copies = [Copied(node, origin, made_from(node)) for node, origin in origins if origin is not None]
    return await index.repeat(copies) if copies else set()


def made_from(node: MemoryNode) -> int:
    """A number that stands for all that vectors, terms and cues of a memory are made from."""
    caption = node.meta_data.get("caption")
    parts = (
        node.content,
        node.attribute or "",
        caption if isinstance(caption, str) else "",
        node.valid_at.isoformat(),
        *node.key,
        *(f"{SEPARATOR}{word}" for word in asked_with(node.meta_data)),
    )
    text = SEPARATOR.join(f"{len(part)}{SEPARATOR}{part}" for part in parts)
    return int.from_bytes(blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest(), "big") >> 1
