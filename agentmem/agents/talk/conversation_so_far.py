"""The conversation so far, as the journal has it, and who may speak in it: in one process one turn after another."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import uuid4
from weakref import WeakValueDictionary

from agentmem.domain.event import NOTE, TurnSpoken, echoes_of
from agentmem.domain.memory import local_day
from agentmem.domain.scope import Lane
from agentmem.errors import Busy, InvalidInput
from agentmem.ports.event_log import AFTER_ALL, EventLog
from agentmem.ports.models import Message


@dataclass(frozen=True, slots=True)
class TalkWindow:
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


async def window(log: EventLog, lane: Lane, run_id: str, *, pairs: int) -> TalkWindow:
    """The last `pairs` turns of either side."""
    found = await log.earlier_turns(lane, before=AFTER_ALL, run_id=run_id, limit=2 * pairs)
    return TalkWindow(tuple(item.event for item in found if isinstance(item.event, TurnSpoken)))


async def current_run(log: EventLog, lane: Lane, now: datetime, *, silence: timedelta) -> str:
    """The conversation that is open: that of the last turn, unless it was ended or has been silent for so long.
    Otherwise a new one."""
    last = await log.latest(lane, limit=1)
    event = last[0].event if last else None
    if isinstance(event, TurnSpoken) and now - event.at < silence:
        return event.run_id
    return f"talk/{local_day(now)}/{uuid4().hex[:8]}"


@dataclass(eq=False)
class _Floor:
    """One talk's: taken by one task at a time."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    holder: asyncio.Task[object] | None = None


class ConversationLocks:
    """The floor of each talk that somebody is in, or waits for."""

    def __init__(self) -> None:
        self._floors: WeakValueDictionary[Lane, _Floor] = WeakValueDictionary()

    @asynccontextmanager
    async def taken(self, lane: Lane, *, seconds: float) -> AsyncGenerator[None]:
        """Inside, no other turn of this talk begins; those who wait come in the order they asked. Raises `Busy` after
        so many seconds, and `InvalidInput` where the same task has the floor already and would wait for itself."""
        floor = self._floors.setdefault(lane, _Floor())
        me = asyncio.current_task()
        if me is not None and floor.holder is me:
            raise InvalidInput("a reply of this talk is still open here: leave it before the next turn")
        try:
            async with asyncio.timeout(seconds):
                await floor.lock.acquire()
        except TimeoutError as error:
            raise Busy(f"another turn of this talk has taken longer than {seconds:g} s", retry_after=1.0) from error
        floor.holder = me
        try:
            yield
        finally:
            floor.holder = None
            floor.lock.release()
