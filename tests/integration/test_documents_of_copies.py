"""Documents that came with a copy: its own from then on, and the same file, edited, changes what it has and no more."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from agentmem.assets.document_record import documents_of, facts_of, pieces_of
from agentmem.domain.document import CHUNK, FACT
from agentmem.domain.memory import MemoryNode, MemoryType, RecordType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.memory.forget_plan import Meant
from agentmem.runtime.facade.app import App
from tests.integration.test_ingest import ingest, write
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import memories, spine

BEFORE = ("# Stack", "Acme uses Redis.", "## Tools", "Bolt Scheduler depends on Kafka.", "## Team", "It is small.")
AFTER = tuple(text.replace("Kafka", "Postgres") for text in BEFORE)
ONCE_CHANGED = {
    (CHUNK, StoreStatus.VALID): 3,
    (CHUNK, StoreStatus.EXPIRED): 1,
    (FACT, StoreStatus.VALID): 2,
    (FACT, StoreStatus.EXPIRED): 1,
    (RecordType.DOCUMENT.value, StoreStatus.EXPIRED): 1,
}


async def shelf(app: App, agent: str) -> list[MemoryNode]:
    """What is stored of the agent's documents, with their records."""
    scope = Scope(TENANT, agent)
    return [*await app.memories(documents_of(scope)), *await memories(app, MemoryType.LONGTERM, scope=scope)]


def counted(nodes: Sequence[MemoryNode]) -> Counter[tuple[str | None, StoreStatus]]:
    return Counter((node.kind, node.store_status) for node in nodes)


async def read_by(app: App, agent: str, file: Path) -> bool:
    """Whether there was anything new in it."""
    told = await app.library.ingest(agent, [file])
    await app.drain()
    return bool(told.received)


async def test_what_a_clone_has_of_a_document_leads_to_nothing_of_its_original(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md", *BEFORE)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        await app.copies.clone(AGENT, "twin")
        nodes = await shelf(app, "twin")
        mine = {node.memory_id for node in nodes}
        [card] = [node for node in nodes if node.record is RecordType.DOCUMENT]
        listed = [*pieces_of(card), *facts_of(card)]
        assert {node.memory_id for node in nodes if node is not card} == set(listed)
        said = [node.meta_data.get(name) for node in nodes for name in ("documentId", "previous", "next")]
        assert {str(key) for key in said if key is not None} <= mine


@pytest.mark.parametrize(("reader", "other"), [("twin", AGENT), (AGENT, "twin"), ("third", "twin"), ("twin", "third")])
async def test_a_document_edited_for_one_of_them_supersedes_there_and_nowhere_else(
    tmp_path: Path, reader: str, other: str
) -> None:
    file = write(tmp_path, "a.md", *BEFORE)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        await app.copies.clone(AGENT, "twin")
        await app.copies.clone("twin", "third")
        untouched = await shelf(app, other)
        assert not await read_by(app, reader, file)

        write(tmp_path, "a.md", *AFTER)
        assert await read_by(app, reader, file)
        nodes = await shelf(app, reader)
        assert counted(nodes) == ONCE_CHANGED
        [old] = [node for node in nodes if node.kind == CHUNK and node.store_status is StoreStatus.EXPIRED]
        [new] = [node for node in nodes if node.kind == CHUNK and node.supersedes]
        assert (old.superseded_by, new.supersedes) == (new.memory_id, (old.memory_id,))
        assert await shelf(app, other) == untouched

        assert await read_by(app, other, file)
        assert counted(await shelf(app, other)) == ONCE_CHANGED
        assert await shelf(app, reader) == nodes
        assert (await app.index.verify()).ok


async def test_a_document_in_a_bundle_is_known_where_the_bundle_is_read(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md", *BEFORE)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        await app.bundles.export(AGENT, tmp_path / "seller.agent")
        await app.bundles.import_(tmp_path / "seller.agent", agent_id="guest")
        write(tmp_path, "a.md", *AFTER)
        assert await read_by(app, "guest", file)
        assert counted(await shelf(app, "guest")) == ONCE_CHANGED


async def test_what_was_erased_from_a_clone_s_document_does_not_come_back_with_the_file(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md", *BEFORE)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        await app.copies.clone(AGENT, "twin")
        [piece] = [node for node in await shelf(app, "twin") if node.kind == CHUNK and "Kafka" in node.content]
        scope = Scope(TENANT, "twin", piece.target_id)
        await app.forget(Meant(scope, ids=(piece.memory_id,)), erase=True)
        write(tmp_path, "a.md", *BEFORE, "One line more.")
        assert await read_by(app, "twin", file)
        assert not [node for node in await shelf(app, "twin") if "Kafka" in node.content]
