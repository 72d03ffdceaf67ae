"""From when until when a memory held, as a passage says it."""

from datetime import UTC, datetime, timedelta

from agentmem.answers.modes import held_from_to
from agentmem.answers.passages import Passage
from agentmem.domain.memory import Ending, StoreStatus
from tests.support.nodes import a_memory

MAY = datetime(2026, 5, 1, tzinfo=UTC)
JULY, TODAY = MAY + timedelta(days=61), MAY + timedelta(days=120)


def test_what_ended_later_had_not_ended_at_the_time_that_is_asked_about() -> None:
    address = a_memory("Tom lives in Oslo", valid_at=MAY, invalid_at=JULY, store_status=StoreStatus.EXPIRED)
    assert held_from_to(address, "Where?", TODAY) == " (2026-05-01 – 2026-07-01, ended)"
    assert held_from_to(address, "Where?", TODAY, MAY + timedelta(days=9)) == " (2026-05-01 – 2026-07-01)"
    assert held_from_to(address, "Where?", TODAY, JULY + timedelta(days=9)) == " (2026-05-01 – 2026-07-01, ended)"


def test_what_nobody_knows_the_end_of_is_over_whenever_it_is_asked_about() -> None:
    address = a_memory("Tom lives in Oslo", valid_at=MAY, store_status=StoreStatus.EXPIRED, ending=Ending.ENDED)
    assert "ended" in held_from_to(address, "Where?", TODAY, JULY)


def test_what_only_faded_out_of_scope_is_not_told_as_over() -> None:
    address = a_memory("Tom lives in Oslo", valid_at=MAY).faded(now=JULY)
    assert held_from_to(address, "Where?", TODAY) == " (2026-05-01 – now)"


def test_a_passage_in_doubt_says_so() -> None:
    insight = a_memory("Tom likes the sea", language="en", needs_review=(a_memory("Tom lives in Oslo").memory_id,))
    assert Passage(insight, 1.0, span=" (2026-05-01 – now)").note == (
        " (2026-05-01 – now) (what it rests on has changed, not reviewed yet)"
    )
