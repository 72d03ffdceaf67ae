"""Who may come in from outside: a token stands for a principal, until it expires or is revoked.

The token itself is shown once and stored nowhere; what is stored is its digest.
"""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from secrets import token_urlsafe
from typing import Final, Literal

from pydantic import AwareDatetime, Field, model_validator

from agentmem.domain.ids import Name, Uuid
from agentmem.domain.persona import AgentId
from agentmem.domain.scope import ALL, Grant, Principal
from agentmem.domain.value import Value
from agentmem.errors import InvalidInput

PREFIX: Final = "agm_"
_BYTES: Final = 32
MAX_SECRET: Final = 200
"""Characters of a token that are looked at; ours have 47."""


class AccessToken(Value):
    """What a token lets: `agents` by id, or `*` for all of its tenant; only what is about the person `about`, where he
    is named; everything in the whole store with `owner`. Raises `InvalidInput`."""

    token_id: Uuid
    name: Name
    tenant: Name
    agents: Mapping[AgentId | Literal["*"], tuple[Grant, ...]] = Field(default_factory=dict, max_length=1_000)
    about: Name | None = None
    owner: bool = False
    created_at: AwareDatetime
    expires_at: AwareDatetime | None = None

    @model_validator(mode="after")
    def _lets_something(self) -> "AccessToken":
        if self.owner and (self.agents or self.about is not None):
            raise ValueError("an owner's token is for everything; leave agents and about out")
        if not self.owner and not any(self.agents.values()):
            raise ValueError("a token needs an agent with at least one right, or to be an owner's")
        return self

    @property
    def principal(self) -> Principal:
        """On whose behalf its bearer asks. The name is of this token alone, so that its end ends no later one."""
        name = f"{self.name}/{self.token_id[:8]}"
        if self.owner:
            return Principal(name, self.tenant, {ALL: frozenset(Grant)}, operator=True)
        return Principal(
            name, self.tenant, {agent: frozenset(given) for agent, given in self.agents.items()}, self.about
        )

    def is_valid(self, now: datetime) -> bool:
        """Whether it has not expired."""
        return self.expires_at is None or now < self.expires_at


def new_secret() -> str:
    """A token: 256 random bits."""
    return PREFIX + token_urlsafe(_BYTES)


def digest_of(secret: str) -> bytes:
    """What a token is recognised by: 32 bytes. Raises `InvalidInput` for what no token can be."""
    if not 0 < len(secret) <= MAX_SECRET or not secret.isascii():
        raise InvalidInput("no token")
    return sha256(secret.encode()).digest()
