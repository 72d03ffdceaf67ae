"""What a program keeps beside the memories and states nothing is in no count, list or export of memories; whoever asks
for what is stored gets it all the same."""

from pathlib import Path

from agentmem.domain.change import Change
from agentmem.domain.item import session_item
from agentmem.domain.memory import LAYERS, Ending, MemoryNode, MemoryType, RecordType, StoreStatus
from agentmem.domain.scope import Lane, Scope
from agentmem.interfaces.web.views.agents import FORMS
from agentmem.ports.ledger import Commit, Selection
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.speech import Utterance
from tests.support.nodes import AGENT, NOON, TARGET, TENANT
from tests.support.served import served
from tests.support.site import sent, visitor
from tests.support.spine import spine

HERE = f"/agents/{AGENT}"
EVERYBODY = Scope(TENANT, AGENT)
KEPT = "Kept as it is"


async def told(app: App) -> None:
    """The agent read a document and was told something, and a framework keeps an item of its session."""
    await app.library.take_in(AGENT, "guide.md", b"# Guide\n\nThe bridge opens at nine.")
    await app.say(AGENT, "罗小东", [Utterance("我住在上海。")], end=True)
    await app.drain()
    lane = Lane(TENANT, AGENT, TARGET)
    kept = session_item(lane, ("Seller", "罗小东"), "talk", KEPT, turn=None, timestamp=1, now=NOON)
    await app.journal.ledger.commit(Commit(TENANT, "kept", "test", NOON, (Change(act="add", after=kept),)))


async def records(app: App) -> list[MemoryNode]:
    kinds = (RecordType.DOCUMENT, RecordType.SESSION_ITEM)
    return [node for kind in kinds for node in await app.memories(Selection(EVERYBODY, record=kind))]


async def test_records_are_in_no_list_and_no_count(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await told(app)
        assert [node.record for node in await records(app)] == [RecordType.DOCUMENT, RecordType.SESSION_ITEM]
        listed = await app.memories(Selection(EVERYBODY))
        assert [node.content for node in listed if node.ending is Ending.RECORD] == []
        overview = await app.records.inspecting.overview(EVERYBODY)
        counted = {each.memory_type: (each.valid, each.ended) for each in overview.layers if each.memory_type in LAYERS}
        assert counted == {
            layer: (
                sum(node.memory_type is layer and node.store_status is StoreStatus.VALID for node in listed),
                sum(node.memory_type is layer and node.store_status is StoreStatus.EXPIRED for node in listed),
            )
            for layer in counted
        }
        assert counted[MemoryType.LONGTERM] == (1, 0)
        (luo,) = overview.people
        assert luo.memories == sum(node.target_id == TARGET for node in listed)
        preview = await app.copies.preview_hire(AGENT, "temp", tenant="globex", from_tenant=TENANT)
        assert sum(preview.stays.values()) + len(preview.memories) == len(listed)


async def test_records_are_in_no_export_for_people_and_on_no_page(tmp_path: Path) -> None:
    async with served(tmp_path) as server, visitor(server) as client:
        await told(server.app)
        for path in (HERE, f"{HERE}/memories", f"{HERE}/memories?layer=longterm", f"{HERE}/people/{TARGET}"):
            page = (await client.get(path)).text
            assert KEPT not in page, path
            assert ">record<" not in page, path
        for form in FORMS.keys() - {"bundle"}:
            file = await sent(client, f"{HERE}/export", {"form": form}, on=HERE)
            assert KEPT not in file.text, form
            assert "The bridge opens at nine." in file.text, form
            assert "~~Guide" not in file.text, form
