"""From the queue to conversation memories, where windows of turns are cut, and when enough has happened to reflect.

A window is cut when it holds enough turns, when the conversation ends or another begins, or after a silence.
The cut is journaled with the episodes, before anything reads it, so a retry reads the same window.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.change import Change
from agentmem.domain.episode import episode, episode_id, is_forgotten
from agentmem.domain.event import ConversationEnded, TurnSpoken
from agentmem.domain.ids import TimestampGenerator, derived_id
from agentmem.domain.memory import MemoryNode, MemoryType, microseconds
from agentmem.domain.payload import CloseWindow, Reflect, Trigger
from agentmem.domain.persona import ReflectPolicy, Windows
from agentmem.domain.scope import Lane
from agentmem.ports.event_log import Sequenced
from agentmem.ports.ledger import Commit
from agentmem.ports.work_queue import Claim, Done, NewJob


@dataclass(frozen=True, slots=True)
class Cut:
    """Closed windows, in order, the endings met, and the number of the last event that needs no other look."""

    windows: tuple[tuple[Sequenced, ...], ...]
    endings: tuple[Sequenced, ...]
    through: int | None


def cut(uncut: Sequence[Sequenced], policy: Windows, *, silent: bool) -> Cut:
    """Close every window of `uncut` that is full, ended or overtaken; with `silent`, the last one too."""
    windows: list[tuple[Sequenced, ...]] = []
    endings: list[Sequenced] = []
    current: list[Sequenced] = []
    through: int | None = None

    def close() -> None:
        nonlocal through
        if current:
            through = current[-1].seq
            windows.append(tuple(current))
            current.clear()

    for item in uncut:
        match item.event:
            case ConversationEnded():
                close()
                endings.append(item)
                through = item.seq
            case TurnSpoken(run_id=run_id, extract=True):
                if current and _run(current[-1]) != run_id:
                    close()
                current.append(item)
                if len(current) == policy.turns:
                    close()
            case _:
                if not current:
                    through = item.seq
    if silent and uncut:
        close()
        through = uncut[-1].seq
    return Cut(tuple(windows), tuple(endings), through)


def _run(item: Sequenced) -> str | None:
    return item.event.run_id if isinstance(item.event, TurnSpoken) else None


def window_job(turns: Sequence[Sequenced]) -> NewJob:
    """The job that reads these turns."""
    first, last = turns[0].event, turns[-1].event
    lane = first.lane
    return NewJob(
        job_id=derived_id("window", lane.tenant, lane.agent, lane.target, first.event_id, last.event_id),
        lane=lane,
        worker="observation",
        ordinal=turns[-1].seq,
        seqs=tuple(item.seq for item in turns),
    )


def ending_job(ending: Sequenced) -> NewJob:
    """The job that reflects once everything said before this ending has been read."""
    return reflection_job(ending.event.lane, ending.event.event_id, ending.seq, "end")


def silence_job(lane: Lane, last_seq: int) -> NewJob:
    """The job that closes the lane's open window after a silence behind turn `last_seq`."""
    return NewJob(
        job_id=derived_id("silence", lane.tenant, lane.agent, lane.target, last_seq),
        lane=lane,
        worker="conversation",
        ordinal=last_seq,
        payload=CloseWindow(),
    )


@dataclass(frozen=True, slots=True)
class Recorder:
    """Writes episodes and cuts windows."""

    timestamps: TimestampGenerator
    now: Callable[[], datetime]

    def record(self, claim: Claim, uncut: Sequence[Sequenced], policy: Windows, stored: Collection[str] = ()) -> Done:
        """One episode per claimed turn but those that are `stored` by id, and a job per window that is complete."""
        now = self.now()
        changes = self.written([item for job in claim.jobs for item in job.events], stored)
        done = cut(uncut, policy, silent=any(isinstance(job.payload, CloseWindow) for job in claim.jobs))
        return Done(
            commit=Commit(claim.lane.tenant, claim.jobs[0].job_id, "conversation", now, changes) if changes else None,
            follow_up=tuple(map(ending_job, done.endings)),
            windows=tuple(map(window_job, done.windows)),
            cut_through=done.through,
        )

    def written(self, turns: Sequence[Sequenced], stored: Collection[str]) -> tuple[Change, ...]:
        """The turns among these events as conversation memories, but those that are `stored`, and those of which no
        word was kept."""
        now = microseconds(self.now())
        return tuple(
            Change(
                act="add",
                after=episode(item.event, timestamp=self.timestamps.next(now), created_at=item.accepted_at),
            )
            for item in turns
            if isinstance(item.event, TurnSpoken)
            and episode_id(item.event) not in stored
            and not is_forgotten(item.event.text)
        )


def due(memories: Iterable[MemoryNode], policy: ReflectPolicy) -> Trigger | None:
    """Whether the observations no reflection has looked at are many, or important, enough."""
    fresh = [node for node in memories if node.memory_type is MemoryType.OBSERVATION and not node.obs_reflected]
    if len(fresh) >= policy.observations:
        return "count"
    if sum(node.importance for node in fresh) >= policy.importance:
        return "importance"
    return None


def reflection_job(lane: Lane, cause: str, ordinal: int, trigger: Trigger) -> NewJob:
    """The job that reflects on this lane; the same cause asks for it once."""
    return NewJob(
        job_id=derived_id("reflect", lane.tenant, lane.agent, lane.target, cause),
        lane=lane,
        worker="reflection",
        ordinal=ordinal,
        payload=Reflect(trigger=trigger),
    )
