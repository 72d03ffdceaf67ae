"""The queue against the simplest queue that could be right, under whatever order of calls Hypothesis comes up with."""

import asyncio
import tempfile
from dataclasses import dataclass
from typing import Any, Literal, cast

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from agentmem.domain.scope import Lane
from agentmem.ports.work_queue import Claim, Depth, Done, NewJob
from tests.support.journals import Place, said
from tests.support.nodes import TENANT

LANES = [said(name, 0).lane for name in "abc"]
DELAY = 60.0


@dataclass
class Expected:
    """A job as it should be."""

    job_id: str
    lane: Lane
    place: tuple[int, int]
    state: Literal["waiting", "dead", "done"] = "waiting"
    attempts: int = 0
    due: float = 0


class Queue(RuleBasedStateMachine):
    """Every call is made on the journal and on a list of jobs."""

    claims = Bundle("claims")

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_800_000_000.0
        self.jobs: dict[str, Expected] = {}
        self.held: dict[Lane, int] = {}
        self.fences: dict[Lane, int] = {}
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.journal = Place(f"sqlite:///{self.folder.name}/journal.db").journal(clock=lambda: self.now)

    @initialize()
    def open(self) -> None:
        self.runner.run(self.journal.__aenter__())

    def teardown(self) -> None:
        self.runner.run(self.journal.__aexit__(None, None, None))
        self.runner.close()
        self.folder.cleanup()

    def waiting(self, lane: Lane) -> list[Expected]:
        found = [job for job in self.jobs.values() if job.lane == lane and job.state == "waiting"]
        return sorted(found, key=lambda job: job.place)

    def ready(self, lane: Lane, batch: int) -> list[Expected]:
        found: list[Expected] = []
        for job in self.waiting(lane)[:batch]:
            if job.due > self.now:
                break
            found.append(job)
        return found

    @rule(number=st.integers(0, 15), lane=st.sampled_from(LANES), ordinal=st.integers(0, 3))
    def enqueue(self, number: int, lane: Lane, ordinal: int) -> None:
        job_id = str(number)
        new = self.runner.run(self.journal.queue.enqueue([NewJob(job_id, lane, "work", ordinal)]))
        assert new == (job_id not in self.jobs)
        self.jobs.setdefault(job_id, Expected(job_id, lane, (ordinal, len(self.jobs))))

    @rule(target=claims, batch=st.integers(1, 3))
    def claim(self, batch: int) -> Any:
        claim = self.runner.run(self.journal.queue.claim({"work": batch}))
        free = [found for lane in LANES if lane not in self.held and (found := self.ready(lane, batch))]
        if not free:
            assert claim is None
            return cast(Any, multiple())
        expected = min(free, key=lambda found: found[0].place)
        assert claim is not None
        assert [job.job_id for job in claim.jobs] == [job.job_id for job in expected]
        assert [job.attempt for job in claim.jobs] == [job.attempts + 1 for job in expected]
        assert claim.fence > self.fences.get(claim.lane, 0)
        self.held[claim.lane], self.fences[claim.lane] = len(claim.jobs), claim.fence
        return claim

    @rule(claim=consumes(claims))
    def finish(self, claim: Claim) -> None:
        self.runner.run(self.journal.queue.finish(claim, Done()))
        del self.held[claim.lane]
        for job in claim.jobs:
            self.jobs[job.job_id].state = "done"

    @rule(claim=consumes(claims))
    def release(self, claim: Claim) -> None:
        self.runner.run(self.journal.queue.release(claim))
        del self.held[claim.lane]

    @rule(claim=consumes(claims), which=st.integers(0, 2), retry_in=st.sampled_from([None, 0.0, DELAY]))
    def fail(self, claim: Claim, which: int, retry_in: float | None) -> None:
        job = self.jobs[claim.jobs[which % len(claim.jobs)].job_id]
        self.runner.run(self.journal.queue.fail(claim, job.job_id, reason="no", retry_in=retry_in))
        del self.held[claim.lane]
        job.attempts += 1
        if retry_in is None:
            job.state = "dead"
        else:
            job.due = self.now + retry_in

    @rule(number=st.integers(0, 15), retry=st.booleans())
    def decide(self, number: int, retry: bool) -> None:
        job = self.jobs.get(str(number))
        decide = self.journal.dead.retry_dead if retry else self.journal.dead.drop_dead
        decided = self.runner.run(decide([str(number)], tenant=TENANT))
        assert decided == (job is not None and job.state == "dead")
        if job is not None and decided:
            job.state, job.attempts, job.due = ("waiting" if retry else "done"), 0, 0

    @rule(seconds=st.sampled_from([1.0, DELAY + 1]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @invariant()
    def counts_agree(self) -> None:
        delayed = 0
        for lane in LANES:
            waiting = self.waiting(lane)
            delayed += len(waiting) if waiting and waiting[0].due > self.now else 0
        alive = sum(job.state == "waiting" for job in self.jobs.values())
        leased = sum(self.held.values())
        dead = sum(job.state == "dead" for job in self.jobs.values())
        expected = Depth(max(0, alive - delayed - leased), delayed, leased, dead)
        assert self.runner.run(self.journal.queue.depth()) == expected


def test_the_queue_does_what_a_simple_list_would_do() -> None:
    run_state_machine_as_test(
        Queue,
        settings=settings(
            max_examples=12, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
        ),
    )
