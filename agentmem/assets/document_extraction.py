"""A model reads the new pieces of a document, behind the rules: what it finds besides is written down before it is
applied, so that no piece is paid for twice. Where it fails, the pieces and the facts of the rules stay."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import structlog
from pydantic import Field

from agentmem.assets.document_facts import Drafting, begun, fact_ids, holds, settle
from agentmem.assets.document_record import FACTS, facts_of, record_ids
from agentmem.assets.pieces import descent_of, known_as
from agentmem.domain.document import Extract
from agentmem.domain.event import AssetReceived
from agentmem.domain.ids import TimestampGenerator, derived_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.payload import ExtractFacts
from agentmem.domain.scope import Scope
from agentmem.domain.value import Value
from agentmem.errors import BackendUnavailable, BadAnswer, without_content
from agentmem.ledger.plan import Plan
from agentmem.ports.agent_records import Lineages
from agentmem.ports.cognition import Extractor, UnreadPassage
from agentmem.ports.ledger import Commit, Ledger
from agentmem.ports.work_queue import Claim, Done, Job, NewJob, WorkQueue

log = structlog.get_logger()

WORKER: Final = "extraction"
TOGETHER: Final = 4
"""Pieces a model reads at a time; what it found in them is written down together."""

OFTEN: Final = 50
"""At most so often is that done for one document: each time all is written that was found so far."""

EARLIER: Final = 5
"""Similar pieces that are shown beside one."""

LOOKED_AT: Final = 100
"""Pieces among which they are looked for; those whose turn is still to come are among them."""

Similar = Callable[[Scope, Sequence[MemoryNode], int], Awaitable[list[tuple[str, ...]]]]
"""For each piece the ids of those most like it, best first, it may be itself among them."""


class ReadFacts(Value):
    """What was found so far, by piece."""

    found: dict[str, Extract] = Field(default_factory=dict[str, Extract])


def reading_job(job: Job, pieces: Sequence[str]) -> NewJob:
    """The job that reads these new pieces of a document. A worker of its own does it: documents that wait for a model
    hold up none that do not."""
    return NewJob(
        job_id=derived_id(WORKER, job.job_id),
        lane=job.lane,
        worker=WORKER,
        ordinal=job.ordinal,
        seqs=tuple(item.seq for item in job.events),
        payload=ExtractFacts(piece_ids=tuple(pieces)),
    )


@dataclass(frozen=True, slots=True)
class Extraction:
    """Adds to a document's facts what a model finds. `similar` is None where no index is at hand."""

    extractor: Extractor
    ledger: Ledger
    queue: WorkQueue
    lineages: Lineages
    timestamps: TimestampGenerator
    now: Callable[[], datetime]
    similar: Similar | None = None

    async def extract(self, claim: Claim) -> Done:
        """Read the pieces of the claimed job that still hold. Raises `BackendUnavailable`."""
        job = claim.jobs[0]
        asset = job.events[0].event
        assert isinstance(asset, AssetReceived)
        descent = await descent_of(self.lineages, asset.tenant, asset.agent_id)
        record_keys = record_ids(descent, asset.asset_id)
        ids = job.carried(ExtractFacts).piece_ids
        stored = await self.ledger.get(asset.tenant, [*record_keys, *ids], forgotten=True)
        record_key = known_as(record_keys, stored)
        pieces = [stored[key] for key in ids if holds(stored.get(key))]
        if not pieces or record_key not in stored:
            return Done()
        found = await self._read(claim, pieces)
        facts = await self.ledger.get(asset.tenant, facts_of(stored[record_key]), forgotten=True)
        said_by = await self.ledger.get(asset.tenant, {key for fact in facts.values() for key in fact.source_ids})
        drafting = Drafting(asset, record_key, self.timestamps, self.now())
        drafts = [fact for piece in pieces for fact in drafting.found(piece, found[piece.memory_id], facts.values())]
        known = [fact_ids(descent, asset.asset_id, fact) for fact in drafts]
        plan, wanted = await begun(self.ledger, {**stored, **said_by, **facts}, drafts, known)
        settle(plan, list(facts), wanted, {}, drafting.now)
        _file(plan, record_key, [fact.memory_id for fact in wanted])
        changes = plan.changes()
        commit = Commit(claim.lane.tenant, job.job_id, WORKER, drafting.now, changes)
        return Done(commit=commit if changes else None)

    async def _read(self, claim: Claim, pieces: Sequence[MemoryNode]) -> Mapping[str, Extract]:
        job = claim.jobs[0]
        found = dict(ReadFacts.model_validate_json(job.staged).found) if job.staged else {}
        left = [piece for piece in pieces if piece.memory_id not in found]
        step = max(TOGETHER, len(pieces) // OFTEN)
        for first in range(0, len(left), step):
            some = left[first : first + step]
            passages = await self._passages(some, left[first:])
            async with asyncio.TaskGroup() as group:
                asked = [group.create_task(self._ask(passage)) for passage in passages]
            answers = {piece.memory_id: task.result() for piece, task in zip(some, asked, strict=True)}
            found |= {key: answer for key, answer in answers.items() if isinstance(answer, Extract)}
            await self.queue.stage(claim, job.job_id, ReadFacts(found=found).model_dump_json())
            for answer in answers.values():
                if isinstance(answer, BackendUnavailable):
                    raise answer
        return found

    async def _ask(self, passage: UnreadPassage) -> Extract | BackendUnavailable:
        """One call, or why there was no answer: what the others found meanwhile is to be kept. A piece that leads to no
        usable answer is read by the rules alone."""
        try:
            return (await self.extractor.extract(passage)).extract
        except BackendUnavailable as error:
            return error
        except BadAnswer as error:
            log.warning("piece_not_extracted", reason=without_content(error))
            return Extract()

    async def _passages(self, pieces: Sequence[MemoryNode], unread: Sequence[MemoryNode]) -> list[UnreadPassage]:
        """Each piece with those like it that were read before: not itself, and none whose turn is still to come."""
        if self.similar is None:
            return [UnreadPassage(piece.content) for piece in pieces]
        scope = Scope(pieces[0].tenant, pieces[0].agent_id, pieces[0].target_id)
        ahead = {piece.memory_id for piece in unread}
        near = await self.similar(scope, pieces, min(EARLIER + len(ahead), LOOKED_AT))
        chosen = [[key for key in ids if key not in ahead][:EARLIER] for ids in near]
        known = await self.ledger.get(scope.tenant, {key for ids in chosen for key in ids})
        return [
            UnreadPassage(piece.content, tuple(known[key].content for key in ids if key in known))
            for piece, ids in zip(pieces, chosen, strict=True)
        ]


def _file(plan: Plan, record_key: str, drafted: Sequence[str]) -> None:
    """Note the new facts on the record."""
    record = plan[record_key]
    facts = [key for key in dict.fromkeys((*facts_of(record), *drafted)) if holds(plan.get(key))]
    if facts != facts_of(record):
        plan.put(record.revised(meta_data={**record.meta_data, FACTS: list(facts)}), "refresh", "read by a model")
