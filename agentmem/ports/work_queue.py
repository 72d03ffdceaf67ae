"""Who works on what, as a port: leases on lanes, staged outcomes, retries, dead letters; and what the index could not
take in, each row alone with its reason, tried again when somebody says so.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol, TypeVar

from agentmem.domain.payload import Payload
from agentmem.domain.scope import Lane, Scope
from agentmem.domain.value import Value
from agentmem.errors import Unreadable
from agentmem.ports.event_log import Sequenced
from agentmem.ports.ledger import Commit

P = TypeVar("P", bound=Value)


@dataclass(frozen=True, slots=True)
class NewJob:
    """Work to queue. The same `job_id` is queued once for ever; `seqs` are the numbers of its events.

    Jobs of one worker in one lane run in the order of `ordinal`, then of arrival.
    """

    job_id: str
    lane: Lane
    worker: str
    ordinal: int
    seqs: tuple[int, ...] = ()
    payload: Payload | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """Claimed work. `attempt` counts from 1; `staged` is the outcome that an earlier attempt wrote down, if any.
    `unreadable` says why events of it, or its payload, are missing though they are stored; `crashes` counts the
    processes that ended, or fell silent, while they worked on it."""

    job_id: str
    lane: Lane
    worker: str
    ordinal: int
    events: tuple[Sequenced, ...]
    payload: Payload | None
    attempt: int
    staged: str | None
    unreadable: str | None = None
    crashes: int = 0

    def carried(self, kind: type[P]) -> P:
        """The payload, which has to be of this kind. Raises `Unreadable`."""
        if not isinstance(self.payload, kind):
            raise Unreadable(f"a job of worker {self.worker!r} carries no {kind.__name__}")
        return self.payload


@dataclass(frozen=True, slots=True)
class Claim:
    """The lease on a lane: consecutive jobs of one worker, and the fencing number every write is checked against.
    `alone`: no other work was ready when it was claimed."""

    lane: Lane
    holder: str
    fence: int
    jobs: tuple[Job, ...]
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """How a claim ends well: changes, follow-up jobs and marks, written in one transaction with the jobs' end.

    `windows` are queued as `follow_up` is, and found by their events afterwards (`EventLog.windows_of`).
    `cut_through`: every event of the lane up to this number is in a window now.
    """

    commit: Commit | None = None
    follow_up: tuple[NewJob, ...] = ()
    windows: tuple[NewJob, ...] = ()
    cut_through: int | None = None


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A job that was given up, and why; `number` rises with each. `memory_id` is the memory that was set aside with it,
    where one was."""

    number: int
    job_id: str
    lane: Lane
    worker: str
    event_ids: tuple[str, ...]
    attempts: int
    reason: str
    died_at: datetime
    memory_id: str | None = None


@dataclass(frozen=True, slots=True)
class Depth:
    """How much waits: ready now, waiting for a retry, being worked on, given up."""

    ready: int
    delayed: int
    leased: int
    dead: int


class WorkQueue(Protocol):
    """At-least-once work with effectively-once effect.

    One holder per lane at a time. A lease is taken from a holder whose process is gone, or which gave no sign
    (`keep`, `stage`) for the lease time, measured on this process's monotonic clock. Every write of a claim raises
    `LeaseLost` when its fence is no longer the lane's.
    """

    async def claim(self, workers: Mapping[str, int], *, scope: Scope | None = None) -> Claim | None:
        """Lease a lane that has work for one of `workers` (name to largest batch); None if none. Tenants take turns;
        of each the oldest work is first. With `scope` only lanes in it; its run does not count.

        A job in retry delay holds back later jobs of its worker in its lane, and nothing else.
        """
        ...

    async def keep(self, claim: Claim) -> None:
        """Show that the holder lives."""
        ...

    async def stage(self, claim: Claim, job_id: str, outcome: str) -> None:
        """Write down, durably, what thinking produced, before it is applied."""
        ...

    async def finish(self, claim: Claim, done: Done) -> None:
        """Apply the outcome, end the claim's jobs, queue what follows and release the lane, in one transaction.

        Raises `Conflict` when a memory was changed in between (`before` is not what is stored): nothing is written,
        the lease stays, and the outcome may be planned anew from what was staged.
        """
        ...

    async def fail(self, claim: Claim, job_id: str, *, reason: str, retry_in: float | None) -> None:
        """Count a failed attempt of one job and release the lane; `retry_in` seconds, or None: to the dead letters.

        The claim's other jobs go back as they were.
        """
        ...

    async def release(self, claim: Claim) -> None:
        """Give the lane back untouched; no attempt is counted."""
        ...

    async def enqueue(self, jobs: Sequence[NewJob]) -> int:
        """Queue jobs from outside a claim; how many were new."""
        ...

    async def seize(self, lanes: Collection[Lane]) -> list[Claim]:
        """Take these lanes, as far as they are there, from whoever works on them: he loses his lease, and nobody gets
        work of them until the claims, which are of no jobs, are released."""
        ...

    @property
    def bells(self) -> int:
        """How often this process queued work or gave some back."""
        ...

    async def wait(self, at_most: float, *, since: int | None = None) -> None:
        """Return when this process queued work, or after `at_most` seconds; at once where it did since there were so
        many `bells`."""
        ...

    async def depth(self, scope: Scope | None = None) -> Depth:
        """How much waits, in the whole store or in a scope."""
        ...

    async def setback(self) -> str | None:
        """Why one of the jobs that wait failed the last time, the one that is tried again last; None where none did."""
        ...


class DeadLetters(Protocol):
    """The jobs that were given up: kept with their reason until somebody decides."""

    async def dead(
        self, *, tenant: str, limit: int, before: int | None = None, agent: str | None = None, target: str | None = None
    ) -> list[DeadLetter]:
        """The newest first; with `before` those of lower numbers, of an agent and about a target, or all."""
        ...

    async def dead_lanes(self, job_ids: Collection[str], *, tenant: str) -> dict[str, Lane]:
        """Whose those of these jobs are that were given up."""
        ...

    async def retry_dead(self, job_ids: Sequence[str], *, tenant: str) -> int:
        """Queue them again with no attempts counted; how many there were."""
        ...

    async def drop_dead(self, job_ids: Sequence[str], *, tenant: str) -> int:
        """Give them up for good; how many there were. Their events stay in the journal."""
        ...


PROJECTION: Final = "projection"
"""Under this worker's name such rows stand among the dead letters, and are tried again."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """The state of a memory that row `seq` left, whose it is, and why it was set aside; no word of it."""

    memory_id: str
    seq: int
    lane: Lane
    reason: str


class SetAsides(Protocol):
    """What is set aside is a dead letter of worker `PROJECTION`: listed, retried and dropped with the others, and gone
    with its memory."""

    async def add(self, rows: Sequence[SetAside]) -> None:
        """Set them aside, durably; one that is there gets the new reason, one that was dropped stays dropped."""
        ...

    async def all(self) -> list[SetAside]:
        """Everything that is set aside, of all tenants, and not asked for again."""
        ...

    async def clear(self, rows: Collection[tuple[str, int]]) -> None:
        """These, memory and row, are in the index now, or have nothing to do there any more."""
        ...

    async def dropped(self, rows: Collection[tuple[str, int]]) -> set[str]:
        """Of these, memory and row, the memories that were set aside and then dropped."""
        ...
