"""Who was made from whom: the `Lineages` port, and what hides an agent that is still being made."""

from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, Connection, Table, bindparam, delete, exists, literal_column, or_, select, update

from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.dialect import Record, Statement, chunks, insert_many
from agentmem.adapters.journal.schema import lineages
from agentmem.adapters.journal.transactions import ReadPool
from agentmem.adapters.journal.writable import checked, must_be, read_value
from agentmem.domain.lineage import Lineage, lineage_id
from agentmem.domain.scope import Scope
from agentmem.errors import Conflict

_BY_ID = select(lineages.c.body, lineages.c.persona).where(lineages.c.lineage_id == bindparam("id"))
_ORIGINS = select(lineages.c.tenant, lineages.c.agent, lineages.c.source_tenant, lineages.c.source_agent).where(
    lineages.c.lineage_id.in_(bindparam("ids", expanding=True))
)
_MAKING = lineages.c.state == literal_column("'making'")  # written out, or no partial index is used


def shown(table: Table) -> ColumnElement[bool]:
    """The condition that leaves out rows of agents that are still being made; the table has a tenant and an agent."""
    return ~exists().where(_MAKING, lineages.c.tenant == table.c.tenant, lineages.c.agent == table.c.agent)


def shown_in(scope: Scope) -> ColumnElement[bool]:
    """The same for rows of one agent: looked up once, and not for every row."""
    return ~exists().where(_MAKING, lineages.c.tenant == scope.tenant, lineages.c.agent == scope.agent)


def refuse_absent(conn: Connection, tenant: str, agent: str) -> None:
    """Raise `Conflict` where the agent is being made from another one, or was given back."""
    lineage = find(conn, lineage_id(tenant, agent))
    if lineage is not None and lineage.state == "making":
        raise Conflict(f"agent {agent!r} is being made from another one: finish that, or discard it")
    if lineage is not None and lineage.state == "released":
        raise Conflict(f"agent {agent!r} was released: name another")


def find(conn: Connection, identity: str) -> Lineage | None:
    """The lineage of that id. Raises `Unreadable`: what a copy may not do must not be forgotten with it."""
    row = conn.execute(_BY_ID, {"id": identity}).one_or_none()
    return None if row is None else must_be(Lineage, row.body)


def drafted(conn: Connection, identity: str) -> str:
    """The persona, as JSON, of whom is being made."""
    return str(conn.execute(_BY_ID, {"id": identity}).one().persona)


def keep(conn: Connection, lineage: Lineage, persona: str = "") -> None:
    """Write a new lineage down."""
    row = {
        "lineage_id": lineage.lineage_id,
        "kind": lineage.kind,
        "state": lineage.state,
        "source_tenant": lineage.source_tenant,
        "source_agent": lineage.source_agent,
        "tenant": lineage.tenant,
        "agent": lineage.agent_id,
        "body": checked(lineage.model_dump_json(), "lineage"),
        "persona": persona,
    }
    insert_many(conn, lineages, [row], "ON CONFLICT DO NOTHING")


def renew(conn: Connection, lineage: Lineage, **more: str) -> None:
    """Write down what became of a lineage."""
    mine = update(lineages).where(lineages.c.lineage_id == lineage.lineage_id)
    conn.execute(mine.values(state=lineage.state, body=lineage.model_dump_json(), **more))


def drop(conn: Connection, tenant: str, agent: str) -> None:
    """Take away what says from whom this agent was made."""
    conn.execute(delete(lineages).where(lineages.c.lineage_id == lineage_id(tenant, agent)))


def is_released(conn: Connection, tenant: str, agent: str) -> bool:
    """Whether the agent is gone and its id not given again."""
    found = find(conn, lineage_id(tenant, agent))
    return found is not None and found.state == "released"


def is_bound(conn: Connection, tenant: str, agent: str) -> bool:
    """Whether the agent, or any that it was made from, was hired."""
    whole = [(tenant, agent), *ancestors(conn, [(tenant, agent)]).get((tenant, agent), ())]
    return any((found := find(conn, lineage_id(*each))) is not None and found.bound is not None for each in whole)


def ancestors(conn: Connection, agents: Iterable[tuple[str, str]]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """From whom each of these agents, tenant and id, was made, and from whom that one was; without those of nobody."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    ahead = {agent: agent for agent in agents}
    while ahead:
        origins = _origins(conn, ahead.values())
        ahead = {
            agent: origins[last]
            for agent, last in ahead.items()
            if last in origins and origins[last] not in found.get(agent, ())
        }
        for agent, origin in ahead.items():
            found.setdefault(agent, []).append(origin)
    return found


def _origins(conn: Connection, agents: Iterable[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, str]]:
    ids = sorted({lineage_id(*agent) for agent in agents})
    rows = (row for some in chunks(ids) for row in conn.execute(_ORIGINS, {"ids": some}))
    return {(row[0], row[1]): (row[2], row[3]) for row in rows}


def made_from(conn: Connection, tenant: str, agent: str) -> list[Lineage]:
    """See `Lineages`."""
    mine = select(lineages.c.body).where(lineages.c.source_tenant == tenant, lineages.c.source_agent == agent)
    return _read(conn.execute(mine).all())


def copies_of(conn: Connection, tenant: str, agent: str) -> list[Lineage]:
    """The agents that were made from this one."""
    return [copy for copy in made_from(conn, tenant, agent) if copy.is_copy]


class SqlLineages:
    """Reads beside the writer; writes through it."""

    def __init__(self, committer: Committer, reader: ReadPool) -> None:
        self._committer, self._reader = committer, reader

    async def origin(self, tenant: str, agent: str) -> Lineage | None:
        """See `Lineages`."""
        return await self._reader.read(lambda conn: find(conn, lineage_id(tenant, agent)))

    async def made_from(self, tenant: str, agent: str) -> Sequence[Lineage]:
        """See `Lineages`."""
        return await self._reader.read(lambda conn: made_from(conn, tenant, agent))

    async def of_tenant(self, tenant: str) -> Sequence[Lineage]:
        """See `Lineages`."""
        mine = or_(lineages.c.tenant == tenant, lineages.c.source_tenant == tenant)
        statement: Statement = select(lineages.c.body).where(mine)
        found = (read_value(Lineage, row.body) for row in await self._reader.rows(statement))
        return _in_order(lineage for lineage in found if lineage is not None)

    async def record_export(self, export: Lineage) -> None:
        """See `Lineages`."""
        await self._committer.submit("export", lambda unit: keep(unit.conn, export), numbered=False)


def _read(rows: Sequence[Record]) -> list[Lineage]:
    return _in_order(must_be(Lineage, row.body) for row in rows)


def _in_order(found: Iterable[Lineage]) -> list[Lineage]:
    return sorted(found, key=lambda lineage: (lineage.began_at, lineage.lineage_id))
