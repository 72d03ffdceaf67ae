"""Facts of documents: one memory for each statement that relates names; they come and go with their pieces."""

from datetime import timedelta
from pathlib import Path

from agentmem.assets.document_record import documents_of
from agentmem.domain.change import Change
from agentmem.domain.document import CHUNK, FACT
from agentmem.domain.entity import mentions_of, named
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus, Trust
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Commit
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.integration.test_ingest import ingest, pieces, write
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import LATER, SCOPE, memories, payloads, spine

ACME = "# Stack\n\nAcme uses Redis, Kafka and Postgres. Larch Freight was founded by Anna Berg."
BOLT = "# Tools\n\nBolt Scheduler depends on Kafka."


async def facts(app: App, *statuses: StoreStatus) -> list[MemoryNode]:
    wanted = statuses or (StoreStatus.VALID,)
    nodes = [node for node in await memories(app, MemoryType.LONGTERM) if node.kind == FACT]
    return sorted((node for node in nodes if node.store_status in wanted), key=lambda node: node.timestamp)


def told(nodes: list[MemoryNode]) -> list[tuple[str | None, list[str]]]:
    return [(node.relation, [each.name for each in mentions_of(node)]) for node in nodes]


async def test_a_statement_over_several_is_one_memory_in_the_words_of_the_document(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md", ACME)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        (piece,), (uses, founded) = await pieces(app), await facts(app)

        assert told([uses]) == [("USES", ["Acme", "Redis", "Kafka", "Postgres"])]
        assert told([founded]) == [("FOUNDED_BY", ["Larch Freight", "Anna Berg"])]
        assert uses.content == "Acme uses Redis, Kafka and Postgres."
        assert uses.entity_ids == tuple(named(TENANT, AGENT, each.name) for each in mentions_of(uses))
        (part,) = uses.evidence
        assert piece.content[part.start : part.end] == uses.content
        assert (uses.source_ids, uses.trust, uses.lane) == ((piece.memory_id,), Trust.OWNER, piece.lane)
        names = ("assetId", "documentId", "section", "source")
        assert [uses.meta_data[name] for name in names] == [piece.meta_data[name] for name in names]
        assert (await app.index.verify()).ok


async def test_the_subject_of_a_chinese_line_is_the_heading_only_where_that_is_a_name(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md", "# 昆玦系统\n\n- 支持社保管理系统\n\n# 说明\n\n- 支持社保管理系统")
    async with spine(tmp_path) as app:
        await ingest(app, file)
        assert told(await facts(app)) == [("SUPPORTS", ["昆玦系统", "社保管理系统"])]


async def test_a_word_that_begins_a_heading_is_a_name_only_where_the_text_says_it_as_one(tmp_path: Path) -> None:
    sections = {
        "Returns": ("Boots come back within 30 days.", set[str]()),
        "Custom orders": ("They take ten days.", set[str]()),
        "Opening hours": ("From nine to five.", set[str]()),
        "Redis": ("We keep the queue in Redis.", {"Redis"}),
        "Larch Freight": ("They come on Fridays.", {"Larch Freight"}),
        "Version 2.1": ("It is faster.", {"Version 2.1"}),
        "Python 3": ("It is needed.", {"Python 3"}),
        "昆玦系统": ("这里说明价格。", {"昆玦系统"}),
        "Gift cards": ("They cost EUR 20.", set[str]()),
        "Wiring for API 2.1": ("It draws 12 KWh.", {"API 2.1"}),
    }
    told = "\n\n".join(f"## {title}\n\n{text}" for title, (text, _) in sections.items())
    file = write(tmp_path, "a.md", f"# Handbook\n\n{told}")
    async with spine(tmp_path) as app:
        await ingest(app, file)
        found = {node.content.partition("\n")[0].partition(" › ")[2]: node for node in await pieces(app)}
        named = {title: {each.name for each in mentions_of(found[title])} for title in sections}
        assert named == {title: names for title, (_, names) in sections.items()}


async def test_recall_shows_the_piece_and_the_graph_the_fact(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md", ACME, BOLT)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        found = await app.recall(RecallQuery(SCOPE, "What does Acme use? Redis, Kafka and Postgres", k=20))
        assert {hit.memory.kind for hit in found.hits} == {CHUNK}
        shown = await app.graph.show(SCOPE, "Kafka")
        assert "Bolt Scheduler depends on Kafka." in "\n".join(shown)
        assert [edge.relation for edge in (await app.graph.drawn(SCOPE)).edges].count("USES") == 1


async def test_an_edited_paragraph_takes_over_its_facts_and_no_others(tmp_path: Path) -> None:
    clock = ManualClock(LATER)
    write(tmp_path, "a.md", ACME, BOLT)
    write(tmp_path, "b.md", BOLT)
    async with spine(tmp_path, clock=clock) as app:
        await ingest(app, tmp_path / "docs")
        before = await facts(app)
        clock.advance(timedelta(days=1))
        write(tmp_path, "a.md", ACME, BOLT.replace("Kafka", "Nats"))

        await ingest(app, tmp_path / "docs")

        after = await facts(app)
        (new,) = [node for node in after if node not in before]
        (old,) = await facts(app, StoreStatus.EXPIRED)
        assert (old.superseded_by, old.invalid_at) == (new.memory_id, clock.now())
        assert new.supersedes == (old.memory_id,)
        assert sorted(node.memory_id for node in [*after, old] if node != new) == sorted(n.memory_id for n in before)
        assert [node.needs_review for node in after] == [None] * len(after)


async def test_what_two_pieces_say_is_one_fact_that_ends_with_the_last(tmp_path: Path) -> None:
    again = BOLT.replace("Tools", "Again")
    file = write(tmp_path, "a.md", BOLT, again)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        (fact,) = await facts(app)
        assert set(fact.source_ids) == {node.memory_id for node in await pieces(app)}
        write(tmp_path, "a.md", again)
        await ingest(app, file)
        assert [(node.memory_id, len(node.source_ids)) for node in await facts(app)] == [(fact.memory_id, 1)]
        write(tmp_path, "a.md", "# Nothing\n\nleft.")
        await ingest(app, file)
        assert await facts(app) == []
        write(tmp_path, "a.md", BOLT)
        await ingest(app, file)
        assert [(node.memory_id, node.timestamp) for node in await facts(app)] == [(fact.memory_id, fact.timestamp)]


async def test_a_forgotten_fact_comes_back_with_no_version_of_its_document(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md", ACME)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        uses, founded = await facts(app)
        await app.forget(Meant(SCOPE, ids=(uses.memory_id,)))
        write(tmp_path, "a.md", ACME + " They also sell flowers.")
        await ingest(app, file)
        assert [node.memory_id for node in await facts(app)] == [founded.memory_id]


async def test_with_an_erased_fact_go_its_words_in_the_piece(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md", ACME)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        founded = (await facts(app))[1]
        await app.forget(Meant(SCOPE, ids=(founded.memory_id,)), erase=True)
        assert "Anna Berg" not in str(await payloads(app))
        write(tmp_path, "a.md", ACME, BOLT)
        await ingest(app, file)
        assert "Anna Berg" not in str([node.content for node in await pieces(app)])
        assert [node.relation for node in await facts(app)] == ["USES", "DEPENDS_ON"]


async def test_facts_go_with_words_and_pieces_that_are_erased(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md", ACME, BOLT)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        await app.forget(Meant(SCOPE, query="Anna Berg"), erase=True)
        assert [node.relation for node in await facts(app)] == ["USES", "DEPENDS_ON"]
        (tools,) = [node for node in await pieces(app) if "Bolt" in node.content]
        await app.forget(Meant(SCOPE, ids=(tools.memory_id,)), erase=True)
        assert [node.relation for node in await facts(app)] == ["USES"]


async def test_undo_takes_facts_back_with_their_ingestion(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md", ACME)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        (entry,) = await app.journal.ledger.history(TENANT, (await facts(app))[0].memory_id)
        await app.undo(entry.run)
        assert await facts(app) == []


async def test_a_document_known_before_there_were_facts_is_read_for_them_once(tmp_path: Path) -> None:
    file = write(tmp_path, "a.md", ACME)
    async with spine(tmp_path) as app:
        await ingest(app, file)
        nodes = await memories(app, MemoryType.LONGTERM)
        (card,) = await app.memories(documents_of(SCOPE))
        meta = {name: value for name, value in card.meta_data.items() if name != "facts"}
        bare = card.revised(meta_data=meta, revision=card.revision + 1)
        gone = [node for node in nodes if node.kind == FACT]
        changes = [Change(act="refresh", before=card, after=bare)]
        changes += [Change(act="undo", before=node, after=None) for node in gone]
        await app.journal.ledger.commit(Commit(TENANT, "older", "test", LATER, tuple(changes)))
        head = await pieces(app)

        assert len((await ingest(app, file)).received) == 1
        assert (await pieces(app), len(await facts(app))) == (head, 2)
        assert (await ingest(app, file)).received == []
