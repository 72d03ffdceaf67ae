"""What one agent has of another, and the ids under which it has it."""

from typing import Literal

from pydantic import AwareDatetime, Field

from agentmem.domain.ids import Name, derived_id, is_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.value import JsonObject, JsonValue, Value

CopyKind = Literal["clone", "hire", "import", "export"]
"""`import` and `export`: by way of a file. An export has no copy in this journal."""

CopyState = Literal["making", "made", "released"]
"""`making`: begun and not complete, so that nobody sees the copy. `released`: given back, or removed though it was
hired, or made from who was."""

AS_PACKED = " as packed "
"""In the name of a source that is no agent here; no agent's id has blanks."""

PACKED = "packed"
"""The key in an import's contract under which tenant and id stand that the agent had in the file."""

LINEAGE = "lineage"
"""The key in a copied memory's metaData under which its origin stands."""


BOUND = "hire"
"""The key in an import's contract under which stands what the agent in the file was bound by."""


class Lineage(Value):
    """That an agent was made from another one, as it was at row `head` of the ledger its source is in.

    The source is `source_agent` of `source_tenant`, the copy `agent_id` of `tenant`; of an export both name the source,
    and `file` the file by its digest. `reached` is how far the making has come, in numbers of the maker's own choice,
    ledger rows of the source for a clone. `contract` says what was agreed, and means something to its kind alone.
    """

    kind: CopyKind
    state: CopyState = "making"
    source_tenant: Name
    source_agent: Name
    tenant: Name
    agent_id: Name
    file: Name | None = None
    head: int = Field(default=0, ge=0)
    reached: int = Field(default=0, ge=0)
    began_at: AwareDatetime
    made_at: AwareDatetime | None = None
    released_at: AwareDatetime | None = None
    contract: JsonObject = Field(default_factory=dict)

    @property
    def bound(self) -> JsonValue:
        """The contract of hire that binds the agent that was made: its own, or the one that its file says; None where
        there is none."""
        return dict(self.contract) if self.kind == "hire" else self.contract.get(BOUND)

    @property
    def is_copy(self) -> bool:
        """Whether there is an agent that was made, which erasures of its source have to reach."""
        return self.kind != "export" and self.state != "making"

    @property
    def packed(self) -> tuple[str, str]:
        """Tenant and id of the source where its memories were made, of which the ids of their copies follow."""
        match self.contract.get(PACKED):
            case [str(tenant), str(agent)]:
                return tenant, agent
            case _:
                return self.source_tenant, self.source_agent

    @property
    def lineage_id(self) -> str:
        """Of the copy, or of the file that left: an agent is made once."""
        if self.kind == "export":
            return derived_id("lineage", "export", self.tenant, self.agent_id, self.file or "")
        return lineage_id(self.tenant, self.agent_id)


def lineage_id(tenant: str, agent: str) -> str:
    """The id of the lineage of this agent."""
    return derived_id("lineage", tenant, agent)


def copied_id(tenant: str, agent: str, memory_id: str) -> str:
    """The id that the memory has in the copy `agent` of `tenant`; the same for every attempt to make it."""
    return derived_id("copy", tenant, agent, memory_id)


def origin_of(node: MemoryNode) -> str | None:
    """The id of the memory that this one was copied from, as it says itself; None where it says none."""
    lineage = node.meta_data.get(LINEAGE)
    named = lineage.get("memoryId") if isinstance(lineage, dict) else None
    return named if isinstance(named, str) and is_id(named) else None
