"""A version of a document becomes long-term memory: what is unchanged costs nothing, what changed takes over, what is
gone expires. Neighbours: `shelf` (the card of a document), `pieces` (their ids and order)."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from agentmem.assets.chunks import Chunk
from agentmem.assets.pieces import WORKER, Seat, identified, place_of, seated, successors
from agentmem.assets.shelf import card_id, card_of, pieces_on
from agentmem.domain.entity import named, with_mentions
from agentmem.domain.event import AssetReceived
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus, local_day, microseconds
from agentmem.domain.timestamp import TimestampGenerator
from agentmem.language.names import names_of
from agentmem.language.normal import language_of
from agentmem.ledger.plan import Plan
from agentmem.ports.ledger import Commit, Ledger
from agentmem.ports.work_queue import Claim, Done


@dataclass(frozen=True, slots=True)
class Librarian:
    """Keeps an agent's documents as memories, one per piece."""

    ledger: Ledger
    timestamps: TimestampGenerator
    now: Callable[[], datetime]

    async def shelve(self, claim: Claim) -> Done:
        """Take in the claimed version of one document; costs what that document has, not what is on the shelf."""
        job = claim.jobs[0]
        asset = job.events[0].event
        assert isinstance(asset, AssetReceived)
        card_key = card_id(asset.tenant, asset.agent_id, asset.asset_id)
        card = (await self.ledger.get(asset.tenant, [card_key])).get(card_key)
        chunks = await asyncio.to_thread(identified, asset)
        stored = await self.ledger.get(asset.tenant, {*pieces_on(card), *chunks})
        plan = Plan((*stored.values(), *([card] if card else [])))
        now = self.now()
        forgotten = await self._forgotten(stored[memory_id] for memory_id in chunks.keys() & stored.keys())
        wanted = {memory_id: chunk for memory_id, chunk in chunks.items() if memory_id not in forgotten}
        self._replace(plan, asset, wanted, pieces_on(card), now)
        self._file(plan, asset, list(chunks), now)
        changes = plan.changes()
        return Done(commit=Commit(claim.lane.tenant, job.job_id, WORKER, now, changes) if changes else None)

    async def _forgotten(self, known: Iterable[MemoryNode]) -> set[str]:
        """Those of the pieces that somebody asked to forget: they do not come back with their document."""
        found: set[str] = set()
        for node in known:
            if not _holds(node):
                *_, last = await self.ledger.history(node.tenant, node.memory_id)
                found |= {node.memory_id} if last.change.act == "forget" else set()
        return found

    def _replace(
        self, plan: Plan, asset: AssetReceived, chunks: Mapping[str, Chunk], before: list[str], now: datetime
    ) -> None:
        held = [memory_id for memory_id in before if _holds(plan.get(memory_id))]
        replaced = successors(held, list(chunks))
        known = {memory_id: place for memory_id in held if (place := place_of(plan[memory_id])) is not None}
        known |= {new: known[old] for new, old in replaced.items() if old in known}
        seats = seated(list(chunks), {key: place for key, place in known.items() if key in chunks})
        for memory_id, chunk in chunks.items():
            if memory_id in held:
                self._seat(plan, plan[memory_id], seats[memory_id])
            else:
                old = replaced.get(memory_id)
                node = _returned(self._node(memory_id, asset, chunk, seats[memory_id], now), plan.get(memory_id))
                plan.put(node.revised(supersedes=(old,) if old else ()), "refresh", "in the document again")
        heirs = {old: new for new, old in replaced.items()}
        for memory_id in held:
            if memory_id in heirs:
                node = plan[memory_id].ended(at=now, now=now, by=heirs[memory_id])
                plan.put(node, "supersede", "the document changed")
            elif memory_id not in chunks:
                plan.put(plan[memory_id].ended(at=now, now=now), "end", "no longer in the document")

    def _seat(self, plan: Plan, node: MemoryNode, seat: Seat) -> None:
        """Let a piece that stays know its neighbours."""
        if {**node.meta_data, **seat.meta} != node.meta_data:
            plan.put(node.revised(meta_data={**node.meta_data, **seat.meta}), "refresh", "its neighbours changed")

    def _file(self, plan: Plan, asset: AssetReceived, pieces: list[str], now: datetime) -> None:
        """Write the card anew where the version is another one."""
        card = plan.get(card_id(asset.tenant, asset.agent_id, asset.asset_id))
        if card is None:
            plan.put(card_of(asset, pieces, now, self.timestamps.next(microseconds(now))), "add", "a new document")
            return
        new = card_of(asset, pieces, now, card.timestamp)
        if (new.meta_data, new.content) != (card.meta_data, card.content):
            known = {"created_at": card.created_at, "expired_at": card.created_at}
            plan.put(new.revised(**known), "refresh", "another version of the document")

    def _node(self, memory_id: str, asset: AssetReceived, chunk: Chunk, seat: Seat, now: datetime) -> MemoryNode:
        heading = " › ".join(chunk.path)
        content = f"{heading}\n{chunk.text}" if heading else chunk.text
        mentions = names_of(content)
        return MemoryNode(
            memory_id=memory_id,
            tenant=asset.tenant,
            agent_id=asset.agent_id,
            user_name=asset.agent_name,
            target_id=asset.target_id,
            target_name=asset.agent_name,
            memory_type=MemoryType.LONGTERM,
            kind="chunk",
            content=content,
            key=chunk.path[-1:],
            entity_ids=tuple(dict.fromkeys(named(asset.tenant, asset.agent_id, each.name) for each in mentions)),
            language=language_of(chunk.text),
            speaker=asset.title,
            timestamp=self.timestamps.next(microseconds(now)),
            dt=local_day(asset.at),
            valid_at=asset.at,
            created_at=now,
            importance=5,
            trust=asset.trust,
            meta_data={
                "assetId": asset.asset_id,
                "assetVersion": asset.version,
                "documentId": card_id(asset.tenant, asset.agent_id, asset.asset_id),
                "title": asset.title,
                "source": asset.source,
                "section": list(chunk.path),
                "heading": heading,
                "start": chunk.start,
                "end": chunk.start + len(chunk.text),
                **with_mentions(mentions),
                **seat.meta,
            },
        )


def _holds(node: MemoryNode | None) -> bool:
    return node is not None and node.store_status is StoreStatus.VALID


def _returned(node: MemoryNode, before: MemoryNode | None) -> MemoryNode:
    """A chunk that is in the document again is the memory it was: when it was known first is not forgotten."""
    return node if before is None else node.revised(timestamp=before.timestamp, created_at=before.created_at)
