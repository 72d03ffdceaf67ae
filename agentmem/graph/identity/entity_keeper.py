"""Keeping entities: each name that memories mention is one, aliases lead on to the one they mean, and the weightiest
of what is said of an entity is its summary.

Who is talked to keeps his own entity whatever others call themselves. A claimed alias takes in a mere name that only he
who claims it has used: never a person whom memories are about, and nothing that others speak of, whether they did so
before or do so later.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from agentmem.domain.document import is_of_document
from agentmem.domain.entity import TOLD_IN, Mention, graph_lane, mentions_of, named
from agentmem.domain.ids import TimestampGenerator
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus, local_day, microseconds
from agentmem.domain.scope import Scope
from agentmem.graph.feed import WORKER, changed_in
from agentmem.graph.identity.entities import (
    COUNT,
    DECIDED,
    MERGED_BY,
    SPOKE,
    TALKED_TO,
    above,
    are_apart,
    counted,
    divided,
    freed,
    joined,
    load,
    root,
    set_apart,
    settled,
    told_by,
    told_elsewhere,
    told_of,
    voted,
)
from agentmem.graph.identity.resolver import EntityResolver
from agentmem.graph.identity.same_entity import is_vouched
from agentmem.language.names import names_person
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
        ids = changed_in(claim.jobs)
        stored = await self.ledger.get(tenant, ids)
        changed = sorted(stored.values(), key=lambda node: (node.timestamp, node.memory_id))
        taken_out = set(ids) - stored.keys()
        resting = await self._resting(claim, taken_out)
        bereft = {key: node for key, node in resting.items() if not taken_out.isdisjoint(node.source_ids)}
        wanted = {entity for node in changed for entity, _ in _mentioned(node)} | resting.keys()
        wanted |= {named(tenant, node.agent_id, node.value) for node in changed if _names(node) and node.value}
        wanted |= {named(tenant, node.agent_id, name) for node in bereft.values() for name in node.key}
        wanted |= {_origin(node) for node in changed}
        plan = Plan((await load(self.ledger, tenant, wanted)).values())
        for node in list(plan.nodes().values()):
            if node.superseded_by is not None and node.meta_data.get(MERGED_BY) in taken_out:
                await self._free(plan, node, "no longer another name")
        for node in changed:
            await self._mention(plan, node, now)
        for node in changed:
            if _names(node):
                await self._name(plan, node, now)
        if self.resolver is not None:
            await self.resolver.resolve(claim, plan, changed, now)
        await self._summarise(plan, changed, bereft)
        changes = plan.changes()
        run = claim.jobs[0].job_id
        return Done(commit=Commit(tenant, run, WORKER, now, changes) if changes else None)

    async def _mention(self, plan: Plan, node: MemoryNode, now: datetime) -> None:
        """Make the entities a memory mentions, where there are none; a kind that was not known is known from now on."""
        for entity, mention in _mentioned(node):
            own = entity == node.target_id and not _is_of_document(node)
            if entity not in plan:
                plan.put(_entity(entity, mention, node, self.timestamps, now), "add", "mentioned")
            elif _is_somebody_elses(plan, entity, node, own=own):
                await self._free(plan, plan[entity], "others mean something else by this name")
            leads_to = root(plan, entity)
            if leads_to not in plan:  # what had taken it in was erased
                plan.put(freed(plan[entity]), "refresh", "no longer another name")
                leads_to = entity
            known = plan[leads_to]
            meta = counted({**known.meta_data, TALKED_TO: True} if own else known.meta_data, node.timestamp)
            if meta.get(COUNT) != known.meta_data.get(COUNT):
                meta = voted(meta, mention.kind, node, held=known.kind if COUNT in known.meta_data else None)
            meta = told_by(meta, _origin(node))
            if own and mention.kind == "person" and _origin(node) == entity:
                meta[SPOKE] = True
            kind = settled(known.kind, meta, (*known.key, mention.name))
            if (kind, meta) != (known.kind, known.meta_data):
                plan.put(known.revised(kind=kind, meta_data=meta), "refresh", "mentioned")

    async def _name(self, plan: Plan, node: MemoryNode, now: datetime) -> None:
        """Let another name of somebody lead on to him, or no longer, where what said so does not hold any more."""
        assert node.value is not None
        other = named(node.tenant, node.agent_id, node.value)
        held = is_vouched(node) and _is_own_word(node) and names_person(node.value)
        entity = plan[root(plan, node.target_id)]
        taken = plan.get(other)
        if held and other != entity.memory_id and (taken is None or _may_be_taken_in(taken, entity, node)):
            mention = Mention(name=node.value, kind="person")
            alias = taken or _entity(other, mention, node, self.timestamps, now)
            both = joined(entity, alias, by=node.memory_id, now=now)
            plan.put(both.taken, "merge", "another name")
            plan.put(both.whole, "merge", "another name")
        elif not held and taken is not None and taken.meta_data.get(MERGED_BY) == node.memory_id:
            await self._free(plan, taken, "no longer another name")

    async def _free(self, plan: Plan, taken: MemoryNode, reason: str) -> None:
        """Let a name stand for its own again, with what is said of it."""
        higher = list(above(plan, taken))
        if not higher:
            plan.put(freed(taken), "refresh", reason)
            return
        whole = higher[-1]
        said = await self.ledger.get(taken.tenant, {*whole.source_ids, *taken.source_ids})
        both = divided(whole, taken, said.values())
        for node in set_apart(higher, taken, both):
            plan.put(node, "refresh", reason)

    async def _resting(self, claim: Claim, taken_out: Collection[str]) -> dict[str, MemoryNode]:
        """The entities that tell of memories which an undo or a forgetting took out, or that one of these led on to
        another, by id."""
        if not taken_out:
            return {}
        tenant = claim.lane.tenant
        return await load(self.ledger, tenant, await self.ledger.naming(Scope(tenant, claim.lane.agent), taken_out))

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
                plan.touch(told_now, "refresh", "what is said about it changed")


def _mentioned(node: MemoryNode) -> Iterator[tuple[str, Mention]]:
    """The entities a memory is about, whom it is about first: a document's is not about the agent that has it."""
    if not _is_of_document(node):
        person = node.memory_type is not MemoryType.LONGTERM or bool(node.evidence)
        yield node.target_id, Mention(name=node.target_name, kind="person" if person else "thing")
    for mention in mentions_of(node):
        yield named(node.tenant, node.agent_id, mention.name), mention


def _names(node: MemoryNode) -> bool:
    return node.attribute in _NAMING and bool(node.value and node.value.strip())


def _is_of_document(node: MemoryNode) -> bool:
    """Whether it is a document, a piece of one, or a fact in one: what is told there, nobody tells of the agent."""
    return is_of_document(node) or (node.memory_type is MemoryType.LONGTERM and "assetId" in node.meta_data)


def _origin(node: MemoryNode) -> str:
    """The document a memory is from, or the person in whose talk it was told."""
    if _is_of_document(node):
        return str(node.meta_data.get("assetId") or node.target_id)
    return str(node.meta_data.get(TOLD_IN, node.target_id))


def _is_own_word(node: MemoryNode) -> bool:
    """Whether somebody says it of himself."""
    return _origin(node) == node.target_id and node.modality is not Modality.ASSERTED_BY_AGENT


def _is_somebody_elses(plan: Plan, entity: str, node: MemoryNode, *, own: bool) -> bool:
    """Whether a name that this memory mentions leads on to somebody who claimed it, and it was not he who used it now;
    or whether he who bears the name speaks himself, whoever but a hand led it on."""
    by = plan[entity].meta_data.get(MERGED_BY)
    if by is None or by == "hand":
        return False
    origin = _origin(node)
    if own and origin == entity:
        return True
    return by not in DECIDED and root(plan, origin) != root(plan, entity)


def _may_be_taken_in(taken: MemoryNode, by: MemoryNode, node: MemoryNode) -> bool:
    """Whether what is known under a name that somebody gives himself may be he: a person as far as is known, whom
    nobody but he has named."""
    free = taken.store_status is StoreStatus.VALID and not taken.meta_data.get(TALKED_TO) and not are_apart(taken, by)
    return free and taken.kind in ("person", "thing") and not told_elsewhere(taken, _origin(node))


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
