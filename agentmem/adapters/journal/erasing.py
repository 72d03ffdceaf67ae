"""Erasing: the `Eraser` port. The rows go in one transaction, the bytes they leave behind are cleaned up afterwards.

Neighbour: `removal` (jobs and leases, and what keeps the erased from coming back).
"""

import asyncio
import json
import sqlite3
from collections.abc import Collection, Sequence
from contextlib import closing, suppress
from datetime import datetime

from sqlalchemy import Connection, Engine, and_, bindparam, case, delete, func, or_, select, update
from sqlalchemy.exc import DBAPIError

from agentmem.adapters.journal.commit_rows import write_commit
from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.connections import Store
from agentmem.adapters.journal.dead_letters import projection_body
from agentmem.adapters.journal.dialect import Record, chunks, insert_many, key, translated, translating
from agentmem.adapters.journal.lanes import in_reach, in_scope, lane_key
from agentmem.adapters.journal.lineages import copies_of, is_released, made_from
from agentmem.adapters.journal.removal import (
    DEBTS,
    MARK,
    OWED,
    buried,
    bury,
    count_jobs,
    edited_key,
    made_of_unknown,
    mark,
    memory_key,
    purge,
    purge_unfinished,
    recount_turns,
    remove_marked,
    take_work_back,
)
from agentmem.adapters.journal.schema import (
    dependencies,
    events,
    jobs,
    lanes,
    ledger,
    marks,
    memories,
    metadata,
    vectors,
)
from agentmem.adapters.journal.transactions import ReadPool, Unit
from agentmem.adapters.journal.writable import checked, embedded_texts, event_body, read_value
from agentmem.domain.event import keyed_event_id
from agentmem.domain.ids import derived_id, ids_in, is_id
from agentmem.domain.memory import GRAPH, MemoryType
from agentmem.domain.scope import Scope
from agentmem.errors import BackendUnavailable, Conflict
from agentmem.ports.embedder import EMBEDDED_CHARACTERS, text_key
from agentmem.ports.erasure import Erased, Erasure, Owed
from agentmem.ports.work_queue import PROJECTION

_MADE_ANEW = (MemoryType.PERCEPTUAL, *GRAPH)
"""Types of memories that leave no tombstone: their ids come back with other words."""

_BODIES = select(ledger.c.after).where(
    ledger.c.memory_id.in_(bindparam("ids", expanding=True)), ledger.c.after.is_not(None)
)
_LAST = select(memories.c.seq).where(memories.c.memory_id == ledger.c.memory_id).scalar_subquery()
# Of a memory whose past an earlier erasure cut off nobody knows any more when it was new: it may be in every bundle.
_FIRST = select(func.min(case((and_(ledger.c.prev.is_(None), ledger.c.act != "add"), 0), else_=ledger.c.seq))).where(
    ledger.c.memory_id.in_(bindparam("ids", expanding=True))
)
_REWRITE = update(events).where(events.c.seq == bindparam("number")).values(body=bindparam("words"))


class SqlEraser:
    """Erases through the writer; cleans up on a connection of its own."""

    def __init__(self, store: Store, committer: Committer, reader: ReadPool, engine: Engine) -> None:
        self._store, self._committer, self._reader, self._engine = store, committer, reader, engine

    async def erase(self, erasure: Erasure, *, owing: bool = False) -> Erased:
        """See `Eraser`."""
        return await self._committer.submit("erase", lambda unit: mark(unit, _erase(unit, erasure, owing)))

    async def owed(self) -> list[Owed]:
        """See `Eraser`."""
        rows = await self._reader.rows(
            select(marks.c.value).where(marks.c.name.startswith(OWED)).order_by(marks.c.name)
        )
        return [owed for row in rows if (owed := read_value(Owed, row[0])) is not None]

    async def settled(self, owed: Owed) -> None:
        """See `Eraser`."""
        mine = marks.c.name == _owed_name(owed)

        def work(unit: Unit) -> None:
            unit.conn.execute(delete(marks).where(mine))

        await self._committer.submit("settled", work, numbered=False)

    async def give_up(self, name: str) -> bool:
        """See `Eraser`."""
        mine = marks.c.name == name
        kind = next((kind for prefix, kind in DEBTS.items() if name.startswith(prefix)), None)

        def work(unit: Unit) -> bool:
            value = unit.conn.execute(select(marks.c.value).where(mine)).scalar_one_or_none()
            if kind is None or value is None or read_value(kind, value) is not None:
                return False
            unit.conn.execute(delete(marks).where(mine))
            return True

        return await self._committer.submit("given_up", work, numbered=False)

    async def remove(self, tenant: str, agent: str, *, now: datetime) -> Erased:
        """See `Eraser`."""
        return await self._committer.submit("remove", lambda unit: remove_marked(unit, Scope(tenant, agent), now))

    async def scrub(self) -> None:
        """See `Eraser`. SQLite overwrites what it deletes, but neither its log nor what it moved about in its pages
        before; PostgreSQL writes the rows that live into new files, and what its server archived is out of reach."""
        await asyncio.to_thread(self._rewrite_file if self._store.local else self._rewrite_tables)

    async def unfinished(self) -> list[Erased]:
        """See `Eraser`."""
        rows = await self._reader.rows(select(marks.c.value).where(marks.c.name.startswith(MARK)))
        found = [erased for row in rows if (erased := read_value(Erased, row[0])) is not None]
        return sorted(found, key=lambda erased: (erased.at, erased.run))

    async def finished(self, run: str) -> None:
        """See `Eraser`."""
        mine = marks.c.name == MARK + run

        def work(unit: Unit) -> None:
            unit.conn.execute(delete(marks).where(mine))

        await self._committer.submit("erased", work, numbered=False)
        if self._store.local:
            await asyncio.to_thread(self._empty_log)

    async def buried(self, tenant: str, memory_ids: Collection[str]) -> set[str]:
        """See `Eraser`."""
        keys = {memory_key(tenant, memory_id): memory_id for memory_id in memory_ids}
        found = await self._reader.read(lambda conn: buried(conn, keys))
        return {keys[each] for each in found}

    async def remains(self, erased: Erased) -> Sequence[str]:
        """See `Eraser`."""
        return await self._reader.read(lambda conn: _remains(conn, erased))

    def _rewrite_file(self) -> None:
        try:
            with translating(self._store.name), closing(self._engine.raw_connection()) as connection:
                cursor = connection.cursor()
                cursor.execute("PRAGMA auto_vacuum=INCREMENTAL")
                cursor.execute("VACUUM")
                busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        except sqlite3.Error as error:
            raise translated(DBAPIError(None, None, error), self._store.name) from error
        if busy:
            told = f"{self._store.name} is being read by another process: try again"
            raise BackendUnavailable(told, retry_after=1.0, of_the_machine=True)

    def _empty_log(self) -> None:
        """Leave nothing of the mark in the log; where somebody reads just now, who closes the store does it."""
        with suppress(sqlite3.Error), closing(self._engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _rewrite_tables(self) -> None:
        apart = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        with translating(self._store.name), apart.connect() as connection:
            connection.exec_driver_sql("SET statement_timeout = 0")
            for name in metadata.tables:
                connection.exec_driver_sql(f"VACUUM (FULL) {name}")
            connection.exec_driver_sql("RESET statement_timeout")


def _erase(unit: Unit, erasure: Erasure, owing: bool) -> Erased:
    """The erasure and those in copies, which the answer tells of in one row whatever made them from whom."""
    erased = _erase_from_one(unit, erasure)
    copies: list[Erased] = []
    waiting: list[tuple[str, str]] = []
    for copy in erasure.copies:
        if owing and copy.owed is not None and _changed(unit.conn, copy) is not None:
            row = {"name": checked(_owed_name(copy.owed), "owed"), "value": copy.owed.model_dump_json()}
            insert_many(unit.conn, marks, [row])
            waiting.append((copy.owed.tenant, copy.owed.agent_id))
        else:
            copies.append(_erase(unit, copy, owing))
    bare = [each for copy in copies for each in (copy.revised(copies=(), waiting=()), *copy.copies)]
    waiting += [each for copy in copies for each in copy.waiting]
    return erased.revised(copies=tuple(filter(_lost_anything, bare)), waiting=tuple(waiting))


def _owed_name(owed: Owed) -> str:
    return f"{OWED}{derived_id(owed.run, owed.tenant, owed.agent_id)}"


def _lost_anything(erased: Erased) -> bool:
    return bool(erased.memory_ids or erased.edited or erased.events or erased.rewritten or erased.jobs)


def _erase_from_one(unit: Unit, erasure: Erasure) -> Erased:
    conn, tenant = unit.conn, erasure.commit.tenant
    whole = Scope(tenant, erasure.agent)
    if (changed := _changed(conn, erasure)) is not None:
        raise Conflict(changed)
    purge_unfinished(unit, whole)
    write_commit(unit, erasure.commit)
    gone, kept = _memories(conn, whole, erasure), _in_reach(conn, whole, erasure.collapsed)
    single = _numbered(conn, whole, erasure.seqs)
    lost = [*_of_lanes(conn, erasure), *single]
    keyed = _under_keys(conn, whole, lost)
    rewritten = _numbered(conn, whole, [seq for seq, _ in erasure.rewritten])
    exports = _exports_with(conn, whole, [*gone, *kept])
    cached = _drop_vectors(conn, [*gone, *kept])
    jobs = count_jobs(conn, erasure.lanes) + take_work_back(unit, whole, erasure)
    _remove_memories(conn, [*gone])
    for lane in erasure.lanes:
        purge(unit, lane.scope)
    _collapse(conn, [*kept])
    _remove_events(conn, single, rewritten, erasure)
    coming = [each for each, kind in gone.items() if kind not in _MADE_ANEW]
    if is_released(conn, tenant, erasure.agent):
        # Nobody is made under this id any more, but a file of the agent may come in as somebody else.
        coming += [each for each in erasure.memory_ids if each not in gone]
    returning = [(memory_key(tenant, each), 0) for each in coming]
    events_of = [(bytes(row.event_key), row.seq) for row in [*lost, *rewritten]]
    edited = [*kept, *(each for each, kind in gone.items() if kind in _MADE_ANEW)]
    changed = [(edited_key(tenant, each), unit.numbers.ledger) for each in edited]
    bury(conn, tenant, erasure.agent, [*events_of, *keyed, *returning, *changed])
    return Erased(
        run=erasure.commit.run,
        tenant=tenant,
        agent_id=erasure.agent,
        at=erasure.commit.at,
        memory_ids=tuple(sorted(gone)),
        anew=tuple(sorted(each for each, kind in gone.items() if kind in _MADE_ANEW)),
        edited=tuple(sorted(kept)),
        events=tuple(sorted(bytes(row.event_key).hex() for row in lost)),
        rewritten=tuple(sorted(bytes(row.event_key).hex() for row in rewritten)),
        jobs=jobs,
        vectors=cached,
        left=erasure.left,
        exports=tuple(exports),
    )


def _changed(conn: Connection, erasure: Erasure) -> str | None:
    """What came in between since the erasure was planned, if anything did."""
    scope = Scope(erasure.commit.tenant, erasure.agent)
    later = select(func.count()).where(
        ledger.c.seq > erasure.head, ledger.c.tenant == scope.tenant, ledger.c.agent == scope.agent
    )
    received = sum(1 for _ in _of_lanes(conn, erasure))
    if conn.execute(later).scalar_one() or received != erasure.received:
        return f"what agent {scope.agent!r} knows was changed while its forgetting was planned"
    planned = {(copy.commit.tenant, copy.agent) for copy in erasure.copies}
    if planned != {(copy.tenant, copy.agent_id) for copy in copies_of(conn, scope.tenant, scope.agent)}:
        return f"agent {scope.agent!r} was copied while its forgetting was planned"
    return None


def _memories(conn: Connection, scope: Scope, erasure: Erasure) -> dict[str, str]:
    """The type of each memory that goes, by id."""
    found = _in_reach(conn, scope, erasure.memory_ids)
    for lane in erasure.lanes:
        rows = conn.execute(select(memories.c.memory_id, memories.c.type).where(in_reach(lane.scope)))
        found.update((row[0], row[1]) for row in rows)
    return found


def _in_reach(conn: Connection, scope: Scope, memory_ids: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for some in chunks(memory_ids):
        rows = conn.execute(
            select(memories.c.memory_id, memories.c.type).where(memories.c.memory_id.in_(some), in_reach(scope))
        )
        found.update((row[0], row[1]) for row in rows)
    return found


def _of_lanes(conn: Connection, erasure: Erasure) -> list[Record]:
    keys = [lane_key(lane) for lane in erasure.lanes]
    statement = select(events.c.seq, events.c.event_key).join(lanes, lanes.c.lane_id == events.c.lane_id)
    return [row for some in chunks(keys) for row in conn.execute(statement.where(lanes.c.lane_key.in_(some)))]


def _numbered(conn: Connection, scope: Scope, seqs: Sequence[int]) -> list[Record]:
    statement = select(events.c.seq, events.c.event_key).join(lanes, lanes.c.lane_id == events.c.lane_id)
    mine = statement.add_columns(events.c.lane_id).where(in_scope(scope))
    return [row for some in chunks(seqs) for row in conn.execute(mine.where(events.c.seq.in_(some)))]


def _under_keys(conn: Connection, whole: Scope, lost: Sequence[Record]) -> list[tuple[bytes, int]]:
    """The keys and numbers of turns as a caller who repeats his key would send them again: those from before keys were
    the person's own were stored under the key itself."""
    turns = select(events.c.seq, events.c.event_id, events.c.body).where(events.c.kind == "turn_spoken")
    found: list[tuple[bytes, int]] = []
    for some in chunks([row.seq for row in lost]):
        for seq, event_id, body in conn.execute(turns.where(events.c.seq.in_(some))):
            if not is_id(event_id.rpartition("/")[2]):
                again = keyed_event_id(json.loads(body)["person"]["name"], event_id)
                found.append((key(whole.tenant, whole.agent, again), seq))
    return found


def _exports_with(conn: Connection, scope: Scope, memory_ids: Sequence[str]) -> list[str]:
    """The digests of the bundles that left the agent when it had one of these memories."""
    left = [each for each in made_from(conn, scope.tenant, scope.agent) if each.kind == "export"]
    firsts = [conn.execute(_FIRST, {"ids": some}).scalar() for some in (chunks(memory_ids) if left else ())]
    first = min((each for each in firsts if each is not None), default=None)
    return [each.file for each in left if each.file and first is not None and first <= each.head]


def _drop_vectors(conn: Connection, memory_ids: Sequence[str]) -> int:
    """The cached vectors of all texts these memories ever had; how many."""
    keys: set[bytes] = set()
    for some in chunks(memory_ids):
        for body in conn.execute(_BODIES, {"ids": some}).scalars():
            keys.update(bytes.fromhex(text_key(text[:EMBEDDED_CHARACTERS])) for text in embedded_texts(body))
    return sum(conn.execute(delete(vectors).where(vectors.c.key.in_(some))).rowcount for some in chunks(sorted(keys)))


def _remove_memories(conn: Connection, memory_ids: Sequence[str]) -> None:
    for some in chunks(memory_ids):
        conn.execute(delete(ledger).where(ledger.c.memory_id.in_(some)))
        conn.execute(delete(memories).where(memories.c.memory_id.in_(some)))
        resting = or_(dependencies.c.memory_id.in_(some), dependencies.c.source_id.in_(some))
        conn.execute(delete(dependencies).where(resting))
        aside = jobs.c.payload.in_([projection_body(memory_id) for memory_id in some])
        conn.execute(delete(jobs).where(jobs.c.worker == PROJECTION, jobs.c.died.is_not(None), aside))


def _collapse(conn: Connection, memory_ids: Sequence[str]) -> None:
    """Of the history of these memories only the last row stays, with nothing before it."""
    for some in chunks(memory_ids):
        mine = ledger.c.memory_id.in_(some)
        conn.execute(delete(ledger).where(mine, ledger.c.seq != _LAST))
        conn.execute(update(ledger).where(mine).values(prev=None))


def _remove_events(conn: Connection, lost: Sequence[Record], rewritten: Sequence[Record], erasure: Erasure) -> None:
    for some in chunks([row.seq for row in lost]):
        conn.execute(delete(events).where(events.c.seq.in_(some)))
    mine = {row.seq for row in rewritten}
    for seq, event in erasure.rewritten:
        if seq in mine:
            conn.execute(_REWRITE, {"number": seq, "words": event_body(event)})
    recount_turns(conn, {row.lane_id for row in lost})


def _remains(conn: Connection, erased: Erased) -> list[str]:
    found: list[str] = []
    for some in chunks(erased.everywhere):
        there = select(ledger.c.memory_id).where(ledger.c.memory_id.in_(some)).distinct()
        found += conn.execute(there).scalars()
    for some in chunks([bytes.fromhex(digest) for digest in erased.events]):
        stored = select(events.c.event_key).where(events.c.event_key.in_(some))
        found += [bytes(digest).hex() for digest in conn.execute(stored).scalars()]
    return found + [job_id for each in (erased, *erased.copies) for job_id in _jobs_about(conn, each)]


def _jobs_about(conn: Connection, erased: Erased) -> list[str]:
    """The jobs without events that may hold words and name a memory that went."""
    if not erased.lasting:
        return []
    mine = in_scope(Scope(erased.tenant, erased.agent_id))
    carried = select(jobs.c.job_id, jobs.c.payload).join(lanes, lanes.c.lane_id == jobs.c.lane_id)
    rows = conn.execute(carried.where(mine, jobs.c.seqs == "[]", jobs.c.payload != "")).all()
    gone = set(erased.lasting)
    return [row[0] for row in rows if not gone.isdisjoint(ids_in(row[1])) and made_of_unknown(row[1])]
