"""Documents from files to long-term memory: unchanged costs nothing, edited is taken over, erased stays away."""

from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.assets.document_record import documents_of
from agentmem.domain.change import LedgerEntry
from agentmem.domain.document import CHUNK
from agentmem.domain.memory import GRAPH, MemoryNode, MemoryType, RecordType, StoreStatus, Trust
from agentmem.domain.persona import Persona
from agentmem.errors import InvalidInput, NotFound
from agentmem.memory.forget_plan import Meant
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.ingesting import Ingested
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import LATER, SCOPE, memories, payloads, spine

PARAGRAPHS = [f"Part {number} costs {number * 3 + 7} euros and is kept on shelf {number % 9}." for number in range(40)]


def write(folder: Path, name: str, *paragraphs: str) -> Path:
    path = folder / "docs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(paragraphs), "utf-8")
    return path


async def ingest(app: App, *paths: Path, prune: bool = False) -> Ingested:
    told = await app.library.ingest(AGENT, paths, prune=prune)
    await app.drain()
    return told


async def pieces(app: App) -> list[MemoryNode]:
    """The pieces that hold, in their order."""
    nodes = [node for node in await memories(app, MemoryType.LONGTERM) if node.store_status is StoreStatus.VALID]
    nodes = [node for node in nodes if node.kind == CHUNK]
    return sorted(nodes, key=lambda node: (str(node.meta_data["title"]), float(str(node.meta_data["place"]))))


async def acts_since(app: App, head: int) -> list[str]:
    """What was done to pieces since then."""
    found = list[LedgerEntry]()
    for version in await app.journal.ledger.since(head, limit=10_000):
        found += [entry for entry in await app.journal.ledger.history(TENANT, version.memory_id) if entry.seq > head]
    nodes = [(entry.change.after or entry.change.before, entry.change.act) for entry in found]
    return sorted(
        act
        for node, act in nodes
        if node is not None and node.memory_type not in GRAPH and node.record is not RecordType.DOCUMENT
    )


async def test_a_directory_becomes_memories_that_lead_back_to_their_place(tmp_path: Path) -> None:
    file = write(tmp_path, "prices.md", "# Prices", "A seat costs 99 euros.", "## Discounts", "Ten percent off.")
    write(tmp_path, "deep/stock.csv", "part,shelf\nbolt,7\nnut,9")
    async with spine(tmp_path) as app:
        told = await ingest(app, tmp_path / "docs")

        first, second, *records = await pieces(app)
        assert len(told.received) == 2
        assert second.content == "Prices › Discounts\nTen percent off."
        assert [node.content for node in records] == ["part: bolt\nshelf: 7", "part: nut\nshelf: 9"]
        assert (first.trust, first.meta_data["source"]) == (Trust.OWNER, str(file))
        assert (first.meta_data["next"], second.meta_data["previous"]) == (second.memory_id, first.memory_id)
        assert second.meta_data["section"] == ["Prices", "Discounts"]
        found = await app.recall(RecallQuery(SCOPE, "What does a seat cost?"))
        assert found.hits[0].memory.memory_id == first.memory_id
        assert (await app.index.verify()).ok


async def test_the_card_of_a_document_is_never_found(tmp_path: Path) -> None:
    clock = ManualClock(LATER)
    file = write(tmp_path, "bolts.md", "# Bolts", "They are made of steel.")
    async with spine(tmp_path, clock=clock) as app:
        await ingest(app, file)
        clock.advance(timedelta(days=1))
        write(tmp_path, "bolts.md", "# Bolts", "They are made of brass.")
        await ingest(app, file)
        (record,) = await app.memories(documents_of(SCOPE))
        for moment in (None, LATER, LATER + timedelta(hours=1), clock.now()):
            for known in (None, moment):
                found = await app.recall(RecallQuery(SCOPE, "Bolts", as_of=moment, known_at=known))
                assert record.memory_id not in [hit.memory.memory_id for hit in found.hits]


async def test_what_is_unchanged_is_not_written_nor_accepted_again(tmp_path: Path) -> None:
    write(tmp_path, "parts.txt", *PARAGRAPHS)
    async with spine(tmp_path) as app:
        await ingest(app, tmp_path / "docs")
        head, lanes = await app.journal.ledger.head(), await app.journal.events.lanes(SCOPE)
        events = await app.journal.events.of_lane(lanes[0], after=0, limit=10)

        told = await ingest(app, tmp_path / "docs")

        assert (told.received, [path.name for path in told.unchanged]) == ([], ["parts.txt"])
        assert await app.journal.ledger.head() == head
        assert await app.journal.events.of_lane(lanes[0], after=0, limit=10) == events


async def test_an_edited_paragraph_takes_over_one_piece(tmp_path: Path) -> None:
    file = write(tmp_path, "parts.txt", *PARAGRAPHS)
    write(tmp_path, "other.txt", *PARAGRAPHS)
    async with spine(tmp_path) as app:
        await ingest(app, tmp_path / "docs")
        before, head = await pieces(app), await app.journal.ledger.head()
        write(tmp_path, "parts.txt", *PARAGRAPHS[:20], "Part 20 costs nothing any more.", *PARAGRAPHS[21:])

        await ingest(app, tmp_path / "docs")

        acts, after = await acts_since(app, head), await pieces(app)
        assert sorted(acts) == ["add", "refresh", "refresh", "supersede"]
        (new,) = [node for node in after if node.memory_id not in {node.memory_id for node in before}]
        (old,) = [node for node in before if node.memory_id not in {node.memory_id for node in after}]
        assert (await app.journal.ledger.get(TENANT, [old.memory_id]))[old.memory_id].superseded_by == new.memory_id
        mine = [node for node in after if node.meta_data["assetId"] == file.as_posix()]
        links = [(node.meta_data["previous"], node.meta_data["next"]) for node in mine]
        ids = [node.memory_id for node in mine]
        assert links == list(zip([None, *ids[:-1]], [*ids[1:], None], strict=True))


async def test_a_removed_paragraph_ends_and_a_returned_one_is_the_memory_it_was(tmp_path: Path) -> None:
    sections = [f"# Section {number}\n\nIt says {number}." for number in range(4)]
    file = write(tmp_path, "a.md", *sections)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        before = [node.memory_id for node in await pieces(app)]
        write(tmp_path, "a.md", *sections[:1], *sections[2:])
        await ingest(app, file)
        assert [node.memory_id for node in await pieces(app)] == [before[0], *before[2:]]
        write(tmp_path, "a.md", *sections)
        await ingest(app, file)
        assert [node.memory_id for node in await pieces(app)] == before


async def test_documents_whose_file_is_gone_end_when_pruned(tmp_path: Path) -> None:
    gone, kept = write(tmp_path, "gone.md", "They left."), write(tmp_path, "kept.md", "They stayed.")
    elsewhere = tmp_path / "elsewhere.md"
    elsewhere.write_text("Far away.")
    async with spine(tmp_path) as app:
        await ingest(app, gone, kept, elsewhere)
        gone.unlink()
        elsewhere.unlink()
        assert (await ingest(app, tmp_path / "docs")).ended == []

        assert (await ingest(app, tmp_path / "docs", prune=True)).ended == [gone.as_posix()]

        assert sorted(node.content for node in await pieces(app)) == ["Far away.", "They stayed."]
        assert (await ingest(app, tmp_path / "docs", prune=True)).ended == []
        write(tmp_path, "gone.md", "They left.")
        await ingest(app, tmp_path / "docs")
        assert "They left." in [node.content for node in await pieces(app)]


async def test_refused_files_are_told_and_the_others_are_taken_in(tmp_path: Path) -> None:
    write(tmp_path, "good.md", "Something to know.")
    (tmp_path / "docs" / "bad.md").write_bytes(b"\x7fELF\0")
    async with spine(tmp_path) as app:
        told = await ingest(app, tmp_path / "docs")
        assert [(item.path.name, item.reason.partition(": ")[2]) for item in told.refused] == [
            ("bad.md", "is binary, not text")
        ]
        assert len(await pieces(app)) == 1
        with pytest.raises(NotFound):
            await app.library.ingest("nobody", [tmp_path])


async def test_an_interrupted_ingestion_goes_on_without_doubles(tmp_path: Path) -> None:
    for number in range(40):
        write(tmp_path, f"{number:02d}.md", f"Fact number {number}.")

    def stop(done: int, _of: int) -> None:
        if done >= 16:
            raise KeyboardInterrupt

    async with spine(tmp_path) as app:
        with pytest.raises(KeyboardInterrupt):
            await app.library.ingest(AGENT, [tmp_path / "docs"], progress=stop)
    async with spine(tmp_path) as app:
        again = await app.library.ingest(AGENT, [tmp_path / "docs"])
        await app.drain()
        assert len(again.received) == 40
        assert len(await pieces(app)) == 40
        lane = (await app.journal.events.lanes(SCOPE))[0]
        assert len(await app.journal.events.of_lane(lane, after=0, limit=100)) == 40
        assert (await ingest(app, tmp_path / "docs")).received == []


async def test_what_was_erased_is_put_back_by_no_version_of_its_file(tmp_path: Path) -> None:
    sections = ["# Prices\n\nA seat costs 99.", "# Staff\n\nEve Kanarienvogel sells.", "# Stock\n\nBolts and nuts."]
    file = write(tmp_path, "a.md", *sections)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        (staff,) = [node for node in await pieces(app) if "Kanarienvogel" in node.content]
        await app.forget(Meant(SCOPE, ids=(staff.memory_id,)), erase=True)

        assert (await ingest(app, file)).received == []
        write(tmp_path, "a.md", *sections, "# News\n\nA new line.")
        await ingest(app, file)

        assert [node.content.split("\n")[0] for node in await pieces(app)] == ["Prices", "Stock", "News"]
        lane = (await app.journal.events.lanes(SCOPE))[0]
        events = await app.journal.events.of_lane(lane, after=0, limit=100)
        stored = [*(item.event.model_dump_json() for item in events), str(await payloads(app))]
        assert not [text for text in stored if "Kanarienvogel" in text or staff.memory_id in text]


async def test_words_erased_from_a_piece_stay_erased_when_the_file_changes(tmp_path: Path) -> None:
    staff = "# Staff\n\nTom repairs bikes. Eve Kanarienvogel sells flowers."
    file = write(tmp_path, "a.md", "# Prices\n\nA seat costs 99.", staff)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        await app.forget(Meant(SCOPE, query="Kanarienvogel"), erase=True)
        assert "Kanarienvogel" not in str([node.content for node in await pieces(app)])

        write(tmp_path, "a.md", "# Prices\n\nA seat costs 100.", staff)
        await ingest(app, file)

        contents = [node.content for node in await pieces(app)]
        assert "Prices\nA seat costs 100." in contents
        assert "Tom repairs bikes." in str(contents)
        assert "Kanarienvogel" not in str(contents)


async def test_a_forgotten_piece_does_not_come_back_with_its_document_but_by_undo(tmp_path: Path) -> None:
    sections = ["# Prices\n\nA seat costs 99.", "# Staff\n\nTom sells."]
    file = write(tmp_path, "a.md", *sections)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        told = await app.forget(Meant(SCOPE, ids=((await pieces(app))[1].memory_id,)))
        write(tmp_path, "a.md", *sections, "# News\n\nA new line.")
        await ingest(app, file)
        assert [node.content.split("\n")[0] for node in await pieces(app)] == ["Prices", "News"]
        assert told.run is not None
        await app.undo(told.run)
        write(tmp_path, "a.md", sections[0])
        await ingest(app, file)
        assert [node.content.split("\n")[0] for node in await pieces(app)] == ["Prices"]


async def test_an_undone_ingestion_is_not_done_again(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md", "A line.")
    async with spine(tmp_path) as app:
        await ingest(app, file)
        node = (await pieces(app))[0]
        (entry,) = await app.journal.ledger.history(TENANT, node.memory_id)
        await app.undo(entry.run)
        await ingest(app, file)
        assert await pieces(app) == []
        write(tmp_path, "a.md", "Another line.")
        await ingest(app, file)
        assert [node.content for node in await pieces(app)] == ["Another line."]


async def test_a_persona_learns_the_documents_beside_it_and_none_elsewhere(tmp_path: Path) -> None:
    write(tmp_path, "assets/rules.md", "# Rules", "No smoking.")
    (tmp_path / "outside.md").write_text("secret")
    (tmp_path / "docs" / "link.md").symlink_to(tmp_path / "outside.md")
    async with spine(tmp_path) as app:
        wise = Persona(id=AGENT, name="小美", knowledge=("assets/rules.md",))
        assert len((await app.library.learn(wise, tmp_path / "docs")).received) == 1
        await app.drain()
        assert [node.meta_data["assetId"] for node in await pieces(app)] == ["assets/rules.md"]
        assert (await app.library.learn(wise, tmp_path / "docs")).received == []
        for name in ("link.md", "missing.md"):
            with pytest.raises(InvalidInput, match=f"knowledge: no such file in .*{name}"):
                await app.library.learn(wise.revised(knowledge=(name,)), tmp_path / "docs")
