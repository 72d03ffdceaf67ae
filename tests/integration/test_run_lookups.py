"""What is looked up of many memories is looked up at once."""

from pathlib import Path
from typing import Any, cast

from agentmem.domain.change import Change
from agentmem.domain.scope import Principal
from agentmem.ports.ledger import Commit
from agentmem.runtime.facade.access import Access
from agentmem.runtime.facade.records import Records
from tests.support.counting import Calls, Counting
from tests.support.nodes import NOON, TENANT, a_memory
from tests.support.spine import spine


async def test_a_run_costs_as_many_looks_however_many_memories_it_touched(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        for run, memories in (("small", 1), ("large", 20)):
            several = tuple(Change(act="add", after=a_memory(f"{run} {number}")) for number in range(memories))
            await app.journal.ledger.commit(Commit(TENANT, run, "reflection", NOON, several))
        looks: list[int] = []
        for run, memories in (("small", 1), ("large", 20)):
            calls: Calls = []
            journal = cast(Any, Counting(app.journal, "journal", calls))
            found = await Records(Access(Principal.owner(TENANT)), journal).of_run(run)
            assert len(found.entries) == memories
            looks.append(len(calls))
        assert looks[0] == looks[1]
