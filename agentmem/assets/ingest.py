"""A version of a document becomes long-term memory: what is unchanged costs nothing, what changed takes over, what is
gone expires, and the facts in its pieces with them. Neighbours: `shelf` (the card of a document), `pieces` (their ids
and order), `drafting` (what is made of a piece), `facts` (what becomes of those that were known)."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from agentmem.assets.chunks import Chunk
from agentmem.assets.descent import Descent, descent_of, known_as
from agentmem.assets.drafting import Draft, Drafting, fact_ids
from agentmem.assets.extraction import reading_job
from agentmem.assets.facts import begun, forgotten, holds, returned, settle
from agentmem.assets.pieces import WORKER, Seat, identified, place_of, seated, successors
from agentmem.assets.shelf import card_ids, card_of, facts_on, knows_facts, pieces_on
from agentmem.domain.event import AssetReceived
from agentmem.domain.memory import MemoryNode, microseconds
from agentmem.domain.timestamp import TimestampGenerator
from agentmem.ledger.plan import Plan
from agentmem.ports.ledger import Commit, Ledger
from agentmem.ports.lineages import Lineages
from agentmem.ports.work_queue import Claim, Done


@dataclass(frozen=True, slots=True)
class Librarian:
    """Keeps an agent's documents as memories, one per piece and one per fact in it. `extracts` tells whether a model
    is to read the new pieces behind that."""

    ledger: Ledger
    lineages: Lineages
    timestamps: TimestampGenerator
    now: Callable[[], datetime]
    extracts: Callable[[], bool]

    async def shelve(self, claim: Claim) -> Done:
        """Take in the claimed version of one document; costs what that document has, not what is on the shelf."""
        job = claim.jobs[0]
        asset = job.events[0].event
        assert isinstance(asset, AssetReceived)
        now = self.now()
        descent = await descent_of(self.lineages, asset.tenant, asset.agent_id)
        shelf = await self._shelf(asset, descent)
        drafting = Drafting(asset, shelf.document, self.timestamps, now)
        drafts = {key: drafting.draft(key, chunk) for key, chunk in shelf.unread().items()}
        drafted = [fact for draft in drafts.values() for fact in draft.facts]
        ids = [fact_ids(descent, asset.asset_id, fact) for fact in drafted]
        plan, facts = await begun(self.ledger, shelf.everything, drafted, ids)
        heirs = self._replace(plan, shelf, drafts, now)
        settle(plan, shelf.facts, facts, heirs, now)
        self._file(plan, shelf, [node.memory_id for node in facts], now)
        changes = plan.changes()
        commit = Commit(claim.lane.tenant, job.job_id, WORKER, now, changes) if changes else None
        return Done(commit, (reading_job(job, list(drafts)),) if drafts and self.extracts() else ())

    async def _shelf(self, asset: AssetReceived, descent: Descent) -> "_Shelf":
        card_keys = card_ids(descent, asset.asset_id)
        cards = await self.ledger.get(asset.tenant, card_keys)
        document = known_as(card_keys, cards)
        card, pieces = cards.get(document), await asyncio.to_thread(identified, asset, descent)
        ids = {key for piece in pieces for key in piece.ids}
        stored = await self.ledger.get(asset.tenant, {*pieces_on(card), *ids, *facts_on(card)}, forgotten=True)
        chunks = {known_as(piece.ids, stored): piece.chunk for piece in pieces}
        gone = await forgotten(self.ledger, (stored[memory_id] for memory_id in chunks.keys() & stored.keys()))
        wanted = {memory_id: chunk for memory_id, chunk in chunks.items() if memory_id not in gone}
        return _Shelf(asset, document, card, stored, list(chunks), wanted)

    def _replace(self, plan: Plan, shelf: "_Shelf", drafts: Mapping[str, Draft], now: datetime) -> dict[str, str]:
        """Put the pieces of this version in the place of those before; which took over which."""
        chunks, held = shelf.wanted, shelf.held
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
                plan.put(node.revised(supersedes=(old,) if old else ()), "refresh", "in the document again")
        heirs = {old: new for new, old in replaced.items()}
        for memory_id in held:
            if memory_id in heirs:
                node = plan[memory_id].ended(at=now, now=now, by=heirs[memory_id])
                plan.put(node, "supersede", "the document changed")
            elif memory_id not in chunks:
                plan.put(plan[memory_id].ended(at=now, now=now), "end", "no longer in the document")
        return heirs

    def _seat(self, plan: Plan, node: MemoryNode, seat: Seat) -> None:
        """Let a piece that stays know its neighbours."""
        if {**node.meta_data, **seat.meta} != node.meta_data:
            plan.put(node.revised(meta_data={**node.meta_data, **seat.meta}), "refresh", "its neighbours changed")

    def _file(self, plan: Plan, shelf: "_Shelf", drafted: Iterable[str], now: datetime) -> None:
        """Write the card anew where the version is another one."""
        asset, card = shelf.asset, shelf.card
        facts = [key for key in dict.fromkeys((*shelf.facts, *drafted)) if holds(plan.get(key))]
        if card is None:
            timestamp = self.timestamps.next(microseconds(now))
            plan.put(card_of(asset, shelf.pieces, facts, now, timestamp), "add", "a new document")
            return
        new = card_of(asset, shelf.pieces, facts, now, card.timestamp)
        meta = {**card.meta_data, **new.meta_data}
        if (meta, new.content) != (card.meta_data, card.content):
            known = {"memory_id": card.memory_id, "created_at": card.created_at, "expired_at": card.created_at}
            plan.put(new.revised(**known, meta_data=meta), "refresh", "another version of the document")


@dataclass(frozen=True, slots=True)
class _Shelf:
    """A version of a document beside what is known of it: `document` is the id of its card, `pieces` are the ids of all
    it has, `wanted` those of them that nobody asked to forget."""

    asset: AssetReceived
    document: str
    card: MemoryNode | None
    stored: Mapping[str, MemoryNode]
    pieces: list[str]
    wanted: Mapping[str, Chunk]

    @property
    def everything(self) -> dict[str, MemoryNode]:
        """All that is stored, the card with it."""
        return {**self.stored, **({self.card.memory_id: self.card} if self.card else {})}

    @property
    def held(self) -> list[str]:
        """The pieces that hold, in the order of the version before."""
        return [memory_id for memory_id in pieces_on(self.card) if holds(self.stored.get(memory_id))]

    @property
    def facts(self) -> list[str]:
        """The facts of the version before."""
        return facts_on(self.card)

    def unread(self) -> dict[str, Chunk]:
        """The pieces to be read: those that are new, and all of a document that was never read for facts."""
        held = set(self.held) if knows_facts(self.card) else set[str]()
        return {memory_id: chunk for memory_id, chunk in self.wanted.items() if memory_id not in held}
