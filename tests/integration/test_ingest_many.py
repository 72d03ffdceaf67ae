"""Many documents: an interruption is made good, what is unchanged costs nothing, an edit costs what it touches."""

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agentmem.assets.document_record import documents_of
from agentmem.domain.document import CHUNK, FACT
from agentmem.domain.memory import GRAPH, MemoryNode, MemoryType, RecordType, StoreStatus
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from tests.fixtures.scripted_model import scripted
from tests.integration.test_ingest import acts_since, ingest, write
from tests.support.nodes import AGENT
from tests.support.spine import SCOPE, spine

pytestmark = pytest.mark.thorough

FEW, MANY = 150, 1_000
ANSWERS: dict[str, dict[str, object]] = {"entities, relations": {"entities": [], "relations": []}}
"""What a model answers that finds nothing, by what it is asked for."""


def text(number: int) -> str:
    return f"# Machine {number}\n\nMachine {number} uses Pump {number}."


async def shelf(app: App) -> list[MemoryNode]:
    return list(await app.memories(Selection(SCOPE, (MemoryType.LONGTERM,), limit=5 * MANY)))


@pytest.mark.longer
async def test_many_documents_are_taken_in_once_however_often_that_is_interrupted(tmp_path: Path, longer: int) -> None:
    count = FEW if longer == 1 else MANY
    asked: list[str] = []

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        [tool] = info.output_tools
        wanted = ", ".join(sorted(tool.parameters_json_schema["properties"]))
        asked.append(wanted)
        return ModelResponse(parts=[ToolCallPart(tool.name, ANSWERS[wanted])])

    for number in range(count):
        write(tmp_path, f"{number:04d}.md", text(number))
    docs = tmp_path / "docs"
    async with spine(tmp_path) as app:
        await app.library.ingest(AGENT, [docs])
        working = asyncio.ensure_future(app.drain())
        while not await shelf(app):
            await asyncio.wait([working], timeout=0.05)
        working.cancel()
        await asyncio.wait([working])
        assert 0 < len(await shelf(app)) < 3 * count
    async with spine(tmp_path) as app:
        await ingest(app, docs)
        kinds = Counter((node.kind, node.store_status) for node in await shelf(app))
        assert kinds == {
            (CHUNK, StoreStatus.VALID): count,
            (FACT, StoreStatus.VALID): count,
        }
        assert len(await app.memories(replace(documents_of(SCOPE), limit=2 * count))) == count
    async with spine(tmp_path, scripted(FunctionModel(answer, model_name="counting"))) as app:
        head = await app.journal.ledger.head()
        told = await ingest(app, docs)
        assert (len(told.unchanged), told.received, await app.journal.ledger.head(), asked) == (count, [], head, [])

        write(tmp_path, "0100.md", text(100).replace("Pump", "Valve"))
        await ingest(app, docs)
        assert await acts_since(app, head) == ["add", "add", "supersede", "supersede"]
        assert asked == [*ANSWERS]  # the new piece is read once; whether its words mean what others mean nobody asks
        changed = [version.node for version in await app.journal.ledger.since(head, limit=100)]
        layers = [str(node.kind) for node in changed if node is not None and node.memory_type not in GRAPH]
        assert sorted(layers) == sorted([CHUNK, CHUNK, RecordType.DOCUMENT.value, FACT, FACT])
        between = [node for node in changed if node is not None and node.memory_type in GRAPH]
        named = [node.value for node in between if node.memory_type is MemoryType.ENTITY]
        assert sorted(map(str, named)) == ["Machine 100", "Pump 100", "Valve 100"]
        [community] = [node for node in between if node.memory_type is MemoryType.COMMUNITY]
        assert "Machine 100 uses Valve 100." in community.content
