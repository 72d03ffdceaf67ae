"""Reading a window: the answer is checked, written down, reconciled with what is held, and becomes one commit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.blots import is_blotted
from agentmem.domain.episode import episode_id
from agentmem.domain.event import TurnSpoken
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.domain.statement import MAX_STATEMENTS, Reading, Statement, Window
from agentmem.domain.value import Value
from agentmem.language.normal import normalise
from agentmem.ledger.plan import Plan
from agentmem.memory.band import nearness
from agentmem.memory.conflicts import UndecidedPair, link, undecided, unlink
from agentmem.memory.due import due, reflection_job
from agentmem.memory.intake import CONTEXT_TURNS, Author, Drafter, alias_statement, checked, window_of
from agentmem.memory.reconcile import (
    Decision,
    by_pair,
    decided,
    drafted_pairs,
    open_pairs,
    reconcile,
    take_back,
)
from agentmem.memory.relate import Relations
from agentmem.ports.cognition import Cognition
from agentmem.ports.embedder import Embedder
from agentmem.ports.event_log import EventLog
from agentmem.ports.ledger import Commit, Ledger, Selection
from agentmem.ports.work_queue import Claim, Done, Job, NewJob, WorkQueue

DERIVED = (MemoryType.OBSERVATION, MemoryType.INSIGHT)


class Outcome(Value):
    """What thinking about one window produced, as it is staged. `decisions` is None until pairs were judged."""

    reading: Reading
    decisions: tuple[Decision, ...] | None = None
    undecided: tuple[UndecidedPair, ...] = ()


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
        window = await self._window(job, persona)
        outcome = Outcome.model_validate_json(job.staged) if job.staged else await self._read(claim, job, window)
        drafts = self._drafts(outcome.reading, window, job, MemoryType.OBSERVATION)
        seen = await self.ledger.head()
        held = await self._held(claim, drafts)
        relations = Relations(persona.memory.attributes)
        if outcome.decisions is None:
            outcome = await self._judged(claim, outcome, drafts, held, relations)
        plan = Plan(held)
        now = self.now()
        take_back(plan, outcome.reading.rejected, now)
        reconcile(plan, drafts, relations, by_pair(outcome.decisions or ()), now)
        link(plan, outcome.undecided)
        unlink(plan, outcome.decisions or ())
        deeper = any(item.layer == "insight" for item in outcome.reading.statements)
        follow_up = (_insight_job(job, outcome.reading),) if deeper else _reflection(job, plan, persona)
        return Done(commit=_commit(claim, job, plan, now, seen), follow_up=follow_up)

    async def _judged(
        self,
        claim: Claim,
        outcome: Outcome,
        drafts: Sequence[MemoryNode],
        held: Sequence[MemoryNode],
        relations: Relations,
    ) -> Outcome:
        """With the decisions on all pairs that words left open, asked for in one call."""
        drafted = list(drafted_pairs(drafts, held))
        pairs = open_pairs(drafted, relations, await nearness(drafted, relations, self.embedder))
        if not pairs:
            return outcome
        judged = await self.cognition.judge([item.pair for item in pairs])
        decisions = decided(pairs, judged.verdicts)
        outcome = outcome.revised(decisions=decisions, undecided=undecided(pairs, decisions))
        if judged.usage.calls:
            await self.queue.stage(claim, claim.jobs[0].job_id, outcome.model_dump_json())
        return outcome

    async def deepen(self, claim: Claim, persona: Persona) -> Done:
        """Take in the deeper statements that reading the window has already found."""
        job = claim.jobs[0]
        window = await self._window(job, persona)
        reading = _still_said(Reading.model_validate_json(job.note), window)
        drafts = self._drafts(reading, window, job, MemoryType.INSIGHT)
        seen = await self.ledger.head()
        held = await self._held(claim, drafts)
        plan = Plan(held)
        now = self.now()
        deeper = _without_echoes(drafts, held, now)
        reconcile(plan, deeper, Relations(persona.memory.attributes), {}, now)
        return Done(commit=_commit(claim, job, plan, now, seen), follow_up=_reflection(job, plan, persona))

    async def _window(self, job: Job, persona: Persona) -> Window:
        first = job.events[0]
        assert isinstance(first.event, TurnSpoken)
        context = await self.events.earlier_turns(
            job.lane, before=first.seq, run_id=first.event.run_id, limit=CONTEXT_TURNS
        )
        return window_of(job.job_id, context, job.events, persona)

    async def _read(self, claim: Claim, job: Job, window: Window) -> Outcome:
        read = await self.cognition.read(window)
        outcome = Outcome(reading=checked(read.reading, window))
        if read.usage.calls:
            await self.queue.stage(claim, job.job_id, outcome.model_dump_json())
        return outcome

    def _drafts(self, reading: Reading, window: Window, job: Job, layer: MemoryType) -> list[MemoryNode]:
        event = job.events[-1].event
        assert isinstance(event, TurnSpoken)
        author = Author(event.tenant, event.agent_id, event.target_id, event.run_id)
        statements: dict[int, Statement] = dict(enumerate(reading.statements))
        if layer is MemoryType.OBSERVATION:
            aliases = (alias_statement(alias, window) for alias in reading.aliases)
            statements.update(enumerate(aliases, start=MAX_STATEMENTS))
        chosen = {slot: item for slot, item in statements.items() if item.layer == layer.value}
        turns = (item.event for item in job.events if isinstance(item.event, TurnSpoken))
        meta = {episode_id(turn): turn.meta for turn in turns if turn.meta}
        return self.drafter.draft(chosen, window, author, job.worker, meta)

    async def _held(self, claim: Claim, drafts: Sequence[MemoryNode]) -> list[MemoryNode]:
        lane = claim.lane
        targets = dict.fromkeys((lane.target, *(draft.target_id for draft in drafts)))
        held: list[MemoryNode] = []
        for target in targets:
            scope = Scope(lane.tenant, lane.agent, target)
            held += await self.ledger.select(
                Selection(scope, types=DERIVED, statuses=(StoreStatus.VALID, StoreStatus.EXPIRED), limit=5_000)
            )
        return held


def _still_said(reading: Reading, window: Window) -> Reading:
    """A reading without the statements of whose words something was forgotten since."""
    text = {turn.turn_id: turn.text for turn in (*window.context, *window.turns)}

    def said(statement: Statement) -> bool:
        quotes = statement.quotes
        return not any(is_blotted(text.get(one.turn_id, "")[one.start : one.end]) for one in quotes)

    return reading.revised(statements=tuple(one for one in reading.statements if said(one)))


def _commit(claim: Claim, job: Job, plan: Plan, now: datetime, seen: int) -> Commit | None:
    """The plan as a commit. The lease is on the speaker's lane only: what he says of others may be said by others too,
    so their lanes must not have gained a memory since row `seen`."""
    changes = plan.changes()
    nodes = (change.after for change in changes if change.after is not None)
    beside = tuple(dict.fromkeys(node.lane for node in nodes if node.lane != claim.lane))
    return Commit(claim.lane.tenant, job.job_id, job.worker, now, changes, beside, seen) if changes else None


def _reflection(job: Job, plan: Plan, persona: Persona) -> tuple[NewJob, ...]:
    own = (node for node in plan.valid() if node.target_id == job.lane.target)
    trigger = due(own, persona.memory.reflect)
    return (reflection_job(job.lane, job.job_id, job.ordinal, trigger),) if trigger else ()


def _without_echoes(drafts: Sequence[MemoryNode], held: Sequence[MemoryNode], now: datetime) -> list[MemoryNode]:
    """Without what says in the same words what an observation holds: the agent only repeated it."""
    observed = (node for node in held if node.memory_type is MemoryType.OBSERVATION and node.is_valid(now))
    said = {(node.target_id, normalise(node.content)) for node in observed}
    return [draft for draft in drafts if (draft.target_id, normalise(draft.content)) not in said]


def insight_id(window_id: str) -> str:
    """The id of the job that keeps the deeper statements of a window."""
    return derived_id("insight", window_id)


def _insight_job(job: Job, reading: Reading) -> NewJob:
    return NewJob(
        job_id=insight_id(job.job_id),
        lane=job.lane,
        worker="insight",
        ordinal=job.ordinal,
        seqs=tuple(item.seq for item in job.events),
        note=reading.model_dump_json(),
    )
