"""A copy is made page by page, taken up again after a crash, unseen until it is complete, and has the whole past."""

import asyncio
import tempfile
from datetime import timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentmem.adapters.journal import SqlJournal
from agentmem.agents.copying.renaming import Renaming
from agentmem.domain.change import Change, LedgerEntry
from agentmem.domain.ids import entity_id
from agentmem.domain.lineage import Lineage
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.errors import AlreadyThere, Conflict, InvalidInput, NotFound
from agentmem.ledger.undo import undo
from agentmem.ports.ledger import Commit, Selection
from agentmem.ports.work_queue import NewJob
from tests.support.copying import LATER, SELLER, SOURCE, TWIN, clone_of_seller, copied, lived
from tests.support.journals import Place, said
from tests.support.nodes import AGENT, NOON, TENANT, a_memory, a_turn

COPY = Scope(TENANT, "twin")
ITS_LUO = Scope(TENANT, "twin", entity_id(TENANT, "twin", "罗小东"))


def renaming(copy: Lineage) -> Renaming:
    return Renaming.of(copy, TWIN.name, source_name=SELLER.name, about=["罗小东"])


async def made(journal: SqlJournal) -> Lineage:
    copy = await copied(journal, await journal.copies.begin(clone_of_seller(), now=LATER))
    return await journal.copies.complete(copy, now=LATER)


async def test_the_copy_has_every_memory_under_its_own_ids(journal: SqlJournal) -> None:
    held = await lived(journal)
    copy = await made(journal)
    mine = [renaming(copy).node(node) for node in held]
    assert await journal.ledger.get(TENANT, [node.memory_id for node in mine]) == {n.memory_id: n for n in mine}
    listed = await journal.ledger.select(Selection(COPY))
    assert {node.memory_id for node in listed} == {node.memory_id for node in mine}
    assert {node.target_id for node in listed} == {ITS_LUO.target}
    assert await journal.ledger.select(Selection(SOURCE)) == sorted(held, key=lambda node: -node.timestamp)


async def test_the_copy_has_the_whole_past(journal: SqlJournal) -> None:
    held = await lived(journal)
    copy = await made(journal)
    to = renaming(copy)

    def told(entry: LedgerEntry) -> tuple[object, ...]:
        return entry.cause, entry.at, entry.change.act, entry.change.before, entry.change.after

    def renamed(entry: LedgerEntry) -> tuple[object, ...]:
        nodes = (None if node is None else to.node(node) for node in (entry.change.before, entry.change.after))
        return entry.cause, entry.at, entry.change.act, *nodes

    for node in held:
        ours = await journal.ledger.history(TENANT, node.memory_id)
        theirs = await journal.ledger.history(TENANT, to.memory_id(node.memory_id))
        assert list(map(told, theirs)) == list(map(renamed, ours))
        assert {entry.run for entry in theirs} == {to.run(entry.run) for entry in ours}
    taken_out = await journal.ledger.of_run(TENANT, to.run("misheard"))
    assert [entry.change.act for entry in taken_out] == ["add"]
    (back,) = (await journal.ledger.history(TENANT, taken_out[0].memory_id))[1:]
    assert back.change.reason == f"takes back {to.run('misheard')}"


async def test_what_needs_a_look_at_the_source_needs_one_in_the_copy(journal: SqlJournal) -> None:
    (node,) = [node for node in await lived(journal) if node.needs_review]
    await made(journal)
    news = await journal.ledger.news(ITS_LUO, limit=9)
    assert [each.content for each in news.fresh] == ["喜欢跑步"]
    assert [each.content for each in news.doubtful] == [node.content]
    assert [lane.scope for lane in await journal.ledger.lanes_with_news(COPY)] == [ITS_LUO]


async def test_taking_back_a_run_of_one_leaves_the_other_alone(journal: SqlJournal) -> None:
    await lived(journal)
    copy = await made(journal)
    before = await journal.ledger.select(Selection(SOURCE))
    report = await undo(journal.ledger, TENANT, renaming(copy).run("moved"), now=LATER)
    assert len(report.restored) == 2
    assert await journal.ledger.select(Selection(SOURCE)) == before


async def test_what_ends_in_the_copy_puts_in_doubt_what_rests_on_it_there(journal: SqlJournal) -> None:
    held = {node.content: node for node in await lived(journal)}
    to = renaming(await made(journal))
    likes, turn = (to.node(held[words]) for words in ("喜欢跑步", "我住在巴黎,喜欢跑步"))
    end = Change(act="end", before=turn, after=turn.ended(at=LATER, now=LATER))
    await journal.ledger.commit(Commit(TENANT, "later", "test", LATER, (end,)))
    doubtful = await journal.ledger.get(TENANT, [likes.memory_id, held["喜欢跑步"].memory_id])
    assert doubtful[likes.memory_id].needs_review == (turn.memory_id,)
    assert doubtful[held["喜欢跑步"].memory_id].needs_review is None


async def seen(journal: SqlJournal, held: list[MemoryNode], to: Renaming) -> list[object]:
    """Whatever can be seen of the copy."""
    ids = [to.memory_id(node.memory_id) for node in held]
    return [
        *await journal.ledger.get(TENANT, ids),
        *await journal.ledger.get(TENANT, ids, known_at=LATER),
        *await journal.ledger.select(Selection(COPY)),
        *await journal.ledger.select(Selection(COPY, known_at=LATER)),
        *[entry for each in ids for entry in await journal.ledger.history(TENANT, each)],
        *await journal.ledger.of_run(TENANT, to.run("told")),
        *await journal.ledger.lanes_with_news(COPY),
        *[persona for persona in await journal.registry.agents(TENANT) if persona.id == "twin"],
        *[persona for _, persona in await journal.registry.everyone() if persona.id == "twin"],
    ]


async def test_a_copy_that_is_being_made_is_there_for_nobody(journal: SqlJournal) -> None:
    held = await lived(journal)
    copy = await journal.copies.begin(clone_of_seller(), now=LATER)
    to = renaming(copy)
    copy = await copied(journal, copy)
    assert await seen(journal, held, to) == []
    assert (await journal.glance(COPY, turns=9)).persona is None
    for refused in (
        journal.registry.save_agent(TENANT, TWIN, now=LATER),
        journal.events.append([said("罗小东", 0, agent_id="twin")], now=LATER),
        journal.queue.enqueue([NewJob("job", next(iter(held)).revised(agent_id="twin").lane, "reflection", 0)]),
    ):
        with pytest.raises(Conflict, match="'twin' is being made from another one"):
            await refused
    await journal.copies.complete(copy, now=LATER)
    assert len(await seen(journal, held, to)) > 20
    assert await journal.registry.agent(TENANT, "twin") == TWIN


async def test_a_copy_is_taken_up_where_it_was_left(place: Place) -> None:
    async with place.journal() as journal:
        held = await lived(journal)
        copy = await copied(journal, await journal.copies.begin(clone_of_seller(), now=LATER), pages=1)
    async with place.journal() as journal:
        await journal.ledger.commit(Commit(TENANT, "since", "test", LATER, (Change(act="add", after=a_memory("新")),)))
        again = await journal.copies.begin(clone_of_seller(), now=LATER + timedelta(days=9))
        assert again == copy
        copy = await journal.copies.complete(await copied(journal, again), now=LATER)
        assert await journal.copies.begin(clone_of_seller(), now=LATER) == copy
        assert len(await journal.ledger.select(Selection(COPY))) == len(held)


async def test_two_who_make_the_same_copy_write_nothing_twice(journal: SqlJournal) -> None:
    await lived(journal)
    copy = await journal.copies.begin(clone_of_seller(), now=LATER)
    further = await copied(journal, copy, pages=1)
    with pytest.raises(Conflict, match="taken up by somebody else"):
        await copied(journal, copy, pages=1)
    with pytest.raises(Conflict, match="taken up by somebody else"):
        await journal.copies.complete(copy, now=LATER)
    done = await journal.copies.complete(await copied(journal, further), now=LATER)
    with pytest.raises(Conflict):
        await journal.copies.complete(done, now=LATER)


async def test_an_agent_is_made_once_and_of_one(journal: SqlJournal) -> None:
    await lived(journal)
    with pytest.raises(AlreadyThere, match="'seller' exists already"):
        await journal.copies.begin(clone_of_seller(SELLER), now=LATER)
    with pytest.raises(NotFound, match="no agent 'nobody'"):
        await journal.copies.begin(clone_of_seller().__class__("clone", TENANT, "nobody", TENANT, TWIN), now=LATER)
    await journal.events.append([said("罗小东", 0, agent_id="stranger")], now=NOON)
    with pytest.raises(AlreadyThere, match="'stranger' exists already"):
        await journal.copies.begin(clone_of_seller(Persona(id="stranger", name="某")), now=LATER)
    await journal.copies.begin(clone_of_seller(), now=LATER)
    with pytest.raises(AlreadyThere, match="'twin' exists already, or did once: name another"):
        await journal.copies.begin(clone_of_seller(Persona(id="twin", name="别名")), now=LATER)


async def test_a_row_of_somebody_else_is_refused(journal: SqlJournal) -> None:
    await lived(journal)
    copy = await journal.copies.begin(clone_of_seller(), now=LATER)
    (row,) = await journal.copies.rows(SOURCE, after=0, through=copy.head, limit=1)
    with pytest.raises(InvalidInput, match="is not one of agent 'twin'"):
        await journal.copies.write(copy, [row], reached=1)


async def test_a_discarded_copy_leaves_nothing(journal: SqlJournal) -> None:
    await lived(journal)
    head = await journal.ledger.head()
    copy = await copied(journal, await journal.copies.begin(clone_of_seller(), now=LATER))
    assert len(await journal.copies.discard(TENANT, "twin", now=LATER)) == 5
    assert await journal.lineages.origin(TENANT, "twin") is None
    assert await journal.ledger.since(head, limit=99) == []
    with pytest.raises(NotFound, match="no agent 'twin' is being made"):
        await journal.copies.discard(TENANT, "twin", now=LATER)
    with pytest.raises(Conflict):
        await journal.copies.complete(copy, now=LATER)
    await journal.registry.save_agent(TENANT, TWIN, now=LATER)


async def test_with_an_agent_goes_what_is_being_made_from_it(journal: SqlJournal) -> None:
    await lived(journal)
    copy = await copied(journal, await journal.copies.begin(clone_of_seller(), now=LATER), pages=2)
    removed = await journal.purge(SOURCE)
    assert len(removed) > 5
    assert await journal.lineages.origin(TENANT, "twin") is None
    with pytest.raises(Conflict):
        await journal.copies.complete(copy, now=LATER)


async def test_lineage_is_known_from_both_sides(journal: SqlJournal) -> None:
    await lived(journal)
    copy = await made(journal)
    export = Lineage(
        kind="export", state="made", source_tenant=TENANT, source_agent=AGENT, tenant=TENANT, agent_id=AGENT,
        file="sha256", began_at=LATER, made_at=LATER,
    )  # fmt: skip
    for _ in range(2):
        await journal.lineages.record_export(export)
    assert copy.made_at == LATER
    assert await journal.lineages.origin(TENANT, "twin") == copy
    assert await journal.lineages.origin(TENANT, AGENT) is None
    made_from = await journal.lineages.made_from(TENANT, AGENT)
    assert sorted(made_from, key=lambda each: each.kind) == [copy, export]
    assert len(await journal.lineages.of_tenant(TENANT)) == 2
    assert await journal.lineages.of_tenant("other") == []


async def test_a_released_copy_is_gone_and_its_name_does_not_come_back(journal: SqlJournal) -> None:
    await lived(journal)
    copy = await made(journal)
    gone = await journal.copies.release(TENANT, "twin", now=LATER)
    assert len(gone) > 3
    assert await journal.registry.agent(TENANT, "twin") is None
    assert await journal.ledger.get(TENANT, gone) == {}
    released = copy.revised(state="released", released_at=LATER)
    assert await journal.copies.release(TENANT, "twin", now=LATER + timedelta(days=1)) == []
    assert await journal.lineages.origin(TENANT, "twin") == released
    assert await journal.lineages.made_from(TENANT, AGENT) == [released]
    with pytest.raises(AlreadyThere, match="exists already, or did once: name another"):
        await journal.copies.begin(clone_of_seller(), now=LATER)
    for attempt in (
        journal.registry.save_agent(TENANT, TWIN, now=LATER),
        journal.events.append([a_turn("bist du da?", agent_id="twin")], now=LATER),
    ):
        with pytest.raises(Conflict, match="was released: name another"):
            await attempt
    with pytest.raises(NotFound, match="no copy 'seller'"):
        await journal.copies.release(TENANT, AGENT, now=LATER)
    await journal.purge(Scope(TENANT, "twin"))
    assert (await journal.copies.begin(clone_of_seller(), now=LATER)).state == "making"


class Edits:
    """Random edits on the original and on its clone; after each one the other is looked at."""

    def __init__(self, journal: SqlJournal, dice: Random) -> None:
        self._journal, self._dice = journal, dice
        self._runs: dict[str, list[str]] = {AGENT: [], "twin": []}
        self._count = 0

    async def make(self, agent: str) -> None:
        """One edit of that agent's memory."""
        held = await self._journal.ledger.select(Selection(Scope(TENANT, agent)))
        runs = self._runs[agent]
        if runs and self._dice.random() < 0.3:
            await undo(self._journal.ledger, TENANT, runs.pop(), now=LATER, cascade=True)
            return
        self._count += 1
        run = f"edit-{self._count}"
        runs.append(run)
        await self._journal.ledger.commit(Commit(TENANT, run, "test", LATER, (self._change(agent, held),)))

    def _change(self, agent: str, held: list[MemoryNode]) -> Change:
        before = self._dice.choice(held)
        match self._dice.randrange(4):
            case 0:
                target = entity_id(TENANT, agent, "罗小东")
                new = a_memory("新", agent_id=agent, target_id=target, depends_on=(before.memory_id,))
                return Change(act="add", after=new)
            case 1:
                return Change(act="end", before=before, after=before.ended(at=LATER, now=LATER))
            case 2:
                return Change(act="forget", before=before)
            case _:
                words = f"{before.content}!"
                return Change(act="refresh", before=before, after=before.revised(content=words, revision=9))


@pytest.mark.thorough
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), sides=st.lists(st.sampled_from([AGENT, "twin"]), min_size=1, max_size=8))
def test_no_edit_on_either_side_is_ever_visible_on_the_other(seed: int, sides: list[str]) -> None:
    async def check() -> None:
        with tempfile.TemporaryDirectory() as folder:
            async with SqlJournal(f"sqlite:///{folder}/journal.db", routes={}) as journal:
                await lived(journal)
                await made(journal)
                edits = Edits(journal, Random(seed))
                for side in sides:
                    other = COPY if side == AGENT else SOURCE
                    before = await whole(journal, other)
                    await edits.make(side)
                    assert await whole(journal, other) == before

    asyncio.run(check())


async def whole(journal: SqlJournal, scope: Scope) -> list[object]:
    """All that can be told of an agent's memories, their past and what reflection would look at included."""
    held = await journal.ledger.select(Selection(scope, known_at=LATER))
    lane = Scope(TENANT, scope.agent, entity_id(TENANT, scope.agent, "罗小东"))
    histories = [await journal.ledger.history(TENANT, node.memory_id) for node in held]
    return [held, await journal.ledger.select(Selection(scope)), histories, await journal.ledger.news(lane, limit=99)]
