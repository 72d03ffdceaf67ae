"""Who may come in from outside, as a port."""

from collections.abc import Collection
from typing import Protocol

from agentmem.domain.access_token import AccessToken


class AccessTokens(Protocol):
    """Tokens by the digest of their secret, until they are removed; those that expired are kept until then as well."""

    async def add(self, token: AccessToken, digest: bytes) -> None:
        """Keep it. Raises `Conflict` where its tenant has one of that name."""
        ...

    async def held(self, digests: Collection[bytes]) -> dict[bytes, AccessToken]:
        """The tokens of these digests that are there, whatever their tenant."""
        ...

    async def all(self, tenant: str) -> list[AccessToken]:
        """The tokens of a tenant, by name."""
        ...

    async def remove(self, tenant: str, name: str) -> None:
        """Take it away, so that it opens nothing any more. Raises `NotFound`."""
        ...
