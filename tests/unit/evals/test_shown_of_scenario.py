"""A scenario that was played shows what is remembered of its own customers."""

from uuid import uuid4

from rich.console import Console

from agentmem.domain.memory import MemoryType
from agentmem.interfaces.cli.commands.run import remembered
from tests.support.nodes import a_memory


def test_a_scenario_shows_its_own_customers_and_counts_the_others() -> None:
    his = a_memory("Dave has a sister", target_name="Dave")
    sister = a_memory(
        "The sister is a nurse", target_name="the sister", target_id=str(uuid4()), source_ids=(his.memory_id,)
    )
    hers = a_memory("Emma lives in Cork", target_name="Emma")
    manual = a_memory("Doors are oak", memory_type=MemoryType.LONGTERM, target_name="Clerk")
    console = Console(width=100)
    with console.capture() as shown:
        for part in remembered([his, sister, hers, manual], ["Dave"]):
            console.print(part)
    told = shown.get()
    assert all(node.content in told for node in (his, sister, manual))
    assert "Emma" not in told
    assert "not shown: 1 of other people" in told
