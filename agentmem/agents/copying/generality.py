"""What several people have in common, stated without any of them (the one way in which insights built on customers
leave), and how a memory is stripped for a hire.

A stripped memory names no other memory, no conversation, no document that could be followed and no place. The hired
agent knows it from the hire on, and about itself where the original knew it about itself.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import UnionType

from agentmem import patterns as re
from agentmem.agents.copying.identifying_words import People, gives_nobody_away
from agentmem.domain.attributes import Own, base_of, own_slot, value_kind
from agentmem.domain.document import is_of_document
from agentmem.domain.entity import Mention, graph_lane, mentions_of, with_mentions
from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.lineage import LINEAGE, copied_id
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus, Trust, local_day, microseconds
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import Persona
from agentmem.domain.value import JsonValue
from agentmem.language.normal import Language
from agentmem.language.values import canonical_value

KIND = "general"
"""The kind of a memory of what several people have in common."""

_SHARED: Mapping[str, tuple[str, str]] = {
    "need": ("需求", "need"),
    "preference": ("偏好", "preference"),
    "constraint": ("要求", "requirement"),
    "complaint": ("不满", "complaint"),
    "concern": ("顾虑", "concern"),
    "plan": ("计划", "plan"),
    "habit": ("习惯", "habit"),
    "benefit": ("看重的好处", "benefit sought"),
    "industry": ("行业", "industry"),
    "business": ("业务", "business"),
    "current_system": ("现用系统", "system in use"),
    "main_needs": ("主要需求", "main need"),
    "main_concerns": ("主要顾虑", "main concern"),
    "conditions": ("看重的条件", "condition"),
}
"""Slots whose values people may share without being known by them, with their names; a persona's own slots of plain
text are others."""

_LEAD = re.compile(
    r"^(?:最|很|比较|主要|都|也)?(?:想要|需要|希望能够|希望能|希望|担心的是|担心|觉得|认为)(?=.{2})|(?:了|[。.!！])$|"
    r"^(?:(?:would like|wants?|needs?|hopes?)(?: to)?|(?:is )?(?:worried|concerned) about|thinks|finds)\s+",
    re.IGNORECASE,
)
"""The verb with which one person said it and another did not: 想要私有部署 and 需要私有部署 want one thing."""

_DERIVED = (MemoryType.OBSERVATION, MemoryType.INSIGHT, MemoryType.LONGTERM)
_SAID = (Modality.STATED, Modality.INFERRED)


@dataclass(frozen=True, slots=True)
class Saying:
    """That a person's memory has a value in a slot. `holds`: it is valid, and not only was."""

    memory_id: str
    target: str
    slot: str
    value: str
    holds: bool
    trust: Trust


@dataclass(frozen=True, slots=True)
class General:
    """A value that at least the asked number of people share. `general_id` depends on nothing but what it says."""

    general_id: str
    slot: str
    value: str
    trust: Trust


@dataclass(slots=True)
class Sayings:
    """What people said of themselves in slots that may be shared, taken in one by one."""

    own: Own
    found: list[Saying] = field(default_factory=list[Saying])

    def take(self, node: MemoryNode) -> None:
        """Take in one memory where it is such a saying."""
        if not (node.attribute and node.value) or node.memory_type not in _DERIVED or node.modality not in _SAID:
            return
        slot = own_slot(node.attribute, self.own)
        if _may_be_shared(slot, self.own) and node.store_status is not StoreStatus.DELETED:
            holds = node.store_status is StoreStatus.VALID and node.needs_review is None
            self.found.append(Saying(node.memory_id, node.target_id, slot, node.value, holds, node.trust))

    def general(self, people: People, besides: Collection[str], least: int, *, ended: bool = False) -> list[General]:
        """What at least `least` different people share, and what gives nobody away but the targets `besides`; with
        `ended`, also what they shared once."""
        groups: defaultdict[tuple[str, str], list[Saying]] = defaultdict(list)
        for saying in self.found:
            if (saying.holds or ended) and saying.target not in besides and _of_himself(saying, people):
                groups[saying.slot, canonical_value("text", _core(saying.value))].append(saying)
        marks = people.marks(besides, personal=True)
        shared = (_shared(key, group) for key, group in sorted(groups.items()) if _many(group, people, least))
        return [item for item in shared if gives_nobody_away(item.value, marks)]


def _shared(key: tuple[str, str], group: Collection[Saying]) -> General:
    slot, canonical = key
    spellings = Counter(_core(saying.value) for saying in group)
    value = min(spellings, key=lambda text: (-spellings[text], len(text), text))
    trust = Trust.UNTRUSTED if any(item.trust is Trust.UNTRUSTED for item in group) else Trust.PRINCIPAL
    return General(derived_id(KIND, slot, canonical), slot, value, trust)


def _core(value: str) -> str:
    return _LEAD.sub("", value.strip()).strip() or value.strip()


def _may_be_shared(slot: str, own: Own) -> bool:
    return slot in _SHARED or (slot in own and base_of(slot) == slot and value_kind(slot, own) == "text")


def _of_himself(saying: Saying, people: People) -> bool:
    """Whether nobody but the person himself is behind it, and he is a person at all."""
    behind = people.behind(saying.memory_id)
    return behind is not None and behind <= {saying.target} and saying.target not in people.itself


def _many(group: Iterable[Saying], people: People, least: int) -> bool:
    return people.different(saying.target for saying in group) >= least


def told(item: General, least: int, language: Language) -> tuple[str, str]:
    """The sentence about a general value, and the name of its slot."""
    zh, en = _SHARED.get(item.slot, (item.slot, item.slot.replace("_", " ")))
    if language == "zh":
        return f"至少{least}位客户的{zh}:{item.value}", zh
    return f"At least {least} customers share this {en}: {item.value}", en


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
            ending=node.ending,
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
