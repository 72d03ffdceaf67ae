"""Whom a reader means by a name that is typed into a page, and whose names it offers him."""

from collections.abc import Sequence
from typing import Final

from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import InvalidInput
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App

OFFERED: Final = 50
"""Names that a field offers, of those last spoken with."""

TURNS: Final = 500
"""The last turns, out of which these names are taken: to count whom there is takes a look at each memory."""


async def about_whom(app: App, agent: str, name: str) -> Scope:
    """The agent's memory or, where somebody is named, that of him; who may see one person alone sees that one. Raises
    `InvalidInput` for a name that nobody has."""
    own = app.access.own_target(agent)
    if not name:
        return Scope(app.tenant, agent, own)
    exact = named(app.tenant, agent, name)
    if own is not None:
        found = [exact] if exact == own else []
    else:
        spoke = Selection(Scope(app.tenant, agent, exact), (MemoryType.CONVERSATION,), limit=1)
        found = [exact] if await app.memories(spoke) else await app.targets(Scope(app.tenant, agent), name)
    if not found:
        raise InvalidInput(f"about: nobody is known as {name[:80]!r}")
    return Scope(app.tenant, agent, found[0])


def may_talk_as(app: App, scope: Scope, name: str) -> bool:
    """Whether the reader may talk as the person of this scope by giving this name."""
    assert scope.agent is not None
    return named(app.tenant, scope.agent, name) == scope.target and app.access.may(Grant.TALK, scope)


async def people_known(app: App, agent: str) -> Sequence[str]:
    """The names of those last spoken with, as far as the reader may know them."""
    scope = Scope(app.tenant, agent, app.access.own_target(agent))
    if not app.access.may(Grant.READ, scope):
        return []
    said = await app.memories(Selection(scope, (MemoryType.CONVERSATION,), limit=TURNS))
    return list(dict.fromkeys(turn.target_name for turn in said.memories))[:OFFERED]
