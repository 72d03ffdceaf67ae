"""What runs changed, out of the rows of the ledger: change by change, and as a summary of each run."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, func, select

from agentmem.adapters.journal.dialect import Record, chunks
from agentmem.adapters.journal.lineages import shown
from agentmem.adapters.journal.schema import ledger
from agentmem.adapters.journal.writable import stored_node
from agentmem.domain.change import Change, LedgerEntry
from agentmem.ledger.undo import taken_back
from agentmem.ports.ledger import RunSummary

_ROWS_AT_ONCE = 1_000
"""Rows that are gone through before it is known how many runs they are of."""

_previous = ledger.alias("previous")
ENTRIES = (
    select(
        ledger.c.seq,
        ledger.c.run,
        ledger.c.cause,
        ledger.c.at,
        ledger.c.act,
        ledger.c.reason,
        ledger.c.tenant,
        ledger.c.memory_id,
        ledger.c.after,
        ledger.c.prev,
        _previous.c.seq.label("earlier"),
        _previous.c.after.label("before"),
    )
    .outerjoin(_previous, _previous.c.seq == ledger.c.prev)
    .where(shown(ledger))
    .order_by(ledger.c.seq)
)
_RUNS = (
    select(
        ledger.c.run,
        ledger.c.target,
        ledger.c.act,
        func.max(ledger.c.seq).label("seq"),
        func.max(ledger.c.at).label("at"),
        func.count().label("changes"),
    )
    .where(shown(ledger))
    .group_by(ledger.c.run, ledger.c.target, ledger.c.act)
)
_undone = ledger.alias("undone")
_UNDOINGS = (
    select(_undone.c.run, _undone.c.reason)
    .join(ledger, ledger.c.memory_id == _undone.c.memory_id)
    .where(_undone.c.act == "undo")
    .group_by(_undone.c.run, _undone.c.reason)
    .order_by(func.min(_undone.c.seq))
)
_LAST_ROWS = select(ledger.c.seq, ledger.c.run).where(shown(ledger)).order_by(ledger.c.seq.desc()).limit(_ROWS_AT_ONCE)


def of_run(conn: Connection, mine: ColumnElement[bool], after: int, limit: int | None) -> list[LedgerEntry]:
    """Changes, oldest first; again behind the last row, where rows that cannot be read leave the page short."""
    found: list[LedgerEntry] = []
    while limit is None or len(found) < limit:
        rows = conn.execute(ENTRIES.where(mine, ledger.c.seq > after).limit(limit)).all()
        found += entries(rows)
        if limit is None or len(rows) < limit:
            break
        after = rows[-1].seq
    return found[:limit]


def runs(conn: Connection, mine: ColumnElement[bool], before: int, limit: int) -> list[RunSummary]:
    """One for each run, the latest first. Rows are gone through from the last one on until there are as many runs, so
    that earlier ones cost nothing."""
    found: list[RunSummary] = []
    seen: set[str] = set()
    below = before
    while len(found) < limit and (rows := conn.execute(_LAST_ROWS.where(mine, ledger.c.seq < below)).all()):
        below = rows[-1].seq
        fresh = {row.run for row in rows} - seen
        seen |= fresh
        found += (run for run in _summaries(conn, mine, fresh) if run.seq < before)
    return found[:limit]


def _summaries(conn: Connection, mine: ColumnElement[bool], runs: Collection[str]) -> list[RunSummary]:
    parts: dict[str, list[Record]] = {}
    undone: set[str] = set()
    for some in chunks(list(runs)):
        for row in conn.execute(_RUNS.where(mine, ledger.c.run.in_(some))):
            parts.setdefault(row.run, []).append(row)
        undoings = conn.execute(_UNDOINGS.where(mine, ledger.c.run.in_(some)))
        undone |= taken_back((row.run, row.reason) for row in undoings)
    return sorted((_run(name, rows, undone=name in undone) for name, rows in parts.items()), key=lambda run: -run.seq)


def _run(name: str, rows: Sequence[Record], *, undone: bool) -> RunSummary:
    acts = Counter[str]()
    for row in rows:
        acts[row.act] += row.changes
    last = max(rows, key=lambda row: row.seq)
    targets = tuple(sorted({row.target for row in rows}))
    return RunSummary(name, datetime.fromisoformat(last.at), last.seq, targets, dict(sorted(acts.items())), undone)


def entries(rows: Iterable[Record]) -> list[LedgerEntry]:
    """The changes that can be read."""
    found = (_entry(row) for row in rows)
    return [entry for entry in found if entry is not None]


def _entry(row: Record) -> LedgerEntry | None:
    known = {name: getattr(row, name) for name in ("before", "after")}
    states = {name: body and stored_node(body, row.tenant, row.memory_id) for name, body in known.items()}
    if any(known[name] and state is None for name, state in states.items()):
        return None
    change = Change(act=row.act, reason=row.reason, **states)
    return LedgerEntry(
        seq=row.seq,
        run=row.run,
        cause=row.cause,
        at=datetime.fromisoformat(row.at),
        change=change,
        memory_id=row.memory_id,
        severed=row.earlier is None and (row.prev is not None or row.act != "add"),
    )
