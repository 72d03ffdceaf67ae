"""Keeps an agent's communities up to date: regrouped when much has changed, extended when little has. A summary is made
anew only for a community whose members or facts changed.

A round is one commit, so a reader finds the communities as they were or as they are, whatever happens to the process in
between. Communities are written in the lane of the graph, by one worker at a time.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import Final

import structlog

from agentmem.domain.entity import graph_lane
from agentmem.domain.ids import TimestampGenerator, derived_id
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus, Trust, local_day, microseconds
from agentmem.domain.payload import RegroupCommunities
from agentmem.graph.communities.clusters import Fact, Names, groups, home_of, links_of, propagate
from agentmem.graph.communities.drafts import (
    DIGEST,
    DRIFT,
    DRIFTED,
    SIZE,
    SMALLEST,
    CommunityDraft,
    Extension,
    GraphReader,
    Standing,
    drafted,
    new_id,
    recognised,
)
from agentmem.graph.communities.summary import CommunitySummary, Load, Summaries, language_of_all, statements_of, title
from agentmem.graph.feed import changed_in
from agentmem.language.normal import Language
from agentmem.ledger.plan import Plan
from agentmem.ports.ledger import Commit, Ledger
from agentmem.ports.work_queue import Claim, Done, Job, NewJob, WorkQueue

WORKER: Final = "communities"


def taking_in(job: Job) -> NewJob:
    """What follows when the entities of a job's memories were brought up to date."""
    return NewJob(derived_id(WORKER, job.job_id), job.lane, WORKER, job.ordinal, payload=job.payload)


def grouping_anew(tenant: str, agent: str, cause: str, *, ordinal: int = 0) -> NewJob:
    """Group everything the agent knows; the same cause asks for it once."""
    lane = graph_lane(tenant, agent)
    return NewJob(derived_id(WORKER, tenant, agent, cause), lane, WORKER, ordinal, payload=RegroupCommunities())


def is_anew(claim: Claim) -> bool:
    """Whether one of the claimed jobs asks for everything."""
    return any(isinstance(job.payload, RegroupCommunities) for job in claim.jobs)


log = structlog.get_logger()

BESIDE: Final = 12
"""Names a community is found by, beside its own."""

TOGETHER: Final = 100
"""Communities whose facts are read at a time."""


@dataclass(frozen=True, slots=True)
class CommunityKeeper:
    """Brings an agent's communities up to date. `load` opens the model that sums up, if there is one."""

    ledger: Ledger
    queue: WorkQueue
    timestamps: TimestampGenerator
    now: Callable[[], datetime]
    load: Load
    standing: Standing = field(default_factory=Standing)

    async def keep(self, claim: Claim) -> Done:
        """Take in the memories that the claimed jobs name; group everything anew where one of them asks for it, or
        where too much has changed since that was done last."""
        reader = GraphReader(self.ledger, claim.lane.tenant, claim.lane.agent)
        if is_anew(claim):
            return await self._anew(claim, reader)
        changed = changed_in(claim.jobs)
        # What was erased meanwhile is seen at a second look; what somebody else writes now is a conflict, tried again.
        for anew in (claim.jobs[0].attempt > 1, True):
            extension = Extension(reader, await self.standing.of(reader, anew=anew))
            await extension.take_in(changed)
            if extension.drift >= DRIFTED:
                return await self._anew(claim, reader)
            touched = extension.before.keys() & {*extension.drafts, *extension.over}
            before = await reader.memories(touched)
            if before.keys() == touched or anew:
                break
        drafts = [replace(draft, before=before.get(key)) for key, draft in extension.drafts.items()]
        making = _Making(self, claim, reader, extension.names)
        return await making.done(drafts, [before[key] for key in sorted(extension.over)])

    async def _anew(self, claim: Claim, reader: GraphReader) -> Done:
        before = await reader.communities()
        names, facts = await reader.everything()
        labels = propagate(links_of(facts), seed=reader.agent)
        found = [group for group in groups(labels) if len(group) >= SMALLEST]
        drafts = _regrouped(reader, found, facts, before, names)
        kept = {draft.memory_id for draft in drafts}
        making = _Making(self, claim, reader, names)
        return await making.done(drafts, [node for key, node in sorted(before.items()) if key not in kept])


def _regrouped(
    reader: GraphReader,
    found: Sequence[tuple[str, ...]],
    facts: Iterable[Fact],
    before: Mapping[str, MemoryNode],
    names: Names,
) -> list[CommunityDraft]:
    """The groups as communities, those that were there under the ids they had."""
    known = recognised(found, {key: [*map(names.root, node.entity_ids)] for key, node in before.items()})
    ids: dict[int, str] = {}
    for place, group in enumerate(found):
        key = known.get(place) or new_id(reader.tenant, reader.agent, group)
        # An id is made of the first members; a community that was founded by just these may have moved on since.
        ids[place] = (
            key if known.get(place) or key not in before else new_id(reader.tenant, reader.agent, (*group, key))
        )
    homes = {member: ids[place] for place, group in enumerate(found) for member in group}
    told: dict[str, list[Fact]] = {}
    for fact in facts:
        if (home := home_of(fact, homes)) is not None:
            told.setdefault(home, []).append(fact)
    drafts: list[CommunityDraft] = []
    for place, group in enumerate(found):
        own = told.get(ids[place], [])
        draft = drafted(ids[place], group, own)
        drafts.append(replace(draft, before=before.get(ids[place]), size=len(group) + len(own)))
    return [draft for draft in drafts if draft.facts]


@dataclass(slots=True)
class _Making:
    """One round: summaries for what changed, and the commit."""

    keeper: CommunityKeeper
    claim: Claim
    reader: GraphReader
    names: Names

    async def done(self, drafts: Sequence[CommunityDraft], over: Sequence[MemoryNode]) -> Done:
        """What is to be written."""
        keeper, now = self.keeper, self.keeper.now()
        plan = Plan([*(draft.before for draft in drafts if draft.before), *over])
        changed = [draft for draft in drafts if _digest_of(draft.before) != draft.digest(self.names)]
        returning = await self.reader.memories([draft.memory_id for draft in changed if draft.before is None])
        if returning:
            plan = Plan([*plan.nodes().values(), *returning.values()])
        made_anew = {draft.memory_id for draft in changed}
        for draft in drafts:
            node = draft.before
            if node is not None and draft.memory_id not in made_anew and _counted(node, draft) != node:
                plan.put(_counted(node, draft), "refresh", "members and facts were counted again")
        for node in over:
            plan.put(node.ended(at=now, now=now), "end", "its members moved or are too few")
        summaries = Summaries(keeper.load)
        staged = _staged(self.claim)
        for some in _batches(changed):
            await self._sum_up(plan, some, returning, summaries, staged)
        if summaries.asked:
            log.info("communities_summarised", made=len(changed), asked=summaries.asked, unusable=summaries.unusable)
        changes, run = plan.changes(), self.claim.jobs[0].job_id
        return Done(commit=Commit(self.claim.lane.tenant, run, WORKER, now, changes) if changes else None)

    async def _sum_up(
        self,
        plan: Plan,
        drafts: Sequence[CommunityDraft],
        returning: Mapping[str, MemoryNode],
        summaries: Summaries,
        staged: dict[str, list[str]],
    ) -> None:
        nodes = await self.reader.memories({fact.memory_id for draft in drafts for fact in draft.facts})
        for draft in drafts:
            facts = [nodes[fact.memory_id] for fact in draft.facts if fact.memory_id in nodes]
            if not facts:
                continue
            language = language_of_all(facts)
            digest = draft.digest(self.names)
            called = [self.names.names.get(member, "") for member in draft.members]
            statements = statements_of(facts, [*filter(None, called)])
            if digest in staged:
                text, *ids = staged[digest]
                told = CommunitySummary(text, tuple(ids))
            else:
                asked = summaries.asked
                told = await summaries(statements, language)
                if summaries.asked > asked and told.lasting:
                    staged[digest] = [told.text, *told.memory_ids]
                    await self.keeper.queue.stage(self.claim, self.claim.jobs[0].job_id, json.dumps(staged))
            before = draft.before or returning.get(draft.memory_id)
            node = self._node(draft, facts, told, [*filter(None, called)], language, before)
            plan.put(node, "refresh", "its members or facts changed")

    def _node(
        self,
        draft: CommunityDraft,
        facts: Sequence[MemoryNode],
        told: CommunitySummary,
        names: Sequence[str],
        language: Language,
        before: MemoryNode | None,
    ) -> MemoryNode:
        now, first = self.keeper.now(), facts[0]
        called = title(names, language) or first.target_name
        digest = draft.digest(self.names) if told.lasting else ""
        trust = Trust.UNTRUSTED if any(node.trust is Trust.UNTRUSTED for node in facts) else Trust.PRINCIPAL
        return MemoryNode(
            memory_id=draft.memory_id,
            tenant=first.tenant,
            agent_id=first.agent_id,
            user_name=first.user_name,
            target_id=graph_lane(first.tenant, first.agent_id).target,
            target_name=first.user_name,
            memory_type=MemoryType.COMMUNITY,
            content=f"{called}: {told.text}" if told.text else called,
            key=tuple(dict.fromkeys((called, *names[:BESIDE]))),
            value=called,
            entity_ids=draft.members,
            modality=Modality.INFERRED,
            language=language,
            timestamp=before.timestamp if before else self.keeper.timestamps.next(microseconds(now)),
            dt=local_day(now),
            valid_at=before.valid_at if before else now,
            created_at=before.created_at if before else now,
            source_ids=told.memory_ids,
            depends_on=tuple(node.memory_id for node in facts if node.memory_id not in told.memory_ids),
            importance=min(9, len(draft.members)),
            trust=trust,
            obs_updated=before.obs_updated + 1 if before else 0,
            meta_data={DIGEST: digest, SIZE: draft.size, DRIFT: draft.drift},
        )


def _digest_of(node: MemoryNode | None) -> str | None:
    held = node.meta_data.get(DIGEST) if node is not None and node.store_status is StoreStatus.VALID else None
    return held if isinstance(held, str) else None


def _counted(node: MemoryNode, draft: CommunityDraft) -> MemoryNode:
    return node.revised(meta_data={**node.meta_data, SIZE: draft.size, DRIFT: draft.drift})


def _staged(claim: Claim) -> dict[str, list[str]]:
    """What models answered in an earlier attempt, by digest: the summary, then the memories it tells of."""
    held = claim.jobs[0].staged
    return json.loads(held) if held else {}


def _batches(drafts: Sequence[CommunityDraft]) -> Iterable[list[CommunityDraft]]:
    rest = iter(drafts)
    while some := list(islice(rest, TOGETHER)):
        yield some
