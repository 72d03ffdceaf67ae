"""Readings gathered in a span: what they come to, in any order, at a size that does not grow."""

from datetime import UTC, datetime, timedelta

from agentmem.adapters.journal.journal import SqlJournal
from agentmem.domain.event import PerceptSensed, Person
from agentmem.domain.ids import TimestampGenerator
from agentmem.domain.persona import Persona
from agentmem.memory.readings import Perceiver, span_start
from agentmem.ports.event_log import Sequenced
from agentmem.ports.work_queue import Claim, Job
from tests.support.nodes import AGENT, TARGET, TENANT

TEN = datetime(2026, 3, 9, 10, tzinfo=UTC)


def a_reading(value: float, minute: float) -> PerceptSensed:
    return PerceptSensed(
        event_id=f"p/{minute}",
        tenant=TENANT,
        agent_id=AGENT,
        agent_name="Ada",
        target_id=TARGET,
        at=TEN + timedelta(minutes=minute),
        person=Person(name="greenhouse"),
        sensor="temperature",
        reading=value,
        unit="°C",
    )


async def gathered(journal: SqlJournal, *readings: PerceptSensed) -> list[str]:
    perceiver = Perceiver(journal.ledger, TimestampGenerator(), lambda: TEN)
    lane = readings[0].lane
    jobs = tuple(
        Job(f"j{number}", lane, "perception", number, (Sequenced(number, reading, TEN),), None, 1, None)
        for number, reading in enumerate(readings, start=1)
    )
    done = await perceiver.perceive(Claim(lane, "me", 1, jobs), Persona(id=AGENT, name="Ada", language="en"))
    assert done.commit is not None
    return [change.after.model_dump_json() for change in done.commit.changes if change.after]


def test_a_span_begins_at_full_ten_minutes() -> None:
    assert span_start(TEN + timedelta(minutes=19, seconds=59)) == TEN + timedelta(minutes=10)


async def test_twelve_readings_are_one_memory_with_first_last_and_extremes(tmp_path: object) -> None:
    async with SqlJournal(f"sqlite:///{tmp_path}/journal.db", routes={}) as journal:
        readings = [a_reading(20 + number % 5, number * 0.8) for number in range(12)]
        (node,) = await gathered(journal, *reversed(readings))
    assert "20.0°C to 21.0°C (12 readings, lowest 20.0°C, highest 24.0°C)" in node


async def test_a_thousand_readings_take_no_more_room_than_two(tmp_path: object) -> None:
    async with SqlJournal(f"sqlite:///{tmp_path}/journal.db", routes={}) as journal:
        (two,) = await gathered(journal, *(a_reading(20, number * 0.001) for number in range(2)))
        (many,) = await gathered(journal, *(a_reading(20, number * 0.001) for number in range(1_000)))
    assert len(many) < len(two) + 50
