"""Who was made from whom, as a port."""

from collections.abc import Sequence
from typing import Protocol

from agentmem.domain.lineage import Lineage


class Lineages(Protocol):
    """Lineages by the agents they join; what is still being made is among them, as `making`."""

    async def origin(self, tenant: str, agent: str) -> Lineage | None:
        """What the agent was made from; None where it was made from nobody."""
        ...

    async def made_from(self, tenant: str, agent: str) -> Sequence[Lineage]:
        """What was made from the agent, copies in other tenants and exports included, the first begun first."""
        ...

    async def of_tenant(self, tenant: str) -> Sequence[Lineage]:
        """Every lineage that one of the tenant's agents has a part in, the first begun first."""
        ...

    async def record_export(self, export: Lineage) -> None:
        """Note that an agent left as a file; the same file is noted once."""
        ...
