"""Memories and events for tests, with everything that does not matter filled in."""

from datetime import UTC, datetime, timedelta
from itertools import count

from agentmem.domain.event import ConversationEnded, Person, TurnSpoken
from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, local_day, microseconds
from agentmem.ports.event_log import Sequenced

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)
TENANT, AGENT = "acme", "seller"
LUO = Person(name="罗小东", title="软件工程师")
TARGET = entity_id(TENANT, AGENT, "罗小东")
_numbers = count(1)


def a_memory(content: str, **fields: object) -> MemoryNode:
    """A valid stated observation about 罗小东 unless told otherwise."""
    number = next(_numbers)
    at = fields.get("valid_at", NOON)
    assert isinstance(at, datetime)
    given: dict[str, object] = {
        "memory_id": derived_id("test", number),
        "tenant": TENANT,
        "agent_id": AGENT,
        "user_name": "小美",
        "target_id": TARGET,
        "target_name": LUO.name,
        "run_id": "talk",
        "memory_type": MemoryType.OBSERVATION,
        "content": content,
        "modality": Modality.STATED,
        "timestamp": microseconds(NOON) + number,
        "dt": local_day(at),
        "valid_at": at,
        "created_at": at,
    }
    return MemoryNode.model_validate({**given, **fields})


def a_turn(text: str, number: int = 0, *, by_agent: bool = False, run: str = "talk", **fields: object) -> TurnSpoken:
    """A turn of a talk with 罗小东; turn `number` is 20 s times its number after noon."""
    given: dict[str, object] = {
        "event_id": f"{run}/{number}",
        "tenant": TENANT,
        "agent_id": AGENT,
        "agent_name": "小美",
        "target_id": TARGET,
        "person": LUO,
        "by_agent": by_agent,
        "text": text,
        "run_id": run,
        "turn_index": number,
        "at": NOON + timedelta(seconds=20 * number),
    }
    return TurnSpoken.model_validate({**given, **fields})


def an_ending(run: str = "talk") -> ConversationEnded:
    """The end of that talk."""
    return ConversationEnded(
        event_id=f"{run}/end", tenant=TENANT, agent_id=AGENT, agent_name="小美", target_id=TARGET, run_id=run, at=NOON
    )


def numbered(*events: TurnSpoken | ConversationEnded) -> list[Sequenced]:
    """The events as a journal would give them back."""
    return [Sequenced(seq, event, event.at) for seq, event in enumerate(events, start=1)]
