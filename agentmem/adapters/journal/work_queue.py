"""Who works on what: the `WorkQueue` port."""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence

from sqlalchemy import Column, Connection, and_, bindparam, delete, func, select, update

from agentmem.adapters.journal.claiming import Now, Taken, Turns, claim
from agentmem.adapters.journal.commit_rows import write_commit
from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.dialect import Statement
from agentmem.adapters.journal.lanes import find_lanes, in_scope, mark_done, queue, refresh_head, remember_windows
from agentmem.adapters.journal.leases import Reaper, hold, release, take
from agentmem.adapters.journal.schema import counters, heads, jobs, lanes, leases
from agentmem.adapters.journal.transactions import ReadPool, Unit
from agentmem.adapters.journal.writable import checked, cleaned
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import InvalidInput
from agentmem.ports.work_queue import Claim, Depth, Done, NewJob

MICRO = 1_000_000

_STAGE = update(jobs).where(jobs.c.job_id == bindparam("id")).values(staged=bindparam("outcome"))
_DELAY = (
    update(jobs)
    .where(jobs.c.job_id == bindparam("id"))
    .values(attempts=jobs.c.attempts + 1, due=bindparam("until"), reason=bindparam("why"))
)
_BURY = (
    update(jobs)
    .where(jobs.c.job_id == bindparam("id"))
    .values(attempts=jobs.c.attempts + 1, died=bindparam("number"), died_at=bindparam("when"), reason=bindparam("why"))
)
_END = delete(jobs).where(jobs.c.job_id.in_(bindparam("ids", expanding=True)))
_CUT = (
    update(lanes)
    .where(lanes.c.lane_id == bindparam("lane"), lanes.c.cut_seq < bindparam("through"))
    .values(cut_seq=bindparam("through"))
)

_SETBACK = (
    select(jobs.c.reason)
    .join(heads, heads.c.job_no == jobs.c.job_no)
    .where(jobs.c.reason.is_not(None))
    .order_by(jobs.c.due.desc())
    .limit(1)
)


class SqlWorkQueue:
    """Claims under one holder's name. `clock` dates retries; a retry later than `longest_delay` from now is due."""

    def __init__(
        self,
        committer: Committer,
        reader: ReadPool,
        reaper: Reaper,
        *,
        holder: str,
        longest_delay: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._committer, self._reader, self._reaper = committer, reader, reaper
        self._holder, self._longest_delay, self._clock = holder, longest_delay, clock
        self._turns = Turns()
        self.claimed = False
        """Whether a claim was ever asked for."""
        self.bells = 0
        self._rung = asyncio.Event()

    async def claim(self, workers: Mapping[str, int], *, scope: Scope | None = None) -> Claim | None:
        """See `WorkQueue`."""
        self.claimed = True
        now = self._now()

        def work(unit: Unit) -> Taken | None:
            return claim(unit.conn, self._reaper, self._turns, workers, holder=self._holder, now=now, scope=scope)

        answer = asyncio.ensure_future(self._committer.submit("claim", work, numbered=False))
        try:
            taken = await asyncio.shield(answer)
        except asyncio.CancelledError:
            answer.add_done_callback(self._give_back)
            raise
        return None if taken is None else taken.claim()

    async def keep(self, claim: Claim) -> None:
        """See `WorkQueue`."""
        await self._committer.submit("keep", lambda unit: hold(unit, claim), numbered=False)

    async def stage(self, claim: Claim, job_id: str, outcome: str) -> None:
        """See `WorkQueue`."""
        _must_be_of(claim, job_id)
        checked(outcome, f"outcome of job {job_id}")

        def work(unit: Unit) -> None:
            hold(unit, claim)
            unit.conn.execute(_STAGE, {"id": job_id, "outcome": outcome})

        await self._committer.submit("stage", work, numbered=False)

    async def finish(self, claim: Claim, done: Done) -> None:
        """See `WorkQueue`."""
        await self._committer.submit("finish", lambda unit: _finish(unit, claim, done))

    async def fail(self, claim: Claim, job_id: str, *, reason: str, retry_in: float | None) -> None:
        """See `WorkQueue`."""
        _must_be_of(claim, job_id)
        why, now = cleaned(reason), self._now()
        until = None if retry_in is None else now.at + int(min(max(retry_in, 0), self._longest_delay) * MICRO)

        def work(unit: Unit) -> None:
            lane_id = hold(unit, claim)
            if until is None:
                unit.numbers.job += 1
                unit.numbers.backlog -= 1
                row = {"id": job_id, "number": unit.numbers.job, "when": now.at, "why": why}
                unit.conn.execute(_BURY, row)
            else:
                unit.conn.execute(_DELAY, {"id": job_id, "until": until, "why": why})
            refresh_head(unit.conn, lane_id, _worker(claim))
            release(unit.conn, lane_id)
            unit.queued = True

        await self._committer.submit("fail", work)

    async def release(self, claim: Claim) -> None:
        """See `WorkQueue`."""

        def work(unit: Unit) -> None:
            release(unit.conn, hold(unit, claim))
            unit.queued = True

        await self._committer.submit("release", work, numbered=False)

    async def enqueue(self, jobs: Sequence[NewJob]) -> int:
        """See `WorkQueue`."""
        return await self._committer.submit("enqueue", lambda unit: queue(unit, jobs)) if jobs else 0

    async def seize(self, lanes: Collection[Lane]) -> list[Claim]:
        """See `WorkQueue`."""

        def work(unit: Unit) -> list[Claim]:
            found = find_lanes(unit.conn, lanes)
            return [
                Claim(lane, self._holder, take(unit.conn, number, self._holder, "", 0), ())
                for lane, number in found.items()
            ]

        return await self._committer.submit("seize", work, numbered=False)

    async def wait(self, at_most: float, *, since: int | None = None) -> None:
        """See `WorkQueue`."""
        if since is not None and since != self.bells:
            return
        try:
            async with asyncio.timeout(at_most):
                await self._rung.wait()
        except TimeoutError:
            return

    async def depth(self, scope: Scope | None = None) -> Depth:
        """See `WorkQueue`."""
        now = self._now()
        return await self._reader.read(lambda conn: _depth(conn, scope, now))

    async def setback(self) -> str | None:
        """See `WorkQueue`."""
        found = await self._reader.rows(_SETBACK)
        return found[0].reason if found else None

    def ring(self) -> None:
        """Wake everybody who waits for work."""
        self.bells += 1
        self._rung.set()
        self._rung = asyncio.Event()

    def _now(self) -> Now:
        at = int(self._clock() * MICRO)
        return Now(at, at + int(self._longest_delay * MICRO))

    def _give_back(self, answer: "asyncio.Future[Taken | None]") -> None:
        """The claimer went away before it got what it asked for."""
        if answer.cancelled() or answer.exception() is not None:
            return
        taken = answer.result()
        if taken is not None:
            asyncio.ensure_future(self.release(taken.claim())).add_done_callback(_ignore)


def _finish(unit: Unit, claim: Claim, done: Done) -> None:
    lane_id = hold(unit, claim)
    ids = [job.job_id for job in claim.jobs]
    if done.commit is not None:
        write_commit(unit, done.commit)
    unit.numbers.backlog -= unit.conn.execute(_END, {"ids": ids}).rowcount
    mark_done(unit.conn, lane_id, ids)
    remember_windows(unit.conn, lane_id, done.windows)
    queue(unit, (*done.windows, *done.follow_up), {claim.lane: lane_id})
    if done.cut_through is not None:
        unit.conn.execute(_CUT, {"lane": lane_id, "through": done.cut_through})
    refresh_head(unit.conn, lane_id, _worker(claim))
    release(unit.conn, lane_id)
    unit.queued = True


def _counting(scope: Scope | None) -> Statement:
    """How many jobs there are, are in delay, leased and dead. Counted from the small tables: what is held back from
    the heads in delay, the rest from what is kept count of."""

    def number(statement: Statement, lane_id: Column[int]) -> Statement:
        if scope is not None:
            statement = statement.join(lanes, lanes.c.lane_id == lane_id).where(in_scope(scope))
        return statement.scalar_subquery()

    behind = and_(jobs.c.lane_id == heads.c.lane_id, jobs.c.worker == heads.c.worker, jobs.c.died.is_(None))
    late = and_(heads.c.due > bindparam("now"), heads.c.due <= bindparam("absurd"))
    counted = select(func.count()).select_from(jobs)
    alive = counters.c.backlog if scope is None else number(counted.where(jobs.c.died.is_(None)), jobs.c.lane_id)
    return select(
        alive,
        number(select(func.count()).select_from(heads).join(jobs, behind).where(late), heads.c.lane_id),
        number(select(func.sum(leases.c.jobs)).where(leases.c.holder.is_not(None)), leases.c.lane_id),
        number(counted.where(jobs.c.died.is_not(None)), jobs.c.lane_id),
    )


_COUNTED = _counting(None)


def _depth(conn: Connection, scope: Scope | None, now: Now) -> Depth:
    statement = _COUNTED if scope is None else _counting(scope)
    found = conn.execute(statement, {"now": now.at, "absurd": now.absurd}).one()
    alive, delayed, leased, dead = (int(number or 0) for number in found)
    return Depth(ready=max(0, alive - delayed - leased), delayed=delayed, leased=leased, dead=dead)


def _worker(claim: Claim) -> str:
    return claim.jobs[0].worker


def _must_be_of(claim: Claim, job_id: str) -> None:
    if all(job.job_id != job_id for job in claim.jobs):
        raise InvalidInput(f"job {job_id!r} is not part of the claim on target {claim.lane.target!r}")


def _ignore(future: "asyncio.Future[None]") -> None:
    if not future.cancelled():
        future.exception()
