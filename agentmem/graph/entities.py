"""Keeping entities: each name that memories mention is one, aliases lead on to the one they mean, and the weightiest
of what is said of an entity is its summary.

Who is talked to keeps his own entity whatever others call themselves: a claimed alias takes in a mere name, never a
person whom memories are about.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from agentmem.domain.document import is_of_document
from agentmem.domain.entity import Mention, graph_lane, mentions_of, named
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus, local_day, microseconds
from agentmem.domain.naming import canonical_name
from agentmem.domain.timestamp import TimestampGenerator
from agentmem.graph.feed import WORKER, changed_in
from agentmem.graph.resolution import load, root
from agentmem.language.normal import language_of
from agentmem.ledger.plan import Plan
from agentmem.ports.ledger import Commit, Ledger
from agentmem.ports.work_queue import Claim, Done

SUMMARY: Final = 1_000
"""Characters of a summary."""

SUMMARISED: Final = 20
"""Memories a summary is made of, the weightiest first."""

TALKED_TO: Final = "talkedTo"
"""Set in the `meta_data` of an entity that memories are about: somebody with a lane of his own."""

MERGED_BY: Final = "mergedBy"
"""In the `meta_data` of an entity that was taken in: the memory that said it is another one's name."""

_NAMING: Final = ("alias", "name")
_TOLD: Final = (Modality.STATED, Modality.INFERRED, Modality.ASSERTED_BY_AGENT)


@dataclass(frozen=True, slots=True)
class EntityKeeper:
    """Brings an agent's entities up to date with memories that changed."""

    ledger: Ledger
    timestamps: TimestampGenerator
    now: Callable[[], datetime]

    async def keep(self, claim: Claim) -> Done:
        """Take in the memories that the claimed jobs name."""
        tenant, now = claim.lane.tenant, self.now()
        ids = changed_in([job.note for job in claim.jobs])
        changed = sorted(
            (await self.ledger.get(tenant, ids)).values(), key=lambda node: (node.timestamp, node.memory_id)
        )
        wanted = {entity for node in changed for entity, _ in _mentioned(node)}
        wanted |= {named(tenant, node.agent_id, node.value) for node in changed if _names(node) and node.value}
        plan = Plan((await load(self.ledger, tenant, wanted)).values())
        for node in changed:
            self._mention(plan, node, now)
        for node in changed:
            if _names(node):
                self._name(plan, node, now)
        await self._summarise(plan, changed)
        changes = plan.changes()
        run = claim.jobs[0].job_id
        return Done(commit=Commit(tenant, run, WORKER, now, changes) if changes else None)

    def _mention(self, plan: Plan, node: MemoryNode, now: datetime) -> None:
        """Make the entities a memory mentions, where there are none; a kind that was not known is known from now on."""
        for place, (entity, mention) in enumerate(_mentioned(node)):
            own = place == 0
            if entity not in plan:
                plan.put(_entity(entity, mention, node, self.timestamps, now), "add", "mentioned")
            known = plan[root(plan.nodes(), entity)]
            kind = mention.kind if known.kind == "thing" else known.kind
            meta = {**known.meta_data, TALKED_TO: True} if own else known.meta_data
            if (kind, meta) != (known.kind, known.meta_data):
                plan.put(known.revised(kind=kind, meta_data=meta), "refresh", "mentioned")

    def _name(self, plan: Plan, node: MemoryNode, now: datetime) -> None:
        """Let another name of somebody lead on to him, or no longer, where what said so does not hold any more."""
        assert node.value is not None
        other = named(node.tenant, node.agent_id, node.value)
        held = node.store_status is StoreStatus.VALID and node.modality in _TOLD
        entity = plan[root(plan.nodes(), node.target_id)]
        taken = plan.get(other)
        if held and other != entity.memory_id and (taken is None or _may_be_taken_in(taken)):
            mention = Mention(name=node.value, kind="person")
            alias = taken or _entity(other, mention, node, self.timestamps, now)
            merged = alias.ended(at=now, now=now, by=entity.memory_id)
            merged = merged.revised(meta_data={**alias.meta_data, MERGED_BY: node.memory_id})
            plan.put(merged, "merge", "another name")
            names = tuple(dict.fromkeys((*entity.key, *alias.key)))
            plan.put(entity.revised(key=names, value=_fullest(entity.value or "", names)), "merge", "another name")
        elif not held and taken is not None and taken.meta_data.get(MERGED_BY) == node.memory_id:
            self._part(plan, entity, taken)

    def _part(self, plan: Plan, entity: MemoryNode, taken: MemoryNode) -> None:
        """Two entities again, since what said that they are one does not hold any more."""
        meta = {name: value for name, value in taken.meta_data.items() if name != MERGED_BY}
        free = taken.revised(
            store_status=StoreStatus.VALID, invalid_at=None, expired_at=None, superseded_by=None, meta_data=meta
        )
        plan.put(free, "refresh", "not another name any more")
        names = tuple(name for name in entity.key if name not in taken.key) or entity.key[:1]
        plan.put(entity.revised(key=names, value=_fullest(names[0], names)), "refresh", "not another name any more")

    async def _summarise(self, plan: Plan, changed: Collection[MemoryNode]) -> None:
        """Tell of each entity the weightiest of what is said of it now."""
        told: dict[str, dict[str, MemoryNode]] = {}
        for node in changed:
            for entity, _ in _mentioned(node):
                told.setdefault(root(plan.nodes(), entity), {})[node.memory_id] = node
        for node in plan.touched():
            if node.store_status is StoreStatus.VALID:
                told.setdefault(node.memory_id, {})
        before = {source for entity in told for source in plan[entity].source_ids}
        known = await self.ledger.get(plan[next(iter(told))].tenant, before) if before else {}
        for entity, new in told.items():
            node = plan[entity]
            said = {**{key: known[key] for key in node.source_ids if key in known}, **new}
            sources = _weightiest(said.values())
            content = _content(node, sources)
            ids = tuple(source.memory_id for source in sources)
            if (content, ids) != (node.content, node.source_ids):
                plan.touch(node.revised(content=content, source_ids=ids), "refresh", "what is said of it changed")


def _mentioned(node: MemoryNode) -> Iterator[tuple[str, Mention]]:
    """The entities a memory is about, whom it is about first."""
    person = not is_of_document(node) and (node.memory_type is not MemoryType.LONGTERM or bool(node.evidence))
    yield node.target_id, Mention(name=node.target_name, kind="person" if person else "thing")
    for mention in mentions_of(node):
        yield named(node.tenant, node.agent_id, mention.name), mention


def _names(node: MemoryNode) -> bool:
    return node.attribute in _NAMING and bool(node.value and node.value.strip())


def _may_be_taken_in(node: MemoryNode) -> bool:
    return node.store_status is StoreStatus.VALID and not node.meta_data.get(TALKED_TO)


def _fullest(name: str, names: Iterable[str]) -> str:
    """The most complete of the names that contain the one that is known."""
    wanted = canonical_name(name)
    return max((each for each in names if wanted in canonical_name(each)), key=len, default=name)


def _entity(
    entity: str, mention: Mention, node: MemoryNode, timestamps: TimestampGenerator, now: datetime
) -> MemoryNode:
    return MemoryNode(
        memory_id=entity,
        tenant=node.tenant,
        agent_id=node.agent_id,
        user_name=node.user_name,
        target_id=graph_lane(node.tenant, node.agent_id).target,
        target_name=node.user_name,
        memory_type=MemoryType.ENTITY,
        kind=mention.kind,
        content=mention.name,
        key=(mention.name,),
        value=mention.name,
        modality=Modality.INFERRED,
        language=language_of(mention.name),
        timestamp=timestamps.next(microseconds(now)),
        dt=local_day(now),
        valid_at=now,
        created_at=now,
    )


def _weightiest(memories: Iterable[MemoryNode]) -> list[MemoryNode]:
    """What is held to be true now, at most twenty: the important first, then the newest."""
    held = [node for node in memories if node.store_status is StoreStatus.VALID and node.modality in _TOLD]
    return sorted(held, key=lambda node: (-node.importance, -node.timestamp, node.memory_id))[:SUMMARISED]


def _content(entity: MemoryNode, sources: Iterable[MemoryNode]) -> str:
    """The name, the other names, and what is said, whole statements as far as there is room."""
    names = [name for name in entity.key if name != entity.value]
    head = f"{entity.value} ({', '.join(names)})" if names else str(entity.value)
    said: list[str] = []
    room = SUMMARY
    for text in dict.fromkeys(" ".join(source.content.split()) for source in sources):
        if len(text) <= room:
            said.append(text)
            room -= len(text)
    return f"{head}: {' '.join(said)}" if said else head
