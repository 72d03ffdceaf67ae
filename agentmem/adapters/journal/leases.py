"""Leases: who may write in a lane, until when, and how a lane is taken from one that went away.

A holder is a process, named so that another one on the same machine can tell whether it still lives. Each claim
raises the lane's fence, each sign of life its beat. A lease ends when its holder gives it back, when the holder's
process is seen to be gone, or when fence and beat stood still for the lease time on the observer's own monotonic
clock: no clock of another machine is ever believed.
"""

import os
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, bindparam, select, update

from agentmem.adapters.journal.lanes import lane_key
from agentmem.adapters.journal.schema import jobs, lanes, leases
from agentmem.adapters.journal.transactions import Unit
from agentmem.errors import LeaseLost
from agentmem.ports.work_queue import Claim

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Holder:
    """`machine` changes with each boot; `pids` tells containers apart, `random` journals of one process."""

    host: str
    machine: str
    pids: str
    pid: int
    started: str
    random: str

    @classmethod
    def of_this_process(cls) -> "Holder":
        """A new holder, different from every other one."""
        pid = os.getpid()
        host = socket.gethostname().replace("/", "-")
        return cls(host, _boot(), _namespace(), pid, _started(pid) or "", secrets.token_hex(4))

    @classmethod
    def parse(cls, name: str) -> "Holder | None":
        """The holder that was written as `name`, or None where it is written in another way."""
        parts = name.split("/")
        if len(parts) != 6 or not parts[3].isdigit():
            return None
        host, machine, pids, pid, started, random = parts
        return cls(host, machine, pids, int(pid), started, random)

    def __str__(self) -> str:
        return f"{self.host}/{self.machine}/{self.pids}/{self.pid}/{self.started}/{self.random}"

    def is_gone(self, seen_by: "Holder", *, local: bool) -> bool:
        """Whether the process has certainly ended. False where `seen_by` cannot know.

        `local`: the store is a file of this machine, so whoever held it under another boot is gone.
        """
        if local and self.host == seen_by.host and self.machine != seen_by.machine:
            return True
        if (self.host, self.machine, self.pids) != (seen_by.host, seen_by.machine, seen_by.pids):
            return False
        if self.started:
            return _started(self.pid) != self.started
        return not _exists(self.pid)


def _boot() -> str:
    return _read(_PROC / "sys/kernel/random/boot_id")[:8]


def _namespace() -> str:
    try:
        return (_PROC / "self/ns/pid").readlink().name.strip("pid:[]")
    except OSError:
        return ""


def _started(pid: int) -> str | None:
    """Clock ticks from boot to the start of the process; None where it does not run, or this system does not tell."""
    stat = _read(_PROC / str(pid) / "stat").rpartition(")")[2].split()
    if len(stat) < 20 or stat[0] in {"Z", "X"}:
        return None
    return stat[19]


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""


_LANE_ID = select(lanes.c.lane_id).where(lanes.c.lane_key == bindparam("key")).scalar_subquery()
_HOLD = (
    update(leases)
    .where(
        leases.c.lane_id == _LANE_ID,
        leases.c.holder == bindparam("held_by"),
        leases.c.fence == bindparam("held_fence"),
    )
    .values(beat=leases.c.beat + 1)
    .returning(leases.c.lane_id)
)
_TAKE = (
    update(leases)
    .where(leases.c.lane_id == bindparam("lane"))
    .values(
        holder=bindparam("new_holder"), fence=leases.c.fence + 1, jobs=bindparam("count"), worker=bindparam("whose")
    )
    .returning(leases.c.fence)
)
_FREE = update(leases).values(holder=None, jobs=0, worker=None)
_RELEASE = _FREE.where(leases.c.lane_id == bindparam("lane"))
_FREE_ALL_OF = _FREE.where(leases.c.holder == bindparam("gone"))
_FREE_STILL = _FREE.where(
    leases.c.lane_id == bindparam("lane"),
    leases.c.fence == bindparam("still_fence"),
    leases.c.beat == bindparam("still_beat"),
)
_HOLDERS = select(leases.c.holder).where(leases.c.holder.is_not(None)).distinct()
_HELD = select(leases.c.lane_id, leases.c.fence, leases.c.beat).where(leases.c.holder.is_not(None))

_LEFT = select(leases.c.lane_id, leases.c.worker, leases.c.jobs).where(leases.c.worker.is_not(None))
_DOING = (
    select(jobs.c.job_id)
    .where(jobs.c.lane_id == bindparam("lane"), jobs.c.worker == bindparam("whose"), jobs.c.died.is_(None))
    .order_by(jobs.c.ordinal, jobs.c.job_no)
    .limit(bindparam("count"))
)
_CRASHED = update(jobs).values(crashes=jobs.c.crashes + 1)

_LOOKS_PER_LEASE = 10
_DEAD_EVERY = 1.0


def take(conn: Connection, lane_id: int, holder: str, worker: str, count: int) -> int:
    """Lease a free lane for `count` jobs of a worker; the new fence."""
    row = {"lane": lane_id, "new_holder": holder, "whose": worker, "count": count}
    return int(conn.execute(_TAKE, row).scalar_one())


def hold(unit: Unit, claim: Claim) -> int:
    """Show that the holder lives, and the number of its lane. Raises `LeaseLost` where it holds it no longer."""
    lane = claim.lane
    row = {"key": lane_key(lane), "held_by": claim.holder, "held_fence": claim.fence}
    lane_id = unit.conn.execute(_HOLD, row).scalar_one_or_none()
    if lane_id is None:
        raise LeaseLost(f"the lease on target {lane.target!r} of agent {lane.agent!r} was taken over")
    return int(lane_id)


def release(conn: Connection, lane_id: int) -> None:
    """Give the lane back."""
    conn.execute(_RELEASE, {"lane": lane_id})


def release_all(conn: Connection, holder: str) -> None:
    """Give back every lane of a holder that ends."""
    conn.execute(_FREE_ALL_OF, {"gone": holder})


@dataclass(frozen=True, slots=True)
class _Sighting:
    fence: int
    beat: int
    since: float


class Reaper:
    """Frees lanes whose holders are gone or silent. Used by the writing thread only."""

    def __init__(self, me: Holder, *, lease_seconds: float, local: bool, monotonic: Callable[[], float]) -> None:
        self._me, self._local = me, local
        self._lease_seconds, self._monotonic = lease_seconds, monotonic
        self._sightings: dict[int, _Sighting] = {}
        self._looked_for_dead = self._looked_for_silent = float("-inf")

    def reap(self, conn: Connection, *, thorough: bool) -> bool:
        """Whether a lane became free. `thorough`: look for the dead now, not only once a second."""
        now = self._monotonic()
        freed = False
        if thorough or now - self._looked_for_dead >= _DEAD_EVERY:
            self._looked_for_dead = now
            freed = self._free_dead(conn)
        if now - self._looked_for_silent >= self._lease_seconds / _LOOKS_PER_LEASE:
            self._looked_for_silent = now
            freed = self._free_silent(conn, now) or freed
        return freed

    def _free_dead(self, conn: Connection) -> bool:
        freed = False
        for name in conn.execute(_HOLDERS).scalars().all():
            holder = Holder.parse(name)
            if holder is not None and holder != self._me and holder.is_gone(self._me, local=self._local):
                _count_crashes(conn, leases.c.holder == name)
                conn.execute(_FREE_ALL_OF, {"gone": name})
                freed = True
        return freed

    def _free_silent(self, conn: Connection, now: float) -> bool:
        seen: dict[int, _Sighting] = {}
        freed = False
        for lane_id, fence, beat in conn.execute(_HELD).all():
            before = self._sightings.get(lane_id)
            if before is None or (before.fence, before.beat) != (fence, beat):
                seen[lane_id] = _Sighting(fence, beat, now)
            elif now - before.since < self._lease_seconds:
                seen[lane_id] = before
            else:
                row = {"lane": lane_id, "still_fence": fence, "still_beat": beat}
                _count_crashes(conn, leases.c.lane_id == lane_id)
                freed = bool(conn.execute(_FREE_STILL, row).rowcount) or freed
        self._sightings = seen
        return freed


def _count_crashes(conn: Connection, which: ColumnElement[bool]) -> None:
    """Note with the jobs of these leases that somebody went away while he did them."""
    for lane_id, worker, count in conn.execute(_LEFT.where(which)).all():
        doing = conn.execute(_DOING, {"lane": lane_id, "whose": worker, "count": count}).scalars().all()
        conn.execute(_CRASHED.where(jobs.c.job_id.in_(doing)))
