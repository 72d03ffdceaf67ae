"""What becomes of a new memory beside the ones that are held."""

from datetime import datetime, timedelta

import pytest

from agentmem.domain.memory import Ending, Evidence, MemoryNode, Modality, StoreStatus
from agentmem.domain.statement import Verdict, Withdrawal
from agentmem.ledger.plan import Plan
from agentmem.memory.candidates import drafted_pairs, open_pairs, undecided_pairs
from agentmem.memory.reconcile import by_pair, decided, put_right, reconcile, take_back, withdraw
from agentmem.memory.relation import Relations
from tests.support.nodes import NOON, a_memory

RELATIONS = Relations({})
LATER = NOON + timedelta(days=30)
TURN = "00000000-0000-5000-8000-000000000001"


def worked_in(held: list[MemoryNode], *drafts: MemoryNode) -> Plan:
    plan = Plan(held)
    reconcile(plan, drafts, RELATIONS, {}, LATER)
    return plan


def contents(plan: Plan) -> list[str]:
    return [node.content for node in plan.valid()]


def phone(number: str, **fields: object) -> MemoryNode:
    return a_memory(f"罗小东的电话是{number}", attribute="phone", value=number, **fields)


def test_newer_phone_number_ends_the_older_one() -> None:
    old, new = phone("13800138000"), phone("13900139000", valid_at=LATER)
    plan = worked_in([old], new)
    assert contents(plan) == [new.content]
    ended = plan[old.memory_id]
    assert ended.store_status is StoreStatus.EXPIRED
    assert ended.invalid_at == LATER
    assert ended.superseded_by == new.memory_id
    assert plan[new.memory_id].supersedes == (old.memory_id,)


def test_a_number_that_arrives_late_is_born_ended() -> None:
    now_held, before = phone("13900139000", valid_at=LATER), phone("13800138000")
    plan = worked_in([now_held], before)
    assert contents(plan) == [now_held.content]
    assert plan[before.memory_id].invalid_at == LATER
    assert plan[before.memory_id].revision == 1


def test_the_same_words_again_add_evidence_and_no_memory() -> None:
    words = Evidence(memory_id=TURN, start=0, end=4)
    old, again = a_memory("罗小东喜欢咖啡。"), a_memory("罗小东喜欢咖啡", evidence=(words,))
    plan = worked_in([old], again)
    assert contents(plan) == [old.content]
    assert plan[old.memory_id].evidence == (words,)
    assert plan[old.memory_id].obs_updated == 1


def test_the_same_evidence_again_changes_nothing() -> None:
    old = a_memory("罗小东喜欢咖啡。")
    assert worked_in([old], a_memory("罗小东喜欢咖啡")).changes() == ()


def test_a_confirmed_guess_becomes_stated() -> None:
    guess = a_memory("罗小东想换系统", modality=Modality.HYPOTHESIS)
    said = a_memory("罗小东想换系统")
    plan = worked_in([guess], said)
    assert [node.modality for node in plan.valid()] == [Modality.STATED]
    assert plan[guess.memory_id].invalid_at == guess.valid_at


def test_a_guess_takes_nothing_away_from_what_was_stated() -> None:
    said = phone("13800138000")
    guess = phone("13900139000", valid_at=LATER, modality=Modality.HYPOTHESIS)
    assert said.content in contents(worked_in([said], guess))


def test_a_denial_ends_what_it_denies() -> None:
    wish = a_memory("罗小东想添加自动能力", attribute="need", value="添加自动能力")
    denial = a_memory(
        "罗小东不想添加自动能力", attribute="need", value="添加自动能力", modality=Modality.NEGATED, valid_at=LATER
    )
    assert contents(worked_in([wish], denial)) == [denial.content]


@pytest.mark.parametrize("attribute", ["need", "preference", "possession"])
def test_another_value_of_a_multi_valued_attribute_ends_nothing(attribute: str) -> None:
    first = a_memory("罗小东想要A", attribute=attribute, value="A")
    second = a_memory("罗小东想要一台挖掘机", attribute=attribute, value="一台挖掘机", valid_at=LATER)
    assert len(contents(worked_in([first], second))) == 2


@pytest.mark.parametrize(
    ("value", "said", "beside", "held"),
    [
        ("Friday", "Ann sees the dentist on Friday", "Ann has a haircut on Friday", 2),
        ("Friday", "Ann sees the dentist on Friday", "Ann will see the dentist on Friday", 1),
        ("周五(2026-03-13)", "罗小东周五(2026-03-13)看牙", "罗小东周五(2026-03-13)修车", 2),
        ("the dentist on Friday", "Ann sees the dentist on Friday", "Ann has a tooth drawn on Friday", 1),
    ],
)
def test_two_appointments_on_one_day_are_two(value: str, said: str, beside: str, held: int) -> None:
    one, other = (a_memory(text, attribute="appointment", value=value) for text in (said, beside))
    assert len(contents(worked_in([one], other))) == held


def test_a_fuller_value_takes_over_without_calling_the_old_one_false() -> None:
    short = a_memory("罗小东住在上海", attribute="city", value="上海")
    full = a_memory("罗小东住在上海浦东", attribute="city", value="上海浦东", valid_at=LATER)
    plan = worked_in([short], full)
    assert contents(plan) == [full.content]
    assert plan[short.memory_id].invalid_at == short.valid_at
    assert plan[full.memory_id].valid_at == short.valid_at


def test_values_that_share_digits_only_in_part_are_different() -> None:
    old = a_memory("罗小东的预算是3万", attribute="budget", value="3万")
    new = a_memory("罗小东的预算是13万", attribute="budget", value="13万", valid_at=LATER)
    plan = worked_in([old], new)
    assert plan[old.memory_id].invalid_at == LATER


def test_texts_with_different_digits_are_never_one() -> None:
    one = a_memory("罗小东订购了一批型号为B2B-7的控制器用于杭州的第二条生产线")
    two = a_memory("罗小东订购了一批型号为B2B-8的控制器用于杭州的第二条生产线")
    assert len(contents(worked_in([one], two))) == 2


def test_a_verdict_decides_what_words_could_not() -> None:
    old, new = a_memory("罗小东每天早上跑步五公里"), a_memory("罗小东每天早上都会跑五公里")
    pairs = open_pairs(undecided_pairs(drafted_pairs([new], [old]), RELATIONS))
    verdicts = by_pair(decided(pairs, [Verdict(number=1, relation="same")]))
    plan = Plan([old])
    reconcile(plan, [new], RELATIONS, verdicts, LATER)
    assert contents(plan) == [old.content]


def test_a_verdict_on_a_pair_nobody_asked_about_decides_nothing() -> None:
    old, new = a_memory("罗小东每天早上跑步五公里"), a_memory("罗小东每天早上都会跑五公里")
    pairs = open_pairs(undecided_pairs(drafted_pairs([new], [old]), RELATIONS))
    assert decided(pairs, [Verdict(number=99, relation="same")]) == ()


def test_a_denied_paraphrase_is_taken_back_and_the_persons_own_word_stays() -> None:
    claimed = a_memory("罗小东想改造系统", modality=Modality.ASSERTED_BY_AGENT, source_ids=(TURN,))
    said = a_memory("罗小东的系统很老", source_ids=(TURN,))
    plan = Plan([claimed, said])
    take_back(plan, [TURN], LATER)
    assert contents(plan) == [said.content]


def test_what_is_said_of_another_person_never_touches_this_one() -> None:
    mine = phone("13800138000")
    theirs = phone("13900139000", target_id="00000000-0000-5000-8000-00000000000a", valid_at=LATER)
    assert len(contents(worked_in([mine], theirs))) == 2


def test_one_change_per_memory_and_its_revision_rises_once() -> None:
    old = a_memory("罗小东喜欢咖啡")
    first = a_memory("罗小东喜欢咖啡", evidence=(Evidence(memory_id=TURN, start=0, end=1),))
    second = a_memory("罗小东喜欢咖啡", evidence=(Evidence(memory_id=TURN, start=1, end=2),))
    (change,) = worked_in([old], first, second).changes()
    assert change.after is not None
    assert (change.before, change.after.revision) == (old, 2)
    assert len(change.after.evidence) == 2


def test_a_fact_said_again_after_it_lapsed_opens_an_interval_of_its_own() -> None:
    lapsed = a_memory("罗小东在休假", invalid_at=NOON + timedelta(days=3))
    again = a_memory("罗小东在休假", valid_at=LATER)
    plan = worked_in([lapsed], again)
    assert plan[again.memory_id].valid_at == LATER
    assert plan[lapsed.memory_id] == lapsed


def test_an_ending_never_lengthens_an_interval_that_was_over() -> None:
    over = a_memory("x", invalid_at=NOON + timedelta(days=3))
    assert over.ended(at=LATER, now=LATER).invalid_at == NOON + timedelta(days=3)


def test_a_decision_names_its_memories_and_not_their_place() -> None:
    first, second, new = (
        a_memory("罗小东每天早上跑步五公里"),
        a_memory("罗小东每天晚上跑步五公里"),
        a_memory("罗小东每天早上都会跑五公里"),
    )
    pairs = open_pairs(undecided_pairs(drafted_pairs([new], [first, second]), RELATIONS))
    staged = decided(
        pairs,
        [Verdict(number=item.pair.number, relation="replaces") for item in pairs if item.old_id == first.memory_id],
    )
    plan = Plan([second])
    reconcile(plan, [new], RELATIONS, by_pair(staged), LATER)
    assert plan[second.memory_id] == second


SOON = timedelta(seconds=2)
MONTH = timedelta(days=30)


def taken_back(node: MemoryNode, at: datetime, *, now: datetime, spoken_at: datetime) -> Plan:
    plan = Plan([node])
    said = [Withdrawal(content=node.content, at=at, memory_id=node.memory_id)]
    withdraw(plan, said, node.target_id, now, spoken_at=spoken_at)
    return plan


def test_what_is_taken_back_by_a_clock_ahead_of_ours_is_over() -> None:
    vegan = a_memory("Tom is vegan")
    plan = taken_back(vegan, LATER + SOON, now=LATER, spoken_at=LATER + SOON)
    assert plan[vegan.memory_id].store_status is StoreStatus.EXPIRED


def test_what_goes_on_up_to_a_later_day_holds_until_then() -> None:
    nights = a_memory("Tom works nights")
    plan = taken_back(nights, LATER + MONTH, now=LATER, spoken_at=LATER)
    left = plan[nights.memory_id]
    assert (left.store_status, left.invalid_at) == (StoreStatus.VALID, LATER + MONTH)


def test_what_begins_after_the_day_up_to_which_it_was_to_go_on_never_holds() -> None:
    nights = a_memory("Tom works nights", valid_at=LATER + 2 * MONTH)
    left = taken_back(nights, LATER + MONTH, now=LATER, spoken_at=LATER)[nights.memory_id]
    assert left.invalid_at == left.valid_at == LATER + 2 * MONTH


def test_what_ends_earlier_anyway_is_left_as_it_is() -> None:
    nights = a_memory("Tom works nights", invalid_at=LATER + SOON)
    assert taken_back(nights, LATER + MONTH, now=LATER, spoken_at=LATER).changes() == ()


def test_a_value_of_a_personas_attribute_ends_another_only_where_it_holds_one() -> None:
    relations = Relations({"office_size": "single", "favourite_plant": "multi"})

    def told(attribute: str, value: str) -> MemoryNode:
        return a_memory(f"Tom's {attribute} is now {value}", attribute=attribute, value=value)

    assert relations.of(told("office_size", "80 m"), told("office_size", "60 m")) == "replaces"
    assert relations.of(told("favourite_plant", "fern"), told("favourite_plant", "monstera")) == "unrelated"


def test_a_slip_of_the_same_reading_is_written_down_as_one_that_never_held() -> None:
    slip, right = phone("13800138000"), phone("13900139000", valid_at=LATER)
    plan = Plan([])
    put_right(plan, [slip, right], [Withdrawal(content=slip.content, at=LATER, slip=True)], slip.target_id, {}, LATER)
    reconcile(plan, [slip, right], RELATIONS, {}, LATER)
    assert contents(plan) == [right.content]
    assert plan[slip.memory_id].ending is Ending.RETIRED
    assert plan[slip.memory_id].never_held
