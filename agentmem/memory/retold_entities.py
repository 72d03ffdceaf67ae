"""Entities and communities without what is forgotten, told anew in the same run: what is said of them is said by other
memories, and of what nobody mentions any more not even the name is told. Who keeps the graph goes on from there."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from agentmem.domain.entity import mentions_of, named
from agentmem.domain.memory import GRAPH, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.graph.identity.entities import TALKED_TO, told_of
from agentmem.ledger.listing import every
from agentmem.memory.forget_plan import ForgetPlan
from agentmem.ports.ledger import Ledger, Selection

PAGE = 1_000


async def retell(ledger: Ledger, plan: ForgetPlan) -> None:
    """Add to the plan what becomes of the graph."""
    touched = [*plan.gone.values(), *(plan.edited[key][0] for key in plan.cuts)]
    said = [node for node in touched if node.memory_type not in (*GRAPH, MemoryType.CONVERSATION)]
    if not said and not plan.meant.everything:
        return
    entities = await _entities(ledger, plan, said)
    hidden = await _unmentioned(ledger, plan, entities)
    names = {name for node in hidden.values() for name in node.key} | _names_given(plan)
    plan.gone |= hidden
    await _tell_anew(ledger, plan, [node for key, node in entities.items() if key not in hidden], names)
    await _disperse(ledger, plan, hidden)


async def _entities(ledger: Ledger, plan: ForgetPlan, said: Iterable[MemoryNode]) -> dict[str, MemoryNode]:
    """The entities these memories mention or that tell of them, and what those lead on to."""
    wanted = {key for node in said for key in _mentioned(node)} | plan.named
    if plan.meant.everything and plan.meant.scope.target is not None:
        wanted.add(plan.meant.scope.target)
    found: dict[str, MemoryNode] = {}
    while wanted:
        nodes = (await ledger.get(plan.meant.scope.tenant, wanted)).values()
        new = {node.memory_id: node for node in nodes if node.memory_type is MemoryType.ENTITY}
        found |= new
        wanted = {node.superseded_by for node in new.values() if node.superseded_by} - found.keys()
    return found


async def _unmentioned(ledger: Ledger, plan: ForgetPlan, entities: Mapping[str, MemoryNode]) -> dict[str, MemoryNode]:
    """The entities that nothing mentions which is told on; who is talked with is there all the same."""
    person = plan.meant.scope.target if plan.meant.everything else None
    likely = {
        key: node
        for key, node in entities.items()
        if key == person or not (node.meta_data.get(TALKED_TO) and await _has_talked(ledger, plan, key))
    }
    if not likely:
        return {}
    scope = Scope(plan.meant.scope.tenant, plan.meant.scope.agent)
    naming = await ledger.naming(scope, likely.keys())
    known = (await ledger.get(scope.tenant, naming)).values()
    told = (plan.state(node) for node in known if node.memory_id not in plan.gone and node.memory_type not in GRAPH)
    mentioned = {key for node in told for key in _mentioned(node)}
    leading = {node.superseded_by for key, node in likely.items() if key in mentioned}
    return {key: node for key, node in likely.items() if key not in mentioned | leading}


async def _has_talked(ledger: Ledger, plan: ForgetPlan, key: str) -> bool:
    """Whether somebody has said anything himself: others are only talked about."""
    talks = Selection(Scope(plan.meant.scope.tenant, plan.meant.scope.agent, key), (MemoryType.CONVERSATION,), limit=1)
    return bool(await ledger.select(talks))


async def _tell_anew(ledger: Ledger, plan: ForgetPlan, nodes: Sequence[MemoryNode], names: Collection[str]) -> None:
    sources = await ledger.get(plan.meant.scope.tenant, {key for node in nodes for key in node.source_ids})
    for node in nodes:
        said = [plan.state(sources[key]) for key in node.source_ids if key in sources and key not in plan.gone]
        keys = tuple(name for name in node.key if name == node.value or name not in names)
        after = told_of(node.revised(key=keys), said)
        plan.edit(node, key=keys, content=after.content, source_ids=after.source_ids)
        if node.memory_id in plan.named:
            plan.mark(node)


async def _disperse(ledger: Ledger, plan: ForgetPlan, hidden: Collection[str]) -> None:
    """Communities that tell of any of it, or did, are told no more until they are grouped anew."""
    before = (await ledger.get(plan.meant.scope.tenant, plan.named)).values()
    plan.gone |= {node.memory_id: node for node in before if node.memory_type is MemoryType.COMMUNITY}
    scope = Scope(plan.meant.scope.tenant, plan.meant.scope.agent)
    wanted = Selection(scope, (MemoryType.COMMUNITY,), (StoreStatus.VALID,), limit=PAGE)
    async for node in every(ledger, wanted):
        if not set(node.entity_ids).isdisjoint(hidden):
            plan.gone[node.memory_id] = node


def _names_given(plan: ForgetPlan) -> set[str]:
    """The other names that what is forgotten gave somebody."""
    return {node.value for node in plan.gone.values() if node.attribute in ("alias", "name") and node.value}


def _mentioned(node: MemoryNode) -> set[str]:
    own = () if node.memory_type in GRAPH else (node.target_id,)
    mentions = (named(node.tenant, node.agent_id, each.name) for each in mentions_of(node))
    return {*own, *node.entity_ids, *mentions}
