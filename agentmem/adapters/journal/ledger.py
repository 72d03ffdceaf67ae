"""What is known, and how it came to be: the `Ledger` port."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, or_, select

from agentmem.adapters.journal.attention import fading, lanes_due, lanes_with_news, news, proving
from agentmem.adapters.journal.commit_rows import preview_commit, write_commit
from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.dialect import Record, Row, Statement, beside_the_index, chunks
from agentmem.adapters.journal.earlier_states import load_known
from agentmem.adapters.journal.lanes import in_reach, lane_key
from agentmem.adapters.journal.lineages import made_from, shown
from agentmem.adapters.journal.maintenance import folded_until
from agentmem.adapters.journal.removal import purge_marked
from agentmem.adapters.journal.runs import ENTRIES, entries, of_run, runs
from agentmem.adapters.journal.schema import counters, dependencies, ledger, memories
from agentmem.adapters.journal.transactions import ReadPool, Unit
from agentmem.adapters.journal.writable import checked_node, stored_node
from agentmem.domain.bounds import check_time
from agentmem.domain.change import Change, LedgerEntry
from agentmem.domain.ids import ids_in
from agentmem.domain.memory import LAYERS, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import InvalidInput, Unreadable
from agentmem.ports.ledger import Commit, News, RunSummary, Selection, Version

_READ_AT_ONCE = 200
"""Memories whose states are looked at before it is known how many of them a question about the past lets through."""

_NO_ROW = 2**63 - 1

# The tenant is compared in Python: given it, SQLite reads all of the tenant's rows instead of the ids asked for.
_BODIES = (
    select(memories.c.memory_id, memories.c.tenant, ledger.c.after)
    .join(ledger, ledger.c.seq == memories.c.seq)
    .where(memories.c.memory_id.in_(bindparam("ids", expanding=True)), memories.c.status.is_not(None), shown(memories))
)
_TOLD = _BODIES.where(memories.c.status != StoreStatus.DELETED.value)
_SINCE = (
    select(*(memories.c.seq, memories.c.memory_id), *(ledger.c.tenant, ledger.c.agent, ledger.c.target), ledger.c.after)
    .join(ledger, ledger.c.seq == memories.c.seq)
    .where(memories.c.seq > bindparam("after"))
    .order_by(memories.c.seq)
    .limit(bindparam("count"))
)
_made = memories.alias("made")
_TOLD_OF = (
    select(ledger.c.target)
    .distinct()
    .select_from(memories)
    .join(dependencies, dependencies.c.source_id == memories.c.memory_id)
    .join(_made, and_(_made.c.memory_id == dependencies.c.memory_id, _made.c.lane_key != memories.c.lane_key))
    .join(ledger, ledger.c.seq == _made.c.seq)
    .where(
        beside_the_index(_made.c.tenant) == memories.c.tenant,
        beside_the_index(_made.c.agent) == memories.c.agent,
    )
)
_HEAD = select(counters.c.ledger)
_END_OF_TIME = 253_402_300_800_000_000  # microseconds: the year 10,000
_NEWEST = select(func.coalesce(func.max(memories.c.timestamp), 0)).where(memories.c.timestamp < _END_OF_TIME)


class SqlLedger:
    """Reads beside the writer; writes through it."""

    def __init__(self, committer: Committer, reader: ReadPool) -> None:
        self._committer, self._reader = committer, reader

    async def commit(self, commit: Commit) -> int:
        """See `Ledger`."""
        return await self._committer.submit("commit", lambda unit: _commit(unit, commit))

    async def preview(self, commit: Commit) -> tuple[Change, ...]:
        """See `Ledger`."""
        return await self._reader.read(lambda conn: preview_commit(conn, commit))

    async def get(
        self, tenant: str, memory_ids: Collection[str], *, known_at: datetime | None = None, forgotten: bool = False
    ) -> dict[str, MemoryNode]:
        """See `Ledger`."""
        check_time("known_at", known_at)
        ids = list(memory_ids)
        if not ids:
            return {}
        if known_at is not None:
            return await self._reader.read(lambda conn: _past(conn, tenant, ids, known_at))
        return await self._reader.read(lambda conn: _load(conn, tenant, ids, forgotten=forgotten))

    async def select(self, selection: Selection) -> list[MemoryNode]:
        """See `Ledger`."""
        present = selection.as_of is None and selection.known_at is None
        return await self._reader.read(lambda conn: (_select if present else _select_past)(conn, selection))

    async def news(self, scope: Scope, *, limit: int) -> News:
        """See `Ledger`."""
        return await self._reader.read(lambda conn: news(conn, scope, limit))

    async def lanes_with_news(self, scope: Scope) -> list[Lane]:
        """See `Ledger`."""
        return await self._reader.read(lambda conn: lanes_with_news(conn, scope))

    async def fading(self, scope: Scope, *, now: datetime, limit: int) -> list[MemoryNode]:
        """See `Ledger`."""
        return await self._reader.read(lambda conn: fading(conn, scope, now, limit))

    async def lanes_due(self, scope: Scope, *, now: datetime) -> list[Lane]:
        """See `Ledger`."""
        return await self._reader.read(lambda conn: lanes_due(conn, scope, now))

    async def proving(self, scope: Scope, *, now: datetime, limit: int) -> list[MemoryNode]:
        """See `Ledger`."""
        return await self._reader.read(lambda conn: proving(conn, scope, now, limit))

    async def history(self, tenant: str, memory_id: str) -> list[LedgerEntry]:
        """See `Ledger`."""
        mine = and_(ledger.c.memory_id == memory_id, ledger.c.tenant == tenant)
        return entries(await self._reader.rows(ENTRIES.where(mine)))

    async def histories(self, tenant: str, memory_ids: Collection[str]) -> dict[str, list[LedgerEntry]]:
        """See `Ledger`."""
        found: dict[str, list[LedgerEntry]] = {}
        for some in chunks(list(memory_ids)):
            rows = await self._reader.rows(ENTRIES.where(ledger.c.memory_id.in_(some)))
            for entry in entries(row for row in rows if row.tenant == tenant):
                found.setdefault(entry.memory_id, []).append(entry)
        return found

    async def of_run(self, tenant: str, run: str, *, after: int = 0, limit: int | None = None) -> list[LedgerEntry]:
        """See `Ledger`."""
        mine = and_(ledger.c.run == run, ledger.c.tenant == tenant)
        return await self._reader.read(lambda conn: of_run(conn, mine, after, limit))

    async def lanes_of_run(self, tenant: str, run: str) -> list[Lane]:
        """See `Ledger`."""
        mine = and_(ledger.c.run == run, ledger.c.tenant == tenant, shown(ledger))
        rows = await self._reader.rows(select(ledger.c.tenant, ledger.c.agent, ledger.c.target).where(mine).distinct())
        return [Lane(*row) for row in rows]

    async def runs(self, scope: Scope, *, cause: str, before: int | None, limit: int) -> list[RunSummary]:
        """See `Ledger`."""
        mine = and_(ledger.c.tenant == scope.tenant, ledger.c.agent == scope.agent, ledger.c.cause == cause)
        own = and_(mine, ledger.c.target.in_(scope.targets)) if scope.targets else mine
        first = _NO_ROW if before is None else before
        return await self._reader.read(lambda conn: runs(conn, own, first, limit))

    async def since(self, seq: int, *, limit: int) -> list[Version]:
        """See `Ledger`."""
        return await self._reader.read(
            lambda conn: [_version(row) for row in conn.execute(_SINCE, {"after": seq, "count": limit})]
        )

    async def naming(self, scope: Scope, memory_ids: Collection[str]) -> set[str]:
        """See `Ledger`."""
        wanted = frozenset(memory_ids)
        mine = in_reach(Scope(scope.tenant, scope.agent))
        states = select(ledger.c.memory_id, ledger.c.after).join(memories, memories.c.memory_id == ledger.c.memory_id)
        found = await self._reader.read(lambda conn: _naming(conn.execute(states.where(mine)), wanted))
        return found - wanted

    async def told_of(self, scope: Scope) -> list[str]:
        """See `Ledger`."""
        mine = and_(in_reach(scope), memories.c.type == MemoryType.CONVERSATION.value)
        found = await self._reader.rows(_TOLD_OF.where(mine))
        return sorted({row.target for row in found} - {*scope.targets})

    async def head(self) -> int:
        """See `Ledger`."""
        return await self._reader.read(lambda conn: int(conn.execute(_HEAD).scalar_one()))

    async def folded_until(self) -> datetime | None:
        """See `Ledger`."""
        return await self._reader.read(folded_until)

    async def newest_timestamp(self) -> int:
        """See `Ledger`."""
        return await self._reader.read(lambda conn: int(conn.execute(_NEWEST).scalar_one()))


def _commit(unit: Unit, commit: Commit) -> int:
    """What is being made from an agent while he forgets is begun anew: it may have the words already."""
    for tenant, agent in dict.fromkeys((lane.tenant, lane.agent) for lane in commit.ahead):
        for copy in made_from(unit.conn, tenant, agent):
            if copy.state == "making":
                purge_marked(unit, Scope(copy.tenant, copy.agent_id), commit.at)
    return write_commit(unit, commit)


def _version(row: Record) -> Version:
    lane = Lane(row.tenant, row.agent, row.target)
    try:
        node = None if row.after is None else checked_node(row.after, row.tenant, row.memory_id)
    except Unreadable as error:
        return Version(row.seq, row.memory_id, None, lane, str(error))
    return Version(row.seq, row.memory_id, node, lane)


def _past(conn: Connection, tenant: str, memory_ids: Sequence[str], known_at: datetime) -> dict[str, MemoryNode]:
    _refuse_folded(conn, known_at)
    return load_known(conn, tenant, memory_ids, known_at)


def _load(conn: Connection, tenant: str, memory_ids: Sequence[str], *, forgotten: bool = True) -> dict[str, MemoryNode]:
    found: dict[str, MemoryNode] = {}
    for some in chunks(memory_ids):
        for memory_id, owner, body in conn.execute(_BODIES if forgotten else _TOLD, {"ids": some}):
            if owner == tenant and (node := stored_node(body, tenant, memory_id)) is not None:
                found[memory_id] = node
    return found


def _refuse_folded(conn: Connection, known_at: datetime) -> None:
    until = folded_until(conn)
    if until is not None and known_at < until:
        raise InvalidInput(
            f"known_at {known_at.isoformat()}: what was known before {until.isoformat()} is not kept (keep.history)"
        )


def _naming(rows: Iterable[Record], wanted: frozenset[str]) -> set[str]:
    """By the ids as they stand in the text of a state, so that no state has to be read as a memory."""
    return {memory_id for memory_id, body in rows if body and not wanted.isdisjoint(ids_in(body))}


def _select(conn: Connection, selection: Selection) -> list[MemoryNode]:
    """Again behind the last place, where rows that cannot be read leave the page short."""
    kept: list[MemoryNode] = []
    while len(kept) < selection.limit and (places := _places(conn, selection)):
        ids = [memory_id for _, memory_id in places]
        found = _load(conn, selection.scope.tenant, ids)
        kept += [found[memory_id] for memory_id in ids if memory_id in found]
        if len(places) < selection.limit:
            break
        selection = replace(selection, after=places[-1])
    return kept


def _select_past(conn: Connection, selection: Selection) -> list[MemoryNode]:
    """Places batch by batch, until so many states fit; only a state tells whether it does."""
    kept: list[MemoryNode] = []
    rest = replace(selection, limit=max(selection.limit, _READ_AT_ONCE))
    while len(kept) < selection.limit and (places := _places(conn, rest)):
        ids = [memory_id for _, memory_id in places]
        found = _states(conn, selection, ids)
        states = (found[memory_id] for memory_id in ids if memory_id in found)
        kept += [state for state in states if _fits(state, selection)]
        rest = replace(rest, after=places[-1])
    return kept[: selection.limit]


def _states(conn: Connection, selection: Selection, ids: Sequence[str]) -> dict[str, MemoryNode]:
    tenant, known_at = selection.scope.tenant, selection.known_at
    return _load(conn, tenant, ids) if known_at is None else _past(conn, tenant, ids, known_at)


def _fits(state: MemoryNode, selection: Selection) -> bool:
    holds = selection.as_of is None or state.holds_at(selection.as_of, selection.known_at)
    return holds and (not selection.statuses or state.store_status in selection.statuses)


def _places(conn: Connection, selection: Selection) -> list[tuple[int, str]]:
    """Timestamps and ids of the first `limit`, looked for type by type, each along an index."""
    picked: list[tuple[int, str]] = []
    statement, asked = _newest(selection)
    for memory_type in selection.types or LAYERS:
        for row in conn.execute(statement, asked | {"type": memory_type.value}):
            record: Record = row
            picked.append((-record.timestamp, record.memory_id))
    return [(-timestamp, memory_id) for timestamp, memory_id in sorted(picked)[: selection.limit]]


def _newest(selection: Selection) -> tuple[Statement, Row]:
    """What asks for the places of one type, and with which values: each named that the selection narrows by."""
    scope, after = selection.scope, selection.after
    lanes = [lane_key(Lane(scope.tenant, scope.agent, target)) for target in scope.targets]
    past = selection.known_at is not None
    named: Row = {
        "lane": lanes[0] if len(lanes) == 1 else None,
        "lanes": lanes if len(lanes) > 1 else None,
        "tenant": None if lanes else scope.tenant,
        "agent": None if lanes else scope.agent,
        "record": selection.record and selection.record.value,
        "run": scope.run,
        "statuses": [each.value for each in selection.statuses] if selection.statuses and not past else None,
        "last_timestamp": after and after[0],
        "last_id": after and after[1],
        "limit": selection.limit,
    }
    asked = {name: value for name, value in named.items() if value is not None}
    return _newest_by(frozenset(asked), past), asked


@lru_cache(maxsize=128)
def _newest_by(named: frozenset[str], past: bool) -> Statement:
    """Made once for what is named, for making it takes longer than running it."""
    held = memories.c
    narrowing: dict[str, ColumnElement[bool]] = {
        "lane": held.lane_key == bindparam("lane"),
        "lanes": held.lane_key.in_(bindparam("lanes", expanding=True)),
        "tenant": held.tenant == bindparam("tenant"),
        "agent": held.agent == bindparam("agent"),
        "record": held.record == bindparam("record"),
        "run": or_(held.run.is_(None), held.run == bindparam("run")),
        "last_timestamp": held.timestamp <= bindparam("last_timestamp"),
        "last_id": or_(held.timestamp < bindparam("last_timestamp"), held.memory_id > bindparam("last_id")),
    }
    wanted = [condition for name, condition in narrowing.items() if name in named]
    return (
        select(held.timestamp, held.memory_id)
        .where(*wanted, held.type == bindparam("type"), _standing("statuses" in named, past), shown(memories))
        .order_by(held.timestamp.desc(), held.memory_id)
        .limit(bindparam("limit"))
    )


def _standing(some: bool, past: bool) -> ColumnElement[bool]:
    """What can be said of a memory's status before its state is read: with `known_at` it was another one then."""
    status = memories.c.status
    if past:
        return or_(status.is_(None), status != StoreStatus.DELETED.value)
    return status.in_(bindparam("statuses", expanding=True)) if some else status != StoreStatus.DELETED.value
