"""Changes are written all or none, against what is stored, and become visible in the order of their numbers."""

import sqlite3
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import event

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.change import Act, Change
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import LAYERS, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.errors import Conflict, InvalidInput
from agentmem.ledger.undo import undo
from agentmem.ports.ledger import Commit, Selection, Version
from tests.support.journals import Place, begin, commit_many, ended
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory

SCOPE = Scope(TENANT, AGENT, TARGET)


def commit(*changes: Change, run: str = "run", at: datetime = NOON) -> Commit:
    return Commit(TENANT, run, "test", at, changes)


def add(node: MemoryNode) -> Change:
    return Change(act="add", after=node)


def step(before: MemoryNode, after: MemoryNode | None, act: Act = "merge") -> Change:
    return Change(act=act, before=before, after=after, reason="因为")


def changed(node: MemoryNode, content: str) -> MemoryNode:
    return node.revised(content=content, revision=node.revision + 1)


async def test_a_memory_comes_back_as_it_was_written(journal: SqlJournal) -> None:
    zone = timezone(timedelta(hours=8))
    node = a_memory(
        "罗小东的电话是12345678901 🙂",
        key=("电话",),
        valid_at=datetime(2026, 3, 9, 20, 0, 0, 123456, tzinfo=zone),
        meta_data={"null": None, "list": [1, 1.0, "x"], "deep": {"b": 1, "a": 2}},
        latitude=31.2304,
        longitude=121.4737,
        supersedes=(a_memory("old").memory_id,),
        importance=0,
        last_access=NOON,
    )
    with_scores = node.revised(vector=(0.5,), score_rank=1.0, action_status="new")
    assert await journal.ledger.commit(commit(add(with_scores))) == 1
    found = await journal.ledger.get(TENANT, [node.memory_id, "unknown"])
    assert found == {node.memory_id: node}
    await journal.ledger.commit(commit(step(with_scores, changed(node, "anders"))))


async def test_an_empty_ledger_has_head_and_timestamp_zero(journal: SqlJournal) -> None:
    assert await journal.ledger.head() == 0
    assert await journal.ledger.newest_timestamp() == 0
    assert await journal.ledger.commit(commit()) == 0
    assert await journal.ledger.since(0, limit=5) == []


async def test_a_change_of_what_is_not_stored_writes_nothing_of_its_commit(journal: SqlJournal) -> None:
    one, two = a_memory("one"), a_memory("two")
    await journal.ledger.commit(commit(add(one)))
    newer = changed(one, "newer")
    for wrong in (
        add(changed(one, "another")),
        step(newer, changed(newer, "third")),
        step(one.revised(content="same revision, other words"), newer),
        step(two, changed(two, "x")),
    ):
        with pytest.raises(Conflict, match=wrong.memory_id):
            await journal.ledger.commit(commit(add(a_memory("beside")), wrong))
    assert await journal.ledger.head() == 1
    assert await journal.ledger.select(Selection(SCOPE)) == [one]


async def test_a_lane_read_without_its_lease_must_not_have_gained_a_memory_since(journal: SqlJournal) -> None:
    theirs, again, other = a_memory("he lives in Rome"), a_memory("He lives in Rome."), a_memory("he has a dog")
    seen = await journal.ledger.head()
    await journal.ledger.commit(commit(add(theirs)))
    with pytest.raises(Conflict, match="while it was read"):
        await journal.ledger.commit(Commit(TENANT, "run", "test", NOON, (add(again),), (again.lane,), seen))
    assert await journal.ledger.select(Selection(SCOPE)) == [theirs]
    now = await journal.ledger.head()
    assert (
        await journal.ledger.commit(Commit(TENANT, "run", "test", NOON, (add(other),), (other.lane,), now)) == now + 1
    )


async def test_a_change_that_is_there_already_is_passed_over(journal: SqlJournal) -> None:
    one = a_memory("one")
    two = changed(one, "two")
    await journal.ledger.commit(commit(add(one)))
    await journal.ledger.commit(commit(add(one), step(one, two)))
    assert await journal.ledger.commit(commit(step(one, two))) == 2
    assert [entry.seq for entry in await journal.ledger.history(TENANT, one.memory_id)] == [1, 2]


async def test_others_of_whom_somebody_told_are_known_by_his_talks_alone(journal: SqlJournal) -> None:
    ann, bob, eve = (entity_id(TENANT, AGENT, name) for name in ("ann", "bob", "eve"))
    turn = a_memory("Ann lives in Rome", memory_type=MemoryType.CONVERSATION)
    theirs = a_memory("Bob is tall", memory_type=MemoryType.CONVERSATION, target_id=eve)
    made = [
        a_memory("Ann lives in Rome.", target_id=ann, source_ids=(turn.memory_id,)),
        a_memory("Bob is tall.", target_id=bob, source_ids=(theirs.memory_id,)),
        a_memory("Cid", target_id=ann, source_ids=(turn.memory_id,), agent_id="another"),
        a_memory("So did he say", source_ids=(turn.memory_id,)),
    ]
    await journal.ledger.commit(commit(*map(add, (turn, theirs, *made))))
    assert await journal.ledger.told_of(SCOPE) == [ann]
    assert await journal.ledger.told_of(Scope(TENANT, AGENT, eve)) == [bob]
    assert await journal.ledger.told_of(Scope("another", AGENT, TARGET)) == []


async def test_several_steps_of_one_memory_in_one_commit(journal: SqlJournal) -> None:
    one = a_memory("one")
    two = changed(one, "two")
    assert await journal.ledger.commit(commit(add(one), step(one, two), step(two, changed(two, "three")))) == 3
    (found,) = (await journal.ledger.get(TENANT, [one.memory_id])).values()
    assert found.content == "three"
    assert [version.seq for version in await journal.ledger.since(0, limit=9)] == [3]


async def test_history_and_run_tell_before_and_after(journal: SqlJournal) -> None:
    one, other = a_memory("one"), a_memory("other")
    two = changed(one, "two")
    at = datetime(2026, 3, 9, 20, tzinfo=timezone(timedelta(hours=8)))
    await journal.ledger.commit(commit(add(one), add(other), run="first"))
    await journal.ledger.commit(commit(step(one, two), run="second", at=at))
    await journal.ledger.commit(commit(step(two, None, "undo"), run="third"))
    history = await journal.ledger.history(TENANT, one.memory_id)
    assert [(entry.run, entry.cause, entry.change) for entry in history] == [
        ("first", "test", add(one)),
        ("second", "test", step(one, two)),
        ("third", "test", step(two, None, "undo")),
    ]
    assert history[1].at.isoformat() == at.isoformat()
    assert [entry.change for entry in await journal.ledger.of_run(TENANT, "second")] == [step(one, two)]
    [first, second] = await journal.ledger.of_run(TENANT, "first")
    assert [first.change, second.change] == [add(one), add(other)]
    assert await journal.ledger.of_run(TENANT, "first", limit=1) == [first]
    assert await journal.ledger.of_run(TENANT, "first", after=first.seq, limit=1) == [second]
    assert await journal.ledger.lanes_of_run(TENANT, "first") == [one.lane]
    assert await journal.ledger.lanes_of_run("other", "first") == []
    assert await journal.ledger.history("other", one.memory_id) == []
    assert await journal.ledger.of_run("other", "first") == []


async def test_runs_are_told_latest_first_with_what_they_did_in_scope(journal: SqlJournal) -> None:
    other = entity_id(TENANT, AGENT, "ann")
    one, two, hers = a_memory("one"), a_memory("two"), a_memory("hers", target_id=other)
    later = NOON + timedelta(hours=1)
    first = (add(one), add(two), add(hers))
    await journal.ledger.commit(Commit(TENANT, "first", "reflection", NOON, first))
    await journal.ledger.commit(Commit(TENANT, "typed", "edit", NOON, (step(one, changed(one, "1"), "refresh"),)))
    await journal.ledger.commit(Commit(TENANT, "second", "reflection", later, (step(two, changed(two, "2")),)))
    about = await journal.ledger.runs(SCOPE, cause="reflection", before=None, limit=10)
    assert [(run.run, run.at, run.acts) for run in about] == [
        ("second", later, {"merge": 1}),
        ("first", NOON, {"add": 2}),
    ]
    whole = await journal.ledger.runs(Scope(TENANT, AGENT), cause="reflection", before=about[0].seq, limit=10)
    assert [(run.run, run.acts, set(run.targets)) for run in whole] == [("first", {"add": 3}, {TARGET, other})]
    assert [run.run for run in await journal.ledger.runs(SCOPE, cause="reflection", before=None, limit=1)] == ["second"]
    assert await journal.ledger.runs(Scope("globex", AGENT), cause="reflection", before=None, limit=10) == []


async def test_a_run_that_was_taken_back_says_so_until_it_is_brought_in_again(journal: SqlJournal) -> None:
    async def told() -> list[tuple[str, bool]]:
        runs = await journal.ledger.runs(SCOPE, cause="reflection", before=None, limit=10)
        return [(run.run, run.taken_back) for run in runs]

    await journal.ledger.commit(Commit(TENANT, "first", "reflection", NOON, (add(a_memory("one")),)))
    await journal.ledger.commit(Commit(TENANT, "second", "reflection", NOON, (add(a_memory("two")),)))
    back = await undo(journal.ledger, TENANT, "first", now=NOON)
    assert await told() == [("second", False), ("first", True)]
    assert back.run is not None
    await undo(journal.ledger, TENANT, back.run, now=NOON)
    assert await told() == [("second", False), ("first", False)]


async def reflect(journal: SqlJournal, run: str, changes: int) -> None:
    several = tuple(add(a_memory(f"{run} {each}")) for each in range(changes))
    await journal.ledger.commit(Commit(TENANT, run, "reflection", NOON, several))


async def test_runs_are_told_page_by_page_each_once_and_whole(journal: SqlJournal) -> None:
    for number in range(5):
        await reflect(journal, f"run {number}", 600)
    told, before = list[tuple[str, dict[str, int]]](), None
    while page := await journal.ledger.runs(SCOPE, cause="reflection", before=before, limit=2):
        told += [(run.run, run.acts) for run in page]
        before = page[-1].seq
    assert told == [(f"run {number}", {"add": 600}) for number in reversed(range(5))]


async def test_a_page_of_runs_costs_no_more_where_there_are_earlier_ones(tmp_path: Path) -> None:
    async with Place(f"sqlite:///{tmp_path / 'journal.db'}").journal() as journal:
        steps = counted_steps(journal)
        asked: list[int] = []
        for number in range(6):
            await reflect(journal, f"run {number}", 600)
            steps.clear()
            await journal.ledger.runs(SCOPE, cause="reflection", before=None, limit=1)
            asked.append(len(steps))
    assert 0 < asked[-1] <= asked[2] * 1.1


async def test_whom_somebody_told_of_is_found_at_no_more_cost_where_the_agent_knows_more(tmp_path: Path) -> None:
    ann, eve = (entity_id(TENANT, AGENT, name) for name in ("ann", "eve"))
    turns = [a_memory(f"turn {number}", memory_type=MemoryType.CONVERSATION) for number in range(50)]
    told = a_memory("Ann lives in Rome.", target_id=ann, source_ids=(turns[0].memory_id,))
    async with Place(f"sqlite:///{tmp_path / 'journal.db'}").journal() as journal:
        steps = counted_steps(journal)
        asked: list[int] = []
        await journal.ledger.commit(commit(*map(add, (*turns, told))))
        for known in (0, 500):
            others = [a_memory(f"known {number}", target_id=eve) for number in range(known)]
            await journal.ledger.commit(commit(*map(add, others)))
            steps.clear()
            assert await journal.ledger.told_of(SCOPE) == [ann]
            asked.append(len(steps))
    assert 0 < asked[-1] <= asked[0] * 1.1 + 1


def counted_steps(journal: SqlJournal) -> list[int]:
    """One item for each hundred steps of SQLite in what is read from now on."""
    steps: list[int] = []

    def watch(connection: sqlite3.Connection, *_: object) -> None:
        connection.set_progress_handler(lambda: steps.append(1), 100)

    event.listen(journal._reading, "checkout", watch)  # pyright: ignore[reportPrivateUsage] - the engine is nobody else's
    return steps


async def test_a_memory_taken_out_is_gone_but_reported(journal: SqlJournal) -> None:
    one = a_memory("one")
    await journal.ledger.commit(commit(add(one)))
    await journal.ledger.commit(commit(step(one, None, "undo")))
    assert await journal.ledger.get(TENANT, [one.memory_id]) == {}
    assert await journal.ledger.select(Selection(SCOPE)) == []
    assert await journal.ledger.since(0, limit=9) == [Version(2, one.memory_id, None, one.lane)]
    await journal.ledger.commit(commit(add(one)))
    assert await journal.ledger.since(0, limit=9) == [Version(3, one.memory_id, one, one.lane)]
    assert [e.change.before for e in await journal.ledger.history(TENANT, one.memory_id)] == [None, one, None]


async def test_no_tenant_writes_or_reads_the_memory_of_another(journal: SqlJournal) -> None:
    mine = a_memory("mine")
    await journal.ledger.commit(commit(add(mine)))
    theirs = mine.revised(tenant="other")
    for change in (add(theirs), step(theirs, changed(theirs, "x"))):
        with pytest.raises(Conflict, match="tenant"):
            await journal.ledger.commit(Commit("other", "run", "test", NOON, (change,)))
    with pytest.raises(InvalidInput, match="'other'"):
        await journal.ledger.commit(commit(add(a_memory("x", tenant="other"))))
    assert await journal.ledger.get("other", [mine.memory_id]) == {}
    assert await journal.ledger.select(Selection(Scope("other", AGENT))) == []


async def test_text_that_no_database_holds_changes_nothing(journal: SqlJournal) -> None:
    for wrong in (
        a_memory("x").model_copy(update={"content": "a\x00b"}),
        a_memory("x").model_copy(update={"content": "half \udc00"}),
        a_memory("x").model_copy(update={"meta_data": {"k": ["\x00"]}}),
    ):
        with pytest.raises(InvalidInput, match=wrong.memory_id):
            await journal.ledger.commit(commit(add(a_memory("fine")), add(wrong)))
    unreasoned = Change(act="add", after=a_memory("x")).model_copy(update={"reason": "\x00"})
    with pytest.raises(InvalidInput, match="reason"):
        await journal.ledger.commit(commit(unreasoned))
    assert await journal.ledger.head() == 0


async def test_since_gives_the_last_version_of_each_in_order_and_in_pages(journal: SqlJournal) -> None:
    nodes = [a_memory(str(n)) for n in range(10)]
    await journal.ledger.commit(commit(*map(add, nodes)))
    newer = changed(nodes[0], "newer")
    await journal.ledger.commit(commit(step(nodes[0], newer)))
    found: list[Version] = []
    while page := await journal.ledger.since(found[-1].seq if found else 0, limit=3):
        found += page
    assert [version.node for version in found] == [*nodes[1:], newer]
    assert found[-1].seq == await journal.ledger.head() == 11


async def test_selection_is_newest_first_by_type_status_and_run(journal: SqlJournal) -> None:
    nodes = [
        a_memory("observation", timestamp=1),
        a_memory("insight", timestamp=5, memory_type=MemoryType.INSIGHT),
        a_memory("of another run", timestamp=3, run_id="other"),
        a_memory("of no run", timestamp=4, run_id=None),
        a_memory("expired", timestamp=2).ended(at=NOON, now=NOON),
        a_memory("about another", timestamp=6, target_id=a_memory("x").memory_id),
    ]
    await journal.ledger.commit(commit(*map(add, nodes)))

    async def contents(**fields: object) -> list[str]:
        scope = fields.pop("scope", SCOPE)
        assert isinstance(scope, Scope)
        return [node.content for node in await journal.ledger.select(Selection(scope, **fields))]  # type: ignore[arg-type]

    assert await contents() == ["insight", "of no run", "of another run", "expired", "observation"]
    assert await contents(scope=Scope(TENANT, AGENT), limit=2) == ["about another", "insight"]
    assert await contents(types=(MemoryType.INSIGHT,)) == ["insight"]
    assert await contents(statuses=(StoreStatus.EXPIRED,)) == ["expired"]
    assert await contents(scope=Scope(TENANT, AGENT, TARGET, "talk")) == [
        "insight",
        "of no run",
        "expired",
        "observation",
    ]
    assert await journal.ledger.newest_timestamp() == 6


async def test_selection_continues_behind_the_last_one_among_equal_timestamps(journal: SqlJournal) -> None:
    nodes = [a_memory(str(n), timestamp=n // 4, memory_type=LAYERS[n % 5]) for n in range(20)]
    await journal.ledger.commit(commit(*map(add, nodes)))
    found: list[MemoryNode] = []
    while True:
        after = (found[-1].timestamp, found[-1].memory_id) if found else None
        page = await journal.ledger.select(Selection(SCOPE, after=after, limit=3))
        if not page:
            break
        found += page
    assert found == sorted(nodes, key=lambda node: (-node.timestamp, node.memory_id))


async def test_a_reader_that_follows_the_numbers_misses_nothing_two_processes_write(place: Place) -> None:
    async with place.journal() as journal:
        writers = [begin(commit_many, place, name, 80) for name in ("left", "right")]
        followed: list[str] = []
        mark = 0
        while any(writer.is_alive() for writer in writers) or await journal.ledger.head() > mark:
            page = await journal.ledger.since(mark, limit=1_000)
            if page:
                mark = page[-1].seq
                followed += [version.memory_id for version in page]
            else:
                await journal.queue.wait(0.005)
        assert [await ended(writer) for writer in writers] == [0, 0]
        assert len(followed) == len(set(followed)) == 160


async def test_marks_vectors_and_agents_are_kept(place: Place) -> None:
    async with place.journal() as journal:
        assert await journal.marks.mark("projected") is None
        await journal.marks.set_mark("projected", "1")
        await journal.marks.set_mark("projected", "2")
        key, other = "ab" * 32, "cd" * 32
        await journal.vectors.put("hashed", {key: b"\x00\x01"})
        await journal.vectors.put("hashed", {key: b"\x02", other: b"\x03"})
    async with place.journal() as journal:
        assert await journal.marks.mark("projected") == "2"
        assert await journal.vectors.get("hashed", [key, other, "ef" * 32]) == {key: b"\x00\x01", other: b"\x03"}
        assert await journal.vectors.get("other", [key]) == {}
        assert await journal.vectors.get("hashed", []) == {}
