"""One reflection: duplicates merged, contradictions ended, insights refreshed, all of it one commit or nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice

from agentmem.domain.event import Person
from agentmem.domain.ids import memory_id
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus, local_day, microseconds
from agentmem.domain.persona import Persona
from agentmem.domain.statement import Insight
from agentmem.domain.timestamp import TimestampGenerator
from agentmem.domain.value import Value
from agentmem.errors import BadAnswer
from agentmem.language.normal import canonical_name
from agentmem.memory.plan import Plan
from agentmem.memory.reconcile import Decision, Open, by_pair, decided, lapsed, open_pairs, settle
from agentmem.memory.relate import Relation, Relations
from agentmem.ports.cognition import Cognition, ReflectionInput
from agentmem.ports.ledger import Commit, Ledger, Selection
from agentmem.ports.work_queue import Claim, Done, Job, WorkQueue

SHORT_WINDOW = 50
"""New observations looked at in one run; the oldest first, the rest stay for the next."""

HELD = 2_000
"""Valid observations a new one is compared with, newest first."""

WORTH_A_THOUGHT = 3
"""With fewer new observations a run settles what words alone decide, and leaves them new for the next; by hand, any
number is thought about. It keeps a model from being asked at the end of every short talk."""


class Reflection(Value):
    """What thinking produced in one run, as it is staged. `insights` is None until they were asked for."""

    decisions: tuple[Decision, ...] = ()
    insights: tuple[Insight, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reflector:
    """Reflects on one lane at a time. Without unreflected observations it asks nothing and writes nothing."""

    cognition: Cognition
    queue: WorkQueue
    ledger: Ledger
    timestamps: TimestampGenerator
    now: Callable[[], datetime]

    async def reflect(self, claim: Claim, persona: Persona) -> Done:
        """The claimed run."""
        job = claim.jobs[0]
        held = await self.ledger.select(
            Selection(
                job.lane.scope,
                types=(MemoryType.OBSERVATION, MemoryType.INSIGHT),
                statuses=(StoreStatus.VALID,),
                limit=HELD,
            )
        )
        observations = sorted((node for node in held if node.memory_type is MemoryType.OBSERVATION), key=_age)
        fresh = [node for node in observations if not node.obs_reflected][:SHORT_WINDOW]
        if not fresh:
            return Done()
        relations = Relations(persona.memory.attributes)
        now, plan = self.now(), Plan(held)
        enough = min(WORTH_A_THOUGHT, persona.memory.reflect.observations)
        if len(fresh) < enough and job.note != "hand":
            _tidy(plan, fresh, relations, {}, now)
        else:
            pairs = _pairs(fresh, observations, relations)
            thought = await self._judged(claim, job, pairs)
            if thought.insights is None:
                thought = await self._deepened(claim, job, thought, persona, fresh, held)
            _tidy(plan, fresh, relations, by_pair(thought.decisions), now)
            self._deepen(plan, thought.insights or (), observations[-1], job, now)
            _tick_off(plan, fresh)
        changes = plan.changes()
        return Done(commit=Commit(job.lane.tenant, job.job_id, "reflection", now, changes) if changes else None)

    async def _judged(self, claim: Claim, job: Job, pairs: Sequence[Open]) -> Reflection:
        """What an earlier attempt has staged, or the pairs judged now."""
        if job.staged:
            return Reflection.model_validate_json(job.staged)
        if not pairs:
            return Reflection()
        judged = await self.cognition.judge([item.pair for item in pairs])
        thought = Reflection(decisions=decided(pairs, judged.verdicts))
        if judged.usage.calls:
            await self.queue.stage(claim, job.job_id, thought.model_dump_json())
        return thought

    async def _deepened(
        self,
        claim: Claim,
        job: Job,
        thought: Reflection,
        persona: Persona,
        fresh: Sequence[MemoryNode],
        held: Sequence[MemoryNode],
    ) -> Reflection:
        known = (node for node in held if node.memory_type is MemoryType.OBSERVATION and node not in fresh)
        observations = tuple(islice(chain(fresh, known), SHORT_WINDOW))
        reflected = await self.cognition.reflect(
            ReflectionInput(
                agent_name=persona.name,
                person=_person(observations[0]),
                language=persona.language,
                observations=observations,
                insights=tuple(node for node in held if node.memory_type is MemoryType.INSIGHT),
            )
        )
        offered = {node.memory_id for node in observations}
        if any(not offered.issuperset(insight.source_ids) for insight in reflected.insights):
            raise BadAnswer("an insight rests on memories that were not offered")
        thought = thought.revised(insights=reflected.insights)
        if reflected.usage.calls:
            await self.queue.stage(claim, job.job_id, thought.model_dump_json())
        return thought

    def _deepen(self, plan: Plan, insights: Sequence[Insight], like: MemoryNode, job: Job, now: datetime) -> None:
        held = {
            canonical_name(node.attribute): node
            for node in plan.valid()
            if node.memory_type is MemoryType.INSIGHT and node.kind == "reflected" and node.attribute
        }
        valid = {node.memory_id for node in plan.valid()}
        for slot, insight in enumerate(insights):
            sources = tuple(key for key in insight.source_ids if key in valid)
            known = held.get(canonical_name(insight.attribute))
            if not sources:
                continue
            if known is None:
                plan.put(self._insight(insight, sources, like, job, slot, now), "add", "seen in several observations")
            elif (known.value, known.content) != (insight.value, insight.content):
                plan.put(_refreshed(known, insight, sources), "refresh", "its observations changed")

    def _insight(
        self, insight: Insight, sources: tuple[str, ...], like: MemoryNode, job: Job, slot: int, now: datetime
    ) -> MemoryNode:
        lane = job.lane
        return MemoryNode(
            memory_id=memory_id(lane.tenant, lane.agent, job.job_id, "reflection", slot),
            tenant=lane.tenant,
            agent_id=lane.agent,
            user_name=like.user_name,
            target_id=lane.target,
            target_name=like.target_name,
            memory_type=MemoryType.INSIGHT,
            kind="reflected",
            content=insight.content,
            key=(insight.attribute,),
            attribute=insight.attribute,
            value=insight.value,
            modality=Modality.INFERRED,
            language=insight.language,
            timestamp=self.timestamps.next(microseconds(now)),
            dt=local_day(like.valid_at),
            valid_at=like.valid_at,
            created_at=now,
            source_ids=sources,
            depends_on=sources,
            importance=insight.importance,
        )


def _age(node: MemoryNode) -> tuple[datetime, int]:
    return node.valid_at, node.timestamp


def _person(node: MemoryNode) -> Person:
    title = node.meta_data.get("title")
    return Person(name=node.target_name, title=title if isinstance(title, str) else None)


def _pairs(fresh: Sequence[MemoryNode], observations: Sequence[MemoryNode], relations: Relations) -> list[Open]:
    """Pairs worth a judgement: each unreflected observation against everything older than it."""
    newer_older = ((new, old) for new in fresh for old in observations if _age(old) < _age(new))
    return open_pairs(newer_older, relations)


def _tidy(
    plan: Plan,
    fresh: Sequence[MemoryNode],
    relations: Relations,
    verdicts: Mapping[tuple[str, str], Relation],
    now: datetime,
) -> None:
    """Settle each unreflected observation with the older valid ones; nothing is removed, what loses is ended."""
    for node in fresh:
        for old in list(plan.valid()):
            new = plan[node.memory_id]
            if new.store_status is not StoreStatus.VALID:
                break
            if old.memory_type is not MemoryType.OBSERVATION or _age(old) >= _age(new) or lapsed(old, new):
                continue
            relation = relations.of(new, old)
            if relation == "undecided":
                relation = verdicts.get((new.memory_id, old.memory_id), "undecided")
            survivor = settle(plan, new, old, relation, now)
            if survivor is None:
                plan.put(new.retired(now=now, by=old.memory_id), "retire", "said before")
            elif survivor is not new:
                plan.put(survivor, "merge", "took over an older statement")


def _tick_off(plan: Plan, fresh: Sequence[MemoryNode]) -> None:
    for node in fresh:
        known = plan[node.memory_id]
        plan.touch(known.revised(obs_reflected=known.obs_reflected + 1), "reflect", "reflected on")


def _refreshed(known: MemoryNode, insight: Insight, sources: tuple[str, ...]) -> MemoryNode:
    history = known.meta_data.get("history")
    earlier = history if isinstance(history, list) else []
    return known.revised(
        content=insight.content,
        value=insight.value,
        source_ids=sources,
        depends_on=sources,
        obs_updated=known.obs_updated + 1,
        meta_data={**known.meta_data, "history": [*earlier, known.value]},
    )
