"""Keeping entities: each name that memories mention is one, aliases lead on to the one they mean, and the weightiest
of what is said of an entity is its summary.

Who is talked to keeps his own entity whatever others call themselves: a claimed alias takes in a mere name, never a
person whom memories are about.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from agentmem.domain.document import is_of_document
from agentmem.domain.entity import Mention, graph_lane, mentions_of, named
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus, local_day, microseconds
from agentmem.domain.scope import Scope
from agentmem.domain.timestamp import TimestampGenerator
from agentmem.graph.feed import WORKER, changed_in
from agentmem.graph.merging import MERGED_BY, TALKED_TO, are_apart, counted, freed, joined, without
from agentmem.graph.resolution import load, root
from agentmem.graph.resolving import EntityResolver
from agentmem.graph.summary import TOLD, told_of
from agentmem.language.normal import language_of
from agentmem.ledger.plan import Plan
from agentmem.ports.ledger import Commit, Ledger
from agentmem.ports.work_queue import Claim, Done

_NAMING: Final = ("alias", "name")


@dataclass(frozen=True, slots=True)
class EntityKeeper:
    """Brings an agent's entities up to date with memories that changed."""

    ledger: Ledger
    timestamps: TimestampGenerator
    now: Callable[[], datetime]
    resolver: EntityResolver | None = None
    """None in a process that does not hold the index: a new name is then an entity of its own."""

    async def keep(self, claim: Claim) -> Done:
        """Take in the memories that the claimed jobs name."""
        tenant, now = claim.lane.tenant, self.now()
        ids = changed_in([job.note for job in claim.jobs])
        stored = await self.ledger.get(tenant, ids)
        changed = sorted(stored.values(), key=lambda node: (node.timestamp, node.memory_id))
        taken_out = set(ids) - stored.keys()
        bereft = await self._telling(claim, taken_out)
        wanted = {entity for node in changed for entity, _ in _mentioned(node)} | bereft.keys()
        wanted |= {named(tenant, node.agent_id, node.value) for node in changed if _names(node) and node.value}
        wanted |= {named(tenant, node.agent_id, name) for node in bereft.values() for name in node.key}
        plan = Plan((await load(self.ledger, tenant, wanted)).values())
        _part(plan, taken_out)
        for node in changed:
            self._mention(plan, node, now)
        for node in changed:
            if _names(node):
                self._name(plan, node, now)
        if self.resolver is not None:
            await self.resolver.resolve(claim, plan, changed, now)
        await self._summarise(plan, changed, bereft)
        changes = plan.changes()
        run = claim.jobs[0].job_id
        return Done(commit=Commit(tenant, run, WORKER, now, changes) if changes else None)

    def _mention(self, plan: Plan, node: MemoryNode, now: datetime) -> None:
        """Make the entities a memory mentions, where there are none; a kind that was not known is known from now on."""
        for place, (entity, mention) in enumerate(_mentioned(node)):
            own = place == 0
            if entity not in plan:
                plan.put(_entity(entity, mention, node, self.timestamps, now), "add", "mentioned")
            leads_to = root(plan, entity)
            if leads_to not in plan:  # what had taken it in was erased
                plan.put(freed(plan[entity]), "refresh", "not another name any more")
                leads_to = entity
            known = plan[leads_to]
            kind = mention.kind if known.kind == "thing" else known.kind
            meta = counted({**known.meta_data, TALKED_TO: True} if own else known.meta_data, node.timestamp)
            if (kind, meta) != (known.kind, known.meta_data):
                plan.put(known.revised(kind=kind, meta_data=meta), "refresh", "mentioned")

    def _name(self, plan: Plan, node: MemoryNode, now: datetime) -> None:
        """Let another name of somebody lead on to him, or no longer, where what said so does not hold any more."""
        assert node.value is not None
        other = named(node.tenant, node.agent_id, node.value)
        held = node.store_status is StoreStatus.VALID and node.modality in TOLD
        entity = plan[root(plan, node.target_id)]
        taken = plan.get(other)
        if held and other != entity.memory_id and (taken is None or _may_be_taken_in(taken, entity)):
            mention = Mention(name=node.value, kind="person")
            alias = taken or _entity(other, mention, node, self.timestamps, now)
            both = joined(entity, alias, by=node.memory_id, now=now)
            plan.put(both.taken, "merge", "another name")
            plan.put(both.whole, "merge", "another name")
        elif not held and taken is not None and taken.meta_data.get(MERGED_BY) == node.memory_id:
            plan.put(freed(taken), "refresh", "not another name any more")
            plan.put(without(entity, taken), "refresh", "not another name any more")

    async def _telling(self, claim: Claim, taken_out: Collection[str]) -> dict[str, MemoryNode]:
        """The entities that tell of memories which an undo took out, by id."""
        if not taken_out:
            return {}
        tenant = claim.lane.tenant
        resting = await self.ledger.naming(Scope(tenant, claim.lane.agent), taken_out)
        found = await load(self.ledger, tenant, resting)
        return {key: node for key, node in found.items() if not set(node.source_ids).isdisjoint(taken_out)}

    async def _summarise(self, plan: Plan, changed: Collection[MemoryNode], bereft: Collection[str]) -> None:
        """Tell of each entity the weightiest of what is said of it now."""
        told: dict[str, dict[str, MemoryNode]] = {root(plan, entity): {} for entity in bereft}
        for node in changed:
            for entity, _ in _mentioned(node):
                told.setdefault(root(plan, entity), {})[node.memory_id] = node
        for node in plan.touched():
            if node.store_status is StoreStatus.VALID:
                told.setdefault(node.memory_id, {})
        before = {source for entity in told for source in plan[entity].source_ids}
        known = await self.ledger.get(plan[next(iter(told))].tenant, before) if before else {}
        for entity, new in told.items():
            node = plan[entity]
            said = {**{key: known[key] for key in node.source_ids if key in known}, **new}
            told_now = told_of(node, said.values())
            if (told_now.content, told_now.source_ids) != (node.content, node.source_ids):
                plan.touch(told_now, "refresh", "what is said of it changed")


def _mentioned(node: MemoryNode) -> Iterator[tuple[str, Mention]]:
    """The entities a memory is about, whom it is about first."""
    person = not is_of_document(node) and (node.memory_type is not MemoryType.LONGTERM or bool(node.evidence))
    yield node.target_id, Mention(name=node.target_name, kind="person" if person else "thing")
    for mention in mentions_of(node):
        yield named(node.tenant, node.agent_id, mention.name), mention


def _part(plan: Plan, taken_out: Collection[str]) -> None:
    """Free whatever was merged because of a memory that an undo took out."""
    for node in list(plan.nodes().values()):
        if node.superseded_by is not None and node.meta_data.get(MERGED_BY) in taken_out:
            whole = plan[root(plan, node.memory_id)]
            plan.put(freed(node), "refresh", "not another name any more")
            plan.put(without(whole, node), "refresh", "not another name any more")


def _names(node: MemoryNode) -> bool:
    return node.attribute in _NAMING and bool(node.value and node.value.strip())


def _may_be_taken_in(node: MemoryNode, by: MemoryNode) -> bool:
    held = node.store_status is StoreStatus.VALID
    return held and not node.meta_data.get(TALKED_TO) and not are_apart(node, by)


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
