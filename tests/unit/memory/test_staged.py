"""What an earlier attempt wrote down is taken up, unless it says it in words that are no longer known."""

import pytest

from agentmem.domain.scope import Lane
from agentmem.domain.statement import Reading
from agentmem.memory.observe import WindowOutcome, staged_outcome
from agentmem.ports.work_queue import Job
from tests.support.nodes import AGENT, TARGET, TENANT


def job(staged: str | None) -> Job:
    return Job("window", Lane(TENANT, AGENT, TARGET), "observation", 1, (), None, 2, staged)


def test_what_was_staged_is_taken_up() -> None:
    outcome = WindowOutcome(reading=Reading(), paid=True)
    assert staged_outcome(job(outcome.model_dump_json())) == outcome


@pytest.mark.parametrize("staged", [None, "", "[1", '{"reading": {}, "decisions": [{"verdict": "contained"}]}'])
def test_what_cannot_be_taken_up_is_read_anew(staged: str | None) -> None:
    assert staged_outcome(job(staged)) is None
