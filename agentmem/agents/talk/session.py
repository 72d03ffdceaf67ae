"""The conversation so far, as the journal has it: it outlives the process, and needs no worker and no index."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

from agentmem.domain.echo import NOTE, echoes_of
from agentmem.domain.event import TurnSpoken
from agentmem.domain.memory import local_day
from agentmem.domain.scope import Lane
from agentmem.ports.chat_model import Message
from agentmem.ports.event_log import AFTER_ALL, EventLog


@dataclass(frozen=True, slots=True)
class Window:
    """The last turns of one conversation, oldest first."""

    turns: tuple[TurnSpoken, ...]

    @property
    def since(self) -> datetime | None:
        """When the first of them was said."""
        return self.turns[0].at if self.turns else None

    @property
    def messages(self) -> tuple[Message, ...]:
        """What was said aloud."""
        return tuple(Message(turn.by_agent, turn.text) for turn in self.turns if not turn.meta.get(NOTE))

    @property
    def echoed(self) -> tuple[str, ...]:
        """What the agent repeated of its memory in it; said again, it is still an echo."""
        return tuple(turn.text[start:end] for turn in self.turns for start, end in echoes_of(turn.meta))

    def said_by_person(self, last: int) -> tuple[str, ...]:
        """The last so many turns of the person."""
        return tuple(turn.text for turn in self.turns if not turn.by_agent)[-last:]


async def window(log: EventLog, lane: Lane, run_id: str, *, pairs: int) -> Window:
    """The last `pairs` turns of either side."""
    found = await log.earlier_turns(lane, before=AFTER_ALL, run_id=run_id, limit=2 * pairs)
    return Window(tuple(item.event for item in found if isinstance(item.event, TurnSpoken)))


async def current_run(log: EventLog, lane: Lane, now: datetime, *, silence: timedelta) -> str:
    """The conversation that is open: that of the last turn, unless it was ended or has been silent for so long.
    Otherwise a new one."""
    last = await log.latest(lane, limit=1)
    event = last[0].event if last else None
    if isinstance(event, TurnSpoken) and now - event.at < silence:
        return event.run_id
    return f"talk/{local_day(now)}/{uuid4().hex[:8]}"
