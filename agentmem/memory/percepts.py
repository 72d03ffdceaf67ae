"""Sensor readings as perceptual memories: one node per sensor and ten minutes, in scope for its day."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from agentmem.domain.event import PerceptSensed
from agentmem.domain.ids import memory_id
from agentmem.domain.memory import MemoryNode, MemoryType, end_of_day, local_day, microseconds
from agentmem.domain.persona import Persona
from agentmem.domain.timestamp import TimestampGenerator
from agentmem.memory.plan import Plan
from agentmem.ports.ledger import Commit, Ledger
from agentmem.ports.work_queue import Claim, Done

WORKER = "perception"
SPAN = timedelta(minutes=10)


def span_start(moment: datetime) -> datetime:
    """The beginning of the ten minutes that `moment` lies in, in its own UTC offset."""
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + (moment - midnight) // SPAN * SPAN


def span_id(percept: PerceptSensed) -> str:
    """The id of the node that holds this reading."""
    source = f"{percept.target_id}/{percept.sensor}/{span_start(percept.at).isoformat()}"
    return memory_id(percept.tenant, percept.agent_id, source, WORKER, 0)


@dataclass(frozen=True, slots=True)
class Perceiver:
    """Takes readings into their spans. A span grows while its readings arrive and is never edited otherwise."""

    ledger: Ledger
    timestamps: TimestampGenerator
    now: Callable[[], datetime]

    async def perceive(self, claim: Claim, persona: Persona) -> Done:
        """Every claimed reading, in order."""
        percepts = [item.event for job in claim.jobs for item in job.events if isinstance(item.event, PerceptSensed)]
        stored = await self.ledger.get(claim.lane.tenant, {span_id(percept) for percept in percepts})
        plan, now = Plan(stored.values()), self.now()
        for percept in percepts:
            known = plan.get(span_id(percept))
            node = self._begun(percept, persona, now) if known is None else _grown(known, percept, persona)
            plan.put(node, "refresh", "a reading")
        changes = plan.changes()
        run = claim.jobs[0].job_id
        return Done(commit=Commit(claim.lane.tenant, run, WORKER, now, changes) if changes else None)

    def _begun(self, percept: PerceptSensed, persona: Persona, now: datetime) -> MemoryNode:
        readings = [_reading(percept)]
        return MemoryNode(
            memory_id=span_id(percept),
            tenant=percept.tenant,
            agent_id=percept.agent_id,
            user_name=percept.agent_name,
            target_id=percept.target_id,
            target_name=percept.person.name,
            memory_type=MemoryType.PERCEPTUAL,
            kind="reading",
            content=_content(percept, readings, persona.language),
            key=(percept.sensor,),
            value=_shown(percept),
            speaker=percept.sensor,
            language=persona.language,
            timestamp=self.timestamps.next(microseconds(now)),
            dt=local_day(percept.at),
            valid_at=percept.at,
            invalid_at=end_of_day(percept.at) + max(persona.memory.keep.perceptual - timedelta(days=1), timedelta()),
            created_at=now,
            importance=2,
            latitude=percept.latitude,
            longitude=percept.longitude,
            meta_data={"sensor": percept.sensor, "unit": percept.unit, "readings": list(readings)},
        )


def _grown(node: MemoryNode, percept: PerceptSensed, persona: Persona) -> MemoryNode:
    held = node.meta_data["readings"]
    assert isinstance(held, list)
    readings = sorted((*map(str, held), _reading(percept)))
    return node.revised(
        content=_content(percept, readings, persona.language),
        value=_shown(percept),
        valid_at=min(node.valid_at, percept.at),
        latitude=percept.latitude if percept.latitude is not None else node.latitude,
        longitude=percept.longitude if percept.longitude is not None else node.longitude,
        meta_data={**node.meta_data, "readings": readings},
    )


def _reading(percept: PerceptSensed) -> str:
    return f"{percept.at.isoformat()} {percept.reading}"


def _shown(percept: PerceptSensed) -> str:
    return f"{percept.reading}{percept.unit}"


def _content(percept: PerceptSensed, readings: Sequence[str], language: str) -> str:
    start = span_start(percept.at)
    span = f"{start:%Y-%m-%d %H:%M}–{start + SPAN:%H:%M}"
    values = [reading.split(" ", 1)[1] for reading in readings]
    subject, unit = percept.person.name, percept.unit
    if language == "zh":
        return f"{subject}的{percept.sensor}在{span}为{_course(values, unit, _ZH)}。"
    return f"{percept.sensor} of {subject} at {span}: {_course(values, unit, _EN)}."


_ZH = ("从{first}到{last}({count}次读数{bounds})", ",最低{low},最高{high}")
_EN = ("{first} to {last} ({count} readings{bounds})", ", lowest {low}, highest {high}")


def _course(values: Sequence[str], unit: str, wording: tuple[str, str]) -> str:
    if len(values) == 1:
        return f"{values[0]}{unit}"
    extremes = _bounds(values)
    bounds = wording[1].format(low=f"{extremes[0]}{unit}", high=f"{extremes[1]}{unit}") if extremes else ""
    return wording[0].format(first=f"{values[0]}{unit}", last=f"{values[-1]}{unit}", count=len(values), bounds=bounds)


def _bounds(values: Iterable[str]) -> tuple[float, float] | None:
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        return None
    return min(numbers), max(numbers)
