"""Who works on what, as a port: leases on lanes, staged outcomes, retries, dead letters."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from agentmem.domain.scope import Lane, Scope
from agentmem.ports.event_log import Sequenced
from agentmem.ports.ledger import Commit


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
    note: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """Claimed work. `attempt` counts from 1; `staged` is the outcome that an earlier attempt wrote down, if any.
    `unreadable` says why events of it are missing though they are stored; `crashes` counts the processes that ended, or
    fell silent, while they worked on it."""

    job_id: str
    lane: Lane
    worker: str
    ordinal: int
    events: tuple[Sequenced, ...]
    note: str
    attempt: int
    staged: str | None
    unreadable: str | None = None
    crashes: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """The lease on a lane: consecutive jobs of one worker, and the fencing number every write is checked against."""

    lane: Lane
    holder: str
    fence: int
    jobs: tuple[Job, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """How a claim ends well: changes, follow-up jobs and marks, written in one transaction with the jobs' end.

    `cut_through`: every event of the lane up to this number is in a window now.
    """

    commit: Commit | None = None
    follow_up: tuple[NewJob, ...] = ()
    cut_through: int | None = None


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A job that was given up, and why. `memory_id` is the memory that was set aside with it, where one was."""

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

    async def claim(self, workers: Mapping[str, int]) -> Claim | None:
        """Lease a lane that has work for one of `workers` (name to largest batch), oldest work first; None if none.

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

    async def wait(self, at_most: float) -> None:
        """Return when this process queued work, or after `at_most` seconds."""
        ...

    async def depth(self, scope: Scope | None = None) -> Depth:
        """How much waits, in the whole store or in a scope."""
        ...


class DeadLetters(Protocol):
    """The jobs that were given up: kept with their reason until somebody decides."""

    async def dead(self, *, tenant: str, limit: int) -> list[DeadLetter]:
        """The newest first."""
        ...

    async def retry_dead(self, job_ids: Sequence[str], *, tenant: str) -> int:
        """Queue them again with no attempts counted; how many there were."""
        ...

    async def drop_dead(self, job_ids: Sequence[str], *, tenant: str) -> int:
        """Give them up for good; how many there were. Their events stay in the journal."""
        ...
