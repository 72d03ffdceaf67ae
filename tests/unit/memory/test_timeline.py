"""Claims laid out by event time: intervals, late arrivals, plans, denials."""

from datetime import datetime, timedelta
from itertools import permutations

import pytest

from agentmem.domain.memory import Evidence, MemoryNode, Modality, StoreStatus
from agentmem.ledger.plan import Plan
from agentmem.memory.candidates import drafted_pairs, open_pairs, undecided_pairs
from agentmem.memory.reconcile import Decision, by_pair, link, reconcile, undecided
from agentmem.memory.relation import Relations
from tests.support.nodes import NOON, a_memory

NOW = NOON + timedelta(days=1_000)


def day(number: int) -> datetime:
    return NOON + timedelta(days=number)


def city(value: str, since: int, said: int | None = None, **fields: object) -> MemoryNode:
    """Said on day `said` (that of `since` if None), in words of its own."""
    at = day(since if said is None else said)
    turn = f"00000000-0000-5000-8000-{since:06d}{since if said is None else said:06d}"
    words = Evidence(memory_id=turn, start=0, end=4, said_at=at, since=day(since))
    given = {"valid_at": day(since), "evidence": (words,), "source_ids": (turn,), "created_at": NOW, **fields}
    return a_memory(f"罗小东住在{value}", attribute="city", value=value, **given)


def played(*drafts: MemoryNode, now: datetime = NOW) -> Plan:
    plan = Plan(())
    for draft in drafts:
        reconcile(plan, [draft], Relations({}), {}, now)
    return plan


def intervals(plan: Plan) -> set[tuple[str | None, int, int | None]]:
    """Value, first day, last day of all that was true for a while."""
    return {
        (node.value, (node.valid_at - NOON).days, (node.invalid_at - NOON).days if node.invalid_at else None)
        for node in plan.held()
        if node.invalid_at != node.valid_at
    }


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_there_and_back_makes_three_intervals_in_any_order(order: tuple[int, ...]) -> None:
    told = [city("巴黎", 0), city("罗马", 10), city("巴黎", 20)]
    plan = played(*(told[place] for place in order))
    assert intervals(plan) == {("巴黎", 0, 10), ("罗马", 10, 20), ("巴黎", 20, None)}


@pytest.mark.parametrize(("since", "said", "until"), [(15, 30, None), (5, 30, None), (15, 18, 20), (5, 18, 20)])
def test_what_is_told_to_go_on_after_its_end_has_no_end(since: int, said: int, until: int | None) -> None:
    plan = played(city("巴黎", 10, invalid_at=day(20)), city("巴黎", since, said))
    assert intervals(plan) == {("巴黎", min(10, since), until)}


def test_an_older_fact_that_arrives_late_parts_one_that_was_said_twice() -> None:
    plan = played(city("巴黎", 0), city("巴黎", 20), city("罗马", 10))
    first, second = (node for node in plan.held() if node.value == "巴黎")
    assert {len(first.evidence), len(second.evidence)} == {1}
    assert set(first.source_ids).isdisjoint(second.source_ids)


def test_an_older_fact_is_placed_between_two_known_ones() -> None:
    plan = played(city("巴黎", 0), city("马德里", 20), city("罗马", 10))
    assert intervals(plan) == {("巴黎", 0, 10), ("罗马", 10, 20), ("马德里", 20, None)}
    rome = next(node for node in plan.held() if node.value == "罗马")
    assert (rome.store_status, rome.expired_at) == (StoreStatus.EXPIRED, NOW)


def test_of_two_equally_old_the_later_in_the_text_wins_and_the_other_never_held() -> None:
    plan = played(city("巴黎", 0), city("罗马", 0))
    assert intervals(plan) == {("罗马", 0, None)}
    wrong = next(node for node in plan.held() if node.value == "巴黎")
    assert wrong.invalid_at == wrong.valid_at
    assert wrong.superseded_by is not None


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_plan_moved_to_an_earlier_day_replaces_the_later_one(order: tuple[int, ...]) -> None:
    told = [city("巴黎", 0), city("罗马", 60, said=10), city("罗马", 40, said=20)]
    plan = played(*(told[place] for place in order), now=day(25))
    assert intervals(plan) == {("巴黎", 0, 40), ("罗马", 40, None)}
    assert {node.store_status for node in plan.held() if node.invalid_at != node.valid_at} == {StoreStatus.VALID}


def test_a_plan_given_up_for_another_never_came_true() -> None:
    plan = played(city("巴黎", 0), city("罗马", 60, said=10), city("马德里", 80, said=20))
    assert intervals(plan) == {("巴黎", 0, 80), ("马德里", 80, None)}


def test_what_was_replaced_by_words_of_the_same_value_stays_replaced() -> None:
    until, after = city("马尔默", 0), city("马尔默", 20).revised(content="罗小东十月以后回马尔默住")
    plan = Plan([until])
    reconcile(plan, [after], Relations({}), {(after.memory_id, until.memory_id): "replaces"}, NOW)
    reconcile(plan, [city("马尔默", 40)], Relations({}), {}, NOW)
    (told,) = plan.valid()
    assert told.content == after.content
    assert plan[until.memory_id].superseded_by == after.memory_id


def test_what_somebody_ended_by_hand_is_not_opened_by_a_later_claim() -> None:
    forgotten = city("巴黎", 0).ended(at=day(5), now=day(5))
    plan = Plan([forgotten])
    reconcile(plan, [city("罗马", 10)], Relations({}), {}, NOW)
    assert plan[forgotten.memory_id] == forgotten


def test_a_denial_of_another_value_ends_nothing() -> None:
    plan = played(city("巴黎", 0), city("罗马", 10, modality=Modality.NEGATED))
    assert ("巴黎", 0, None) in intervals(plan)


def test_a_denial_that_arrives_first_ends_what_was_said_before_it() -> None:
    plan = played(city("巴黎", 10, modality=Modality.NEGATED), city("巴黎", 0))
    assert ("巴黎", 0, 10) in intervals(plan)


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("Ann has her lesson on Tuesday evening at the community hall in Leeds with her neighbour and her sons",
         "Ann has her lesson on Thursday evening at the community hall in Leeds with her neighbour and her sons"),
        ("Ann wants the big room on Monday, Tuesday and Wednesday, when she works at the dairy by the river",
         "Ann wants the big room on Monday, Tuesday, Wednesday and Thursday, when she works at the dairy by the river"),
        ("罗小东每个月第一个周末都带着女儿和两个外甥去城北体育中心的游泳馆学自由泳和蛙泳",
         "罗小东每个月第一个周末都带着女儿和两个外甥去城南体育中心的游泳馆学自由泳和蛙泳"),
    ],
)  # fmt: skip
def test_a_long_statement_with_one_other_word_is_another_statement(held: str, said: str) -> None:
    plan = played(a_memory(held, valid_at=day(0)), a_memory(said, valid_at=day(5)))
    assert {node.content for node in plan.valid()} == {held, said}


def test_a_pair_that_came_back_undecided_is_kept_and_linked() -> None:
    one, two = a_memory("罗小东每天早上跑步五公里"), a_memory("罗小东每天早上都会跑五公里")
    pairs = open_pairs(undecided_pairs(drafted_pairs([two], [one]), Relations({})))
    plan = Plan([one])
    reconcile(plan, [two], Relations({}), {}, NOW)
    link(plan, undecided(pairs, ()))
    assert plan[one.memory_id].conflicts_with == (two.memory_id,)
    assert plan[two.memory_id].conflicts_with == (one.memory_id,)


def test_a_pair_that_was_decided_is_not_linked() -> None:
    one, two = a_memory("罗小东每天早上跑步五公里"), a_memory("罗小东每天早上都会跑五公里")
    pairs = open_pairs(undecided_pairs(drafted_pairs([two], [one]), Relations({})))
    said = (Decision(new_id=two.memory_id, old_id=one.memory_id, relation="unrelated"),)
    plan = Plan([one])
    reconcile(plan, [two], Relations({}), by_pair(said), NOW)
    link(plan, undecided(pairs, said))
    assert plan[one.memory_id] == one
