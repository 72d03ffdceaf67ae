"""What an agent's owner or a model decided about who is who, on its way into a copy."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from agentmem.agents.copying.renaming import Renaming, wire_of
from agentmem.agents.copying.stripping import Removal
from agentmem.domain.entity import APART, graph_lane, mentions_of, named
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.graph.identity.decisions import called, carried, decided_in
from agentmem.graph.identity.merging import MERGED_BY
from agentmem.ports.copies import Row
from agentmem.ports.ledger import Ledger, Selection

PAGE = 1_000


async def decisions_of(ledger: Ledger, source: Scope) -> list[MemoryNode]:
    """The decisions of an agent."""
    entities: list[MemoryNode] = []
    wanted = Selection(source, types=(MemoryType.ENTITY,), limit=PAGE)
    while page := await ledger.select(wanted):
        entities += page
        wanted = replace(wanted, after=(page[-1].timestamp, page[-1].memory_id))
    return decided_in(entities)


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


def rows_of(decisions: Iterable[MemoryNode], *, behind: int, run: str, cause: str, at: datetime) -> list[Row]:
    """The decisions as rows of a ledger, numbered from the one behind `behind`."""
    return [
        Row(
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
