"""Two API processes and two workers on PostgreSQL and one Qdrant store, a few of them killed or cut off; `make soak`
does the same with a thousand conversations."""

import pytest

from tests.soak.several import tried_apart
from tests.support.hosts import not_permitted
from tests.support.several import Trial

PATIENCE = 500
"""Seconds, on a machine that does much else: processes take long to start there."""


@pytest.mark.external
@pytest.mark.thorough
@pytest.mark.timeout(PATIENCE + 60)
def test_what_was_taken_in_survives_the_processes_that_took_it_in() -> None:
    seen = tried_apart(Trial(conversations=24, callers=12, kills=2, patience=PATIENCE, seed=1))
    assert seen["wrong"] == []
    assert (seen["accepted"], seen["kills"]) == (96, 2)


@pytest.mark.external
@pytest.mark.thorough
@pytest.mark.timeout(PATIENCE + 60)
def test_hosts_that_were_cut_off_for_a_while_lose_nothing() -> None:
    if (reason := not_permitted()) is not None:
        pytest.skip(f"left out: {reason}")
    seen = tried_apart(Trial(conversations=16, callers=8, apart=True, patience=PATIENCE, seed=2))
    assert seen["wrong"] == []
    assert (seen["accepted"], seen["cuts"]) == (64, 4)
