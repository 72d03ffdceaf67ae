"""Lanes by number: the short name under which events, jobs and leases know their (tenant, agent, target)."""

from collections.abc import Collection, Iterable

from sqlalchemy import ColumnElement, Connection, and_, bindparam, select

from agentmem.adapters.journal.dialect import Row, chunks, insert_many, key
from agentmem.adapters.journal.lineages import refuse_absent
from agentmem.adapters.journal.schema import lanes, leases
from agentmem.adapters.journal.unit import Unit
from agentmem.domain.scope import Lane, Scope

_BY_KEY = select(lanes.c.lane_key, lanes.c.lane_id).where(lanes.c.lane_key.in_(bindparam("keys", expanding=True)))


def lane_key(lane: Lane) -> bytes:
    """What a lane is found by."""
    return key(lane.tenant, lane.agent, lane.target)


def lane_row(lane_id: int, lane: Lane) -> Row:
    """What names a lane."""
    names = {"tenant": lane.tenant, "agent": lane.agent, "target": lane.target}
    return {"lane_id": lane_id, "lane_key": lane_key(lane)} | names


def in_scope(scope: Scope) -> ColumnElement[bool]:
    """The condition that picks the lanes a scope sees."""
    condition = and_(lanes.c.tenant == scope.tenant, lanes.c.agent == scope.agent)
    return condition if scope.target is None else and_(condition, lanes.c.target.in_(scope.targets))


def find_lanes(conn: Connection, wanted: Iterable[Lane]) -> dict[Lane, int]:
    """The numbers of those lanes that exist."""
    keys = {lane_key(lane): lane for lane in wanted}
    found: dict[Lane, int] = {}
    for some in chunks(list(keys)):
        found.update((keys[bytes(found_key)], number) for found_key, number in conn.execute(_BY_KEY, {"keys": some}))
    return found


def make_lanes(unit: Unit, wanted: Collection[Lane], *, unmade: bool = False) -> dict[Lane, int]:
    """The numbers of the lanes, making those that are new. Raises `Conflict` for those of an agent that is still being
    made or was given back, which has none unless `unmade` says so."""
    found = find_lanes(unit.conn, wanted)
    new = [lane for lane in wanted if lane not in found]
    if new:
        for tenant, agent in dict.fromkeys((lane.tenant, lane.agent) for lane in new if not unmade):
            refuse_absent(unit.conn, tenant, agent)
        for lane in new:
            unit.numbers.lane += 1
            found[lane] = unit.numbers.lane
        insert_many(unit.conn, lanes, [lane_row(found[lane], lane) for lane in new])
        insert_many(unit.conn, leases, [{"lane_id": found[lane], "fence": unit.numbers.fence} for lane in new])
    return found
