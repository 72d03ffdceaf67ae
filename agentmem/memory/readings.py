"""Sensor readings as perceptual memories: one node per sensor and ten minutes, in scope for its day."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import AwareDatetime

from agentmem.domain.bounds import MAX_TIME
from agentmem.domain.event import PerceptSensed
from agentmem.domain.ids import TimestampGenerator, memory_id
from agentmem.domain.memory import MemoryNode, MemoryType, end_of_day, local_day, microseconds
from agentmem.domain.persona import Persona
from agentmem.domain.value import Value
from agentmem.ledger.plan import Plan
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
        course, keep = _Readings.begun(percept), persona.memory.keep.perceptual
        return MemoryNode(
            memory_id=span_id(percept),
            tenant=percept.tenant,
            agent_id=percept.agent_id,
            user_name=percept.agent_name,
            target_id=percept.target_id,
            target_name=percept.person.name,
            memory_type=MemoryType.PERCEPTUAL,
            kind="reading",
            content=_content(percept, course, persona.language),
            key=(percept.sensor,),
            value=_shown(percept),
            speaker=percept.sensor,
            language=persona.language,
            timestamp=self.timestamps.next(microseconds(now)),
            dt=local_day(percept.at),
            valid_at=percept.at,
            invalid_at=min(MAX_TIME, end_of_day(percept.at) + max(keep - timedelta(days=1), timedelta())),
            created_at=now,
            importance=2,
            latitude=percept.latitude,
            longitude=percept.longitude,
            meta_data={"sensor": percept.sensor, "unit": percept.unit, "course": course.model_dump(mode="json")},
        )


def _grown(node: MemoryNode, percept: PerceptSensed, persona: Persona) -> MemoryNode:
    course = _Readings.model_validate(node.meta_data["course"]).grown(percept)
    newest = course.last_at == percept.at
    placed = newest and percept.latitude is not None
    return node.revised(
        content=_content(percept, course, persona.language),
        value=_shown(percept) if newest else node.value,
        valid_at=min(node.valid_at, percept.at),
        latitude=percept.latitude if placed else node.latitude,
        longitude=percept.longitude if placed else node.longitude,
        meta_data={**node.meta_data, "course": course.model_dump(mode="json")},
    )


class _Readings(Value):
    """What the readings of a span come to; they themselves stay in the journal. Extremes are of numbers only."""

    count: int
    first: float | str
    first_at: AwareDatetime
    last: float | str
    last_at: AwareDatetime
    low: float | None
    high: float | None

    @classmethod
    def begun(cls, percept: PerceptSensed) -> "_Readings":
        reading, at = percept.reading, percept.at
        number = reading if isinstance(reading, float) else None
        return cls(count=1, first=reading, first_at=at, last=reading, last_at=at, low=number, high=number)

    def grown(self, percept: PerceptSensed) -> "_Readings":
        reading, at = percept.reading, percept.at
        numbers = [number for number in (self.low, self.high, reading) if isinstance(number, float)]
        first = (reading, at) if at < self.first_at else (self.first, self.first_at)
        last = (reading, at) if at >= self.last_at else (self.last, self.last_at)
        return _Readings(
            count=self.count + 1,
            first=first[0],
            first_at=first[1],
            last=last[0],
            last_at=last[1],
            low=min(numbers, default=None),
            high=max(numbers, default=None),
        )


def _shown(percept: PerceptSensed) -> str:
    return f"{percept.reading}{percept.unit}"


def _content(percept: PerceptSensed, course: _Readings, language: str) -> str:
    start = span_start(percept.at)
    span = f"{start:%Y-%m-%d %H:%M}–{start + SPAN:%H:%M}"
    subject, unit = percept.person.name, percept.unit
    if language == "zh":
        return f"{subject}的{percept.sensor}在{span}为{_told(course, unit, _ZH)}。"
    return f"{percept.sensor} of {subject} at {span}: {_told(course, unit, _EN)}."


_ZH = ("从{first}到{last}({count}次读数{bounds})", ",最低{low},最高{high}")
_EN = ("{first} to {last} ({count} readings{bounds})", ", lowest {low}, highest {high}")


def _told(course: _Readings, unit: str, wording: tuple[str, str]) -> str:
    first, last = f"{course.first}{unit}", f"{course.last}{unit}"
    if course.count == 1:
        return first
    extremes = course.low is not None and course.high is not None
    bounds = wording[1].format(low=f"{course.low}{unit}", high=f"{course.high}{unit}") if extremes else ""
    return wording[0].format(first=first, last=last, count=course.count, bounds=bounds)
