"""Counts along the indexes of the table of memories: the `Inspection` port."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, literal_column, null, or_, select, union_all

from agentmem.adapters.journal.dialect import Record, Statement, beside_the_index, chunks
from agentmem.adapters.journal.lanes import in_reach, lane_key
from agentmem.adapters.journal.lineages import shown, shown_in
from agentmem.adapters.journal.schema import dependencies, events, lanes, ledger, memories, windows
from agentmem.adapters.journal.transactions import ReadPool
from agentmem.domain.memory import LAYERS, MemoryType, RecordType, StoreStatus, microseconds
from agentmem.domain.scope import Lane, Scope
from agentmem.ports.journal import LaneCount, LayerCount, TalkCount, WindowEndings

_LAYERS: Final = [layer.value for layer in LAYERS]
_NUMBER = func.count().label("number")
_NEWEST = func.max(memories.c.timestamp).label("newest")
_RESTING: Final = (
    select(dependencies.c.source_id, dependencies.c.memory_id, memories.c.timestamp)
    .join(memories, memories.c.memory_id == dependencies.c.memory_id)
    .where(
        dependencies.c.source_id.in_(bindparam("sources", expanding=True)),
        # Looked up by tenant or in the order of time, it would be all memories instead of those of these sources.
        beside_the_index(memories.c.tenant) == bindparam("tenant"),
        memories.c.status.in_([StoreStatus.VALID.value, StoreStatus.EXPIRED.value]),
    )
    .order_by((memories.c.timestamp + 0).desc(), memories.c.memory_id, dependencies.c.source_id)
    .limit(bindparam("count"))
)

_TURN: Final = events.c.kind == literal_column("'turn_spoken'")
_REACH: Final = select(func.min(events.c.seq), func.max(events.c.seq))
_WINDOWS: Final = select(windows.c.job_id, windows.c.first_seq, windows.c.last_seq).order_by(windows.c.last_seq)
_TURNS: Final = select(events.c.seq, events.c.event_id).where(_TURN).order_by(events.c.seq)
_OVER: Final = (
    select(ledger.c.run, ledger.c.memory_id).where(ledger.c.act.in_(["end", "retire"])).order_by(ledger.c.seq)
)
_CHANGED: Final = (
    select(ledger.c.run, ledger.c.agent, ledger.c.target, func.count(ledger.c.memory_id.distinct()).label("number"))
    .join(memories, memories.c.memory_id == ledger.c.memory_id)
    .where(shown(ledger), memories.c.type.in_(_LAYERS), memories.c.record.is_(None))
    .group_by(ledger.c.run, ledger.c.agent, ledger.c.target)
)


class SqlInspection:
    """Reads beside the writer."""

    def __init__(self, reader: ReadPool) -> None:
        self._reader = reader

    async def overview(
        self, scope: Scope, *, before: int | None, limit: int, besides: str | None = None
    ) -> tuple[list[LayerCount], list[LaneCount]]:
        """See `Inspection`."""
        rows = await self._reader.rows(_overview(scope, before, limit, besides))
        return _layers(row for row in rows if row.lane_key is None), await self._lanes(
            {bytes(row.lane_key): row for row in rows if row.lane_key is not None}
        )

    async def _lanes(self, counted: Mapping[bytes, Record]) -> list[LaneCount]:
        """With the id of the youngest memory of each lane."""
        newest = {int(row.newest) for row in counted.values()}
        statement = select(memories.c.lane_key, memories.c.timestamp, memories.c.memory_id).where(
            memories.c.timestamp.in_(newest), memories.c.type.in_(_LAYERS), _standing(), _states_something()
        )
        there = {(bytes(row.lane_key), int(row.timestamp)): row.memory_id for row in await self._reader.rows(statement)}
        found = [
            LaneCount(there[lane, int(row.newest)], int(row.newest), int(row.number))
            for lane, row in counted.items()
            if (lane, int(row.newest)) in there
        ]
        return sorted(found, key=lambda count: -count.timestamp)

    async def talks(self, scope: Scope, *, before: int | None, limit: int) -> list[TalkCount]:
        """See `Inspection`."""
        statement = (
            select(memories.c.run, _NUMBER, _NEWEST)
            .where(_told(scope), memories.c.type == MemoryType.CONVERSATION.value, memories.c.run.is_not(None))
            .group_by(memories.c.run)
        )
        if before is not None:
            statement = statement.having(func.max(memories.c.timestamp) < before)
        rows = await self._reader.rows(statement.order_by(_NEWEST.desc(), memories.c.run).limit(limit))
        return [TalkCount(row.run, int(row.newest), int(row.number)) for row in rows]

    async def resting_on(self, tenant: str, memory_ids: Sequence[str], *, limit: int) -> list[tuple[str, str]]:
        """See `Inspection`."""
        found: list[Record] = []
        for some in chunks(memory_ids):
            found += await self._reader.rows(_RESTING, {"sources": some, "tenant": tenant, "count": limit})
        youngest = sorted(found, key=lambda row: (-row.timestamp, row.memory_id, row.source_id))[:limit]
        return [(row.source_id, row.memory_id) for row in youngest]

    async def changed_by(self, tenant: str, runs: Collection[str]) -> list[tuple[str, Lane, int]]:
        """See `Inspection`."""
        found: list[Record] = []
        for some in chunks(list(runs)):
            found += await self._reader.rows(_CHANGED.where(ledger.c.tenant == tenant, ledger.c.run.in_(some)))
        return [(row.run, Lane(tenant, row.agent, row.target), int(row.number)) for row in found]

    async def endings(
        self, lane: Lane, *, talk: str, first: datetime, last: datetime, runs: Collection[str] = ()
    ) -> list[WindowEndings]:
        """See `Inspection`."""
        between = events.c.accepted_at.between(microseconds(first), microseconds(last))
        spoken = and_(events.c.run_id == talk, between)
        return await self._reader.read(lambda conn: _endings(conn, lane, spoken, list(runs)))


def _endings(conn: Connection, lane: Lane, spoken: ColumnElement[bool], runs: Sequence[str]) -> list[WindowEndings]:
    lane_id = conn.execute(select(lanes.c.lane_id).where(lanes.c.lane_key == lane_key(lane))).scalar()
    own = windows.c.lane_id == lane_id
    if runs:
        read = conn.execute(_WINDOWS.where(own, windows.c.job_id.in_(runs))).all()
    else:
        first, last = conn.execute(_REACH.where(_TURN, events.c.lane_id == lane_id, spoken)).one()
        if first is None:
            return []
        read = conn.execute(_WINDOWS.where(own, windows.c.last_seq >= first, windows.c.first_seq <= last)).all()
    over: dict[str, list[str]] = {}
    for some in chunks([row.job_id for row in read]):
        for row in conn.execute(_OVER.where(ledger.c.tenant == lane.tenant, ledger.c.run.in_(some))):
            over.setdefault(row.run, []).append(row.memory_id)
    ending = [row for row in read if row.job_id in over]
    turns: list[Record] = []
    for some in chunks(ending):
        spans = or_(*(events.c.seq.between(row.first_seq, row.last_seq) for row in some))
        turns += conn.execute(_TURNS.where(events.c.lane_id == lane_id, spans)).all()
    return [
        WindowEndings(
            row.job_id,
            tuple(turn.event_id for turn in turns if row.first_seq <= turn.seq <= row.last_seq),
            tuple(over[row.job_id]),
        )
        for row in ending
    ]


def _overview(scope: Scope, before: int | None, limit: int, besides: str | None) -> Statement:
    """Rows of layers, without a lane, and of lanes, without a type: of both in one, so that memories are gone through
    once."""
    by_lane = (
        select(memories.c.lane_key, memories.c.type, memories.c.status, _NUMBER, _NEWEST)
        .where(_told(scope), _states_something())
        .group_by(memories.c.lane_key, memories.c.type, memories.c.status)
        .cte("by_lane")
    )
    number, newest = func.sum(by_lane.c.number).label("number"), func.max(by_lane.c.newest).label("newest")
    no_lane, no_text = null().label("lane_key"), null().label("type")
    layers = select(no_lane, by_lane.c.type, by_lane.c.status, number, newest).group_by(
        by_lane.c.type, by_lane.c.status
    )
    lanes = select(by_lane.c.lane_key, no_text, null().label("status"), number, newest)
    lanes = lanes.where(by_lane.c.type.in_(_LAYERS)).group_by(by_lane.c.lane_key)
    if besides is not None:
        lanes = lanes.where(by_lane.c.lane_key != lane_key(Lane(scope.tenant, scope.agent, besides)))
    if before is not None:
        lanes = lanes.having(func.max(by_lane.c.newest) < before)
    page = lanes.order_by(newest.desc()).limit(limit).subquery()
    return union_all(layers, select(page))


def _layers(rows: Iterable[Record]) -> list[LayerCount]:
    counted = {(row.type, row.status): int(row.number) for row in rows}
    by_type = (
        LayerCount(
            layer,
            counted.get((layer.value, StoreStatus.VALID.value), 0),
            counted.get((layer.value, StoreStatus.EXPIRED.value), 0),
        )
        for layer in MemoryType
    )
    return [count for count in by_type if count.valid or count.ended]


def _told(scope: Scope) -> ColumnElement[bool]:
    return and_(in_reach(scope), _standing(), shown_in(scope))


def _states_something() -> ColumnElement[bool]:
    """Not what a program keeps beside the memories and nothing finds: `Ending.RECORD`."""
    return or_(memories.c.record.is_(None), memories.c.record == RecordType.ITEM.value)


def _standing() -> ColumnElement[bool]:
    """There, and not forgotten."""
    return memories.c.status.in_([StoreStatus.VALID.value, StoreStatus.EXPIRED.value])
