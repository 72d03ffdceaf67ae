"""The small parts of the journal: marks, the vector cache, the register of agents, who may come in from outside."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import structlog
from sqlalchemy import Connection, bindparam, delete, select

from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.connections import Store
from agentmem.adapters.journal.dialect import Row, chunks, insert_many
from agentmem.adapters.journal.lineages import refuse_absent
from agentmem.adapters.journal.schema import agents, marks, tokens, vectors
from agentmem.adapters.journal.transactions import ReadPool, Unit
from agentmem.adapters.journal.writable import checked, read_persona, read_value
from agentmem.domain.access_token import AccessToken
from agentmem.domain.persona import Persona
from agentmem.errors import Conflict, NotFound, Unreadable, without_content

log = structlog.get_logger()

_MARK = select(marks.c.value).where(marks.c.name == bindparam("name"))
_PERSONA = select(agents.c.persona).where(agents.c.tenant == bindparam("tenant"), agents.c.agent == bindparam("agent"))
_EVERYONE = select(agents.c.tenant, agents.c.persona).order_by(agents.c.tenant, agents.c.agent)
_VECTORS = select(vectors.c.key, vectors.c.vector).where(
    vectors.c.fingerprint == bindparam("fingerprint"), vectors.c.key.in_(bindparam("keys", expanding=True))
)


class SqlMarks:
    """The `Marks` port. Where nothing can be written, marks are kept for as long as the store is open: what they tell
    of, such as an index, is made anew for as long as well."""

    def __init__(self, committer: Committer, reader: ReadPool, store: Store) -> None:
        self._committer, self._reader, self._store = committer, reader, store
        self._unwritten: dict[str, str] = {}

    async def mark(self, name: str) -> str | None:
        """See `Marks`."""
        if name in self._unwritten:
            return self._unwritten[name]
        return await self._reader.brief(lambda conn: conn.execute(_MARK, {"name": name}).scalar_one_or_none())

    async def set_mark(self, name: str, value: str) -> None:
        """See `Marks`."""
        row = {"name": checked(name, "mark name"), "value": checked(value, f"mark {name}")}
        if self._store.read_only:
            self._unwritten[name] = value
            return

        def work(unit: Unit) -> None:
            insert_many(unit.conn, marks, [row], "ON CONFLICT (name) DO UPDATE SET value = excluded.value")

        await self._committer.submit("mark", work, numbered=False)


class SqlVectorCache:
    """The `VectorCache` port. Where nothing can be written, nothing is put into it."""

    def __init__(self, committer: Committer, reader: ReadPool, store: Store) -> None:
        self._committer, self._reader, self._store = committer, reader, store

    async def get(self, fingerprint: str, keys: Sequence[str]) -> dict[str, bytes]:
        """See `VectorCache`."""
        return await self._reader.read(lambda conn: _vectors(conn, fingerprint, keys))

    async def put(self, fingerprint: str, vectors: Mapping[str, bytes]) -> None:
        """See `VectorCache`."""
        if not vectors or self._store.read_only:
            return
        rows: list[Row] = [
            {"fingerprint": checked(fingerprint, "fingerprint"), "key": bytes.fromhex(key), "vector": vector}
            for key, vector in sorted(vectors.items())
        ]
        await self._committer.submit("vectors", lambda unit: _put(unit.conn, rows), numbered=False)


class SqlAgentRegistry:
    """The `AgentRegistry` port."""

    def __init__(self, committer: Committer, reader: ReadPool) -> None:
        self._committer, self._reader = committer, reader

    async def save_agent(self, tenant: str, persona: Persona, *, now: datetime) -> None:
        """See `AgentRegistry`."""
        body = checked(persona.model_dump_json(by_alias=True), f"persona {persona.id!r}")
        row = {"tenant": tenant, "agent": persona.id, "persona": body}
        if await self.agent(tenant, persona.id) == persona:
            return

        def work(unit: Unit) -> None:
            refuse_absent(unit.conn, tenant, persona.id)
            changed = "ON CONFLICT (tenant, agent) DO UPDATE SET persona = excluded.persona"
            insert_many(unit.conn, agents, [row], changed)

        await self._committer.submit("agent", work, numbered=False)

    async def agent(self, tenant: str, agent_id: str) -> Persona | None:
        """See `AgentRegistry`."""
        return await self._reader.brief(
            lambda conn: persona_of(conn, tenant, agent_id), alike=("agent", tenant, agent_id)
        )

    async def agents(self, tenant: str) -> list[Persona]:
        """See `AgentRegistry`."""
        statement = select(agents.c.persona).where(agents.c.tenant == tenant).order_by(agents.c.agent)
        rows = await self._reader.rows(statement)
        return [persona for row in rows if (persona := _stored(tenant, row[0])) is not None]

    async def everyone(self) -> list[tuple[str, Persona]]:
        """See `AgentRegistry`."""
        rows = await self._reader.rows(_EVERYONE)
        return [(row[0], persona) for row in rows if (persona := _stored(*row)) is not None]


def persona_of(conn: Connection, tenant: str, agent_id: str) -> Persona | None:
    """Who the agent is."""
    body = conn.execute(_PERSONA, {"tenant": tenant, "agent": agent_id}).scalar_one_or_none()
    return None if body is None else _stored(tenant, body)


def _stored(tenant: str, body: str) -> Persona | None:
    """None, and a word in the log, where it cannot be read: the agent is then as if nobody had introduced it."""
    try:
        return read_persona(body)
    except Unreadable as error:
        log.warning("persona_unreadable", tenant=tenant, reason=without_content(error))
        return None


def _vectors(conn: Connection, fingerprint: str, keys: Sequence[str]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for some in chunks([bytes.fromhex(key) for key in dict.fromkeys(keys)]):
        rows = conn.execute(_VECTORS, {"fingerprint": fingerprint, "keys": some})
        found.update((bytes(key).hex(), bytes(vector)) for key, vector in rows)
    return found


def _put(conn: Connection, rows: list[Row]) -> None:
    insert_many(conn, vectors, rows, "ON CONFLICT DO NOTHING")


_NAMED = (tokens.c.tenant == bindparam("whose"), tokens.c.name == bindparam("named"))
_HELD = select(tokens.c.digest, tokens.c.body).where(tokens.c.digest.in_(bindparam("digests", expanding=True)))


class SqlAccessTokens:
    """Reads beside the writer; writes through it. One that cannot be read opens nothing."""

    def __init__(self, committer: Committer, reader: ReadPool) -> None:
        self._committer, self._reader = committer, reader

    async def add(self, token: AccessToken, digest: bytes) -> None:
        """See `AccessTokens`."""
        body = checked(token.model_dump_json(), "token")
        row: Row = {"digest": digest, "tenant": token.tenant, "name": token.name, "body": body}

        def work(unit: Unit) -> None:
            named = {"whose": token.tenant, "named": token.name}
            if unit.conn.execute(select(tokens.c.name).where(*_NAMED), named).first() is not None:
                raise Conflict(f"there is a token {token.name!r}: revoke it, or name this one otherwise")
            insert_many(unit.conn, tokens, [row])

        await self._committer.submit("token", work, numbered=False)

    async def held(self, digests: Collection[bytes]) -> dict[bytes, AccessToken]:
        """See `AccessTokens`."""
        rows = [row for some in chunks(list(digests)) for row in await self._reader.rows(_HELD, {"digests": some})]
        found = ((bytes(row.digest), read_value(AccessToken, row.body)) for row in rows)
        return {digest: token for digest, token in found if token is not None}

    async def all(self, tenant: str) -> list[AccessToken]:
        """See `AccessTokens`."""
        rows = await self._reader.rows(select(tokens.c.body).where(tokens.c.tenant == tenant).order_by(tokens.c.name))
        return [token for row in rows if (token := read_value(AccessToken, row.body)) is not None]

    async def remove(self, tenant: str, name: str) -> None:
        """See `AccessTokens`."""

        def work(unit: Unit) -> None:
            if not unit.conn.execute(delete(tokens).where(*_NAMED), {"whose": tenant, "named": name}).rowcount:
                raise NotFound(f"no token {name!r}")

        await self._committer.submit("token", work, numbered=False)
