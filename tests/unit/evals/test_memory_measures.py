"""Each measure of `eval memory` counts what docs/evaluation.md says it counts."""

from collections.abc import Collection
from datetime import timedelta

from agentmem.domain.entity import TOLD_IN
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode, MemoryType, Modality
from agentmem.domain.scenario import Expected, ExpectedEnd, ExpectedRecall
from agentmem.evals.memory.measures import (
    Outcome,
    Tally,
    answered,
    derived,
    ended,
    expected,
    never,
    once,
    recalled,
    repeats,
    tallied,
)
from agentmem.evals.scenarios.checks import Known
from tests.support.nodes import AGENT, NOON, TARGET, a_memory

NOW = NOON + timedelta(days=1)


def about(name: str | None, agent: str) -> Collection[str]:
    return {TARGET}


def known(*memories: MemoryNode) -> Known:
    return Known(AGENT, memories, NOW, about)


def over(node: MemoryNode) -> MemoryNode:
    return node.ended(at=NOON, now=NOW)


def item(*has: str) -> Expected:
    return Expected(id="x", has=has)


def counted(outcomes: Collection[Outcome]) -> dict[str, bool]:
    return {outcome.measure: outcome.counted for outcome in outcomes}


OLD = a_memory("Ada lives in Kent")
NEW = a_memory("Ada lives in Rye")


def test_what_is_in_the_value_alone_is_found() -> None:
    node = a_memory("Ada can be called", value="555-0100")

    assert counted(expected(item("555-0100"), known(node))) == {"found": True, "wrong_endings": False}


def test_a_turn_is_no_memory() -> None:
    turn = a_memory("Ada lives in Kent", memory_type=MemoryType.CONVERSATION)

    assert counted(expected(item("Kent"), known(turn))) == {"found": False, "wrong_endings": False}
    assert derived([turn, OLD]) == [OLD]


def test_what_should_stand_and_is_over_was_wrongly_ended() -> None:
    assert counted(expected(item("Kent"), known(over(OLD)))) == {"found": False, "wrong_endings": True}
    assert counted(expected(item("Kent"), known(over(OLD), OLD))) == {"found": True, "wrong_endings": False}


def test_what_the_person_told_of_another_is_found_and_is_not_believed_of_himself() -> None:
    sister = a_memory("Ida lives in Kent", target_id=derived_id("Ida"), meta_data={TOLD_IN: TARGET})
    stranger = a_memory("Bo lives in Kent", target_id=derived_id("Bo"))

    assert counted(expected(item("Kent"), known(sister))) == {"found": True, "wrong_endings": False}
    assert counted(expected(item("Kent"), known(stranger))) == {"found": False, "wrong_endings": False}
    assert never(item("Kent"), known(sister)).counted


def test_never_looks_at_what_is_held_as_stated() -> None:
    denied = a_memory("Ada does not live in Kent", modality=Modality.NEGATED)

    assert never(item("Kent"), known(denied, over(OLD))).counted
    assert not never(item("Kent"), known(OLD)).counted


def test_what_a_clause_denies_is_not_said() -> None:
    in_part, whole = a_memory("Ada lives in Rye, not in Kent"), a_memory("Ada lives in Kent, not in Rye")

    assert never(item("Kent"), known(in_part)).counted
    assert not never(item("Kent"), known(whole)).counted
    assert ended(ExpectedEnd(id="x", has=("Kent",)), known(over(OLD), in_part)).counted


def ends(*memories: MemoryNode) -> bool:
    return ended(ExpectedEnd(id="x", has=("Kent",), replaced_by=("Rye",)), known(*memories)).counted


def test_an_end_counts_where_nothing_that_holds_still_says_so() -> None:
    assert ends(over(OLD), NEW)
    assert not ends(OLD, NEW)
    assert not ends(NEW)
    assert not ends(over(OLD), a_memory("Ada rents a flat in Kent"), NEW)


def test_a_guess_that_was_dropped_is_over_and_one_that_is_held_is_not() -> None:
    guess = a_memory("Ada may move to Kent", modality=Modality.HYPOTHESIS)
    assert ended(ExpectedEnd(id="x", has=("Kent",)), known(over(guess))).counted
    assert not ended(ExpectedEnd(id="x", has=("Kent",)), known(over(OLD), guess)).counted
    stated = ExpectedEnd(id="x", has=("Kent",), modality=Modality.STATED)
    assert not ended(stated, known(over(guess))).counted


def test_who_tells_the_change_or_denies_the_old_leaves_it_ended() -> None:
    moved = a_memory("Ada moved from Kent to Rye")
    denied = a_memory("Ada does not live in Kent", modality=Modality.NEGATED)

    assert ends(over(OLD), moved)
    assert ends(over(OLD), denied, NEW)


def test_what_holds_up_to_a_day_to_come_is_shown_with_it() -> None:
    rent = a_memory("the rent is 1,850", invalid_at=NOON + timedelta(days=30))
    outcome = ended(ExpectedEnd(id="rent", has=(("1,850",),)), known(rent))
    assert (outcome.counted, outcome.shown) == (False, "the rent is 1,850 (until 2026-04-08)")


def test_once_is_one_observation_that_holds() -> None:
    insight = a_memory("Ada lives in Kent", memory_type=MemoryType.INSIGHT)

    assert once(item("Kent"), known(OLD, insight, over(OLD))).counted
    assert not once(item("Kent"), known(OLD, a_memory("Ada rents in Kent"))).counted
    assert not once(item("Kent"), known(insight)).counted


def test_the_same_value_of_the_same_holder_again_is_a_repeat() -> None:
    first = a_memory("Ada's dog is Rex", value="Rex")
    again = a_memory("Ada has a dog, rex", value="rex ")
    denied = a_memory("Ada has no dog Rex", value="Rex", modality=Modality.NEGATED)

    assert [each.counted for each in repeats(known(first, again, denied, NEW))] == [False, True, False]


def test_the_first_hit_and_the_first_three_are_counted_apart() -> None:
    asked = ExpectedRecall(id="x", ask="Where?", has=("Rye",))

    assert counted(recalled(asked, [OLD, NEW], then=False)) == {"recalls_first": False, "recalls": True}
    assert counted(recalled(asked, [NEW], then=True)) == {"as_of_first": True, "as_of": True}
    assert counted(recalled(asked, [OLD, OLD, OLD, NEW], then=False)) == {"recalls_first": False, "recalls": False}


def test_an_answer_is_right_or_wrong_and_silence_is_neither() -> None:
    asked = ExpectedRecall(id="x", ask="Where?", has=("Rye",))

    assert counted(answered(asked, "Ada lives in Rye")) == {"answers": True, "wrong_answers": False}
    assert counted(answered(asked, "Ada lives in Kent")) == {"answers": False, "wrong_answers": True}
    assert counted(answered(asked, None)) == {"answers": False, "wrong_answers": False}


def test_a_share_of_nothing_is_none() -> None:
    tallies = tallied([Outcome("found", "a", counted=True), Outcome("found", "b", counted=False)])

    assert (tallies["found"], tallies["found"].share) == (Tally(1, 2), 0.5)
    assert tallies["once"].share is None
