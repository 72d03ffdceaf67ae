"""What keeps a journal well: the `Storage` port, which keeps it from growing for ever, and the `Diagnostics` port,
which looks for rows that cannot be read and for what was left behind.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from sqlalchemy import Connection, bindparam, delete, func, select, text, type_coerce, update

from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.connections import Store
from agentmem.adapters.journal.dialect import Record, Statement, insert_many, moment
from agentmem.adapters.journal.leases import Holder
from agentmem.adapters.journal.removal import DEBTS
from agentmem.adapters.journal.schema import (
    RawBody,
    agents,
    events,
    jobs,
    lanes,
    leases,
    ledger,
    lineages,
    marks,
    memories,
)
from agentmem.adapters.journal.transactions import ReadPool, Unit
from agentmem.adapters.journal.writable import checked_node, must_be, read_event, read_persona
from agentmem.domain.bounds import MAX_TIME
from agentmem.domain.lineage import Lineage
from agentmem.domain.memory import microseconds
from agentmem.domain.packed import kept, unpacked
from agentmem.errors import Unreadable
from agentmem.ports.ledger import number_in
from agentmem.ports.upkeep import Diagnosis, Folded, UnreadableRows
from agentmem.ports.work_queue import PROJECTION

PAGE = 500
_FREE_PAGES = 1_000
"""Of 4 KB each: less is not worth a transaction. Half of them is what one gives back, in a few milliseconds."""

_REACHED, _UNTIL = "history.folded.seq", "history.folded.until"
_ROWS = (
    select(ledger.c.seq, ledger.c.memory_id, ledger.c.prev, ledger.c.at)
    .where(ledger.c.seq > bindparam("reached"))
    .order_by(ledger.c.seq)
    .limit(PAGE)
)
_EARLIER = select(ledger.c.seq, ledger.c.at).where(
    ledger.c.memory_id == bindparam("memory"), ledger.c.seq < bindparam("number")
)
_FIRST_OF_ITS_MEMORY = update(ledger).where(ledger.c.seq == bindparam("number")).values(prev=None)
_MARK = select(marks.c.value).where(marks.c.name == bindparam("mark"))
_AS_KEPT = (
    select(ledger.c.seq, type_coerce(ledger.c.after, RawBody()))
    .where(ledger.c.seq > bindparam("after"))
    .order_by(ledger.c.seq)
    .limit(bindparam("count"))
)
_REPACK = update(ledger).where(ledger.c.seq == bindparam("number")).values(after=bindparam("body", type_=RawBody()))
_INCREMENTAL = 2
_KEEP_MARK = "ON CONFLICT (name) DO UPDATE SET value = excluded.value"


def folded_until(conn: Connection) -> datetime | None:
    """Up to when states were folded away; None where none ever was."""
    value = conn.execute(_MARK, {"mark": _UNTIL}).scalar_one_or_none()
    return None if value is None else datetime.fromisoformat(value)


class SqlStorage:
    """Works through the committer, a page at a time, so that nobody waits long."""

    def __init__(self, store: Store, committer: Committer, reader: ReadPool) -> None:
        self._store, self._committer, self._reader = store, committer, reader

    async def fold(self, before: datetime, *, now: datetime) -> Folded:
        """See `Storage`."""
        return await self._committer.submit("fold", lambda unit: _fold(unit.conn, before, now), numbered=False)

    async def pack(self, after: int, *, limit: int) -> int | None:
        """See `Storage`."""
        return await self._committer.submit("pack", lambda unit: _pack(unit.conn, after, limit), numbered=False)

    async def give_back(self) -> bool:
        """See `Storage`. PostgreSQL sees to it by itself."""
        if not self._store.local:
            return False
        return await self._committer.submit("give back", _give_back, numbered=False)

    async def size(self) -> int:
        """See `Storage`."""
        if self._store.file is not None:
            file = self._store.file.path
            parts = (file.with_name(file.name + end) for end in ("", "-wal"))
            return sum(part.stat().st_size for part in parts if part.exists())
        whole = text(
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c "
            "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname = current_schema()"
        )
        return await self._reader.read(lambda conn: int(conn.execute(whole).scalar_one()))


def _fold(conn: Connection, before: datetime, now: datetime) -> Folded:
    if conn.execute(select(lineages.c.lineage_id).where(lineages.c.state == "making").limit(1)).first():
        return Folded(0, more=False)
    reached = number_in(conn.execute(_MARK, {"mark": _REACHED}).scalar_one_or_none())
    rows: Sequence[Record] = conn.execute(_ROWS, {"reached": reached}).all()
    gone, more = 0, len(rows) == PAGE
    for row in rows:
        at = datetime.fromisoformat(row.at)
        if before < at <= now:
            more = False
            break
        reached = row.seq
        if row.prev is not None and at <= before:
            gone += _fold_behind(conn, row, before)
    _note(conn, _REACHED, str(reached))
    until = folded_until(conn)
    if gone and (until is None or until < before):
        _note(conn, _UNTIL, before.isoformat())
    return Folded(gone, more)


def _fold_behind(conn: Connection, row: Record, before: datetime) -> int:
    """Take away the states before this one, unless a clock that ran ahead dates one of them later; how many."""
    earlier = conn.execute(_EARLIER, {"memory": row.memory_id, "number": row.seq}).all()
    if any(datetime.fromisoformat(each.at) > before for each in earlier):
        return 0
    conn.execute(delete(ledger).where(ledger.c.seq.in_([each.seq for each in earlier])))
    conn.execute(_FIRST_OF_ITS_MEMORY, {"number": row.seq})
    return len(earlier)


def _note(conn: Connection, name: str, value: str) -> None:
    insert_many(conn, marks, [{"name": name, "value": value}], _KEEP_MARK)


def _pack(conn: Connection, after: int, limit: int) -> int | None:
    rows: Sequence[Record] = conn.execute(_AS_KEPT, {"after": after, "count": limit}).all()
    for row in rows:
        with suppress(ValueError):  # what cannot be read stays as it is
            if (body := row[1] and kept(unpacked(row[1]))) != row[1]:
                conn.execute(_REPACK, {"number": row.seq, "body": body})
    return rows[-1].seq if rows else None


def _give_back(unit: Unit) -> bool:
    """Stores that were made before there was a list of what may go have none, until `VACUUM` makes one."""
    free, listed = (unit.conn.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("freelist_count", "auto_vacuum"))
    if free is None or free < _FREE_PAGES or listed != _INCREMENTAL:
        return False
    with closing(unit.conn.connection.cursor()) as cursor:
        cursor.execute(f"PRAGMA incremental_vacuum({_FREE_PAGES // 2})")
        cursor.fetchall()
    return True


_EVENTS = select(lanes.c.tenant, events.c.event_id, events.c.body).join(lanes, lanes.c.lane_id == events.c.lane_id)
_MEMORIES = select(memories.c.tenant, memories.c.memory_id, ledger.c.after, memories.c.timestamp).join(
    ledger, ledger.c.seq == memories.c.seq
)
_STATES = select(ledger.c.tenant, ledger.c.memory_id, ledger.c.after).where(
    ~select(memories.c.seq).where(memories.c.seq == ledger.c.seq).exists()
)
_PERSONAS = select(agents.c.tenant, agents.c.agent, agents.c.persona)
_LINEAGES = select(lineages.c.tenant, lineages.c.agent, lineages.c.body)
_NEWEST = select(func.max(events.c.accepted_at)).where(events.c.accepted_at < microseconds(MAX_TIME))
_ASIDE = select(func.count()).where(jobs.c.worker == PROJECTION, jobs.c.died.is_not(None))
_HOLDERS = select(leases.c.holder).where(leases.c.holder.is_not(None))
_PAGE = 1_000


def _event(row: Record) -> None:
    read_event(row[2])


def _memory(row: Record) -> None:
    if row[2] is not None and checked_node(row[2], row[0], row[1]).timestamp != row[3]:
        raise Unreadable("it stands in the list at another time than its own")


def _state(row: Record) -> None:
    if row[2] is not None:
        checked_node(row[2], row[0], row[1])


def _persona(row: Record) -> None:
    read_persona(row[2])


def _lineage(row: Record) -> None:
    must_be(Lineage, row[2])


_KINDS: dict[str, tuple[Statement, Callable[[Record], None]]] = {
    "event": (_EVENTS, _event),
    "memory": (_MEMORIES, _memory),
    "earlier state of a memory": (_STATES, _state),
    "persona": (_PERSONAS, _persona),
    "lineage": (_LINEAGES, _lineage),
}
_TORN: dict[str, Statement] = {
    "memory points at a state that is not there": text(
        "SELECT count(*) FROM memories WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.seq = memories.seq)"
    ),
    "memory is not where its last state is": text(
        "SELECT count(*) FROM (SELECT max(seq) AS seq FROM ledger GROUP BY memory_id) AS last "
        "WHERE NOT EXISTS (SELECT 1 FROM memories WHERE memories.seq = last.seq)"
    ),
    "job waits in no line": text(
        "SELECT count(*) FROM jobs WHERE died IS NULL AND NOT EXISTS "
        "(SELECT 1 FROM heads WHERE heads.lane_id = jobs.lane_id AND heads.worker = jobs.worker)"
    ),
    "event is of nobody": text(
        "SELECT count(*) FROM events WHERE NOT EXISTS (SELECT 1 FROM lanes WHERE lanes.lane_id = events.lane_id)"
    ),
    "number would be given out twice": text(
        "SELECT count(*) FROM counters WHERE event < (SELECT max(seq) FROM events) "
        "OR ledger < (SELECT max(seq) FROM ledger) OR job < (SELECT max(job_no) FROM jobs) "
        "OR lane < (SELECT max(lane_id) FROM lanes)"
    ),
}
"""What the tables say of one another in a journal of which no row was lost: how often they do not."""


@dataclass(slots=True)
class _RowFaults:
    rows: dict[tuple[str, str], list[tuple[str, str]]] = field(
        default_factory=dict[tuple[str, str], list[tuple[str, str]]]
    )

    def add(self, kind: str, tenant: str, name: str, error: Unreadable) -> None:
        self.rows.setdefault((kind, tenant), []).append((name, str(error)))

    def unread(self) -> Iterator[UnreadableRows]:
        for (kind, tenant), found in sorted(self.rows.items()):
            yield UnreadableRows(kind, tenant, len(found), *found[0])


class SqlDiagnostics:
    """Reads beside the writer."""

    def __init__(self, reader: ReadPool, me: Holder, *, local: bool) -> None:
        self._reader, self._me, self._local = reader, me, local

    async def diagnose(self) -> Diagnosis:
        """See `Diagnostics`."""
        return await self._reader.read(self._look)

    def _look(self, conn: Connection) -> Diagnosis:
        newest = conn.execute(_NEWEST).scalar_one()
        holders = (Holder.parse(name) for name in conn.execute(_HOLDERS).scalars().all())
        gone = [one for one in holders if one is not None and one.is_gone(self._me, local=self._local)]
        return Diagnosis(
            unread=tuple(_unread(conn)),
            set_aside=int(conn.execute(_ASIDE).scalar_one()),
            abandoned=len(gone),
            newest=None if newest is None else moment(newest),
            torn=_torn(conn),
        )


def _torn(conn: Connection) -> dict[str, int]:
    found = {what: int(conn.execute(statement).scalar_one()) for what, statement in _TORN.items()}
    return {what: count for what, count in found.items() if count}


def _unread(conn: Connection) -> Iterator[UnreadableRows]:
    found = _RowFaults()
    for kind, (statement, read) in _KINDS.items():
        rows = cast("Iterable[Record]", conn.execute(statement, execution_options={"yield_per": _PAGE}))
        for row in rows:
            try:
                read(row)
            except Unreadable as error:
                found.add(kind, row[0], row[1], error)
    for prefix, kind in DEBTS.items():
        for row in conn.execute(select(marks.c.name, marks.c.value).where(marks.c.name.startswith(prefix))).all():
            try:
                must_be(kind, row.value)
            except Unreadable as error:
                found.add("debt of an erasure", "", row.name, error)
    return found.unread()
