"""One reflection: what is new is settled with what is held, doubts are looked at again, insights drawn, and time does
its part.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from agentmem.domain.event import USER_ID, Person
from agentmem.domain.ids import TimestampGenerator
from agentmem.domain.memory import MemoryNode, MemoryType, Trust
from agentmem.domain.payload import Reflect, Trigger
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane, Scope
from agentmem.domain.statement import MAX_STATEMENTS, Insight, Review
from agentmem.domain.value import Value
from agentmem.errors import BadAnswer
from agentmem.ledger.plan import Plan
from agentmem.memory.candidates import Open
from agentmem.memory.episodes import due, reflection_job
from agentmem.memory.reconcile import (
    Decision,
    UndecidedPair,
    by_pair,
    decided,
    link,
    tell_apart,
    undecided,
    unlink,
)
from agentmem.memory.relation import Relations
from agentmem.ports.cognition import Cognition, ReflectionInput, compares
from agentmem.ports.ledger import Commit, Ledger
from agentmem.ports.work_queue import Claim, Done, NewJob, WorkQueue
from agentmem.reflection.deepening import Deepener
from agentmem.reflection.inputs import FADING, SHORT_WINDOW, Lookout, ReflectionInputs
from agentmem.reflection.neighbours import Neighbours
from agentmem.reflection.settling import askable, concerns, pairs, review, settle, support

WORTH_A_THOUGHT = 3
"""With fewer new observations a run settles what words alone decide, and leaves them new for the next; by hand, any
number is thought about. It keeps a model from being asked at the end of every short talk."""

TALKS = 3
"""So many talks an engine that compares while it reads is shown together: what one or two mean it was shown then."""


class Reflection(Value):
    """What thinking produced in one run, as it is staged. `insights` is None until they were asked for; `paid`:
    whether a model decided on the pairs."""

    decisions: tuple[Decision, ...] = ()
    undecided: tuple[UndecidedPair, ...] = ()
    paid: bool = False
    insights: tuple[Insight, ...] | None = None
    reviews: tuple[Review, ...] = ()
    withdrawn: tuple[str, ...] = ()


Stage = Callable[[str], Awaitable[None]]
"""Writes down what was thought, so that it is never thought twice."""


@dataclass(frozen=True, slots=True)
class Reflector:
    """Reflects on one lane at a time. Without news it asks nothing and writes nothing."""

    cognition: Cognition
    queue: WorkQueue
    ledger: Ledger
    timestamps: TimestampGenerator
    now: Callable[[], datetime]
    neighbours: Neighbours | None = None

    async def reflect(self, claim: Claim, persona: Persona) -> Done:
        """The claimed run; what it leaves for want of room is queued again."""
        job = claim.jobs[0]

        async def stage(outcome: str) -> None:
            await self.queue.stage(claim, job.job_id, outcome)

        run = Run(job.job_id, job.lane, persona, job.carried(Reflect).trigger)
        thought = Reflection.model_validate_json(job.staged) if job.staged else None
        sight = await self._look(run)
        if sight is None:
            return Done()
        commit = await self._commit(run, sight, thought, stage)
        again: tuple[NewJob, ...] = ()
        if (len(sight.fresh) == SHORT_WINDOW or len(sight.fading) == FADING) and not run.by_hand:
            again = (reflection_job(job.lane, job.job_id, job.ordinal, "count"),)
        return Done(commit=commit, follow_up=again if commit else ())

    async def preview(self, run: "Run") -> Commit | None:
        """What the run would write now. A model is asked as it would be; nothing is written."""
        sight = await self._look(run)
        return None if sight is None else await self._commit(run, sight, None, _nowhere)

    async def _look(self, run: "Run") -> ReflectionInputs | None:
        return await Lookout(self.ledger, self.neighbours).look(run.lane.scope, run.persona, self.now())

    async def _commit(
        self, run: "Run", sight: ReflectionInputs, thought: Reflection | None, stage: Stage
    ) -> Commit | None:
        now, plan = self.now(), Plan(sight.everything().values())
        relations = Relations(run.persona.memory.attributes)
        found = concerns(sight, relations)
        compared = sight.news and run.trigger not in ("hand", "cron") and compares(self.cognition)
        if run.thinks_about(sight, compared=compared):
            asked = pairs(found, relations, compared=compared)
            thought = await self._thought(run, sight, thought, asked, stage)
            settle(plan, found, relations, by_pair(thought.decisions), now)
            link(plan, thought.undecided)
            like = (*sight.observations, *sight.doubtful)[-1]
            deepener = Deepener(self.timestamps, run.name, like, now)
            deepener.withdraw(plan, thought.withdrawn, sight)
            deepener.deepen(plan, thought.insights or (), sight)
            _tick_off(plan, sight.fresh)
            reviews = {item.memory_id: item for item in thought.reviews}
            review(plan, sight.doubtful, sight.sources, reviews, now, asked=True)
            unlink(plan, thought.decisions)
            if thought.paid:
                tell_apart(plan, thought.decisions, {node.memory_id for node in sight.fresh})
        else:
            settle(plan, found, relations, {}, now)
            review(plan, sight.doubtful, sight.sources, {}, now, asked=False)
            unlink(plan, ())
        promote(plan, sight.proven, sight.slight)
        decay(plan, sight.fading, now)
        changes = plan.changes()
        return Commit(run.lane.tenant, run.name, "reflection", now, changes) if changes else None

    async def _thought(
        self, run: "Run", sight: ReflectionInputs, before: Reflection | None, asked: Sequence[Open], stage: Stage
    ) -> Reflection:
        """What an earlier attempt has staged, completed by what it had not come to."""
        thought = before
        if thought is None:
            thought = Reflection()
            if asked:
                judged = await self.cognition.judge([item.pair for item in asked])
                decisions = decided(asked, judged.verdicts)
                thought = Reflection(
                    decisions=decisions, undecided=undecided(asked, decisions), paid=judged.usage.calls > 0
                )
                if judged.usage.calls:
                    await stage(thought.model_dump_json())
        if thought.insights is None:
            thought = await self._deepened(run, sight, thought, stage)
        return thought

    async def _deepened(self, run: "Run", sight: ReflectionInputs, thought: Reflection, stage: Stage) -> Reflection:
        request = _request(run.persona, sight, self.now())
        reflected = await self.cognition.reflect(request)
        offered = {node.memory_id for node in request.observations}
        doubtful = {node.memory_id for node in request.doubtful}
        if any(not offered.issuperset(insight.source_ids) for insight in reflected.insights):
            raise BadAnswer("an insight rests on memories that were not offered")
        for item in reflected.reviews:
            if item.memory_id not in doubtful or not offered.issuperset(item.source_ids):
                raise BadAnswer("a decision about memories that were not offered")
            if item.stands and not item.source_ids:
                raise BadAnswer("a memory that stands on nothing")
        if len({item.memory_id for item in reflected.reviews}) < len(reflected.reviews):
            raise BadAnswer("two decisions about one memory")
        thought = thought.revised(insights=reflected.insights, reviews=reflected.reviews, withdrawn=reflected.withdrawn)
        if reflected.usage.calls:
            await stage(thought.model_dump_json())
        return thought


@dataclass(frozen=True, slots=True)
class Run:
    """Which lane is reflected on, for whom, under which name, and what asked for it."""

    name: str
    lane: Lane
    persona: Persona
    trigger: Trigger

    @property
    def by_hand(self) -> bool:
        """Whether somebody asked for it."""
        return self.trigger == "hand"

    def thinks_about(self, sight: ReflectionInputs, *, compared: bool) -> bool:
        """Whether there is enough to be worth asking cognition: where it `compared` while it read, what is in doubt and
        was never put to it, or as much as the policy names, told in several talks: a reading has drawn from one what
        there is."""
        policy = self.persona.memory.reflect
        if not sight.news or self.by_hand:
            return sight.news
        if compared:
            enough = bool(due(sight.fresh, policy)) and _read_apart(sight.fresh)
            return enough or bool(askable(sight.doubted_anew, sight.sources))
        return len(sight.fresh) + len(sight.doubtful) >= min(WORTH_A_THOUGHT, policy.observations)


def _read_apart(fresh: Sequence[MemoryNode]) -> bool:
    """Whether these were told in `TALKS` talks, or are more than one reading gives."""
    return len(fresh) > MAX_STATEMENTS or len({node.run_id or node.dt for node in fresh}) >= TALKS


async def lanes_to_look_at(ledger: Ledger, scope: Scope, now: datetime) -> list[Lane]:
    """Those with news, then those to whose memories time may do something."""
    return list(dict.fromkeys([*await ledger.lanes_with_news(scope), *await ledger.lanes_due(scope, now=now)]))


async def anything_left(ledger: Ledger, scope: Scope, now: datetime) -> bool:
    """Whether a run about this target left something for the next for want of room."""
    return bool((await ledger.news(scope, limit=1)).fresh or await ledger.fading(scope, now=now, limit=1))


def _request(persona: Persona, sight: ReflectionInputs, now: datetime) -> ReflectionInput:
    """The new ones, what is left of what doubtful memories rest on, then what else was looked at; what time alone has
    ended is nothing to think about."""
    doubtful = askable(sight.doubtful, sight.sources)
    left = [sight.sources[key] for node in doubtful for key in support(node, sight.sources).left]
    ordered = {node.memory_id: node for node in (*sight.fresh, *left, *sight.observations)}
    observations = tuple(islice(_not_ended(ordered.values(), now), SHORT_WINDOW))
    return ReflectionInput(
        agent_name=persona.name,
        person=_person((*sight.observations, *sight.doubtful)[0]),
        language=persona.language,
        observations=observations,
        insights=tuple(_not_ended(sight.insights, now)),
        doubtful=tuple(doubtful),
        today=now.date(),
    )


def _not_ended(nodes: Iterable[MemoryNode], now: datetime) -> Iterator[MemoryNode]:
    return (node for node in nodes if node.invalid_at is None or node.invalid_at > now)


def _person(node: MemoryNode) -> Person:
    title = node.meta_data.get("title")
    known_by = node.meta_data.get(USER_ID)
    return Person(
        name=node.target_name,
        title=title if isinstance(title, str) else None,
        id=known_by if isinstance(known_by, str) else None,
    )


def _tick_off(plan: Plan, fresh: Sequence[MemoryNode]) -> None:
    for node in fresh:
        known = plan[node.memory_id]
        plan.touch(known.revised(obs_reflected=known.obs_reflected + 1), "reflect", "reflected on")


async def _nowhere(_outcome: str) -> None:
    """Nothing is staged for a run that will not be."""


def promote(plan: Plan, proven: Iterable[MemoryNode], slight: Iterable[MemoryNode]) -> None:
    """Of the insights that this run has left as they were those that are `proven` become long-term; one that changes
    later is an insight again. What is based on others' words stays what it is, however often they tell it; it and the
    `slight` are not looked at again before they change."""
    for node in proven:
        if plan[node.memory_id] is node and node.trust is Trust.UNTRUSTED:
            plan.put(node, "reflect", "based on what others said")
        elif plan[node.memory_id] is node:
            plan.put(node.revised(memory_type=MemoryType.LONGTERM), "promote", "proved stable")
    for node in slight:
        if plan[node.memory_id] is node:
            plan.put(node, "reflect", "based on too little to last")


def decay(plan: Plan, fading: Iterable[MemoryNode], now: datetime) -> None:
    """Take what is due out of scope. It is as true as it was, so its interval stays as it is."""
    for node in fading:
        if plan[node.memory_id] is node:
            plan.put(
                node.faded(now=now),
                "decay",
                "over" if node.memory_type is MemoryType.PERCEPTUAL else "of little importance",
            )
