"""A lane is taken from a holder that is gone or silent, from nobody else, and the zombie's writes are refused."""

import os
import signal
from collections.abc import Awaitable
from dataclasses import dataclass, replace

import pytest

from agentmem.adapters.journal.leases import Holder
from agentmem.errors import LeaseLost
from agentmem.ports.ledger import Commit
from agentmem.ports.work_queue import Done
from tests.support.journals import CONVERSATION, Place, begin, claim_and_hang, ended, message_queue, outcome, said
from tests.support.nodes import NOON


@dataclass
class Hands:
    """A clock that is set by hand."""

    at: float = 1_000.0

    def __call__(self) -> float:
        return self.at


async def test_a_killed_holder_loses_its_lane_at_once(place: Place) -> None:
    async with place.journal(lease_seconds=10_000) as journal:
        await journal.events.append([said("a", 0)], now=NOON)
        ready = message_queue()
        process = begin(claim_and_hang, place, ready)
        fence = ready.get(timeout=10)
        assert await journal.queue.claim(CONVERSATION) is None, "its holder lives"
        assert process.pid
        os.kill(process.pid, signal.SIGKILL)
        assert await ended(process) == -signal.SIGKILL
        claim = await journal.queue.claim(CONVERSATION)
        assert claim
        assert claim.fence > fence


async def test_a_holder_that_gives_no_sign_for_the_lease_time_loses_its_lane(place: Place) -> None:
    clock = Hands()
    async with place.journal() as silent, place.journal(lease_seconds=30, monotonic=clock) as other:
        await silent.events.append([said("a", 0), said("a", 1)], now=NOON)
        zombie = await silent.queue.claim({"conversation": 1})
        assert zombie
        for _ in range(2):
            assert await other.queue.claim(CONVERSATION) is None
            clock.at += 29
        clock.at -= 28
        assert await other.queue.claim(CONVERSATION) is None
        clock.at += 30
        claim = await other.queue.claim({"conversation": 1})
        assert claim
        assert claim.fence > zombie.fence
        await _refused(silent.queue.stage(zombie, zombie.jobs[0].job_id, "late"))
        await _refused(silent.queue.finish(zombie, outcome(zombie)))
        assert await other.ledger.head() == 0
        await other.queue.finish(claim, outcome(claim))
        await _refused(silent.queue.finish(zombie, outcome(zombie)))
        assert await other.ledger.head() == 1


async def test_signs_of_life_keep_the_lane(place: Place) -> None:
    clock = Hands()
    async with place.journal() as slow, place.journal(lease_seconds=30, monotonic=clock) as other:
        await slow.events.append([said("a", 0)], now=NOON)
        claim = await slow.queue.claim(CONVERSATION)
        assert claim
        for sign in range(6):
            assert await other.queue.claim(CONVERSATION) is None
            clock.at += 25
            if sign % 2:
                await slow.queue.keep(claim)
            else:
                await slow.queue.stage(claim, claim.jobs[0].job_id, "{}")
        await slow.queue.finish(claim, Done())


@pytest.mark.parametrize("jump", [-3_600.0, 3_600.0, 31_536_000.0])
async def test_the_wall_clock_ends_no_lease(place: Place, jump: float) -> None:
    clock = Hands(1_800_000_000.0)
    async with place.journal(clock=clock) as mine, place.journal(clock=clock) as other:
        await mine.events.append([said("a", 0)], now=NOON)
        claim = await mine.queue.claim(CONVERSATION)
        assert claim
        clock.at += jump
        assert await other.queue.claim(CONVERSATION) is None
        await mine.queue.finish(claim, Done())


async def test_a_claim_forgotten_in_this_very_process_comes_back(place: Place) -> None:
    clock = Hands()
    async with place.journal(lease_seconds=30, monotonic=clock) as journal:
        await journal.events.append([said("a", 0)], now=NOON)
        forgotten = await journal.queue.claim(CONVERSATION)
        assert forgotten
        for _ in range(2):
            clock.at += 29
            assert await journal.queue.claim(CONVERSATION) is None
        clock.at += 29
        again = await journal.queue.claim(CONVERSATION)
        assert again
        await _refused(journal.queue.keep(forgotten))
        await journal.queue.keep(again)


async def test_fences_rise_across_a_purge(place: Place) -> None:
    async with place.journal() as journal:
        await journal.events.append([said("a", 0)], now=NOON)
        zombie = await journal.queue.claim(CONVERSATION)
        assert zombie
        await journal.purge(zombie.lane.scope)
        await _refused(journal.queue.finish(zombie, outcome(zombie)))
        await journal.events.append([said("a", 0)], now=NOON)
        claim = await journal.queue.claim(CONVERSATION)
        assert claim
        assert claim.fence > zombie.fence
        await _refused(journal.queue.finish(zombie, outcome(zombie)))


def test_a_holder_is_known_by_boot_process_and_start() -> None:
    me = Holder.of_this_process()
    assert Holder.parse(str(me)) == me
    assert Holder.parse("somebody") is None
    assert not me.is_gone(me, local=True)
    assert replace(me, started="1").is_gone(me, local=False), "the pid was given to another process"
    assert replace(me, pid=2**22 - 1, started="1").is_gone(me, local=False)
    assert not replace(me, host="elsewhere", pid=2**22 - 1).is_gone(me, local=True)
    assert not replace(me, pids="other", pid=2**22 - 1).is_gone(me, local=True), "containers see only their own"
    before_the_reboot = replace(me, machine="other")
    assert before_the_reboot.is_gone(me, local=True)
    assert not before_the_reboot.is_gone(me, local=False), "another machine may have the same name"


async def test_who_holds_a_lane_writes_nothing_after_a_commit_that_goes_ahead(place: Place) -> None:
    async with place.journal() as journal:
        await journal.events.append([said("a", 0)], now=NOON)
        claim = await journal.queue.claim(CONVERSATION)
        assert claim
        await journal.queue.stage(claim, claim.jobs[0].job_id, "thought before")
        ahead = Commit(claim.lane.tenant, "ahead", "forget", NOON, (), ahead=(claim.lane,))
        await journal.ledger.commit(ahead)
        await _refused(journal.queue.finish(claim, outcome(claim)))
        again = await journal.queue.claim(CONVERSATION)
        assert again
        assert again.fence > claim.fence
        assert [job.staged for job in again.jobs] == [None]


async def _refused(write: Awaitable[None]) -> None:
    with pytest.raises(LeaseLost):
        await write


async def test_a_job_at_which_holders_go_away_is_claimed_alone_and_says_how_many_went(place: Place) -> None:
    async with place.journal(lease_seconds=10_000) as journal:
        await journal.events.append([said("a", number) for number in range(4)], now=NOON)
        for crashes in range(3):
            ready = message_queue()
            process = begin(claim_and_hang, place, ready)
            ready.get(timeout=10)
            assert process.pid
            os.kill(process.pid, signal.SIGKILL)
            await ended(process)
            claim = await journal.queue.claim(CONVERSATION)
            assert claim
            assert [job.crashes for job in claim.jobs] == [crashes + 1], "only the one that was done when it went"
            await journal.queue.release(claim)
        claim = await journal.queue.claim(CONVERSATION)
        assert claim
        await journal.queue.fail(claim, claim.jobs[0].job_id, reason="3 went", retry_in=None)
        [letter] = await journal.dead.dead(tenant=claim.lane.tenant, limit=9)
        await journal.dead.retry_dead([letter.job_id], tenant=claim.lane.tenant)
        again = await journal.queue.claim(CONVERSATION)
        assert again
        assert again.jobs[0].crashes == 0, "who asks for it again means it"
