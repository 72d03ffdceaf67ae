"""Tokens: who may come in from outside, and as whom."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import uuid4

from agentmem.domain.access_token import AccessToken, digest_of, new_secret
from agentmem.domain.bounds import MAX_SPAN
from agentmem.domain.scope import Grant
from agentmem.errors import InvalidInput, NotFound
from agentmem.ports.journal import Journal
from agentmem.runtime.facade.access import Access, operator_only
from agentmem.runtime.host.clocks import Clock


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made, with its secret, which nobody can tell again."""

    token: AccessToken
    secret: str

    def __repr__(self) -> str:
        return f"NewToken({self.token!r}, secret=…)"


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of the store. Those of the principal's tenant are made, listed and revoked; each opens its own."""

    access: Access
    journal: Journal
    clock: Clock

    @operator_only
    async def create(
        self,
        name: str,
        agents: Mapping[str, Collection[Grant]],
        *,
        about: str | None = None,
        for_owner: bool = False,
        lifetime: timedelta | None = None,
    ) -> NewToken:
        """A token of this tenant, for these agents or, `for_owner`, for everything. Raises `Conflict` where there
        is one of that name, and `InvalidInput`."""
        now, secret = self.clock.now(), new_secret()
        if lifetime is not None and not timedelta(0) < lifetime <= MAX_SPAN:
            raise InvalidInput(f"lifetime: must be longer than nothing and at most {MAX_SPAN.days} days")
        token = AccessToken(
            token_id=str(uuid4()),
            name=name,
            tenant=self.access.principal.tenant,
            agents={agent: tuple(sorted(grants)) for agent, grants in agents.items()},
            about=about,
            owner=for_owner,
            created_at=now,
            expires_at=None if lifetime is None else now + lifetime,
        )
        await self.journal.tokens.add(token, digest_of(secret))
        return NewToken(token, secret)

    @operator_only
    async def all(self) -> list[AccessToken]:
        """The tokens of this tenant, by name; those that expired are among them."""
        return await self.journal.tokens.all(self.access.principal.tenant)

    @operator_only
    async def revoke(self, name: str) -> None:
        """Take a token of this tenant away. Whoever is let in by it gets nothing any more: in this process at once, in
        others within a second. Raises `NotFound`."""
        tenant = self.access.principal.tenant
        for token in await self.journal.tokens.all(tenant):
            if token.name == name:
                self.access.end(token.principal)
        await self.journal.tokens.remove(tenant, name)

    @operator_only
    async def bearer(self, secret: str | bytes) -> AccessToken:
        """The token of that secret, or of a secret with that digest, of whatever tenant. Raises `NotFound` where there
        is none, or it has expired."""
        try:
            digest = secret if isinstance(secret, bytes) else digest_of(secret)
        except InvalidInput:
            raise NotFound("no such token") from None
        token = (await self.journal.tokens.held([digest])).get(digest)
        if token is None or not token.is_valid(self.clock.now()):
            raise NotFound("no such token")
        return token

    @operator_only
    async def end_revoked(self, letting_in: Sequence[AccessToken]) -> list[AccessToken]:
        """Those of these tokens, by whose secrets somebody was let in, that are gone or have expired; the access they
        gave is ended in this process."""
        now = self.clock.now()
        tenants = {token.tenant for token in letting_in}
        there = {token.token_id for tenant in tenants for token in await self.journal.tokens.all(tenant)}
        over = [token for token in letting_in if token.token_id not in there or not token.is_valid(now)]
        for token in over:
            self.access.end(token.principal)
        return over
