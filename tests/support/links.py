"""Memories that link entities, and an index that holds them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from agentmem.adapters.memory_index.in_memory import InMemoryIndex
from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.ports.memory_index import MemoryIndex
from tests.support.indexes import a_point
from tests.support.nodes import AGENT, TENANT, a_memory


def of(name: str) -> str:
    """The id of the entity of that name."""
    return named(TENANT, AGENT, name)


def link(*names: str, relation: str | None = None) -> MemoryNode:
    """A memory about the first of these that names all of them."""
    return a_memory(" ".join(names), entity_ids=tuple(map(of, names)), relation=relation, target_id=of(names[0]))


def entity(name: str, *aliases: str, leads_to: str | None = None) -> MemoryNode:
    """An entity with its names, or one that was taken in by another."""
    return a_memory(
        name,
        memory_id=of(name),
        memory_type=MemoryType.ENTITY,
        value=name,
        key=(name, *aliases),
        store_status=StoreStatus.EXPIRED if leads_to else StoreStatus.VALID,
        superseded_by=of(leads_to) if leads_to else None,
    )


@asynccontextmanager
async def filled(*nodes: MemoryNode) -> AsyncGenerator[MemoryIndex]:
    """An index of these memories."""
    async with InMemoryIndex() as index:
        await index.upsert([a_point(node) for node in nodes])
        yield index


CHAIN = (link("罗小东", "AIP"), link("AIP", "审核引擎"), link("审核引擎", "Redis"), link("Redis", "李雷"))
