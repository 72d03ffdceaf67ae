"""Takes in a version of a document: what is unchanged costs nothing, what changed replaces its predecessor, and what is
no longer there ends. Before that, a version that is known already is skipped, and what was erased from the agent's
memory is cut out, so that no file brings it back.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from agentmem.assets.document_extraction import reading_job
from agentmem.assets.document_facts import DraftedPiece, Drafting, begun, fact_ids, forgotten, holds, returned, settle
from agentmem.assets.document_record import facts_of, knows_facts, new_record, pieces_of, record_ids, version_of
from agentmem.assets.file_reading import BREAK
from agentmem.assets.pieces import (
    WORKER,
    Chunk,
    Descent,
    Identified,
    PiecePosition,
    descent_of,
    identified,
    known_as,
    place_of,
    seated,
    successors,
)
from agentmem.domain.change import Change
from agentmem.domain.event import AssetReceived
from agentmem.domain.ids import TimestampGenerator, derived_id
from agentmem.domain.memory import MemoryNode, microseconds
from agentmem.ledger.plan import Plan
from agentmem.ports.agent_records import Lineages
from agentmem.ports.erasure import Eraser
from agentmem.ports.ledger import Commit, Ledger
from agentmem.ports.work_queue import Claim, Done


@dataclass(frozen=True, slots=True)
class DocumentWriter:
    """Keeps an agent's documents as memories, one per piece and one per fact in it. `extracts` tells whether a model
    is to read the new pieces behind that."""

    ledger: Ledger
    lineages: Lineages
    timestamps: TimestampGenerator
    now: Callable[[], datetime]
    extracts: Callable[[], bool]

    async def shelve(self, claim: Claim) -> Done:
        """Take in the claimed version of one document; costs what that document has, not what all of them have."""
        job = claim.jobs[0]
        asset = job.events[0].event
        assert isinstance(asset, AssetReceived)
        now = self.now()
        changes, drafted = await self.planned(asset, now)
        commit = Commit(claim.lane.tenant, job.job_id, WORKER, now, changes) if changes else None
        return Done(commit, (reading_job(job, drafted),) if drafted and self.extracts() else ())

    async def planned(self, asset: AssetReceived, now: datetime) -> tuple[tuple[Change, ...], list[str]]:
        """What this version of a document changes, and the ids of the pieces that are to be read."""
        descent = await descent_of(self.lineages, asset.tenant, asset.agent_id)
        version = await self._version(asset, descent)
        drafting = Drafting(asset, version.document, self.timestamps, now)
        drafts = {key: drafting.draft(key, chunk) for key, chunk in version.unread().items()}
        drafted = [fact for draft in drafts.values() for fact in draft.facts]
        ids = [fact_ids(descent, asset.asset_id, fact) for fact in drafted]
        plan, facts = await begun(self.ledger, version.everything, drafted, ids)
        heirs = self._replace(plan, version, drafts, now)
        settle(plan, version.facts, facts, heirs, now)
        self._file(plan, version, [node.memory_id for node in facts], now)
        return plan.changes(), list(drafts)

    async def _version(self, asset: AssetReceived, descent: Descent) -> "_Version":
        record_keys = record_ids(descent, asset.asset_id)
        records = await self.ledger.get(asset.tenant, record_keys)
        document = known_as(record_keys, records)
        record, pieces = records.get(document), await asyncio.to_thread(identified, asset, descent)
        ids = {key for piece in pieces for key in piece.ids}
        stored = await self.ledger.get(asset.tenant, {*pieces_of(record), *ids, *facts_of(record)}, forgotten=True)
        chunks = {known_as(piece.ids, stored): piece.chunk for piece in pieces}
        gone = await forgotten(self.ledger, (stored[memory_id] for memory_id in chunks.keys() & stored.keys()))
        wanted = {memory_id: chunk for memory_id, chunk in chunks.items() if memory_id not in gone}
        return _Version(asset, document, record, stored, list(chunks), wanted)

    def _replace(
        self, plan: Plan, version: "_Version", drafts: Mapping[str, DraftedPiece], now: datetime
    ) -> dict[str, str]:
        """Put the pieces of this version in the place of those before; which took over which."""
        chunks, held = version.wanted, version.held
        replaced = successors(held, list(chunks))
        known = {memory_id: place for memory_id in held if (place := place_of(plan[memory_id])) is not None}
        known |= {new: known[old] for new, old in replaced.items() if old in known}
        seats = seated(list(chunks), {key: place for key, place in known.items() if key in chunks})
        for memory_id in chunks:
            if memory_id in held:
                self._seat(plan, plan[memory_id], seats[memory_id])
            else:
                old = replaced.get(memory_id)
                node = returned(drafts[memory_id].piece, plan.get(memory_id))
                node = node.revised(meta_data={**node.meta_data, **seats[memory_id].meta})
                plan.put(node.revised(supersedes=(old,) if old else ()), "refresh", "back in the document")
        heirs = {old: new for new, old in replaced.items()}
        for memory_id in held:
            if memory_id in heirs:
                node = plan[memory_id].ended(at=now, now=now, by=heirs[memory_id])
                plan.put(node, "supersede", "the document changed")
            elif memory_id not in chunks:
                plan.put(plan[memory_id].ended(at=now, now=now), "end", "no longer in the document")
        return heirs

    def _seat(self, plan: Plan, node: MemoryNode, seat: PiecePosition) -> None:
        """Let a piece that stays know its neighbours."""
        if {**node.meta_data, **seat.meta} != node.meta_data:
            plan.put(node.revised(meta_data={**node.meta_data, **seat.meta}), "refresh", "its neighbours changed")

    def _file(self, plan: Plan, version: "_Version", drafted: Iterable[str], now: datetime) -> None:
        """Write the record anew where the version is another one."""
        asset, record = version.asset, version.record
        facts = [key for key in dict.fromkeys((*version.facts, *drafted)) if holds(plan.get(key))]
        if record is None:
            timestamp = self.timestamps.next(microseconds(now))
            plan.put(new_record(asset, version.pieces, facts, now, timestamp), "add", "a new document")
            return
        new = new_record(asset, version.pieces, facts, now, record.timestamp)
        meta = {**record.meta_data, **new.meta_data}
        if (meta, new.content) != (record.meta_data, record.content):
            known = {"memory_id": record.memory_id, "created_at": record.created_at, "expired_at": record.created_at}
            plan.put(new.revised(**known, meta_data=meta), "refresh", "another version of the document")


@dataclass(frozen=True, slots=True)
class _Version:
    """A version of a document beside what is known of it: `document` is the id of its record, `pieces` are the ids of
    all it has, `wanted` those of them that nobody asked to forget."""

    asset: AssetReceived
    document: str
    record: MemoryNode | None
    stored: Mapping[str, MemoryNode]
    pieces: list[str]
    wanted: Mapping[str, Chunk]

    @property
    def everything(self) -> dict[str, MemoryNode]:
        """All that is stored, its record with it."""
        return {**self.stored, **({self.record.memory_id: self.record} if self.record else {})}

    @property
    def held(self) -> list[str]:
        """The pieces that hold, in the order of the version before."""
        return [memory_id for memory_id in pieces_of(self.record) if holds(self.stored.get(memory_id))]

    @property
    def facts(self) -> list[str]:
        """The facts of the version before."""
        return facts_of(self.record)

    def unread(self) -> dict[str, Chunk]:
        """The pieces to be read: those that are new, and all of a document that was never read for facts."""
        held = set(self.held) if knows_facts(self.record) else set[str]()
        return {memory_id: chunk for memory_id, chunk in self.wanted.items() if memory_id not in held}


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file as it was found: `source` is where, None for one that was sent; `version` the SHA-256 of its bytes."""

    asset_id: str
    source: str | None
    version: str


@dataclass(frozen=True, slots=True)
class DocumentIntake:
    """Looks at papers for one agent."""

    ledger: Ledger
    eraser: Eraser
    lineages: Lineages
    tenant: str
    agent: str

    async def news(self, papers: Sequence[FoundFile]) -> dict[str, str]:
        """Those whose version is not the one known last: asset ids, with the event id under which it is taken in.

        The same version of a document that is known in the same state has the same event id, however often it is met.
        """
        descent = await descent_of(self.lineages, self.tenant, self.agent)
        ids = {paper.asset_id: record_ids(descent, paper.asset_id) for paper in papers}
        records = await self.ledger.get(self.tenant, list(chain.from_iterable(ids.values())))
        found: dict[str, str] = {}
        for paper in papers:
            record = records.get(known_as(ids[paper.asset_id], records))
            if version_of(record) != paper.version:
                # an undo brings an earlier revision back, so only the ledger tells states apart
                history = [] if record is None else await self.ledger.history(self.tenant, record.memory_id)
                state = history[-1].seq if history else 0
                found[paper.asset_id] = f"asset/{derived_id('asset', paper.asset_id, paper.version, state)}"
        return found

    async def record_of(self, asset_id: str) -> str:
        """The id of a document's record, whether or not there is one yet."""
        ids = record_ids(await descent_of(self.lineages, self.tenant, self.agent), asset_id)
        return known_as(ids, await self.ledger.get(self.tenant, ids))

    async def admitted(self, asset: AssetReceived) -> AssetReceived:
        """The document without the pieces that were erased, and with those that were edited in that as they are now."""
        descent = await descent_of(self.lineages, self.tenant, self.agent)
        pieces = await asyncio.to_thread(identified, asset, descent)
        ids = list(chain.from_iterable(piece.ids for piece in pieces))
        erased = await self.eraser.buried(self.tenant, ids)
        known = await self.ledger.get(self.tenant, ids)
        instead = dict.fromkeys(erased, "") | _edited(pieces, known)
        if not instead:
            return asset
        text, gap = asset.text, BREAK if asset.media_type == "text/markdown" else "\n\n"
        for piece in reversed(pieces):
            left = next((instead[key] for key in piece.ids if key in instead), None)
            if left is not None:
                end = piece.chunk.start + len(piece.chunk.text)
                text = text[: piece.chunk.start] + (left or gap) + text[end:]
        return asset.revised(text=text)


def _edited(pieces: Iterable[Identified], known: Mapping[str, MemoryNode]) -> dict[str, str]:
    """What is left of the pieces of whose words some were erased, without their headings."""
    found: dict[str, str] = {}
    for memory_id, chunk in ((key, piece.chunk) for piece in pieces for key in piece.ids if key in known):
        node = known[memory_id]
        left = node.content.removeprefix(f"{' › '.join(chunk.path)}\n") if chunk.path else node.content
        if left != chunk.text:
            found[memory_id] = left
    return found
