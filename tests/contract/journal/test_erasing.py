"""What is erased is gone, from every table and every file, and does not come back; what is not stays as it was."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.change import Change
from agentmem.domain.entity import graph_lane
from agentmem.domain.event import keyed_event_id
from agentmem.domain.lineage import copied_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.packed import unpacked
from agentmem.domain.payload import CloseWindow, CustomPayload, LinkMemories, RegroupCommunities
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import Conflict, InvalidInput, LeaseLost
from agentmem.ports.embedder import text_key
from agentmem.ports.erasure import Erasure, Owed
from agentmem.ports.ledger import Commit, Selection
from agentmem.ports.work_queue import Depth, Done, NewJob, SetAside
from tests.support.copying import clone_of_seller, copied, lived
from tests.support.journals import CONVERSATION, Place, outcome, said, verbatim, work_off
from tests.support.nodes import AGENT, NOON, TENANT, a_memory
from tests.support.planted import legible

HERE = Scope(TENANT, AGENT)
CANARY = "kanarienvogel"


def nothing(run: str = "forget-1", *changes: Change) -> Commit:
    return Commit(TENANT, run, "forget", NOON, changes)


async def planned(journal: SqlJournal, **fields: object) -> Erasure:
    """An erasure planned at what the ledger holds now."""
    return replace(Erasure(nothing(), AGENT, await journal.ledger.head()), **fields)


async def put(journal: SqlJournal, *nodes: MemoryNode, run: str = "window") -> None:
    changes = tuple(Change(act="add", after=node) for node in nodes)
    await journal.ledger.commit(Commit(TENANT, run, "observation", NOON, changes))


async def test_an_erased_event_is_gone_and_accepted_as_known_from_then_on(journal: SqlJournal) -> None:
    first, second = said("a", 0), said("a", 1)
    answers = await journal.events.append([first, second], now=NOON)
    await work_off(journal)
    erased = await journal.eraser.erase(
        await planned(journal, seqs=(answers[0].seq,), memory_ids=(verbatim(first).memory_id,))
    )
    assert len(erased.events) == 1
    assert erased.memory_ids == (verbatim(first).memory_id,)
    assert [item.event for item in await journal.events.of_lane(first.lane, after=0, limit=9)] == [second]
    changed = first.revised(text="said again, in other words")
    for again in (first, changed):
        (answer,) = await journal.events.append([again], now=NOON)
        assert (answer.seq, answer.duplicate) == (answers[0].seq, True)
    assert await journal.queue.depth() == Depth(0, 0, 0, 0)
    assert await journal.eraser.remains(erased) == []


async def test_a_turn_under_a_bare_key_does_not_come_back_under_that_of_the_person(journal: SqlJournal) -> None:
    turn = said("a", 0)
    (answer,) = await journal.events.append([turn], now=NOON)
    await journal.eraser.erase(await planned(journal, seqs=(answer.seq,)))
    again = turn.revised(event_id=keyed_event_id(turn.person.name, turn.event_id))
    (known,) = await journal.events.append([again], now=NOON)
    assert (known.seq, known.duplicate) == (answer.seq, True)


async def test_a_file_of_an_older_version_can_shrink_once_something_was_erased(tmp_path: Path) -> None:
    place = Place(f"sqlite:///{tmp_path / 'journal.db'}", tmp_path / "journal.db")
    async with place.journal():
        pass
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as older:
        older.execute("PRAGMA auto_vacuum=NONE")
        older.execute("VACUUM")
        assert older.execute("PRAGMA auto_vacuum").fetchone() == (0,)
    async with place.journal() as journal:
        await journal.eraser.scrub()
    with closing(sqlite3.connect(tmp_path / "journal.db", isolation_level=None)) as newer:
        assert newer.execute("PRAGMA auto_vacuum").fetchone() == (2,)


async def test_an_erased_memory_has_no_history_and_is_not_written_again(journal: SqlJournal) -> None:
    node, other = a_memory("phone"), a_memory("address")
    await put(journal, node, other)
    erased = await journal.eraser.erase(await planned(journal, memory_ids=(node.memory_id,)))
    assert await journal.ledger.history(TENANT, node.memory_id) == []
    assert [entry.memory_id for entry in await journal.ledger.of_run(TENANT, "window")] == [other.memory_id]
    await put(journal, node, run="window again")
    assert await journal.ledger.select(Selection(HERE)) == [other]
    assert await journal.eraser.remains(erased) == []


async def test_the_erased_can_be_told_from_the_rest(journal: SqlJournal) -> None:
    gone, kept = a_memory("gone"), a_memory("kept")
    await put(journal, gone, kept)
    await journal.eraser.erase(await planned(journal, memory_ids=(gone.memory_id,)))
    ids = [gone.memory_id, kept.memory_id, a_memory("never there").memory_id]
    assert await journal.eraser.buried(TENANT, ids) == {gone.memory_id}
    assert await journal.eraser.buried("other", ids) == set()


async def test_a_memory_that_stays_keeps_nothing_but_its_last_state(journal: SqlJournal) -> None:
    node = a_memory("phone and address")
    await put(journal, node)
    later = node.revised(content="address", revision=2)
    change = Change(act="forget", before=node, after=later)
    await journal.eraser.erase(await planned(journal, commit=nothing("forget-1", change), collapsed=(node.memory_id,)))
    (entry,) = await journal.ledger.history(TENANT, node.memory_id)
    assert (entry.change.before, entry.change.after) == (None, later)
    assert await journal.ledger.get(TENANT, [node.memory_id]) == {node.memory_id: later}
    later_still = later.revised(content="new address", revision=3)
    change = Change(act="refresh", before=later, after=later_still)
    await journal.ledger.commit(Commit(TENANT, "window 2", "observation", NOON, (change,)))
    assert len(await journal.ledger.history(TENANT, node.memory_id)) == 2


async def test_a_lane_goes_whole_and_its_neighbours_stay(journal: SqlJournal) -> None:
    ours, theirs = said("a", 0), said("b", 0)
    await journal.events.append([ours, theirs], now=NOON)
    await work_off(journal)
    await journal.events.append([said("a", 1), said("b", 1)], now=NOON)
    erased = await journal.eraser.erase(await planned(journal, lanes=(ours.lane,), received=2))
    assert (len(erased.events), erased.memory_ids, erased.jobs) == (2, (verbatim(ours).memory_id,), 1)
    assert await journal.events.lanes(HERE) == [theirs.lane]
    assert [node.memory_id for node in await journal.ledger.select(Selection(HERE))] == [verbatim(theirs).memory_id]
    assert (await journal.queue.depth()).ready == 1
    answers = await journal.events.append([ours, said("a", 1)], now=NOON)
    assert [answer.duplicate for answer in answers] == [True, True]
    (fresh,) = await journal.events.append([said("a", 2)], now=NOON)
    assert not fresh.duplicate


async def test_whoever_works_on_erased_words_loses_the_lane(journal: SqlJournal) -> None:
    answers = await journal.events.append([said("a", 0), said("a", 1), said("b", 0)], now=NOON)
    claims = [await journal.queue.claim(CONVERSATION) for _ in range(2)]
    ours, theirs = claims
    assert ours
    assert theirs
    await journal.queue.stage(ours, ours.jobs[1].job_id, CANARY)
    await journal.eraser.erase(await planned(journal, seqs=(answers[0].seq,)))
    with pytest.raises(LeaseLost):
        await journal.queue.finish(ours, outcome(ours))
    await journal.queue.finish(theirs, outcome(theirs))
    again = await journal.queue.claim(CONVERSATION)
    assert again
    assert [(job.events[0].event.event_id, job.staged) for job in again.jobs] == [("a/1", None)]
    await journal.queue.finish(again, Done())
    assert await journal.queue.depth() == Depth(0, 0, 0, 0)


async def test_a_window_loses_the_turn_that_was_erased_and_no_other_window_does(journal: SqlJournal) -> None:
    answers = await journal.events.append([said("a", number) for number in range(3)], now=NOON)
    await work_off(journal)
    first, second, third = (answer.seq for answer in answers)
    lane = said("a", 0).lane
    windows = [NewJob("one", lane, "observation", second, (first, second))]
    windows.append(NewJob("two", lane, "observation", third, (third,)))
    await journal.queue.enqueue(windows)
    await journal.eraser.erase(await planned(journal, seqs=(first,)))
    claim = await journal.queue.claim({"observation": 9})
    assert claim
    left = {job.job_id: [item.seq for item in job.events] for job in claim.jobs}
    assert left == {"one": [second], "two": [third]}
    rest = await planned(journal, commit=nothing("forget-2"), seqs=(second,))
    assert (await journal.eraser.erase(rest)).jobs == 1


async def test_what_was_read_in_words_that_change_goes_and_what_was_read_in_others_stays(journal: SqlJournal) -> None:
    turns = [said("a", number) for number in range(2)]
    first, second = (answer.seq for answer in await journal.events.append(turns, now=NOON))
    await work_off(journal)
    read = CustomPayload(data=CANARY)
    lane = turns[0].lane
    await journal.queue.enqueue([NewJob(str(seq), lane, "insight", seq, (seq,), read) for seq in (first, second)])
    changed = ((first, turns[0].revised(text="less")),)
    assert (await journal.eraser.erase(await planned(journal, rewritten=changed))).jobs == 1
    claim = await journal.queue.claim({"insight": 9})
    assert claim
    assert [job.job_id for job in claim.jobs] == [str(second)]


async def test_dead_letters_lose_their_words_or_go(journal: SqlJournal) -> None:
    answers = await journal.events.append([said("a", 0), said("a", 1)], now=NOON)
    seqs = tuple(answer.seq for answer in answers)
    lane = said("a", 0).lane
    window = NewJob("window", lane, "observation", seqs[1], seqs)
    reading = NewJob("reading", lane, "insight", seqs[1], seqs, CustomPayload(data=CANARY))
    await work_off(journal)
    await journal.queue.enqueue([window, reading])
    for worker in ("observation", "insight"):
        claim = await journal.queue.claim({worker: 1})
        assert claim
        await journal.queue.stage(claim, claim.jobs[0].job_id, CANARY)
        await journal.queue.fail(claim, claim.jobs[0].job_id, reason=CANARY, retry_in=None)
    await journal.eraser.erase(await planned(journal, seqs=seqs[:1]))
    (letter,) = await journal.dead.dead(tenant=TENANT, limit=9)
    assert (letter.job_id, letter.event_ids, letter.reason) == ("window", ("a/1",), "its words were erased")
    assert await journal.queue.enqueue([reading]) == 0


async def test_a_lane_waits_for_no_window_with_turns_that_were_erased(journal: SqlJournal) -> None:
    answers = await journal.events.append([said("a", 0), said("a", 1)], now=NOON)
    first, last = (answer.seq for answer in answers)
    for seq, left in ((last, [first]), (first, [])):
        await journal.eraser.erase(await planned(journal, commit=nothing(f"forget-{seq}"), seqs=(seq,)))
        silent = await journal.events.silent_lanes(since=NOON + timedelta(hours=1))
        assert [number for _, _, number in silent] == left


async def test_an_event_goes_on_with_other_words(journal: SqlJournal) -> None:
    turn = said("a", 0)
    (answer,) = await journal.events.append([turn], now=NOON)
    less = turn.revised(text="less")
    erased = await journal.eraser.erase(await planned(journal, rewritten=((answer.seq, less),)))
    assert [item.event for item in await journal.events.of_lane(turn.lane, after=0, limit=9)] == [less]
    assert (len(erased.rewritten), erased.events) == (1, ())
    (again,) = await journal.events.append([turn], now=NOON)
    assert (again.seq, again.duplicate) == (answer.seq, True)
    assert [item.event for item in await journal.events.of_lane(turn.lane, after=0, limit=9)] == [less]


async def test_cached_vectors_of_all_texts_a_memory_ever_had_go(journal: SqlJournal) -> None:
    node = a_memory("first", key=("thing",))
    await put(journal, node)
    change = Change(act="refresh", before=node, after=node.revised(content="second", revision=2))
    await journal.ledger.commit(Commit(TENANT, "w2", "observation", NOON, (change,)))
    keys = [text_key(text) for text in ("first", "second", "thing", "other")]
    for fingerprint in ("one", "two"):
        await journal.vectors.put(fingerprint, dict.fromkeys(keys, b"12"))
    erased = await journal.eraser.erase(await planned(journal, memory_ids=(node.memory_id,)))
    assert erased.vectors == 6
    assert set(await journal.vectors.get("one", keys)) == {keys[3]}


async def test_nothing_is_erased_where_something_changed_since_it_was_planned(journal: SqlJournal) -> None:
    node = a_memory("phone")
    await put(journal, node)
    await journal.events.append([said("a", 0)], now=NOON)
    stale = await planned(journal, memory_ids=(node.memory_id,))
    await put(journal, a_memory("address"), run="window 2")
    for late in (stale, await planned(journal, lanes=(said("a", 0).lane,), memory_ids=(node.memory_id,))):
        with pytest.raises(Conflict, match="was changed while"):
            await journal.eraser.erase(late)
    assert node.memory_id in await journal.ledger.get(TENANT, [node.memory_id])
    assert await journal.eraser.unfinished() == []


async def test_nobody_elses_memories_or_events_are_erased(journal: SqlJournal) -> None:
    strange = a_memory("theirs", agent_id="other")
    await put(journal, strange)
    (answer,) = await journal.events.append([said("a", 0, agent_id="other")], now=NOON)
    await journal.eraser.erase(
        await planned(journal, memory_ids=(strange.memory_id,), collapsed=(strange.memory_id,), seqs=(answer.seq,))
    )
    assert await journal.ledger.get(TENANT, [strange.memory_id]) == {strange.memory_id: strange}
    assert len(await journal.events.of_lane(said("a", 0, agent_id="other").lane, after=0, limit=9)) == 1


async def test_what_is_not_finished_is_told_until_it_is(place: Place) -> None:
    async with place.journal() as journal:
        first = await journal.eraser.erase(await planned(journal))
        later = replace(nothing("forget-2"), at=NOON + timedelta(hours=1))
        second = await journal.eraser.erase(await planned(journal, commit=later))
    async with place.journal() as journal:
        assert await journal.eraser.unfinished() == [first, second]
        await journal.eraser.scrub()
        await journal.eraser.finished(first.run)
        assert await journal.eraser.unfinished() == [second]


async def test_what_is_finished_leaves_nothing_of_its_mark(place: Place) -> None:
    async with place.journal() as journal:
        erased = await journal.eraser.erase(await planned(journal, commit=nothing(CANARY)))
        assert stored(place, CANARY)
        await journal.eraser.finished(erased.run)
        assert not stored(place, CANARY)


async def test_what_was_set_aside_and_what_rested_on_something_leaves_no_id(place: Place) -> None:
    async with place.journal() as journal:
        source = a_memory("turn")
        node, other = (a_memory(text, source_ids=(source.memory_id,)) for text in ("insight", "another"))
        await put(journal, source, node, other)
        lane, head = Lane(TENANT, AGENT, node.target_id), await journal.ledger.head()
        await journal.set_asides.add([SetAside(each.memory_id, head, lane, "too long") for each in (node, other)])
        erased = await journal.eraser.erase(await planned(journal, memory_ids=(node.memory_id,)))
        assert [each.memory_id for each in await journal.set_asides.all()] == [other.memory_id]
        assert await journal.ledger.naming(HERE, [source.memory_id]) == {other.memory_id}
        await journal.eraser.scrub()
        await journal.eraser.finished(erased.run)
        assert [stored(place, each.memory_id) for each in (node, other)] == [False, True]


async def test_who_is_removed_leaves_no_id_and_who_is_given_up_is_cleaned_up_behind(place: Place) -> None:
    async with place.journal() as journal:
        await lived(journal)
        await copied(journal, await journal.copies.begin(clone_of_seller(), now=NOON))
        gone = await journal.copies.discard(TENANT, "twin", now=NOON)
        (discarded,) = await journal.eraser.unfinished()
        assert (discarded.agent_id, set(discarded.memory_ids)) == ("twin", set(gone))
        removed = await journal.eraser.remove(TENANT, AGENT, now=NOON)
        await journal.eraser.scrub()
        for each in (discarded, removed):
            await journal.eraser.finished(each.run)
        assert not any(stored(place, each) for each in removed.memory_ids)


async def test_who_is_removed_twice_at_one_moment_is_cleaned_up_behind_twice(journal: SqlJournal) -> None:
    for text in ("once", "again"):
        await put(journal, a_memory(text), run=text)
        await journal.eraser.remove(TENANT, AGENT, now=NOON)
    assert len({each.run for each in await journal.eraser.unfinished()}) == 2


@pytest.mark.parametrize("scope", [replace(HERE, run="talk"), replace(HERE, target=CANARY, beside=("Tom",))])
async def test_a_purge_takes_no_part_of_what_is_told_of_somebody(journal: SqlJournal, scope: Scope) -> None:
    await put(journal, a_memory("stays"))
    with pytest.raises(InvalidInput, match="not a run"):
        await journal.purge(scope)
    assert len(await journal.ledger.select(Selection(HERE))) == 1


async def test_what_nobody_can_read_is_given_up_by_its_name_and_what_can_be_read_stays(journal: SqlJournal) -> None:
    erased = await journal.eraser.erase(await planned(journal))
    for name in ("owed/x", "elsewhere"):
        await journal.marks.set_mark(name, "{")
    for name in (f"forgetting/{erased.run}", "elsewhere", "owed/y"):
        assert not await journal.eraser.give_up(name)
    assert [await journal.eraser.give_up("owed/x") for _ in range(2)] == [True, False]
    assert await journal.marks.mark("elsewhere") == "{"
    assert await journal.eraser.unfinished() == [erased]


async def test_an_agent_that_is_gone_may_hear_everything_anew(journal: SqlJournal) -> None:
    (answer,) = await journal.events.append([said("a", 0)], now=NOON)
    await journal.eraser.erase(await planned(journal, seqs=(answer.seq,)))
    await journal.purge(HERE)
    (again,) = await journal.events.append([said("a", 0)], now=NOON)
    assert not again.duplicate


async def test_who_is_removed_is_cleaned_up_behind_and_what_was_erased_from_him_stays_so(journal: SqlJournal) -> None:
    gone, node = a_memory("gone"), a_memory("kept till now")
    await put(journal, gone)
    await put(journal, node, run="window 2")
    (answer,) = await journal.events.append([said("a", 0)], now=NOON)
    await journal.eraser.erase(await planned(journal, memory_ids=(gone.memory_id,), seqs=(answer.seq,)))
    await journal.events.append([said("a", 1)], now=NOON)
    removed = await journal.eraser.remove(TENANT, AGENT, now=NOON + timedelta(hours=1))
    assert (removed.memory_ids, len(removed.events)) == ((node.memory_id,), 1)
    assert (await journal.eraser.unfinished())[-1] == removed
    assert await journal.eraser.remains(removed) == []
    assert await journal.eraser.buried(TENANT, [gone.memory_id, node.memory_id]) == {gone.memory_id}
    assert [each.duplicate for each in await journal.events.append([said("a", 0)], now=NOON)] == [True]
    nobody = await journal.eraser.remove(TENANT, "nobody", now=NOON)
    assert nobody not in await journal.eraser.unfinished()


async def test_a_copy_that_changed_owes_what_it_has_until_that_is_settled(journal: SqlJournal) -> None:
    await lived(journal)
    copy = await journal.copies.begin(clone_of_seller(), now=NOON)
    await journal.copies.complete(await copied(journal, copy), now=NOON)
    source = (await journal.ledger.select(Selection(HERE, limit=1)))[0]
    its = copied_id(TENANT, "twin", source.memory_id)
    owed = Owed(run="forget-1", tenant=TENANT, agent_id="twin", memory_ids=(its,))
    head = await journal.ledger.head()
    theirs = Erasure(nothing("theirs"), "twin", head, memory_ids=(its,), owed=owed)
    both = Erasure(nothing("forget-1"), AGENT, head, memory_ids=(source.memory_id,), copies=(theirs,))
    await put(journal, a_memory("news", agent_id="twin"), run="meanwhile")
    with pytest.raises(Conflict, match="'twin' knows was changed"):
        await journal.eraser.erase(both)
    assert await journal.eraser.owed() == []
    erased = await journal.eraser.erase(both, owing=True)
    assert (erased.waiting, erased.copies) == (((TENANT, "twin"),), ())
    assert set(await journal.ledger.get(TENANT, [source.memory_id, its])) == {its}
    assert await journal.eraser.owed() == [owed]
    await journal.eraser.settled(owed)
    assert await journal.eraser.owed() == []


async def test_the_words_of_an_erased_memory_stand_nowhere_in_the_store(place: Place) -> None:
    async with place.journal() as journal:
        turns = [said("a", number).revised(text=f"{CANARY} {number} " + "x" * (number * 7)) for number in range(200)]
        answers = await journal.events.append([*turns, said("b", 0)], now=NOON)
        await work_off(journal)
        change = (verbatim(turns[0]), verbatim(turns[0]).revised(content=f"{CANARY}!", revision=2))
        await journal.ledger.commit(nothing("edit", Change(act="refresh", before=change[0], after=change[1])))
        assert stored(place, CANARY)
        await journal.eraser.erase(
            await planned(
                journal,
                seqs=tuple(answer.seq for answer in answers[:-1]),
                memory_ids=tuple(verbatim(turn).memory_id for turn in turns),
            )
        )
        await journal.eraser.scrub()
        assert not stored(place, CANARY)


def stored(place: Place, text: str) -> bool:
    """Whether a file of the store, or a row a server would show, holds the text."""
    if place.file is not None:
        return any(text.encode() in legible(path) for path in Path(place.file.parent).iterdir())
    url = make_url(place.url)
    plain = url.difference_update_query(["schema"]).render_as_string(hide_password=False)
    with psycopg.connect(plain, options=f"-csearch_path={url.query['schema']}") as connection:
        names = ("events", "ledger", "jobs", "marks", "memories", "dependencies")
        rows = [connection.execute(f"SELECT t::text FROM {name} t").fetchall() for name in names]  # pyright: ignore[reportArgumentType, reportCallIssue] - names of our own
        bodies = connection.execute("SELECT after FROM ledger WHERE after IS NOT NULL").fetchall()
        said = any(text in unpacked(row[0]) for row in bodies)
        return said or any(text in row[0] for found in rows for row in found)


async def test_memories_are_found_by_what_any_of_their_states_named(journal: SqlJournal) -> None:
    source, other = a_memory("turn"), a_memory("another")
    before = a_memory("insight", source_ids=(source.memory_id,))
    plain = a_memory("rests on nothing")
    await put(journal, source, other, before, plain)
    after = before.revised(source_ids=(other.memory_id,), revision=2)
    await journal.ledger.commit(nothing("refresh", Change(act="refresh", before=before, after=after)))
    assert await journal.ledger.naming(HERE, [source.memory_id]) == {before.memory_id}
    assert await journal.ledger.naming(HERE, [other.memory_id, before.memory_id]) == set()
    assert await journal.ledger.naming(Scope(TENANT, "other"), [source.memory_id]) == set()


async def test_what_was_erased_can_be_asked_for_by_its_id(journal: SqlJournal) -> None:
    node, other = a_memory("phone"), a_memory("address")
    await put(journal, node, other)
    await journal.eraser.erase(await planned(journal, memory_ids=(node.memory_id,)))

    assert await journal.eraser.buried(TENANT, [node.memory_id, other.memory_id]) == {node.memory_id}
    assert await journal.eraser.buried("another", [node.memory_id]) == set()
    assert await journal.eraser.buried(TENANT, []) == set()


async def test_work_that_names_memories_names_those_alone_that_stay(journal: SqlJournal) -> None:
    gone, stays = a_memory("gone"), a_memory("stays")
    await put(journal, gone, stays)
    lane = graph_lane(TENANT, AGENT)
    named = {"both": (gone, stays), "one": (gone,), "other": (stays,)}
    payloads = {name: LinkMemories(memory_ids=tuple(each.memory_id for each in of)) for name, of in named.items()}
    jobs = [NewJob(name, lane, "graph", at, payload=given) for at, (name, given) in enumerate(payloads.items())]
    await journal.queue.enqueue([*jobs, NewJob("all", lane, "graph", 9, payload=RegroupCommunities())])
    erased = await journal.eraser.erase(await planned(journal, memory_ids=(gone.memory_id,)))
    assert erased.jobs == 1
    claim = await journal.queue.claim({"graph": 9})
    assert claim
    left = {job.job_id: job.payload for job in claim.jobs}
    assert left == {"both": payloads["other"], "other": payloads["other"], "all": RegroupCommunities()}


async def test_what_a_worker_of_ones_own_was_handed_goes_with_what_its_lane_loses(journal: SqlJournal) -> None:
    node, beside = a_memory("gone"), a_memory("beside", target_id=a_memory("x").memory_id)
    await put(journal, node, beside)
    lane, other = (Lane(TENANT, AGENT, each.target_id) for each in (node, beside))
    own = NewJob("own", lane, "mine", 1, payload=CustomPayload(data={"words": CANARY}))
    built_in = NewJob("built in", lane, "conversation", 2, payload=CloseWindow())
    elsewhere = NewJob("elsewhere", other, "mine", 3, payload=CustomPayload(data="of others"))
    about = NewJob("about", other, "mine", 4, payload=CustomPayload(data={"of": node.memory_id}))
    await journal.queue.enqueue([own, built_in, elsewhere, about])
    erased = await journal.eraser.erase(await planned(journal, memory_ids=(node.memory_id,)))
    assert erased.jobs == 1
    claims = [await journal.queue.claim({"mine": 9}), await journal.queue.claim({"conversation": 9})]
    assert [job.job_id for claim in claims if claim for job in claim.jobs] == ["elsewhere", "about", "built in"]
    assert await journal.eraser.remains(erased) == ["about"]
