"""Creating the tables, bringing older ones up to date, and leaving newer ones alone."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from sqlalchemy import Connection, Dialect, Engine, Index, Text, and_, bindparam, inspect, select, text, update
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

from agentmem.adapters.journal.attention import record_dependencies
from agentmem.adapters.journal.backups.snapshot import write_backup
from agentmem.adapters.journal.connections import Store
from agentmem.adapters.journal.dialect import Record, insert_many
from agentmem.adapters.journal.earlier_states import rewrite_turns
from agentmem.adapters.journal.schema import (
    VERSION,
    counters,
    dependencies,
    events,
    heads,
    jobs,
    lanes,
    leases,
    ledger,
    lineages,
    memories,
    metadata,
    schema_version,
    tokens,
    tombstones,
    windows,
)
from agentmem.adapters.journal.writable import node_body, payload_body, payload_of_note, seqs_of, stored_node
from agentmem.domain.change import Change
from agentmem.domain.memory import MemoryType, StoreStatus, microseconds
from agentmem.domain.packed import kept
from agentmem.domain.payload import KeepInsights
from agentmem.domain.staleness import attention, fades_at
from agentmem.errors import NeedsRepair
from agentmem.private_files import make_folder

_PAGE = 1_000
CONTEXT_TURNS = 4
"""Earlier turns that a window of version 7 could quote."""
_BODIES = (
    select(memories.c.memory_id, memories.c.tenant, ledger.c.act, ledger.c.after)
    .join(ledger, ledger.c.seq == memories.c.seq)
    .where(memories.c.memory_id > bindparam("behind"), ledger.c.after.is_not(None))
    .order_by(memories.c.memory_id)
    .limit(_PAGE)
)
_ASKED = "asked to forget it"
_FORGETTINGS = (
    select(*ledger.c, ledger.c.after.label("body"))
    .join(memories, memories.c.seq == ledger.c.seq)
    .where(ledger.c.act == "forget", memories.c.memory_id > bindparam("after"), ledger.c.after.is_not(None))
    .order_by(memories.c.memory_id)
    .limit(_PAGE)
)
_first = events.alias("first")
_BEFORE_WINDOW = (
    select(events.c.seq)
    .join(_first, and_(_first.c.lane_id == events.c.lane_id, _first.c.run_id == events.c.run_id))
    .where(_first.c.seq == bindparam("first"), events.c.seq < _first.c.seq, events.c.kind == "turn_spoken")
    .order_by(events.c.seq.desc())
    .limit(CONTEXT_TURNS)
)
_POINT = (
    update(memories)
    .where(memories.c.memory_id == bindparam("id"))
    .values(attention=bindparam("look"), fades=bindparam("due"))
)


def _note_what_rests_on_what(conn: Connection) -> None:
    """From version 1: what memories rest on, which ones reflection should look at, when they fade."""
    for column in (memories.c.attention, memories.c.fades):
        kind = column.type.compile(conn.dialect)
        conn.execute(text(f"ALTER TABLE {memories.name} ADD COLUMN {column.name} {kind}"))
    dependencies.create(conn)
    for index in memories.indexes:
        if index.name in ("memories_to_look_at", "memories_fading"):
            index.create(conn)
    behind = ""
    while rows := conn.execute(_BODIES, {"behind": behind}).all():
        behind = rows[-1].memory_id
        for row in rows:
            node = stored_node(row.after, row.tenant, row.memory_id)
            if node is None:
                continue
            due = fades_at(node, row.act)
            look = attention(node, row.act)
            conn.execute(_POINT, {"id": row.memory_id, "look": look, "due": None if due is None else microseconds(due)})
            record_dependencies(conn, [Change(act="add", after=node)])


def _know_lineages(conn: Connection) -> None:
    """From version 3: who was made from whom, and the rows of one agent in their order."""
    lineages.create(conn)
    for index in ledger.indexes:
        if index.name == "ledger_of_agent":
            index.create(conn)


def _pack_bodies(conn: Connection) -> None:
    """From version 4: bodies are bytes, packed from now on. SQLite holds them in a column for text as well, and what is
    there is read as it is until `agentmem compact` packs it."""
    columns = inspect(conn).get_columns(ledger.name)
    after = next(column for column in columns if column["name"] == ledger.c.after.name)
    if conn.dialect.name == "postgresql" and isinstance(after["type"], Text):
        name = f'"{ledger.c.after.name}"'
        conn.exec_driver_sql(f"ALTER TABLE {ledger.name} ALTER {name} TYPE BYTEA USING convert_to({name}, 'UTF8')")


def _count_crashes(conn: Connection) -> None:
    """From version 5: whose jobs a lease is for, and how many processes ended at a job."""
    for column, rest in ((leases.c.worker, ""), (jobs.c.crashes, " NOT NULL DEFAULT 0")):
        kind = column.type.compile(conn.dialect)
        conn.execute(text(f"ALTER TABLE {column.table.name} ADD COLUMN {column.name} {kind}{rest}"))


def _forget_what_was_ended(conn: Connection) -> None:
    """From version 6: what was to be forgotten was only ended before, and told of the past. It is forgotten now, as
    another change of the run that ended it, so that to take that run back still brings it back; and the events of turns
    say what forgetting left of them."""
    after, number = "", int(conn.execute(select(counters.c.ledger)).scalar_one())
    while rows := conn.execute(_FORGETTINGS, {"after": after}).all():
        after = rows[-1].memory_id
        changes = [change for row in rows if (change := _forgetting(row)) is not None]
        rewrite_turns(conn, [change for change, _ in changes])
        for change, row in changes:
            node = change.after
            if node is None or not node.is_forgotten:
                continue
            number += 1
            copied = {name: getattr(row, name) for name in ("tenant", "agent", "target", "memory_id", "run", "cause")}
            written = {"at": row.at, "act": change.act, "reason": row.reason, "after": kept(node_body(node))}
            insert_many(conn, ledger, [{"seq": number, "prev": row.seq} | copied | written])
            pointer = {"status": node.store_status.value, "revision": node.revision, "seq": number}
            conn.execute(update(memories).where(memories.c.memory_id == row.memory_id).values(pointer))
    conn.execute(counters.update().values(ledger=number))


def _forgetting(row: Record) -> tuple[Change, Record] | None:
    """What a forgetting of the kind there was before comes to now; None where that cannot be read."""
    node = stored_node(row.body, row.tenant, row.memory_id)
    if node is None:
        return None
    ended = row.reason == _ASKED and node.store_status is StoreStatus.EXPIRED
    return Change(act="forget", before=node, after=node.forgotten() if ended else node), row


def _say_what_jobs_carry(conn: Connection) -> None:
    """From version 7: which job reads which events, though of windows that are read already nothing says it; and what
    a job carries says of which kind it is. What cannot be made out stays, and is set aside when it is claimed."""
    windows.create(conn)
    conn.execute(text(f"ALTER TABLE {jobs.name} RENAME COLUMN note TO {jobs.c.payload.name}"))
    for row in conn.execute(select(jobs)).all():
        seqs = seqs_of(row.seqs)
        if row.worker == "observation" and seqs:
            span = {"lane_id": row.lane_id, "last_seq": seqs[-1], "first_seq": seqs[0], "job_id": row.job_id}
            insert_many(conn, windows, [span], "ON CONFLICT DO NOTHING")
        if not row.payload:
            continue
        payload = payload_of_note(row.worker, row.payload)
        if payload is None:
            continue
        if isinstance(payload, KeepInsights) and seqs:
            seqs = [*conn.execute(_BEFORE_WINDOW, {"first": seqs[0]}).scalars().all()[::-1], *seqs]
        carried = {"seqs": json.dumps(seqs), "payload": payload_body(payload)}
        conn.execute(update(jobs).where(jobs.c.job_no == row.job_no).values(carried))


def _let_tenants_take_turns(conn: Connection) -> None:
    """From version 8: which tenant's the first jobs in line are."""
    kind = heads.c.tenant.type.compile(conn.dialect)
    conn.execute(text(f"ALTER TABLE {heads.name} ADD COLUMN {heads.c.tenant.name} {kind} NOT NULL DEFAULT ''"))
    whose = select(lanes.c.tenant).where(lanes.c.lane_id == heads.c.lane_id).scalar_subquery()
    conn.execute(update(heads).values(tenant=whose))
    conn.execute(text("DROP INDEX heads_by_age"))
    for index in heads.indexes:
        index.create(conn)


def _know_records(conn: Connection) -> None:
    """From version 10: which memories are what a program keeps, so that its listings need not look at the others."""
    kind = memories.c.record.type.compile(conn.dialect)
    conn.execute(text(f"ALTER TABLE {memories.name} ADD COLUMN {memories.c.record.name} {kind}"))
    behind = ""
    while rows := conn.execute(_BODIES.where(memories.c.type == MemoryType.LONGTERM.value), {"behind": behind}).all():
        behind = rows[-1].memory_id
        for row in rows:
            node = stored_node(row.after, row.tenant, row.memory_id)
            if node is not None and node.record is not None:
                told = update(memories).where(memories.c.memory_id == row.memory_id)
                conn.execute(told.values(record=node.record.value))
    for index in memories.indexes:
        if index.name == "memories_recorded":
            index.create(conn)


STEPS: Mapping[int, Callable[[Connection], None]] = {
    1: _note_what_rests_on_what,
    2: tombstones.create,
    3: _know_lineages,
    4: _pack_bodies,
    5: _count_crashes,
    6: _forget_what_was_ended,
    7: _say_what_jobs_carry,
    8: _let_tenants_take_turns,
    9: tokens.create,
    10: _know_records,
}
"""What brings version n to n + 1. All steps of one opening run in one transaction."""

_BEFORE = "before-schema-"
_KEPT = 2
_LOCK = 0x6167656E746D656D


def open_store(store: Store, writing: Engine, reading: Engine, *, backups: Path | None = None) -> None:
    """Make the store ready for use; called before anything else writes to it. Killed half way, it leaves no trace.

    Nothing is written where nothing is to be done, so whoever only reads waits for no writer. Before an older store is
    changed, a backup of it is written into the folder `backups`.
    """
    if store.file is not None:
        store.file.prepare()
    with reading.connect() as conn, conn.begin():
        found = _refuse_newer(conn, store)
        if store.read_only:
            _refuse_older(found, store)
            return
        if found == VERSION and _has_log(conn, store):
            return
    with writing.connect() as conn:
        if store.local:
            _use_wal(conn)
        with conn.begin():
            _prepare(conn, store, backups)
    with reading.connect() as conn, conn.begin():
        _refuse_newer(conn, store)  # so that it knows of the log, and takes part in folding it


def _refuse_older(found: int | None, store: Store) -> None:
    if found != VERSION:
        held = "holds no journal yet" if found is None else f"was written by an older agentmem (schema {found})"
        raise NeedsRepair(f"{store.name} {held} and may not be written: open it once where it may be, or copy it there")


def _has_log(conn: Connection, store: Store) -> bool:
    return not store.local or conn.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"


def _use_wal(conn: Connection) -> None:
    cursor = conn.connection.cursor()
    cursor.execute("PRAGMA auto_vacuum=INCREMENTAL")  # of a new file; an older one gets it with the next `VACUUM`
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.close()


def _prepare(conn: Connection, store: Store, backups: Path | None) -> None:
    if store.schema is not None:
        conn.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        schema = conn.dialect.identifier_preparer.quote(store.schema)
        conn.execute(text(f"CREATE SCHEMA IF NOT EXISTS {schema}"))
    found = _refuse_newer(conn, store)
    if found is None:
        for statement in _definitions(conn.dialect):
            conn.exec_driver_sql(statement)
        conn.execute(schema_version.insert().values(version=VERSION))
        conn.execute(counters.insert().values(id=1, event=0, ledger=0, job=0, lane=0, fence=0, backlog=0))
        return
    if found < VERSION and backups is not None:
        _back_up(store, found, backups)
    bring_up_to_date(conn, found)


@lru_cache(maxsize=2)
def _definitions(dialect: Dialect) -> tuple[str, ...]:
    """What makes the tables of a new store and their indexes."""
    made: list[ExecutableDDLElement] = []
    for table in metadata.sorted_tables:
        made += [CreateTable(table), *(CreateIndex(index) for index in sorted(table.indexes, key=_name))]
    return tuple(str(each.compile(dialect=dialect)) for each in made)


def _name(index: Index) -> str:
    return str(index.name)


def bring_up_to_date(conn: Connection, version: int) -> None:
    """Take every step from `version` to today's."""
    for each in range(version, VERSION):
        STEPS[each](conn)
    if version < VERSION:
        conn.execute(schema_version.update().values(version=VERSION))


def _back_up(store: Store, version: int, folder: Path) -> None:
    """Keep the store as it was, and of earlier ones the last."""
    file = folder / f"{_BEFORE}{VERSION}-from-{version}.backup"
    make_folder(folder)
    write_backup(store, file, folder, now=datetime.now(UTC), force=True)
    there = sorted(folder.glob(f"{_BEFORE}*.backup"), key=lambda each: each.stat().st_mtime_ns, reverse=True)
    for each in there[_KEPT:]:
        each.unlink(missing_ok=True)


def _refuse_newer(conn: Connection, store: Store) -> int | None:
    """The version that is there, or None where there is nothing yet."""
    tables = set(inspect(conn).get_table_names(schema=store.schema))
    if schema_version.name not in tables:
        if tables:
            raise NeedsRepair(f"{store.name} holds tables of something else: name another place")
        return None
    found = int(conn.execute(schema_version.select()).scalar_one())
    if found > VERSION:
        raise NeedsRepair(
            f"{store.name} was written by a newer agentmem (schema {found}, this one knows {VERSION}): "
            "run `pip install --upgrade agentmem-framework`; nothing was changed"
        )
    return found
