"""Walking over memories from entity to entity."""

import pytest

from agentmem.errors import InvalidInput
from agentmem.graph.walk import Walk, walk
from agentmem.ports.memory_index import MemoryIndex, Where
from tests.support.indexes import HERE
from tests.support.links import CHAIN, entity, filled, link, of
from tests.support.nodes import a_memory


async def walked(index: MemoryIndex, *names: str, hops: int, limit: int = 100) -> Walk:
    return await walk(index, Where(HERE), {of(name): 1.0 for name in names}, hops=hops, limit=limit)


@pytest.mark.parametrize(
    ("hops", "reached"),
    [(0, {"罗小东": 0}), (1, {"罗小东": 0, "AIP": 1}), (2, {"罗小东": 0, "AIP": 1, "审核引擎": 2})],
)
async def test_each_step_leads_to_the_entities_of_the_memories_walked_over(hops: int, reached: dict[str, int]) -> None:
    async with filled(*CHAIN) as index:
        found = await walked(index, "罗小东", hops=hops)
    assert found.entities == {of(name): hop for name, hop in reached.items()}
    assert [one.hop for one in found.links] == list(range(1, hops + 1))


async def test_the_way_back_is_open_too_and_a_ring_ends() -> None:
    async with filled(*CHAIN, link("李雷", "罗小东")) as index:
        found = await walked(index, "Redis", hops=3)
    assert found.entities[of("罗小东")] == 2
    assert len({one.memory_id for one in found.links}) == len(found.links) == 5


async def test_other_names_of_an_entity_are_the_same_place() -> None:
    nodes = (entity("罗小东", "小东"), entity("小东", leads_to="罗小东"), link("小东", "AIP"), link("罗小东", "SAP"))
    async with filled(*nodes) as index:
        by_name, by_alias = await walked(index, "罗小东", hops=1), await walked(index, "小东", hops=1)
    assert by_name.entities == by_alias.entities == {of("罗小东"): 0, of("AIP"): 1, of("SAP"): 1}


async def test_a_memory_of_many_is_one_link_over_all_of_them() -> None:
    async with filled(link("罗小东", "AIP", "SAP", relation="USES")) as index:
        found = await walked(index, "SAP", hops=1)
    (only,) = found.links
    assert (only.entities, only.relation) == ((of("罗小东"), of("AIP"), of("SAP")), "USES")


async def test_what_all_memories_name_passes_less_on_than_what_few_do() -> None:
    many = [link("AIP", f"客户{number}") for number in range(60)]
    async with filled(*many, link("审核引擎", "Redis")) as index:
        found = await walked(index, "AIP", "审核引擎", hops=1)
    assert found.links[0].entities == (of("审核引擎"), of("Redis"))


async def test_a_walk_is_bounded_and_stays_in_its_scope() -> None:
    elsewhere = a_memory("elsewhere", tenant="globex", entity_ids=(of("罗小东"), of("Secret")))
    async with filled(*CHAIN, elsewhere) as index:
        cut = await walked(index, "罗小东", hops=3, limit=2)
        assert (len(cut.links), cut.more) == (2, True)
        assert not (await walked(index, "罗小东", hops=2, limit=3)).more
        assert of("Secret") not in (await walked(index, "罗小东", hops=3)).entities
        with pytest.raises(InvalidInput, match="allowed: 0 to 3"):
            await walked(index, "罗小东", hops=4)
