"""Which agents there are, as a port."""

from datetime import datetime
from typing import Protocol

from agentmem.domain.persona import Persona


class AgentRegistry(Protocol):
    """Agents by (tenant, id), with the persona they were last given."""

    async def save_agent(self, tenant: str, persona: Persona, *, now: datetime) -> None:
        """Make the agent known, or give it a new persona; writes nothing where it is the same."""
        ...

    async def agent(self, tenant: str, agent_id: str) -> Persona | None:
        """The agent's persona, or None."""
        ...

    async def agents(self, tenant: str) -> list[Persona]:
        """All agents of the tenant, by id."""
        ...

    async def everyone(self) -> list[tuple[str, Persona]]:
        """All agents of all tenants, for the scheduler only."""
        ...
