"""Who talks with whom, in which conversation, and what that lets the agent see."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final

from agentmem.agents.copying.generality import PEOPLE
from agentmem.domain.event import Person, TurnSpoken
from agentmem.domain.filter import AllOf, AnyOf, Compare, Filter, NotAny
from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.lineage import LINEAGE
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane, Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from agentmem.memory.support import rests_on

_OF_DOCUMENTS: Final = Compare("memoryType", "eq", MemoryType.LONGTERM.value)
_SHARED: Final = AllOf(
    (Compare("memoryType", "eq", MemoryType.INSIGHT.value), Compare(f"metaData.{PEOPLE}", "exists")),
)
_KINDS: Final = ("chunk", "fact")
"""What documents are made into: pieces, and what these say."""


@dataclass(frozen=True)
class Talk:
    """One agent of a tenant, talking with one person in the conversation `run_id`.

    Raises `InvalidInput` where the person bears the agent's own name: he would speak into what it knows of its own.
    """

    tenant: str
    persona: Persona
    person: Person
    run_id: str

    def __post_init__(self) -> None:
        if self.lane.target == self.own:
            raise InvalidInput(f"{self.person.name!r} is the name of the agent itself; talk to it under another name")

    @cached_property
    def lane(self) -> Lane:
        """Where what the two say is queued."""
        return lane_of(self.tenant, self.persona, self.person)

    @cached_property
    def own(self) -> str:
        """The agent itself, as that which its documents are about."""
        return entity_id(self.tenant, self.persona.id, canonical_name(self.persona.name))

    @property
    def scope(self) -> Scope:
        """The person, and beside him the agent itself; nobody else."""
        return Scope(self.tenant, self.persona.id, self.lane.target, beside=(self.own,))

    def filter(self, since: datetime | None) -> Filter:
        """What the scope holds of the person, and what is the agent's own; without the turns of this conversation from
        `since` on, which stand before the model's eyes anyway."""
        person = Compare("targetId", "eq", self.lane.target)
        seen = AnyOf((person, AllOf((Compare("targetId", "eq", self.own), AnyOf((_OF_DOCUMENTS, _SHARED))))))
        if since is None:
            return seen
        turn = Compare("memoryType", "eq", MemoryType.CONVERSATION.value)
        window = AllOf((turn, Compare("runId", "eq", self.run_id), Compare("validAt", "gte", since)))
        return AllOf((seen, NotAny((window,))))

    def documents(self) -> Filter:
        """The agent's documents alone."""
        return AllOf((Compare("targetId", "eq", self.own), _OF_DOCUMENTS))

    def is_document(self, node: MemoryNode) -> bool:
        """Whether the memory is made of one of the agent's documents. A hired agent's names none, so what it is called
        there decides; nothing that was said is one."""
        made = node.memory_type is MemoryType.LONGTERM and node.kind in _KINDS and not node.evidence
        return made and node.target_id == self.own and ("assetId" in node.meta_data or not rests_on(node))

    def is_own(self, node: MemoryNode) -> bool:
        """Whether the memory is what the agent knows of its trade: of its documents, or of what people have in common,
        as it came with a hire. What is concluded here rests on somebody's words, and those are not for everybody."""
        shared = PEOPLE in node.meta_data and LINEAGE in node.meta_data and not rests_on(node)
        return self.is_document(node) or (shared and node.target_id == self.own)

    def event_id(self, key: str, run_id: str | None = None) -> str:
        """The id of what is said under a caller's key, in this run where it was named: whoever calls for one person
        neither meets nor learns of the keys that another's calls have."""
        return derived_id("said", self.lane.target, run_id or "", key)

    def turn(
        self, text: str, index: int, at: datetime, event_id: str, *, by_agent: bool, meta: Mapping[str, JsonValue]
    ) -> TurnSpoken:
        """One turn of it. Raises `InvalidInput`."""
        return TurnSpoken(
            event_id=event_id,
            tenant=self.tenant,
            agent_id=self.persona.id,
            agent_name=self.persona.name,
            target_id=self.lane.target,
            at=at,
            person=self.person,
            by_agent=by_agent,
            text=text,
            run_id=self.run_id,
            turn_index=index,
            meta=dict(meta),
        )


def lane_of(tenant: str, persona: Persona, person: Person) -> Lane:
    """The lane of an agent's talks with a person."""
    return Lane(tenant, persona.id, entity_id(tenant, persona.id, canonical_name(person.known_as)))
