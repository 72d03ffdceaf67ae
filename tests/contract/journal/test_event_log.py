"""What is accepted is kept, once, in order; what cannot be kept is refused and named."""

import asyncio
from datetime import timedelta

import pytest

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.change import Change
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import Busy, InvalidInput
from agentmem.ports.event_log import Sequenced
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Commit
from agentmem.ports.work_queue import Depth, Done
from tests.support.journals import CONVERSATION, Place, append_all, begin, ended, said, work_off
from tests.support.nodes import AGENT, NOON, TENANT, a_memory, a_turn, an_ending

EVER = 10**12


def ids(found: list[Sequenced]) -> list[str]:
    return [item.event.event_id for item in found]


def lane(name: str) -> Lane:
    return said(name, 0).lane


async def test_the_adapter_is_a_journal(journal: SqlJournal) -> None:
    port: Journal = journal
    assert await port.ledger.head() == 0


async def test_an_event_comes_back_as_it_was_said(journal: SqlJournal) -> None:
    event = a_turn("我的电话是 12345678901 \\u0000 🙂", meta={"深": [1, 2.5, None, {"x": True}]})
    accepted = await journal.events.append([event], now=NOON + timedelta(hours=1))
    (found,) = await journal.events.uncut(event.lane, through=EVER)
    assert (found.event, found.seq) == (event, accepted[0].seq)
    assert found.accepted_at == NOON + timedelta(hours=1)


async def test_numbers_rise_in_the_order_given(journal: SqlJournal) -> None:
    first = await journal.events.append([said("a", n) for n in range(5)], now=NOON)
    second = await journal.events.append([said("b", 0)], now=NOON)
    numbers = [answer.seq for answer in (*first, *second)]
    assert numbers == sorted(set(numbers))
    assert await journal.events.append([], now=NOON) == []


async def test_an_event_said_again_is_answered_with_its_first_number(journal: SqlJournal) -> None:
    event = said("a", 0, meta={"one": 1, "two": 2})
    (first,) = await journal.events.append([event], now=NOON)
    (again,) = await journal.events.append([event.revised(meta={"two": 2, "one": 1})], now=NOON + timedelta(days=1))
    assert (first.duplicate, again.duplicate) == (False, True)
    assert again.seq == first.seq
    assert (await journal.queue.depth()).ready == 1


async def test_an_event_said_twice_in_one_call_is_kept_once(journal: SqlJournal) -> None:
    answers = await journal.events.append([said("a", 0), said("a", 0)], now=NOON)
    assert [answer.duplicate for answer in answers] == [False, True]
    assert (await journal.queue.depth()).ready == 1


async def test_an_id_with_other_content_is_refused_with_everything_beside_it(journal: SqlJournal) -> None:
    await journal.events.append([said("a", 0)], now=NOON)
    with pytest.raises(InvalidInput, match="'a/0'"):
        await journal.events.append([said("b", 0), said("a", 0, by_agent=True)], now=NOON)
    with pytest.raises(InvalidInput, match="'c/0'"):
        await journal.events.append([said("c", 0), said("c", 0, by_agent=True)], now=NOON)
    assert await journal.events.lanes(Scope(TENANT, AGENT)) == [lane("a")]


async def test_a_caller_who_repeats_himself_later_is_heard_once(journal: SqlJournal) -> None:
    (first,) = await journal.events.append([said("a", 0)], now=NOON)
    (again,) = await journal.events.append([said("a", 0, at=NOON + timedelta(minutes=5), turn_index=9)], now=NOON)
    assert (again.seq, again.duplicate) == (first.seq, True)


@pytest.mark.parametrize("other", [{"tenant": "other"}, {"agent_id": "other"}])
async def test_an_id_counts_within_one_agent_of_one_tenant(journal: SqlJournal, other: dict[str, str]) -> None:
    (mine,) = await journal.events.append([said("a", 0)], now=NOON)
    (theirs,) = await journal.events.append([said("a", 0, **other)], now=NOON)
    assert not theirs.duplicate
    assert theirs.seq > mine.seq


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"text": "a\x00b"}, "text"),
        ({"text": "half \ud83d"}, "text"),
        ({"meta": {"note": ["x\x00"]}}, "meta"),
        ({"meta": {"bad\udc00key": 1}}, "meta"),
        ({"meta": {"number": float("nan")}}, "meta"),
    ],
)
async def test_text_that_no_database_holds_is_refused_by_name(
    journal: SqlJournal, fields: dict[str, object], field: str
) -> None:
    event = said("a", 0).model_copy(update=fields)
    with pytest.raises(InvalidInput, match=f"event 'a/0' field {field}"):
        await journal.events.append([said("b", 0), event], now=NOON)
    assert await journal.events.lanes(Scope(TENANT, AGENT)) == []


async def test_json_too_deep_to_be_read_back_is_refused(journal: SqlJournal) -> None:
    deep: object = 1
    for _ in range(250):
        deep = [deep]
    with pytest.raises(InvalidInput, match="meta"):
        await journal.events.append([said("a", 0).model_copy(update={"meta": {"deep": deep}})], now=NOON)


async def test_a_bad_event_harms_no_other_caller_of_its_group(journal: SqlJournal) -> None:
    await journal.events.append([said("a", 0)], now=NOON)
    calls = [journal.events.append([said("b", n)], now=NOON) for n in range(30)]
    calls.insert(7, journal.events.append([said("a", 0, by_agent=True)], now=NOON))
    answers = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(answer) for answer in answers if isinstance(answer, Exception)] == [InvalidInput]
    assert len(await journal.events.uncut(lane("b"), through=EVER)) == 30


async def test_identical_appends_of_two_processes_are_one_event_each(place: Place) -> None:
    events = [said(f"lane-{n % 5}", n) for n in range(60)]
    processes = [begin(append_all, place, events) for _ in range(2)]
    assert [await ended(process) for process in processes] == [0, 0]
    async with place.journal() as journal:
        seen: list[str] = []
        assert await work_off(journal, seen=seen) == 60
        assert sorted(seen) == sorted(event.event_id for event in events)


async def test_at_capacity_events_are_refused_until_work_is_done(place: Place) -> None:
    async with place.journal(capacity=3) as journal, place.journal(capacity=3) as other:
        await journal.events.append([said("a", n) for n in range(3)], now=NOON)
        for full in (journal, other):
            with pytest.raises(Busy) as refused:
                await full.events.append([said("b", 0)], now=NOON)
            assert refused.value.retry_after
        again = await other.events.append([said("a", 0)], now=NOON)
        assert again[0].duplicate, "a repeated call needs no room"
        assert await work_off(journal) == 3
        await other.events.append([said("b", 0)], now=NOON)


async def test_a_tenant_with_little_work_is_let_in_where_others_fill_the_queue(place: Place) -> None:
    async with place.journal(capacity=200) as journal:
        await journal.events.append([said("a", n) for n in range(200)], now=NOON)
        for number in range(3):
            await journal.events.append([said("b", number, tenant="globex")], now=NOON)
            with pytest.raises(Busy):
                await journal.events.append([said("a", 200)], now=NOON)
        with pytest.raises(Busy):
            await journal.events.append([said("b", 3, tenant="globex")], now=NOON)
        await journal.events.append([said("c", 0, tenant="initech")], now=NOON)


async def test_too_many_waiting_callers_are_refused_and_the_others_served(place: Place) -> None:
    async with place.journal(callers=50) as journal:
        calls = (journal.events.append([said("a", n)], now=NOON) for n in range(400))
        answers = await asyncio.gather(*calls, return_exceptions=True)
        refused = [answer for answer in answers if isinstance(answer, Busy)]
        assert refused
        assert all(busy.retry_after for busy in refused)
        kept = await journal.events.uncut(lane("a"), through=EVER)
        assert len(kept) == len(answers) - len(refused)


async def test_an_event_without_a_route_makes_no_work(place: Place) -> None:
    async with place.journal(routes={}, capacity=1) as journal:
        await journal.events.append([said("a", n) for n in range(5)], now=NOON)
        await journal.events.append([said("a", 5)], now=NOON)
        assert await journal.queue.depth() == Depth(0, 0, 0, 0)


async def test_an_event_makes_one_job_for_each_worker_of_its_route(place: Place) -> None:
    async with place.journal(routes={"turn_spoken": ["one", "two"]}) as journal:
        await journal.events.append([said("a", 0)], now=NOON)
        for worker in ("one", "two"):
            claim = await journal.queue.claim({worker: 5})
            assert claim
            assert [ids(list(job.events)) for job in claim.jobs] == [["a/0"]]
            await journal.queue.finish(claim, Done())


async def test_a_time_without_an_offset_is_refused(journal: SqlJournal) -> None:
    with pytest.raises(InvalidInput, match="UTC offset"):
        await journal.events.append([said("a", 0)], now=NOON.replace(tzinfo=None))


async def test_earlier_turns_are_those_of_the_run_before_a_number(journal: SqlJournal) -> None:
    await journal.events.append([a_turn("hi", n, run="old") for n in range(3)], now=NOON)
    answers = await journal.events.append([a_turn("hi", n) for n in range(6)] + [an_ending()], now=NOON)
    target = a_turn("hi").lane
    found = await journal.events.earlier_turns(target, before=answers[5].seq, run_id="talk", limit=3)
    assert ids(found) == ["talk/2", "talk/3", "talk/4"]
    assert await journal.events.earlier_turns(target, before=answers[0].seq, run_id="talk", limit=3) == []


async def test_uncut_ends_where_the_last_window_was_cut(journal: SqlJournal) -> None:
    answers = await journal.events.append([said("a", n) for n in range(4)], now=NOON)
    claim = await journal.queue.claim(CONVERSATION)
    assert claim
    await journal.queue.finish(claim, Done(cut_through=answers[1].seq))
    assert ids(await journal.events.uncut(lane("a"), through=EVER)) == ["a/2", "a/3"]
    assert ids(await journal.events.uncut(lane("a"), through=answers[2].seq)) == ["a/2"]


async def test_a_cut_never_goes_back(journal: SqlJournal) -> None:
    answers = await journal.events.append([said("a", n) for n in range(3)], now=NOON)
    for through in (answers[1].seq, answers[0].seq):
        claim = await journal.queue.claim({"conversation": 1})
        assert claim
        await journal.queue.finish(claim, Done(cut_through=through))
    assert ids(await journal.events.uncut(lane("a"), through=EVER)) == ["a/2"]


async def test_lanes_are_silent_since_their_last_uncut_turn(journal: SqlJournal) -> None:
    await journal.events.append([said("a", 0)], now=NOON)
    (last,) = await journal.events.append([said("b", 0)], now=NOON + timedelta(minutes=1))
    assert [found[0] for found in await journal.events.silent_lanes(since=NOON)] == [lane("a")]
    both = await journal.events.silent_lanes(since=NOON + timedelta(minutes=1))
    assert both[1] == (lane("b"), NOON + timedelta(minutes=1), last.seq)
    claim = await journal.queue.claim(CONVERSATION)
    assert claim
    assert claim.lane == lane("a")
    await journal.queue.finish(claim, Done(cut_through=both[0][2]))
    assert [found[0] for found in await journal.events.silent_lanes(since=NOON + timedelta(days=1))] == [lane("b")]


async def test_a_turn_is_unread_until_its_conversation_memory_is_there(journal: SqlJournal) -> None:
    await journal.events.append([said("a", n) for n in range(5)] + [said("b", 0), an_ending()], now=NOON)
    claim = await journal.queue.claim({"conversation": 2})
    assert claim
    await journal.queue.finish(claim, Done())
    assert await _unread(journal, lane("a").scope, 2) == ["a/3", "a/4"]
    assert await _unread(journal, Scope(TENANT, AGENT), 9) == ["a/2", "a/3", "a/4", "b/0"]
    assert await _unread(journal, Scope(TENANT, AGENT, run="b"), 9) == ["b/0"]
    assert await _unread(journal, Scope(TENANT, AGENT, lane("a").target, beside=(lane("b").target,)), 9) == [
        *("a/2", "a/3", "a/4"),
        "b/0",
    ]
    assert await _unread(journal, Scope(TENANT, AGENT, lane("b").target, beside=(lane("c").target,)), 9) == ["b/0"]
    assert await _unread(journal, Scope("other", AGENT), 9) == []
    assert await _unread(journal, Scope(TENANT, AGENT), 0) == []


async def _unread(journal: SqlJournal, scope: Scope, turns: int) -> list[str]:
    return ids((await journal.glance(scope, turns=turns)).unread)


async def test_a_glance_shows_the_agent_and_how_far_the_ledger_is(journal: SqlJournal) -> None:
    empty = await journal.glance(Scope(TENANT, AGENT), turns=9)
    assert (empty.unread, empty.persona, empty.head) == ([], None, 0)
    clerk = Persona(id=AGENT, name="小美", language="zh")
    await journal.registry.save_agent(TENANT, clerk, now=NOON)
    row = await journal.ledger.commit(Commit(TENANT, "run", "cause", NOON, (Change(act="add", after=a_memory("x")),)))
    seen = await journal.glance(Scope(TENANT, AGENT), turns=9)
    assert (seen.persona, seen.head) == (clerk, row)
    assert (await journal.glance(Scope("other", AGENT), turns=9)).persona is None


async def test_lanes_of_a_scope_are_its_own(journal: SqlJournal) -> None:
    await journal.events.append([said("a", 0), said("b", 0), said("a", 0, tenant="other")], now=NOON)
    assert set(await journal.events.lanes(Scope(TENANT, AGENT))) == {lane("a"), lane("b")}
    assert await journal.events.lanes(lane("b").scope) == [lane("b")]
    both = Scope(TENANT, AGENT, lane("b").target, beside=(lane("a").target,))
    assert set(await journal.events.lanes(both)) == {lane("a"), lane("b")}


async def test_the_latest_of_a_lane_are_its_last_turns_and_endings(journal: SqlJournal) -> None:
    ending = an_ending("a").revised(target_id=lane("a").target)
    await journal.events.append([said("a", 0), said("b", 0), said("a", 1), ending, said("b", 1)], now=NOON)
    assert ids(await journal.events.latest(lane("a"), limit=2)) == ["a/1", "a/end"]
    assert ids(await journal.events.latest(lane("b"), limit=9)) == ["b/0", "b/1"]
    assert await journal.events.latest(lane("c"), limit=1) == []


async def test_the_latest_of_a_run_is_that_of_its_parts_too(journal: SqlJournal) -> None:
    async def told(number: int, run: str) -> None:
        await journal.events.append([said("a", number).revised(run_id=run)], now=NOON)

    async def latest(run: str) -> list[str]:
        found = await journal.events.latest_of_run(lane("a"), run)
        return ids([found] if found else [])

    for number, run in enumerate(("say/1", "say/1/7", "say/10", "say/1-b", "say/1/é", "other")):
        await told(number, run)
    assert await latest("say/1") == ["a/4"]
    assert await latest("say/1/7") == ["a/1"]
    assert await latest("say") == ["a/4"]
    assert await latest("say/2") == []
    ending = an_ending("a").revised(target_id=lane("a").target, run_id="say/1")
    await journal.events.append([ending, said("b", 0).revised(run_id="say/1")], now=NOON)
    assert await latest("say/1") == ["a/end"]
