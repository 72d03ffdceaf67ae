"""What rests on a memory that ends or changes is put in doubt in the same transaction: all of it, and nothing else."""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, text

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.change import Act, Change
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.ledger.undo import undo
from agentmem.ports.ledger import Commit
from tests.support.journals import Place
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory

LATER = NOON + timedelta(days=1)
LANE = Scope(TENANT, AGENT, TARGET)
How = Literal["end", "supersede", "rewrite", "take out"]


def commit(run: str, *changes: Change) -> Commit:
    return Commit(TENANT, run, "test", LATER, changes)


def added(nodes: Sequence[MemoryNode]) -> list[Change]:
    return [Change(act="add", after=node) for node in nodes]


def step(before: MemoryNode, after: MemoryNode | None, act: Act = "end") -> Change:
    return Change(act=act, before=before, after=after)


def broken(node: MemoryNode, how: How) -> Change:
    match how:
        case "end":
            return step(node, node.ended(at=LATER, now=LATER))
        case "supersede":
            return step(node, node.retired(now=LATER, by=a_memory("fuller").memory_id), "supersede")
        case "rewrite":
            return step(node, node.revised(content="otherwise", revision=2), "merge")
        case "take out":
            return step(node, None, "forget")


@dataclass(frozen=True)
class Graph:
    """Memories, on which others each rests, and which of them break."""

    nodes: list[MemoryNode]
    broken: dict[int, How]

    @property
    def causes(self) -> dict[str, set[str]]:
        """For each memory the broken ones it rests on at any remove, by walking up from it."""
        by_id = {node.memory_id: node for node in self.nodes}
        roots = {self.nodes[place].memory_id for place in self.broken}
        found: dict[str, set[str]] = {}
        for node in self.nodes:
            above, rest = set[str](), [node]
            while rest:
                sources = {*(one := rest.pop()).source_ids, *one.depends_on}
                new = sources - above
                above |= new
                rest += [by_id[source] for source in new]
            found[node.memory_id] = (above & roots) - {node.memory_id}
        return found


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Up to six levels of up to four memories, each resting on some of the levels before; and now and then, against
    all order, on later ones, so that there are cycles. Some are ended already, of every layer that is derived."""
    levels = draw(st.lists(st.integers(1, 4), min_size=1, max_size=6))
    ids = [[a_memory("x").memory_id for _ in range(width)] for width in levels]
    flat = [one for level in ids for one in level]
    nodes: list[MemoryNode] = []
    for depth, level in enumerate(ids):
        below = [one for earlier in ids[:depth] for one in earlier]
        for memory_id in level:
            rests = draw(st.lists(st.sampled_from(below), unique=True, max_size=3)) if below else []
            around = draw(st.lists(st.sampled_from(flat), unique=True, max_size=1))
            cycle = [one for one in around if one != memory_id] if draw(st.integers(0, 3)) == 0 else []
            field = draw(st.sampled_from(("source_ids", "depends_on")))
            layer = draw(st.sampled_from((MemoryType.OBSERVATION, MemoryType.INSIGHT, MemoryType.LONGTERM)))
            content = f"memory {len(nodes)}"
            sources = tuple(dict.fromkeys((*rests, *cycle)))
            nodes.append(a_memory(content, memory_id=memory_id, memory_type=layer, **{field: sources}))
    ends = draw(st.lists(st.sampled_from(range(1, len(nodes))), unique=True, max_size=2)) if len(nodes) > 1 else []
    nodes = [node.ended(at=NOON, now=NOON) if place in ends else node for place, node in enumerate(nodes)]
    living = [place for place in range(len(nodes)) if place not in ends]
    chosen = draw(st.lists(st.sampled_from(living), unique=True, min_size=1, max_size=2))
    hows: tuple[How, ...] = ("end", "supersede", "rewrite", "take out")
    return Graph(nodes, {place: draw(st.sampled_from(hows)) for place in chosen})


@given(graphs())
@settings(max_examples=150, deadline=None)
def test_every_dependant_of_a_generated_graph_is_marked_and_no_other(graph: Graph) -> None:
    async def played() -> None:
        with tempfile.TemporaryDirectory() as folder:
            async with Place(f"sqlite:///{folder}/journal.db").journal() as journal:
                await _assert_marked(journal, graph)

    asyncio.run(played())


async def _assert_marked(journal: SqlJournal, graph: Graph) -> None:
    ids = [node.memory_id for node in graph.nodes]
    await journal.ledger.commit(commit("made", *added(graph.nodes)))
    changes = [broken(graph.nodes[place], how) for place, how in graph.broken.items()]
    foreseen = await journal.ledger.preview(commit("broken", *changes))
    await journal.ledger.commit(commit("broken", *changes))
    held = await journal.ledger.get(TENANT, ids)
    left = {change.memory_id: change.after for change in changes}
    for node in graph.nodes:
        written = left.get(node.memory_id, node)
        if written is None:
            assert node.memory_id not in held
            continue
        causes = graph.causes[node.memory_id] if written.store_status == "valid" else set[str]()
        assert set(held[node.memory_id].needs_review or ()) == causes
        assert held[node.memory_id].revised(needs_review=None, revision=1) == written.revised(revision=1)
    entries = await journal.ledger.of_run(TENANT, "broken")
    assert tuple(entry.change for entry in entries) == foreseen
    await undo(journal.ledger, TENANT, "broken", now=LATER)
    assert await journal.ledger.get(TENANT, ids) == {node.memory_id: node for node in graph.nodes}


async def test_a_chain_over_two_people_is_marked_with_the_memory_that_caused_it(journal: SqlJournal) -> None:
    root = a_memory("罗小东住在巴黎")
    elsewhere = a_memory("王芳的朋友住在巴黎", target_id=a_memory("x").memory_id, depends_on=(root.memory_id,))
    deeper = a_memory("王芳常去法国", memory_type=MemoryType.INSIGHT, depends_on=(elsewhere.memory_id,))
    beside = a_memory("罗小东喜欢咖啡")
    await journal.ledger.commit(commit("made", *added([root, elsewhere, deeper, beside])))
    await journal.ledger.commit(commit("ended", step(root, root.ended(at=LATER, now=LATER))))
    held = await journal.ledger.get(TENANT, [elsewhere.memory_id, deeper.memory_id, beside.memory_id])
    assert {key: node.needs_review for key, node in held.items()} == {
        elsewhere.memory_id: (root.memory_id,),
        deeper.memory_id: (root.memory_id,),
        beside.memory_id: None,
    }
    assert {entry.run for entry in await journal.ledger.history(TENANT, deeper.memory_id)} == {"made", "ended"}


async def test_what_the_same_commit_derives_anew_is_in_no_doubt_but_what_rests_on_that_is(journal: SqlJournal) -> None:
    root = a_memory("住在巴黎")
    first = a_memory("喜欢法国", memory_type=MemoryType.INSIGHT, depends_on=(root.memory_id,))
    second = a_memory("会说法语", memory_type=MemoryType.INSIGHT, depends_on=(first.memory_id,))
    await journal.ledger.commit(commit("made", *added([root, first, second])))
    renewed = first.revised(content="喜欢意大利", revision=2)
    ended = step(root, root.ended(at=LATER, now=LATER))
    await journal.ledger.commit(commit("renewed", ended, step(first, renewed, "refresh")))
    held = await journal.ledger.get(TENANT, [first.memory_id, second.memory_id])
    assert held[first.memory_id] == renewed
    assert held[second.memory_id].needs_review == (first.memory_id,)


async def test_more_evidence_or_fading_puts_nothing_in_doubt(journal: SqlJournal) -> None:
    root = a_memory("住在巴黎")
    insight = a_memory("喜欢法国", memory_type=MemoryType.INSIGHT, depends_on=(root.memory_id,))
    await journal.ledger.commit(commit("made", *added([root, insight])))
    again = root.revised(importance=9, source_ids=(a_memory("x").memory_id,), revision=2)
    await journal.ledger.commit(commit("again", step(root, again, "merge")))
    await journal.ledger.commit(commit("faded", step(again, again.ended(at=LATER, now=LATER), "decay")))
    assert (await journal.ledger.get(TENANT, [insight.memory_id]))[insight.memory_id] == insight


@pytest.mark.parametrize("how", ["end", "supersede", "rewrite", "take out"])
async def test_what_rests_on_a_memory_taken_out_is_in_doubt_for_all_that_this_one_rested_on(
    journal: SqlJournal, how: How
) -> None:
    root = a_memory("住在巴黎")
    between = a_memory("喜欢法国", memory_type=MemoryType.INSIGHT, depends_on=(root.memory_id,))
    last = a_memory("会说法语", memory_type=MemoryType.INSIGHT, depends_on=(between.memory_id,))
    await journal.ledger.commit(commit("made", *added([root, between, last])))
    await journal.ledger.commit(commit("broken", broken(root, how), broken(between, "take out")))
    held = await journal.ledger.get(TENANT, [between.memory_id, last.memory_id])
    assert {key: set(node.needs_review or ()) for key, node in held.items()} == {
        last.memory_id: {root.memory_id, between.memory_id}
    }


async def test_another_tenants_memories_are_left_alone(journal: SqlJournal) -> None:
    root = a_memory("住在巴黎")
    theirs = a_memory("x", tenant="other", depends_on=(root.memory_id,))
    await journal.ledger.commit(commit("made", *added([root])))
    await journal.ledger.commit(Commit("other", "made", "test", LATER, tuple(added([theirs]))))
    await journal.ledger.commit(commit("ended", step(root, root.ended(at=LATER, now=LATER))))
    assert (await journal.ledger.get("other", [theirs.memory_id]))[theirs.memory_id] == theirs


async def test_news_are_what_was_added_until_it_is_looked_at_and_not_what_an_undo_restored(
    journal: SqlJournal,
) -> None:
    node = a_memory("喜欢咖啡")
    await journal.ledger.commit(commit("made", *added([node])))
    assert (await journal.ledger.news(LANE, limit=9)).fresh == (node,)
    assert await journal.ledger.lanes_with_news(Scope(TENANT, AGENT)) == [node.lane]
    seen = node.revised(obs_reflected=1, revision=2)
    await journal.ledger.commit(commit("seen", step(node, seen, "reflect")))
    assert await journal.ledger.lanes_with_news(Scope(TENANT, AGENT)) == []
    await undo(journal.ledger, TENANT, "seen", now=LATER)
    assert await journal.ledger.get(TENANT, [node.memory_id]) == {node.memory_id: node}
    touched = node.revised(importance=8, revision=2)
    await journal.ledger.commit(commit("touched", step(node, touched, "merge")))
    assert await journal.ledger.lanes_with_news(LANE) == []
    assert (await journal.ledger.news(LANE, limit=9)).fresh == ()


async def test_a_purge_takes_the_dependencies_along(journal: SqlJournal) -> None:
    root = a_memory("住在巴黎")
    insight = a_memory("喜欢法国", memory_type=MemoryType.INSIGHT, depends_on=(root.memory_id,))
    await journal.ledger.commit(commit("made", *added([root, insight])))
    await journal.purge(LANE)
    await journal.ledger.commit(commit("made again", *added([root])))
    ended = commit("ended", step(root, root.ended(at=LATER, now=LATER)))
    assert [change.act for change in await journal.ledger.preview(ended)] == ["end"]


@pytest.mark.parametrize("reflected", [0, 1])
async def test_a_journal_of_the_first_version_learns_what_rests_on_what(bare_place: Place, reflected: int) -> None:
    root = a_memory("住在巴黎", obs_reflected=reflected)
    insight = a_memory("喜欢法国", memory_type=MemoryType.INSIGHT, depends_on=(root.memory_id,))
    async with bare_place.journal() as journal:
        await journal.ledger.commit(commit("made", *added([root, insight])))
        await journal.ledger._committer.submit("test", lambda unit: _back_to_the_first(unit.conn))  # pyright: ignore[reportPrivateUsage] - the only connection there is
    async with bare_place.journal() as journal:
        assert (await journal.ledger.news(LANE, limit=9)).fresh == (() if reflected else (root,))
        await journal.ledger.commit(commit("ended", step(root, root.ended(at=LATER, now=LATER))))
        held = await journal.ledger.get(TENANT, [insight.memory_id])
        assert held[insight.memory_id].needs_review == (root.memory_id,)


def _back_to_the_first(conn: Connection) -> None:
    for statement in (
        "DROP TABLE tokens",
        "DROP TABLE windows",
        "ALTER TABLE jobs RENAME COLUMN payload TO note",
        "ALTER TABLE leases DROP COLUMN worker",
        "ALTER TABLE jobs DROP COLUMN crashes",
        "DROP INDEX memories_recorded",
        "ALTER TABLE memories DROP COLUMN record",
        "DROP INDEX heads_of_tenant",
        "ALTER TABLE heads DROP COLUMN tenant",
        "CREATE INDEX heads_by_age ON heads (ordinal, job_no, worker, due, lane_id)",
        "DROP TABLE lineages",
        "DROP INDEX ledger_of_agent",
        "DROP TABLE tombstones",
        "DROP TABLE dependencies",
        "DROP INDEX memories_to_look_at",
        "DROP INDEX memories_fading",
        "ALTER TABLE memories DROP COLUMN attention",
        "ALTER TABLE memories DROP COLUMN fades",
        "UPDATE schema_version SET version = 1",
    ):
        conn.execute(text(statement))
