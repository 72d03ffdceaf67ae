"""Work is handed out in order, once at a time, and never twice to the end."""

import asyncio
import random
import time
from collections import defaultdict
from dataclasses import dataclass, replace

import pytest

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.bounds import MAX_DEPTH
from agentmem.domain.change import Change
from agentmem.domain.payload import CustomPayload
from agentmem.domain.scope import Lane, Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import Conflict, InvalidInput, LeaseLost
from agentmem.ports.ledger import Commit
from agentmem.ports.work_queue import Claim, Depth, Done, NewJob
from tests.support.journals import CONVERSATION, Place, outcome, said, verbatim, work_off
from tests.support.nodes import AGENT, NOON, TENANT

YEAR = 365 * 86_400.0
ANY = {"work": 1, "other": 1}
PAYLOAD = CustomPayload(data={"said": ["没有 🙂", 1]})


@dataclass
class Hands:
    """A clock that is set by hand."""

    at: float = 1_800_000_000.0

    def __call__(self) -> float:
        return self.at


def lane(name: str) -> Lane:
    return said(name, 0).lane


def job(job_id: str, name: str = "a", *, worker: str = "work", ordinal: int = 0) -> NewJob:
    return NewJob(job_id, lane(name), worker, ordinal)


async def claimed(journal: SqlJournal, workers: dict[str, int] | None = None) -> Claim:
    claim = await journal.queue.claim(workers or ANY)
    assert claim is not None
    return claim


def names(claim: Claim) -> list[str]:
    return [item.job_id for item in claim.jobs]


async def order(journal: SqlJournal, workers: dict[str, int] | None = None) -> list[str]:
    done: list[str] = []
    while (claim := await journal.queue.claim(workers or ANY)) is not None:
        done += names(claim)
        await journal.queue.finish(claim, Done())
    return done


async def test_an_empty_queue_gives_nothing(journal: SqlJournal) -> None:
    assert await journal.queue.claim(ANY) is None
    assert await journal.queue.claim({}) is None
    assert await journal.queue.depth() == Depth(0, 0, 0, 0)
    assert await journal.queue.enqueue([]) == 0


async def test_jobs_run_by_ordinal_and_then_by_arrival(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("late", ordinal=9), job("first"), job("second"), job("b", "b", ordinal=5)])
    await journal.queue.enqueue([job("early", ordinal=-1)])
    assert await order(journal) == ["early", "first", "second", "b", "late"]


def of_tenant(tenant: str, name: str, ordinal: int) -> NewJob:
    return NewJob(f"{tenant}/{name}/{ordinal}", Lane(tenant, AGENT, name), "work", ordinal)


async def test_tenants_take_turns_and_of_each_the_oldest_is_first(journal: SqlJournal) -> None:
    noisy = [of_tenant("acme", f"customer {number % 7}", number) for number in range(40)]
    quiet = [of_tenant(tenant, "one", 1_000 + number) for number in range(3) for tenant in ("globex", "initech")]
    await journal.queue.enqueue(noisy)
    await journal.queue.enqueue(quiet)
    done = [name.split("/") for name in await order(journal)]
    assert [tenant for tenant, _, _ in done[:9]] == ["acme", "globex", "initech"] * 3
    for tenant in ("acme", "globex", "initech"):
        ordinals = [int(ordinal) for name, _, ordinal in done if name == tenant]
        assert ordinals == sorted(ordinals)
    assert len(done) == len(noisy) + len(quiet)


async def test_the_turn_of_a_tenant_whose_work_waits_or_is_held_goes_to_the_next(journal: SqlJournal) -> None:
    await journal.queue.enqueue([of_tenant(tenant, "one", 1) for tenant in ("acme", "globex", "initech")])
    held = await claimed(journal)
    assert held.lane.tenant == "acme"
    delayed = await claimed(journal)
    await journal.queue.fail(delayed, delayed.jobs[0].job_id, reason="later", retry_in=1_000)
    assert await order(journal) == ["initech/one/1"]
    await journal.queue.finish(held, Done())
    await journal.queue.enqueue([of_tenant("acme", "one", 2)])
    assert await order(journal) == ["acme/one/2"]


async def test_a_claim_shows_the_job_as_it_was_queued(journal: SqlJournal) -> None:
    events = [said("a", n) for n in range(3)]
    answers = await journal.events.append(events, now=NOON)
    new = NewJob("w", lane("a"), "work", 7, tuple(answer.seq for answer in answers[1:]), PAYLOAD)
    await journal.queue.enqueue([new])
    (found,) = (await claimed(journal)).jobs
    assert (found.job_id, found.lane, found.worker, found.ordinal) == ("w", lane("a"), "work", 7)
    assert (found.payload, found.attempt, found.staged) == (PAYLOAD, 1, None)
    assert [item.event for item in found.events] == events[1:]


async def test_a_batch_holds_consecutive_jobs_of_one_worker(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("1"), job("2", worker="other"), job("3"), job("4"), job("5", "b")])
    claim = await claimed(journal, {"work": 2, "other": 9})
    assert names(claim) == ["1", "3"]
    assert await journal.queue.claim({"other": 1}) is None, "the lane has one holder at a time"
    assert names(await claimed(journal)) == ["5"]


async def test_only_asked_for_workers_are_claimed(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("1"), job("2", worker="other")])
    assert names(await claimed(journal, {"other": 5})) == ["2"]


async def test_a_lane_is_free_again_after_finish_release_and_fail(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job(str(n), ordinal=n) for n in range(3)])
    first = await claimed(journal)
    await journal.queue.release(first)
    second = await claimed(journal)
    assert (names(second), second.jobs[0].attempt) == (["0"], 1)
    await journal.queue.fail(second, "0", reason="no", retry_in=0)
    third = await claimed(journal)
    assert (names(third), third.jobs[0].attempt) == (["0"], 2)
    await journal.queue.finish(third, Done())
    fourth = await claimed(journal)
    assert names(fourth) == ["1"]
    assert first.fence < second.fence < third.fence < fourth.fence


async def test_nothing_is_written_with_a_lease_that_was_given_back(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("1"), job("2", ordinal=1)])
    stale = await claimed(journal)
    await journal.queue.release(stale)
    current = await claimed(journal)
    change = Change(act="add", after=verbatim(said("a", 0)))
    done = Done(Commit(TENANT, "run", "test", NOON, (change,)), (job("3"),))
    for write in (
        journal.queue.finish(stale, done),
        journal.queue.stage(stale, "1", "{}"),
        journal.queue.fail(stale, "1", reason="no", retry_in=None),
        journal.queue.keep(stale),
        journal.queue.release(stale),
    ):
        with pytest.raises(LeaseLost):
            await write
    assert await journal.ledger.head() == 0
    await journal.queue.finish(current, Done())
    assert await order(journal) == ["2"]


async def test_a_lease_of_another_fence_or_holder_is_refused(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("1")])
    claim = await claimed(journal)
    for forged in (replace(claim, fence=claim.fence + 1), replace(claim, holder="x"), replace(claim, lane=lane("b"))):
        with pytest.raises(LeaseLost):
            await journal.queue.keep(forged)
    await journal.queue.keep(claim)


async def test_a_job_is_queued_once_for_ever(journal: SqlJournal) -> None:
    assert await journal.queue.enqueue([job("1"), job("1"), job("2")]) == 2
    assert await journal.queue.enqueue([job("1"), job("3")]) == 1
    assert await order(journal) == ["1", "2", "3"]
    assert await journal.queue.enqueue([job("1"), job("2"), job("3")]) == 0
    await journal.queue.enqueue([job("4")])
    await journal.queue.finish(await claimed(journal), Done(follow_up=(job("2"), job("4"), job("5"))))
    assert await order(journal) == ["5"]


async def test_work_that_an_event_brought_is_not_queued_again_by_hand(journal: SqlJournal) -> None:
    await journal.events.append([said("a", 0)], now=NOON)
    (found,) = (await claimed(journal, CONVERSATION)).jobs
    assert await journal.queue.enqueue([NewJob(found.job_id, lane("a"), "conversation", 0)]) == 0


async def test_follow_ups_reach_other_lanes_and_workers(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("1")])
    await journal.queue.finish(await claimed(journal), Done(follow_up=(job("2", "b"), job("3", worker="other"))))
    assert await order(journal) == ["2", "3"]


async def test_a_claim_of_a_scope_leaves_all_else_alone(journal: SqlJournal) -> None:
    crowd = [job(f"old {number}", f"other {number}", ordinal=number) for number in range(150)]
    await journal.queue.enqueue([*crowd, job("mine", ordinal=999), job("next", ordinal=1_000)])
    for expected in ("mine", "next"):
        claim = await journal.queue.claim(ANY, scope=lane("a").scope)
        assert claim is not None
        assert names(claim) == [expected]
        assert await journal.queue.claim(ANY, scope=lane("a").scope) is None
        await journal.queue.finish(claim, Done())
    assert await journal.queue.claim(ANY, scope=Scope(TENANT, "nobody")) is None
    assert await journal.queue.claim(ANY, scope=Scope("elsewhere", AGENT)) is None
    assert await journal.queue.depth() == Depth(ready=150, delayed=0, leased=0, dead=0)
    agent = await journal.queue.claim(ANY, scope=Scope(TENANT, AGENT))
    assert agent is not None
    assert names(agent) == ["old 0"]


async def test_a_claim_of_a_scope_waits_for_a_retry_like_any_other(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("1"), job("2")])
    await journal.queue.fail(await claimed(journal), "1", reason="away", retry_in=60)
    assert await journal.queue.claim(ANY, scope=lane("a").scope) is None


async def test_the_windows_of_events_are_known(journal: SqlJournal) -> None:
    seqs = [taken.seq for taken in await journal.events.append([said("a", n) for n in range(5)], now=NOON)]
    await journal.events.append([said("b", 0)], now=NOON)
    assert await journal.events.windows_of(lane("a"), seqs) == []
    windows = (
        NewJob("first", lane("a"), "work", 0, tuple(seqs[:2])),
        NewJob("second", lane("a"), "work", 1, (seqs[2],)),
    )
    claim = await claimed(journal, CONVERSATION)
    await journal.queue.finish(claim, Done(windows=windows, cut_through=seqs[2]))
    assert await journal.events.windows_of(lane("a"), seqs) == ["first", "second"]
    assert await journal.events.windows_of(lane("a"), [seqs[1]]) == ["first"]
    assert await journal.events.windows_of(lane("a"), seqs[3:]) == []
    assert await journal.events.windows_of(lane("b"), seqs) == []
    assert await order(journal, ANY) == ["first", "second"]
    assert await journal.events.windows_of(lane("a"), seqs[2:3]) == ["second"]
    await journal.purge(lane("a").scope)
    assert await journal.events.windows_of(lane("a"), seqs) == []


async def test_finish_ends_only_the_jobs_of_the_claim_it_is_given(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("1"), job("2"), job("3")])
    claim = await claimed(journal, {"work": 3})
    await journal.queue.finish(replace(claim, jobs=claim.jobs[:1]), Done())
    assert await journal.queue.depth() == Depth(ready=2, delayed=0, leased=0, dead=0)
    assert await order(journal) == ["2", "3"]


async def test_a_staged_outcome_is_there_at_the_next_attempt(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("1"), job("2")])
    claim = await claimed(journal, {"work": 2})
    await journal.queue.stage(claim, "2", '{"said": "没有 🙂"}')
    await journal.queue.fail(claim, "1", reason="no", retry_in=0)
    again = await claimed(journal, {"work": 2})
    assert [found.staged for found in again.jobs] == [None, '{"said": "没有 🙂"}']
    assert [found.attempt for found in again.jobs] == [2, 1], "only the failed job counts an attempt"


async def test_an_outcome_that_no_database_holds_is_refused(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("1")])
    claim = await claimed(journal)
    with pytest.raises(InvalidInput, match="NUL"):
        await journal.queue.stage(claim, "1", "a\x00")
    with pytest.raises(InvalidInput, match="'2'"):
        await journal.queue.stage(claim, "2", "{}")
    with pytest.raises(InvalidInput, match="'2'"):
        await journal.queue.fail(claim, "2", reason="no", retry_in=1)
    await journal.queue.finish(claim, Done())


async def test_a_job_in_delay_holds_back_its_worker_in_its_lane_and_nothing_else(place: Place) -> None:
    clock = Hands()
    async with place.journal(clock=clock) as journal:
        await journal.queue.enqueue(
            [job("1"), job("2", ordinal=1), job("3", worker="other", ordinal=2), job("4", "b", ordinal=3)]
        )
        await journal.queue.fail(await claimed(journal), "1", reason="no", retry_in=60)
        assert await journal.queue.depth() == Depth(ready=2, delayed=2, leased=0, dead=0)
        assert await order(journal) == ["3", "4"]
        clock.at += 59
        assert await journal.queue.claim(ANY) is None
        clock.at += 2
        assert await order(journal) == ["1", "2"]


async def test_a_job_in_delay_ends_the_batch_before_it(place: Place) -> None:
    async with place.journal(clock=Hands()) as journal:
        await journal.queue.enqueue([job("1"), job("2"), job("3")])
        claim = await claimed(journal, {"work": 3})
        await journal.queue.fail(claim, "2", reason="no", retry_in=60)
        assert names(await claimed(journal, {"work": 3})) == ["1"]


@pytest.mark.parametrize("jump", [-YEAR, -86_400.0, YEAR])
async def test_a_clock_that_jumps_never_strands_a_retry(place: Place, jump: float) -> None:
    clock = Hands()
    async with place.journal(clock=clock) as journal:
        await journal.queue.enqueue([job("1")])
        await journal.queue.fail(await claimed(journal), "1", reason="no", retry_in=600)
        clock.at += jump
        assert await order(journal) == ["1"]


async def test_an_earlier_job_goes_before_one_in_delay(place: Place) -> None:
    async with place.journal(clock=Hands()) as journal:
        await journal.queue.enqueue([job("5", ordinal=5)])
        await journal.queue.fail(await claimed(journal), "5", reason="no", retry_in=60)
        await journal.queue.enqueue([job("6", ordinal=6)])
        assert await journal.queue.claim(ANY) is None
        await journal.queue.enqueue([job("4", ordinal=4)])
        assert await order(journal) == ["4"]


async def test_a_refused_change_leaves_the_claim_as_it_was(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("1")])
    claim = await claimed(journal)
    await journal.queue.stage(claim, "1", "staged")
    old = verbatim(said("a", 0))
    fine, stale = (
        Change(act="add", after=verbatim(said("a", 1))),
        Change(act="end", before=old, after=old.revised(revision=2)),
    )
    refused = Done(Commit(TENANT, "run", "test", NOON, (fine, stale)), (job("2"),), cut_through=9)
    with pytest.raises(Conflict, match="found nothing"):
        await journal.queue.finish(claim, refused)
    assert await journal.ledger.head() == 0
    assert await journal.queue.depth() == Depth(ready=0, delayed=0, leased=1, dead=0)
    await journal.queue.finish(claim, Done(Commit(TENANT, "run", "test", NOON, (fine,))))
    assert await journal.ledger.head() == 1
    assert await journal.queue.claim(ANY) is None


async def test_one_refused_finish_harms_no_other_of_its_group(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job(str(n), f"lane-{n}") for n in range(20)])
    claims = [await claimed(journal) for _ in range(20)]
    await journal.queue.release(claims[3])
    answers = await asyncio.gather(*(journal.queue.finish(claim, Done()) for claim in claims), return_exceptions=True)
    assert [number for number, answer in enumerate(answers) if isinstance(answer, LeaseLost)] == [3]
    assert await order(journal) == ["3"]


async def test_depth_counts_what_waits_where(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("1"), job("2"), job("3", "b"), job("4", "c")])
    dead = await claimed(journal, {"work": 1})
    await journal.queue.fail(dead, "1", reason="no", retry_in=None)
    await journal.queue.fail(await claimed(journal), "2", reason="no", retry_in=60)
    await claimed(journal)
    assert await journal.queue.depth() == Depth(ready=1, delayed=1, leased=1, dead=1)
    assert await journal.queue.depth(lane("a").scope) == Depth(ready=0, delayed=1, leased=0, dead=1)
    assert await journal.queue.depth(Scope(TENANT, AGENT)) == Depth(ready=1, delayed=1, leased=1, dead=1)
    assert await journal.queue.depth(Scope("other", AGENT)) == Depth(0, 0, 0, 0)


async def test_waiting_ends_when_work_is_queued_and_not_before(journal: SqlJournal) -> None:
    async def wait_for_work() -> Claim:
        bells = journal.queue.bells
        while (claim := await journal.queue.claim(ANY)) is None:
            await journal.queue.wait(20, since=bells)
            bells = journal.queue.bells
        return claim

    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(wait_for_work())
        await asyncio.sleep(0)
        await journal.queue.enqueue([job("1")])
        assert names(await waiting) == ["1"]
    begun = time.monotonic()
    await journal.queue.wait(0.02)
    assert 0.015 < time.monotonic() - begun < 5


async def test_work_queued_between_a_claim_in_vain_and_the_wait_is_heard(journal: SqlJournal) -> None:
    bells = journal.queue.bells
    assert await journal.queue.claim(ANY) is None
    await asyncio.create_task(_enqueue(journal))
    async with asyncio.timeout(10):
        await journal.queue.wait(20, since=bells)


async def test_a_claim_says_where_nothing_else_was_ready(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("1"), job("2", "b"), job("3", "c")])
    claims = [await claimed(journal) for _ in range(3)]
    assert [claim.alone for claim in claims[:2]] == [False, False]
    assert await journal.queue.claim(ANY) is None, "whether the last one was alone is known or not"


async def _enqueue(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job("1")])


async def test_a_claimer_that_goes_away_keeps_no_lane(journal: SqlJournal) -> None:
    await journal.queue.enqueue([job(str(n), f"lane-{n}") for n in range(8)])
    claimers = [asyncio.create_task(journal.queue.claim(ANY)) for _ in range(8)]
    await asyncio.sleep(0)
    for claimer in claimers:
        claimer.cancel()
    await asyncio.wait(claimers)
    done: list[str] = []
    async with asyncio.timeout(10):
        while len(done) < 8:
            done += await order(journal)
            await journal.queue.wait(0.01)
    assert sorted(done) == [str(n) for n in range(8)]


@pytest.mark.thorough
async def test_order_holds_in_each_of_50_lanes_under_8_workers_of_two_journals(place: Place) -> None:
    chance = random.Random(7)
    events = [said(f"lane-{n % 50}", n) for n in range(300)]
    seen: dict[Lane, list[int]] = defaultdict(list)

    async def worker(journal: SqlJournal) -> None:
        while (await journal.ledger.head()) < len(events):
            claim = await journal.queue.claim({"conversation": chance.randint(1, 3)})
            if claim is None:
                await journal.queue.wait(0.01)
                continue
            await asyncio.sleep(chance.random() / 500)
            if chance.random() < 0.1:
                await journal.queue.fail(claim, claim.jobs[0].job_id, reason="bad luck", retry_in=0)
                continue
            seen[claim.lane] += [item.seq for found in claim.jobs for item in found.events]
            await journal.queue.finish(claim, outcome(claim))

    async with place.journal() as one, place.journal() as two, asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        for _ in range(4):
            tasks.create_task(worker(one))
            tasks.create_task(worker(two))
        for start in range(0, len(events), 60):
            await one.events.append(events[start : start + 60], now=NOON)
    assert sum(map(len, seen.values())) == len(events)
    assert all(numbers == sorted(numbers) for numbers in seen.values())


async def test_100_lanes_leased_by_others_do_not_hide_the_free_one(place: Place) -> None:
    async with place.journal() as mine, place.journal() as theirs:
        await theirs.queue.enqueue([job(str(n), f"lane-{n}", ordinal=n) for n in range(101)])
        for _ in range(100):
            await claimed(theirs)
        assert names(await claimed(mine)) == ["100"]
        assert await mine.queue.claim(ANY) is None


async def test_leases_are_given_back_at_close(place: Place) -> None:
    async with place.journal() as first:
        await first.queue.enqueue([job("1")])
        await claimed(first)
    async with place.journal() as second:
        assert await order(second) == ["1"]
        assert await work_off(second) == 0


async def test_a_payload_deeper_than_can_be_read_back_is_refused(journal: SqlJournal) -> None:
    deep: JsonValue = []
    for _ in range(MAX_DEPTH - 1):
        deep = [deep]
    fits = NewJob("fits", lane("a"), "work", 0, payload=CustomPayload(data=deep))
    too_deep = NewJob("deep", lane("a"), "work", 1, payload=CustomPayload(data=[[deep]]))
    assert await journal.queue.enqueue([fits]) == 1
    with pytest.raises(InvalidInput, match="payload custom field data: is nested deeper than 64"):
        await journal.queue.enqueue([too_deep])
    claim = await claimed(journal)
    assert [item.payload for item in claim.jobs] == [fits.payload]
