"""From one agent's memories to another's: the same words, times and links under other ids and another owner; and what
the owner or a model decided about who is who, on its way into a copy.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Self

from agentmem.agents.copying.generality import Removal
from agentmem.domain.entity import APART, MENTIONS, graph_lane, mentions_of, named
from agentmem.domain.ids import derived_id, entity_id, is_id
from agentmem.domain.lineage import LINEAGE, Lineage, copied_id
from agentmem.domain.memory import MemoryNode, MemoryType, left_out
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue
from agentmem.graph.identity.by_hand import called, carried, decided_in
from agentmem.graph.identity.entities import MERGED_BY
from agentmem.ledger.listing import every
from agentmem.memory.intake import TOLD_IN
from agentmem.memory.relation import JUDGED
from agentmem.ports.agent_records import CopiedRow, Wire
from agentmem.ports.ledger import Ledger, Selection

_OF_DOCUMENT = "assetId"
_PLACES = ("documentId", "previous", "next")
_LISTS = ("pieces", "facts")
"""In the `metaData` of what a document is remembered as, beside its `assetId`: memories, one or several."""

_LINKS = ("sourceIds", "dependsOn", "supersedes", "conflictsWith", "needsReview")


def wire_of(node: MemoryNode) -> Wire:
    """A memory in wire form, as a journal keeps it."""
    return node.model_dump(mode="json", exclude=left_out(node))


def node_of(wire: Wire) -> MemoryNode:
    """The memory again."""
    return MemoryNode.model_validate(wire)


@dataclass(frozen=True, slots=True)
class Renaming:
    """Makes the memories of agent `source_agent` of `source_tenant` those of `agent` of `tenant`, whose name is `name`.

    `entities` are the ids of whom memories are about, by the ids they have at the source; those that are not in it are
    derived from the old ones.
    """

    source_tenant: str
    source_agent: str
    tenant: str
    agent: str
    name: str
    entities: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, copy: Lineage, name: str, *, source_name: str, about: Iterable[str]) -> Self:
        """That of a copy. An id that is the one of a name in `about` becomes the copy's id of that name, so the copy
        knows whom it speaks with; memories about the source itself are about the copy."""
        made = cls(copy.source_tenant, copy.source_agent, copy.tenant, copy.agent_id, name)
        names = {each: each for each in about} | {source_name: name}
        return replace(made, entities={made._known(old): made._own(new) for old, new in names.items()})

    def memory_id(self, original: str) -> str:
        """The id of a memory."""
        return _copied(self.tenant, self.agent, original)

    def entity_id(self, original: str) -> str:
        """The id of whom or what a memory is about."""
        known = self.entities.get(original)
        return derived_id("copied entity", self.tenant, self.agent, original) if known is None else known

    def entity_of(self, node: MemoryNode) -> str:
        """The id of an entity: by the name that its own was made of."""
        known = self.entities.get(node.memory_id)
        names = (self._own(name) for name in node.key if self._known(name) == node.memory_id)
        return known or next(names, None) or self.entity_id(node.memory_id)

    def run(self, original: str) -> str:
        """The name of a unit of changes: taking back one agent's leaves the other's alone."""
        return _run(self.tenant, self.agent, original)

    def node(self, node: MemoryNode) -> MemoryNode:
        """A memory of the source as one of the copy."""
        return node_of(self.wire(wire_of(node)))

    def row(self, row: CopiedRow) -> CopiedRow:
        """A row of the source's ledger as one of the copy's."""
        return replace(
            row,
            memory_id=self.memory_id(row.memory_id),
            target_id=self._target(row),
            run=self.run(row.run),
            reason=self._reason(row),
            after=None if row.after is None else self.wire(row.after),
        )

    def wire(self, wire: Wire) -> Wire:
        """The same for a memory in wire form; fields keep their order."""
        owner, target, speaker = wire["userName"], str(wire["targetName"]), wire.get("speaker")
        about_itself = wire["targetId"] == self._known(str(owner))
        named: Wire = {
            **wire,
            "memoryId": self.memory_id(str(wire["memoryId"])),
            "tenant": self.tenant,
            "agentId": self.agent,
            "userName": self.name,
            "targetId": self._about(str(wire["targetId"]), target, str(owner)),
            "targetName": self.name if about_itself else target,
            "entityIds": self._links(wire),
            "evidence": [{**part, "memoryId": self.memory_id(str(part["memoryId"]))} for part in _parts(wire)],
            "metaData": self._meta(wire),
        }
        named |= {name: [self.memory_id(each) for each in _ids(wire, name)] for name in _LINKS if name in wire}
        if "supersededBy" in wire:
            named["supersededBy"] = self.memory_id(str(wire["supersededBy"]))
        if speaker == owner:
            named["speaker"] = self.name
        return named

    def _links(self, wire: Wire) -> list[JsonValue]:
        """What a memory is about, by the names that stand beside the ids where there are any."""
        named = {self._known(name): self._own(name) for name in _mentioned(wire)}
        return [named.get(each) or self.entity_id(each) for each in _ids(wire, "entityIds")]

    def _meta(self, wire: Wire) -> dict[str, JsonValue]:
        given = wire["metaData"]
        before = given if isinstance(given, dict) else {}
        told_in = {TOLD_IN: self.entity_id(str(before[TOLD_IN]))} if TOLD_IN in before else {}
        origin: dict[str, JsonValue] = {"agent": self.source_agent, "memoryId": wire["memoryId"]}
        if self.tenant == self.source_tenant:
            origin["tenant"] = self.tenant
        apart = before.get(JUDGED)
        judged: dict[str, JsonValue] = {JUDGED: list(map(self._if_id, apart))} if isinstance(apart, list) else {}
        return {**before, **told_in, **judged, **self._of_document(before), LINEAGE: origin}

    def _of_document(self, meta: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """What pieces, facts and cards of documents say of one another."""
        if _OF_DOCUMENT not in meta:
            return {}
        singly = {name: self._if_id(meta[name]) for name in _PLACES if name in meta}
        listed = {name: meta[name] for name in _LISTS if name in meta}
        lists = {name: list(map(self._if_id, ids)) for name, ids in listed.items() if isinstance(ids, list)}
        return {**singly, **lists}

    def _if_id(self, value: JsonValue) -> JsonValue:
        return self.memory_id(value) if isinstance(value, str) and is_id(value) else value

    def _about(self, target_id: str, name: str, owner: str) -> str:
        """By the name that stands beside it, where it is the id of that name; else as any other entity."""
        if target_id in self.entities:
            return self.entities[target_id]
        if target_id == self._known(owner):
            return self._own(self.name)
        return self._own(name) if target_id == self._known(name) else self.entity_id(target_id)

    def _target(self, row: CopiedRow) -> str:
        if row.after is None:
            return self.entity_id(row.target_id)
        return self._about(row.target_id, str(row.after["targetName"]), str(row.after["userName"]))

    def _reason(self, row: CopiedRow) -> str:
        """What an undo gives as its reason names the run that it took back."""
        before, takes_back, run = row.reason.partition("takes back ")
        return f"{takes_back}{self.run(run)}" if row.act == "undo" and takes_back and not before else row.reason

    def _known(self, name: str) -> str:
        return _named(self.source_tenant, self.source_agent, name)

    def _own(self, name: str) -> str:
        return _named(self.tenant, self.agent, name)


@lru_cache(maxsize=65_536)
def _copied(tenant: str, agent: str, original: str) -> str:
    return copied_id(tenant, agent, original)


@lru_cache(maxsize=4_096)
def _named(tenant: str, agent: str, name: str) -> str:
    return entity_id(tenant, agent, canonical_name(name))


@lru_cache(maxsize=4_096)
def _run(tenant: str, agent: str, original: str) -> str:
    return derived_id("copied run", tenant, agent, original)


def _mentioned(wire: Wire) -> list[str]:
    meta = wire["metaData"]
    mentions = meta.get(MENTIONS) if isinstance(meta, dict) else None
    named = mentions if isinstance(mentions, list) else []
    return [str(each["name"]) for each in named if isinstance(each, dict) and "name" in each]


def _ids(wire: Wire, name: str) -> list[str]:
    ids = wire[name]
    return [str(each) for each in ids] if isinstance(ids, list) else []


def _parts(wire: Wire) -> list[dict[str, JsonValue]]:
    parts = wire["evidence"]
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


PAGE = 1_000


async def decisions_of(ledger: Ledger, source: Scope) -> list[MemoryNode]:
    """The decisions of an agent."""
    wanted = Selection(source, types=(MemoryType.ENTITY,), limit=PAGE)
    return decided_in([node async for node in every(ledger, wanted)])


def decided_in_copy(
    decisions: Iterable[MemoryNode], to: Renaming, memory_id: Callable[[str], str | None]
) -> list[MemoryNode]:
    """The same as decisions of the copy."""
    known = list(decisions)
    moved = carried(known, {node.memory_id: to.entity_of(node) for node in known}, memory_id)
    lane = graph_lane(to.tenant, to.agent)
    whose: dict[str, object] = {"tenant": to.tenant, "agent_id": to.agent, "user_name": to.name}
    return [node.revised(**whose, target_id=lane.target, target_name=to.name) for node in moved]


def decided_in_hire(
    decisions: Iterable[MemoryNode], memories: Iterable[MemoryNode], removal: Removal
) -> list[MemoryNode]:
    """The decisions as far as `memories`, which go along, name all that they join or part, under these names alone."""
    told = {canonical_name(mention.name) for node in memories for mention in mentions_of(node)}
    ids: dict[str, str] = {}
    named_so: list[MemoryNode] = []
    for node in decisions:
        names = [name for name in node.key if canonical_name(name) in told]
        own = [name for name in names if named(node.tenant, node.agent_id, name) == node.memory_id]
        if own:
            ids[node.memory_id] = named(removal.tenant, removal.persona.id, own[0])
            meta = {key: value for key, value in node.meta_data.items() if key in (MERGED_BY, APART)}
            named_so.append(called(node, names).revised(meta_data=meta))
    # Which memory said so stays behind: what it decided went by its word, and stays with it.
    moved = carried(named_so, ids, lambda _: None)
    return [
        removal.entity(node) for node in moved if node.superseded_by or _leads(node, moved) or APART in node.meta_data
    ]


def _leads(node: MemoryNode, among: Iterable[MemoryNode]) -> bool:
    return any(each.superseded_by == node.memory_id for each in among)


def rows_of(decisions: Iterable[MemoryNode], *, behind: int, run: str, cause: str, at: datetime) -> list[CopiedRow]:
    """The decisions as rows of a ledger, numbered from the one behind `behind`."""
    return [
        CopiedRow(
            seq=number,
            memory_id=node.memory_id,
            target_id=node.target_id,
            run=run,
            cause=cause,
            at=at.isoformat(),
            act="add",
            reason="decided before",
            after=wire_of(node),
        )
        for number, node in enumerate(decisions, start=behind + 1)
    ]
