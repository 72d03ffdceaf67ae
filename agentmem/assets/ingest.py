"""A version of a document becomes long-term memory: what is unchanged costs nothing, what changed takes over, what is
gone expires."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from agentmem.assets.chunks import Chunk, chunks
from agentmem.domain.event import AssetReceived
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus, local_day, microseconds
from agentmem.domain.timestamp import TimestampGenerator
from agentmem.language.normal import language_of
from agentmem.ledger.plan import Plan
from agentmem.ports.ledger import Commit, Ledger, Selection
from agentmem.ports.work_queue import Claim, Done

WORKER = "longterm"


@dataclass(frozen=True, slots=True)
class Librarian:
    """Keeps an agent's documents as memories, one per piece."""

    ledger: Ledger
    timestamps: TimestampGenerator
    now: Callable[[], datetime]

    async def shelve(self, claim: Claim) -> Done:
        """Take in the claimed version of one document."""
        job = claim.jobs[0]
        asset = job.events[0].event
        assert isinstance(asset, AssetReceived)
        shelf = await self.ledger.select(Selection(claim.lane.scope, types=(MemoryType.LONGTERM,), limit=100_000))
        plan = Plan(node for node in shelf if node.meta_data.get("assetId") == asset.asset_id)
        now = self.now()
        self._replace(plan, asset, now)
        changes = plan.changes()
        return Done(commit=Commit(claim.lane.tenant, job.job_id, WORKER, now, changes) if changes else None)

    def _replace(self, plan: Plan, asset: AssetReceived, now: datetime) -> None:
        pieces = _identified(asset)
        gone = {node.memory_id: node for node in plan.valid() if node.memory_id not in pieces}
        successors = {_place(node): node.memory_id for node in gone.values()}
        for memory_id, (place, chunk) in pieces.items():
            if memory_id in plan and plan[memory_id].store_status is StoreStatus.VALID:
                continue
            replaced = successors.pop(place, None)
            node = _returned(self._node(memory_id, asset, chunk, place, now), plan.get(memory_id))
            plan.put(node.revised(supersedes=(replaced,) if replaced else ()), "refresh", "in the document again")
            if replaced:
                plan.put(gone.pop(replaced).ended(at=now, now=now, by=memory_id), "supersede", "the document changed")
        for node in gone.values():
            plan.put(node.ended(at=now, now=now), "end", "no longer in the document")

    def _node(self, memory_id: str, asset: AssetReceived, chunk: Chunk, place: int, now: datetime) -> MemoryNode:
        heading = " › ".join(chunk.path)
        return MemoryNode(
            memory_id=memory_id,
            tenant=asset.tenant,
            agent_id=asset.agent_id,
            user_name=asset.agent_name,
            target_id=asset.target_id,
            target_name=asset.agent_name,
            memory_type=MemoryType.LONGTERM,
            kind="chunk",
            content=f"{heading}\n{chunk.text}" if heading else chunk.text,
            key=chunk.path[-1:],
            language=language_of(chunk.text),
            speaker=asset.title,
            timestamp=self.timestamps.next(microseconds(now)),
            dt=local_day(asset.at),
            valid_at=asset.at,
            created_at=now,
            importance=5,
            meta_data={
                "assetId": asset.asset_id,
                "assetVersion": asset.version,
                "title": asset.title,
                "heading": heading,
                "place": place,
                "start": chunk.start,
                "end": chunk.start + len(chunk.text),
            },
        )


def _returned(node: MemoryNode, before: MemoryNode | None) -> MemoryNode:
    """A chunk that is in the document again is the memory it was: when it was known first is not forgotten."""
    return node if before is None else node.revised(timestamp=before.timestamp, created_at=before.created_at)


def _identified(asset: AssetReceived) -> dict[str, tuple[int, Chunk]]:
    """Pieces by memory id: the same words under the same heading keep their id, a repetition counts on."""
    seen: Counter[str] = Counter()
    found: dict[str, tuple[int, Chunk]] = {}
    for place, chunk in enumerate(chunks(asset.text, asset.media_type)):
        memory_id = derived_id(
            "memory", asset.tenant, asset.agent_id, asset.asset_id, WORKER, chunk.digest, seen[chunk.digest]
        )
        seen[chunk.digest] += 1
        found[memory_id] = (place, chunk)
    return found


def _place(node: MemoryNode) -> int:
    place = node.meta_data.get("place")
    return place if isinstance(place, int) else -1
