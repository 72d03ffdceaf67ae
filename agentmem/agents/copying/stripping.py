"""How a memory goes along with a hire: without any way back to whom, what and where it came from.

It names no other memory, no conversation, no document that could be followed, no place. The hired agent knows it from
the hire on, and about itself where the original knew it about itself.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import UnionType

from agentmem.agents.copying.generality import KIND, General, told
from agentmem.domain.document import is_of_document
from agentmem.domain.entity import Mention, graph_lane, mentions_of, with_mentions
from agentmem.domain.ids import entity_id
from agentmem.domain.lineage import LINEAGE, copied_id
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, local_day, microseconds
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import Persona
from agentmem.domain.value import JsonValue

PEOPLE = "people"
"""The key in the metaData of a memory that rests on people: so many different ones, or more, are behind it."""

KEPT: Mapping[str, type | UnionType] = {"heading": str, PEOPLE: int}
"""What a memory's metaData keeps, and as what: what a piece of a document stood under, and not in which or where. What
programs keep under these names in another form is theirs."""


@dataclass(frozen=True, slots=True)
class Removal:
    """From whom to whom: the source's agent id, the hired agent, its tenant, when the hire began, and how many people
    the contract asks for."""

    source: str
    persona: Persona
    tenant: str
    at: datetime
    people: int

    def moved(self, node: MemoryNode, *, of_itself: bool, concluded: bool, place: int | None = None) -> MemoryNode:
        """The memory as the hired agent has it; `place` keeps the pieces that go along in their order."""
        meta = node.meta_data
        kept: dict[str, JsonValue] = {name: meta[name] for name in KEPT if isinstance(meta.get(name), KEPT[name])}
        if place is not None:
            kept["place"] = place
        if concluded:
            kept.setdefault(PEOPLE, self.people)
        # What a document names in the words that go may be named; who else a memory is about is not told.
        mentions = tuple(_said(node)) if is_of_document(node) else ()
        kept |= with_mentions(mentions)
        target = self.persona.name if of_itself else node.target_name
        return MemoryNode(
            memory_id=copied_id(self.tenant, self.persona.id, node.memory_id),
            tenant=self.tenant,
            agent_id=self.persona.id,
            user_name=self.persona.name,
            target_id=self._entity(target),
            target_name=target,
            memory_type=node.memory_type,
            kind=node.kind,
            content=node.content,
            key=node.key,
            attribute=node.attribute,
            value=node.value,
            relation=node.relation if mentions else None,
            entity_ids=tuple(dict.fromkeys(self._entity(each.name) for each in mentions)),
            modality=node.modality,
            language=node.language,
            timestamp=node.timestamp,
            dt=node.dt,
            valid_at=node.valid_at,
            invalid_at=node.invalid_at,
            created_at=self.at,
            importance=node.importance,
            trust=node.trust,
            meta_data={**kept, LINEAGE: {"kind": "hire", "agent": self.source}},
        )

    def general(self, item: General, place: int) -> MemoryNode:
        """What people share, as knowledge of the hired agent's trade. `place` keeps timestamps apart."""
        content, name = told(item, self.people, self.persona.language)
        return MemoryNode(
            memory_id=copied_id(self.tenant, self.persona.id, item.general_id),
            tenant=self.tenant,
            agent_id=self.persona.id,
            user_name=self.persona.name,
            target_id=self._entity(self.persona.name),
            target_name=self.persona.name,
            memory_type=MemoryType.INSIGHT,
            kind=KIND,
            content=content,
            key=(name, item.value),
            attribute=item.slot,
            value=item.value,
            modality=Modality.INFERRED,
            language=self.persona.language,
            timestamp=microseconds(self.at) + place,
            dt=local_day(self.at),
            valid_at=self.at,
            created_at=self.at,
            importance=6,
            trust=item.trust,
            meta_data={PEOPLE: self.people, LINEAGE: {"kind": "hire", "agent": self.source}},
        )

    def entity(self, node: MemoryNode) -> MemoryNode:
        """An entity of a decision that goes along; its names, its place among others, and from when on it is known."""
        over = self.at if node.superseded_by else None
        return MemoryNode(
            memory_id=node.memory_id,
            tenant=self.tenant,
            agent_id=self.persona.id,
            user_name=self.persona.name,
            target_id=graph_lane(self.tenant, self.persona.id).target,
            target_name=self.persona.name,
            memory_type=MemoryType.ENTITY,
            kind=node.kind,
            content=node.content,
            key=node.key,
            value=node.value,
            modality=Modality.INFERRED,
            store_status=node.store_status,
            superseded_by=node.superseded_by,
            language=node.language,
            timestamp=microseconds(self.at),
            dt=local_day(self.at),
            valid_at=self.at,
            invalid_at=over,
            created_at=self.at,
            expired_at=over,
            meta_data=node.meta_data,
        )

    def _entity(self, name: str) -> str:
        return entity_id(self.tenant, self.persona.id, canonical_name(name))


def _said(node: MemoryNode) -> Iterator[Mention]:
    """The names that stand in what goes along: in the words, or in the heading above them."""
    words = canonical_name(f"{node.content}\n{node.meta_data.get('heading')}")
    yield from (mention for mention in mentions_of(node) if canonical_name(mention.name) in words)
