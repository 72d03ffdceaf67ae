"""What a kill test must be able to see: work queues that break, each in its own way, what the real one keeps.

The real queue writes a claim's changes and ends its jobs in one transaction, so an id cannot be given twice nor a
half be left behind. Each of these gives that up, as stores of memory with two separate writes do.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol
from uuid import uuid4

from agentmem.adapters.journal.journal import SqlJournal
from agentmem.domain.change import Change
from agentmem.ports.ledger import Commit
from agentmem.ports.work_queue import Claim, Done

Hear = Callable[[str], None]


class _Delegating:
    """The real queue, except for what a subclass does otherwise; it may be killed `between:writes` too."""

    def __init__(self, journal: SqlJournal, hear: Hear) -> None:
        self._journal, self._queue, self._hear = journal, journal.queue, hear

    def __getattr__(self, name: str) -> Any:
        return getattr(self._queue, name)


class RandomIds(_Delegating):
    """Writes new memories under ids drawn anew each time, and ends the job afterwards."""

    async def finish(self, claim: Claim, done: Done) -> None:
        """Not the same twice."""
        if done.commit is not None:
            changes = tuple(_renamed(change) for change in done.commit.changes)
            await self._journal.ledger.commit(_with(done.commit, changes))
            self._hear("between:writes")
        await self._queue.finish(claim, replace(done, commit=None))


class NoStaging(_Delegating):
    """Forgets what the model answered, and writes one change after the other, leaving out what is there already."""

    async def stage(self, claim: Claim, job_id: str, outcome: str) -> None:
        """Keeps nothing, so a second attempt asks again."""

    async def finish(self, claim: Claim, done: Done) -> None:
        """Half of one answer may be followed by half of another. Turns, which no model answers for, are left alone."""
        if done.commit is not None and claim.jobs[0].worker != "conversation":
            for change in done.commit.changes:
                held = await self._journal.ledger.get(done.commit.tenant, [change.memory_id])
                if change.before is None and held:
                    continue
                await self._journal.ledger.commit(_with(done.commit, (change,)))
                self._hear("between:writes")
            done = replace(done, commit=None)
        await self._queue.finish(claim, done)


class MarkFirst(_Delegating):
    """Ends the job, and writes what came of it afterwards."""

    async def finish(self, claim: Claim, done: Done) -> None:
        """Killed in between, nobody will write it."""
        await self._queue.finish(claim, replace(done, commit=None))
        self._hear("between:writes")
        if done.commit is not None:
            await self._journal.ledger.commit(done.commit)


class _Fault(Protocol):
    def __call__(self, journal: SqlJournal, hear: Hear, /) -> object: ...


FAULTS: dict[str, _Fault] = {"random_ids": RandomIds, "no_staging": NoStaging, "mark_first": MarkFirst}
"""By name, as a round asks for them."""


def _with(commit: Commit, changes: tuple[Change, ...]) -> Commit:
    return Commit(commit.tenant, commit.run, commit.cause, commit.at, changes)


def _renamed(change: Change) -> Change:
    if change.before is not None or change.after is None:
        return change
    return Change(act=change.act, after=change.after.revised(memory_id=str(uuid4())), reason=change.reason)
