"""Reading a window: the answer is checked, written down, reconciled with what is held, and becomes one commit."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import ValidationError

from agentmem.domain.entity import TOLD_IN
from agentmem.domain.episode import episode_id, is_blotted
from agentmem.domain.event import TurnSpoken
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, Modality, StoreStatus
from agentmem.domain.payload import FoundStatement, KeepInsights, Trigger
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.domain.staleness import REFLECTED
from agentmem.domain.statement import MAX_STATEMENTS, Comparison, Reading, Statement, Window
from agentmem.domain.value import Value
from agentmem.language.normal import normalise
from agentmem.ledger.listing import every
from agentmem.ledger.plan import Plan
from agentmem.memory.candidates import drafted_pairs, nearness, nested_pairs, open_pairs, undecided_pairs
from agentmem.memory.episodes import due, reflection_job
from agentmem.memory.intake import CONTEXT_TURNS, Author, Drafter, alias_statement, checked, window_of
from agentmem.memory.reconcile import (
    Decision,
    UndecidedPair,
    as_compared,
    by_pair,
    decided,
    link,
    named_by,
    put_right,
    reconcile,
    replacing,
    take_back,
    tell_apart,
    undecided,
    unlink,
    withdraw,
)
from agentmem.memory.relation import Relations
from agentmem.ports.cognition import Cognition, compares
from agentmem.ports.embedder import Embedder
from agentmem.ports.event_log import EventLog, Sequenced
from agentmem.ports.ledger import Commit, Ledger, Selection
from agentmem.ports.work_queue import Claim, Done, Job, NewJob, WorkQueue

MAX_OTHERS = 200
"""Of an agent's newest observations so many are looked at for what a person has told of others."""


class WindowOutcome(Value):
    """What thinking about one window produced, as it is staged. `decisions` is None until pairs were judged; `paid`:
    whether by a model, which is not asked again."""

    reading: Reading
    decisions: tuple[Decision, ...] | None = None
    undecided: tuple[UndecidedPair, ...] = ()
    paid: bool = False


def staged_outcome(job: Job) -> WindowOutcome | None:
    """What an earlier attempt staged; None where there is nothing, or an earlier version staged it in words of its own:
    then the window is read anew."""
    try:
        return WindowOutcome.model_validate_json(job.staged) if job.staged else None
    except ValidationError:
        return None


@dataclass(frozen=True, slots=True)
class Observer:
    """Turns windows into observations, and the readings of windows into insights."""

    cognition: Cognition
    events: EventLog
    queue: WorkQueue
    ledger: Ledger
    drafter: Drafter
    now: Callable[[], datetime]
    embedder: Embedder | None = None

    async def observe(self, claim: Claim, persona: Persona) -> Done:
        """Read the claimed window, once, and take in its observations."""
        job = claim.jobs[0]
        context = await self._context(job)
        known = await self._known(claim)
        window = window_of(job.job_id, context, job.events, persona, known.own, known.others)
        staged = staged_outcome(job)
        outcome, waited = (staged, False) if staged else await self._read(claim, job, window)
        if waited:  # a model takes its time, in which somebody may have edited or forgotten
            known = await self._known(claim)
        found = _of_layer(outcome.reading, MemoryType.OBSERVATION)
        found.update(enumerate((alias_statement(alias, window) for alias in outcome.reading.aliases), MAX_STATEMENTS))
        drafts = self._drafted(found, window, job)
        others = {draft.target_id for draft in drafts} | known.targets_of(outcome.reading)
        others.discard(claim.lane.target)
        held = [*known.own, *await self._held(claim, others, MemoryType.OBSERVATION)]
        if outcome.reading.rejected:
            held += await self._held(claim, {claim.lane.target, *others}, MemoryType.INSIGHT)
        relations = Relations(persona.memory.attributes)
        if outcome.decisions is None:
            compared = {draft.memory_id: item.compared for item, draft in zip(found.values(), drafts, strict=True)}
            outcome = await self._judged(claim, outcome, compared, drafts, held, relations)
        plan = Plan(held)
        now = self.now()
        take_back(plan, outcome.reading.rejected, now)
        verdicts = by_pair(outcome.decisions or ()) | replacing(_replaced(found, drafts), (*held, *drafts))
        put_right(plan, drafts, outcome.reading.withdrawn, job.lane.target, verdicts, now)
        reconcile(plan, drafts, relations, verdicts, now)
        fresh, spoken_at = {draft.memory_id for draft in drafts}, window.turns[-1].at
        withdraw(plan, outcome.reading.withdrawn, job.lane.target, now, spoken_at=spoken_at, fresh=fresh)
        link(plan, outcome.undecided)
        unlink(plan, outcome.decisions or ())
        disputed = {draft.memory_id: item.disputes for item, draft in zip(found.values(), drafts, strict=True)}
        link(plan, named_by(disputed, (*held, *drafts)))
        await self._let_go(claim, plan, now)
        if outcome.paid:
            tell_apart(plan, outcome.decisions or (), {draft.memory_id for draft in drafts})
        trigger = due((node for node in plan.valid() if node.target_id == job.lane.target), persona.memory.reflect)
        deeper = self._deeper(outcome.reading, window, job, plan, now)
        follow_up = (_insight_job(job, context, deeper, trigger),) if deeper else _reflection(job, trigger)
        return Done(commit=_commit(claim, job, plan, now, known.seen), follow_up=follow_up)

    async def _let_go(self, claim: Claim, plan: Plan, now: datetime) -> None:
        """End the insights of which nothing is left that they rest on; where something is, cognition decides."""
        if all(node.store_status is StoreStatus.VALID for node in plan.touched()):
            return
        for insight in await self._held(claim, (claim.lane.target,), MemoryType.INSIGHT):
            over = [node for key in insight.depends_on if (node := plan.get(key)) is not None and _is_over(node)]
            drawn = insight.kind == REFLECTED and insight.store_status is StoreStatus.VALID
            if drawn and 0 < len(over) == len(insight.depends_on):
                plan.learn([insight])
                at = max((node.invalid_at for node in over if node.invalid_at is not None), default=now)
                gone = plan[insight.memory_id].ended(at=at, now=now).revised(needs_review=None)
                plan.put(gone, "end", "nothing it was based on still holds")

    def _deeper(
        self, reading: Reading, window: Window, job: Job, plan: Plan, now: datetime
    ) -> tuple[FoundStatement, ...]:
        """The statements of a reading that are insights, without what says in the same words what an observation holds:
        the agent only repeated it."""
        found = _of_layer(reading, MemoryType.INSIGHT)
        observed = (node for node in plan.valid() if node.memory_type is MemoryType.OBSERVATION and node.is_valid(now))
        said = {(node.target_id, normalise(node.content)) for node in observed}
        drafts = zip(found.items(), self._drafted(found, window, job), strict=True)
        return tuple(
            FoundStatement(slot=slot, statement=statement)
            for (slot, statement), draft in drafts
            if (draft.target_id, normalise(draft.content)) not in said
        )

    async def _judged(
        self,
        claim: Claim,
        outcome: WindowOutcome,
        compared: Mapping[str, Sequence[Comparison]],
        drafts: Sequence[MemoryNode],
        held: Sequence[MemoryNode],
        relations: Relations,
    ) -> WindowOutcome:
        """With the decisions on the pairs that words left open. An engine that compares has said while it read how its
        statements stand to each other and to what it was shown; other pairs that hold are asked for in one call."""
        drafted = list(drafted_pairs(drafts, held))
        left = undecided_pairs(drafted, relations)
        likely = open_pairs(left, await nearness(left, self.embedder))
        seen = {*outcome.reading.looked_at, *compared} if compares(self.cognition) else set[str]()
        silent = [(item.new_id, item.old_id) for item in likely] + nested_pairs(drafted, compared.keys(), relations)
        told = as_compared(compared, [pair for pair in silent if seen.issuperset(pair)])
        over = {node.memory_id for node in held if seen and node.store_status is not StoreStatus.VALID}
        pairs = [item for item in likely if not ({item.new_id, item.old_id} <= seen or item.old_id in over)]
        if not pairs:
            return outcome.revised(decisions=told, paid=bool(seen))
        judged = await self.cognition.judge([item.pair for item in pairs])
        decisions = decided(pairs, judged.verdicts)
        outcome = outcome.revised(
            decisions=(*told, *decisions),
            undecided=undecided(pairs, decisions),
            paid=judged.usage.calls > 0 or bool(seen),
        )
        if judged.usage.calls:
            await self.queue.stage(claim, claim.jobs[0].job_id, outcome.model_dump_json())
        return outcome

    async def deepen(self, claim: Claim, persona: Persona) -> Done:
        """Take in the deeper statements that reading the window has found, beside the insights that are held."""
        job = claim.jobs[0]
        payload = job.carried(KeepInsights)
        window = window_of(job.job_id, (), job.events, persona)
        found = {each.slot: each.statement for each in payload.found if _still_said(each.statement, window)}
        drafts = self._drafted(found, window, job)
        seen = await self.ledger.head()
        targets = dict.fromkeys((claim.lane.target, *(draft.target_id for draft in drafts)))
        plan = Plan(await self._held(claim, targets, MemoryType.INSIGHT))
        now = self.now()
        reconcile(plan, drafts, Relations(persona.memory.attributes), {}, now)
        return Done(commit=_commit(claim, job, plan, now, seen), follow_up=_reflection(job, payload.trigger))

    async def _known(self, claim: Claim) -> "_Known":
        lane = claim.lane
        seen, told = await self.ledger.head(), await self._held(claim, (lane.target,), MemoryType.OBSERVATION)
        newest = Selection(
            Scope(lane.tenant, lane.agent),
            types=(MemoryType.OBSERVATION,),
            statuses=(StoreStatus.VALID,),
            limit=MAX_OTHERS,
        )
        elsewhere = [node for node in await self.ledger.select(newest) if node.meta_data.get(TOLD_IN) == lane.target]
        if not compares(self.cognition):
            return _Known(seen, told, tuple(elsewhere))
        insights = await self._held(claim, (lane.target,), MemoryType.INSIGHT)
        told += [node for node in insights if node.kind != REFLECTED]
        unstated = [
            node for node in told if node.store_status is StoreStatus.VALID and node.modality is not Modality.STATED
        ]
        return _Known(seen, told, (*unstated, *elsewhere))

    async def _context(self, job: Job) -> list[Sequenced]:
        first = job.events[0]
        assert isinstance(first.event, TurnSpoken)
        return await self.events.earlier_turns(
            job.lane, before=first.seq, run_id=first.event.run_id, limit=CONTEXT_TURNS
        )

    async def _read(self, claim: Claim, job: Job, window: Window) -> tuple[WindowOutcome, bool]:
        """What reading the window produced, and whether a model was waited for."""
        read = await self.cognition.read(window)
        outcome = WindowOutcome(reading=checked(read.reading, window))
        if read.usage.calls:
            await self.queue.stage(claim, job.job_id, outcome.model_dump_json())
        return outcome, read.usage.calls > 0

    def _drafted(self, statements: Mapping[int, Statement], window: Window, job: Job) -> list[MemoryNode]:
        event = job.events[-1].event
        assert isinstance(event, TurnSpoken)
        author = Author(event.tenant, event.agent_id, event.target_id, event.run_id)
        turns = (item.event for item in job.events if isinstance(item.event, TurnSpoken))
        meta = {episode_id(turn): turn.meta for turn in turns if turn.meta}
        return self.drafter.draft(statements, window, author, job.worker, meta)

    async def _held(self, claim: Claim, targets: Iterable[str], *layers: MemoryType) -> list[MemoryNode]:
        """All in these layers that was told of these, whether it holds or is over."""
        lane = claim.lane
        told = Selection(lane.scope, types=layers, statuses=(StoreStatus.VALID, StoreStatus.EXPIRED))
        scopes = [Scope(lane.tenant, lane.agent, target) for target in targets]
        return [node for scope in scopes async for node in every(self.ledger, replace(told, scope=scope))]


@dataclass(frozen=True, slots=True)
class _Known:
    """What is held up to ledger row `seen`: of the person, and what he told besides."""

    seen: int
    own: Sequence[MemoryNode]
    others: tuple[MemoryNode, ...] = ()

    def targets_of(self, reading: Reading) -> set[str]:
        """Whom the memories concern that the reading compares with, or says are over."""
        said = {each.held for item in reading.statements for each in item.compared}
        said |= {item.memory_id for item in reading.withdrawn if item.memory_id is not None}
        return {node.target_id for node in self.others if node.memory_id in said}


def _is_over(node: MemoryNode) -> bool:
    """Whether it holds no more: what only faded out of scope is as true as it was."""
    return node.store_status is StoreStatus.EXPIRED and node.ending is not Ending.FADED


def _of_layer(reading: Reading, layer: MemoryType) -> dict[int, Statement]:
    """The statements of this layer, by their places in the reading."""
    return {place: item for place, item in enumerate(reading.statements) if item.layer == layer.value}


def _replaced(found: Mapping[int, Statement], drafts: Sequence[MemoryNode]) -> dict[str, tuple[str, ...]]:
    """By the id of each draft the contents that its statement takes the place of."""
    made = zip(found.values(), drafts, strict=True)
    return {draft.memory_id: statement.replaces for statement, draft in made if statement.replaces}


def _still_said(statement: Statement, window: Window) -> bool:
    """Whether nothing of the words it rests on was forgotten since."""
    text = {turn.turn_id: turn.text for turn in window.turns}
    quotes = statement.quotes
    return all(one.turn_id in text and not is_blotted(text[one.turn_id][one.start : one.end]) for one in quotes)


def _commit(claim: Claim, job: Job, plan: Plan, now: datetime, seen: int) -> Commit | None:
    """The plan as a commit. The lease is on the speaker's lane only: what he says of others may be said by others too,
    so their lanes must not have gained a memory since row `seen`."""
    changes = plan.changes()
    nodes = (change.after for change in changes if change.after is not None)
    beside = tuple(dict.fromkeys(node.lane for node in nodes if node.lane != claim.lane))
    return Commit(claim.lane.tenant, job.job_id, job.worker, now, changes, beside, seen) if changes else None


def _reflection(job: Job, trigger: Trigger | None) -> tuple[NewJob, ...]:
    return (reflection_job(job.lane, job.job_id, job.ordinal, trigger),) if trigger else ()


def insight_id(window_id: str) -> str:
    """The id of the job that keeps the deeper statements of a window."""
    return derived_id("insight", window_id)


def _insight_job(
    job: Job, context: Sequence[Sequenced], found: tuple[FoundStatement, ...], trigger: Trigger | None
) -> NewJob:
    quoted = {quote.turn_id for each in found for quote in each.statement.quotes}
    earlier = [item for item in context if isinstance(item.event, TurnSpoken) and episode_id(item.event) in quoted]
    return NewJob(
        job_id=insight_id(job.job_id),
        lane=job.lane,
        worker="insight",
        ordinal=job.ordinal,
        seqs=tuple(item.seq for item in (*earlier, *job.events)),
        payload=KeepInsights(found=found, trigger=trigger),
    )
