"""The shortest way between two entities, and the graph as a file."""

import json
from xml.etree import ElementTree

import pytest

from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.graph.export import GRAPHML, drawing, graphml, jsonld
from agentmem.graph.walk import LONGEST, EntityPath, shortest
from agentmem.ports.memory_index import Where
from tests.support.indexes import HERE
from tests.support.links import CHAIN, entity, filled, link, of


def chain(count: int) -> list[MemoryNode]:
    return [link(f"n{number}", f"n{number + 1}") for number in range(count)]


async def test_the_shortest_of_several_ways_is_found_from_either_end() -> None:
    short = link("罗小东", "Redis")
    async with filled(*CHAIN, short) as index:
        there = await shortest(index, Where(HERE), of("罗小东"), of("李雷"))
        back = await shortest(index, Where(HERE), of("李雷"), of("罗小东"))
    entities, memory_ids = (of("罗小东"), of("Redis"), of("李雷")), (short.memory_id, CHAIN[3].memory_id)
    assert there == EntityPath(entities, memory_ids)
    assert back == EntityPath(entities[::-1], memory_ids[::-1])


async def test_a_way_leads_over_other_names_and_ends_in_a_ring() -> None:
    ring = (link("罗小东", "AIP"), link("AIP", "SAP"), link("SAP", "罗小东"))
    names = (entity("罗小东", "小东"), entity("小东", leads_to="罗小东"))
    async with filled(*ring, *names, link("小东", "王芳")) as index:
        found = await shortest(index, Where(HERE), of("王芳"), of("SAP"))
        nothing = await shortest(index, Where(HERE), of("王芳"), of("nobody"))
        itself = await shortest(index, Where(HERE), of("小东"), of("罗小东"))
    assert found is not None
    assert found.entities == (of("王芳"), of("罗小东"), of("SAP"))
    assert nothing is None
    assert itself == EntityPath((of("罗小东"),))


@pytest.mark.parametrize(("steps", "there"), [(LONGEST, True), (LONGEST + 1, False)])
async def test_a_way_has_six_steps_at_most(steps: int, there: bool) -> None:
    async with filled(*chain(steps)) as index:
        assert (await shortest(index, Where(HERE), of("n0"), of(f"n{steps}")) is not None) == there


async def test_no_way_leads_through_what_is_not_in_scope() -> None:
    hidden = link("AIP", "李雷").revised(store_status=StoreStatus.EXPIRED)
    async with filled(link("罗小东", "AIP"), hidden) as index:
        assert await shortest(index, Where(HERE), of("罗小东"), of("李雷")) is None


HOSTILE = "<b> & \x0b \ud83d".encode("utf-8", "ignore").decode()


def test_every_end_of_an_edge_is_a_vertex_in_both_forms() -> None:
    entities = (entity("罗小东", "小东"), entity("小东", leads_to="罗小东"))
    memories = (link("小东", "AIP", HOSTILE, relation="USES"), link("罗小东", "SAP"))
    graph = drawing(entities, memories)
    tree = ElementTree.fromstring(graphml(graph))
    nodes = {node.get("id") for node in tree.iter(f"{{{GRAPHML}}}node")}
    ends = [(edge.get("source"), edge.get("target")) for edge in tree.iter(f"{{{GRAPHML}}}edge")]
    data = json.loads(jsonld(graph))["@graph"]
    assert nodes == {of("罗小东"), of("AIP"), of(HOSTILE), of("SAP")}
    assert {end for pair in ends for end in pair} == nodes
    assert len(ends) == 3
    assert {item["id"] for item in data if item["type"] != "statement"} == {f"urn:uuid:{node}" for node in nodes}
    assert [item["relation"] for item in data if item["type"] == "statement"].count("USES") == 1
    (luo,) = (item for item in data if item["id"].endswith(of("罗小东")))
    assert luo["alternateName"] == ["小东"]


def test_nothing_is_a_graph_too() -> None:
    assert drawing((entity("罗小东"),), (a for a in ())).vertices == ()
    assert MemoryType.ENTITY.value not in graphml(drawing((), ()))
