"""Lanes by number: the short name under which events, jobs and leases know their (tenant, agent, target)."""

from collections.abc import Collection, Iterable

from sqlalchemy import ColumnElement, Connection, and_, bindparam, select

from agentmem.adapters.journal.dialect import chunks, insert_many
from agentmem.adapters.journal.schema import lanes, leases
from agentmem.adapters.journal.unit import Unit
from agentmem.domain.scope import Lane, Scope

_OF_AGENT = select(lanes.c.target, lanes.c.lane_id).where(
    lanes.c.tenant == bindparam("tenant"),
    lanes.c.agent == bindparam("agent"),
    lanes.c.target.in_(bindparam("targets", expanding=True)),
)


def lane_is(lane: Lane) -> ColumnElement[bool]:
    """The condition that picks one row of `lanes`."""
    return and_(lanes.c.tenant == lane.tenant, lanes.c.agent == lane.agent, lanes.c.target == lane.target)


def in_scope(scope: Scope) -> ColumnElement[bool]:
    """The condition that picks the lanes a scope sees."""
    condition = and_(lanes.c.tenant == scope.tenant, lanes.c.agent == scope.agent)
    return condition if scope.target is None else and_(condition, lanes.c.target == scope.target)


def find_lanes(conn: Connection, wanted: Iterable[Lane]) -> dict[Lane, int]:
    """The numbers of those lanes that exist."""
    targets: dict[tuple[str, str], list[str]] = {}
    for lane in wanted:
        targets.setdefault((lane.tenant, lane.agent), []).append(lane.target)
    found: dict[Lane, int] = {}
    for (tenant, agent), names in targets.items():
        for some in chunks(names):
            rows = conn.execute(_OF_AGENT, {"tenant": tenant, "agent": agent, "targets": some})
            found.update((Lane(tenant, agent, target), number) for target, number in rows)
    return found


def make_lanes(unit: Unit, wanted: Collection[Lane]) -> dict[Lane, int]:
    """The numbers of the lanes, making those that are new."""
    found = find_lanes(unit.conn, wanted)
    new = [lane for lane in wanted if lane not in found]
    if new:
        for lane in new:
            unit.numbers.lane += 1
            found[lane] = unit.numbers.lane
        insert_many(
            unit.conn,
            lanes,
            [{"lane_id": found[x], "tenant": x.tenant, "agent": x.agent, "target": x.target} for x in new],
        )
        insert_many(unit.conn, leases, [{"lane_id": found[x], "fence": unit.numbers.fence} for x in new])
    return found
