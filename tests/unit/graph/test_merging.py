"""Two entities that become one."""

from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.graph.identity.entities import MAX_NAMES, NAMED, joined, told_of
from tests.support.nodes import AGENT, NOON, TENANT, a_memory


def entity(name: str) -> MemoryNode:
    given = {"memory_id": named(TENANT, AGENT, name), "memory_type": MemoryType.ENTITY, "key": (name,), "value": name}
    return a_memory(name, **given)


def test_however_many_names_somebody_gives_himself_the_first_are_kept_and_few_are_shown() -> None:
    whole = entity("Mallory")
    for number in range(200):
        whole = joined(whole, entity(f"Name number {number}, which is rather a long one"), by="m", now=NOON).whole
    assert len(whole.key) == MAX_NAMES
    assert whole.key[:2] == ("Mallory", "Name number 0, which is rather a long one")
    assert whole.value == "Mallory"
    assert len(told_of(whole, ()).content) < 2 * NAMED
