"""Who may come in from outside: the `AccessTokens` port."""

from collections.abc import Collection

from sqlalchemy import bindparam, delete, select

from agentmem.adapters.journal.bodies import checked, read_value
from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.dialect import Row, chunks, insert_many
from agentmem.adapters.journal.schema import tokens
from agentmem.adapters.journal.transactions import ReadPool, Unit
from agentmem.domain.access_token import AccessToken
from agentmem.errors import Conflict, NotFound

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
