"""Which pairs are worth a judgement: those that concern one matter, however they are worded."""

from datetime import timedelta

import pytest

from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Evidence
from agentmem.ledger.plan import Plan
from agentmem.memory.candidates import (
    LIKELY,
    LOOKED_AT,
    MAX_CANDIDATES,
    MAX_PAIRS,
    Undecided,
    drafted_pairs,
    open_pairs,
    undecided_pairs,
)
from agentmem.memory.reconcile import Decision, tell_apart
from agentmem.memory.relation import Relations
from tests.support.nodes import NOON, a_memory

RELATIONS = Relations({})
LATER = NOON + timedelta(days=30)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("罗小东的首批货须在4月30日前到", "罗小东把首批货改为5月12日前到"),
        ("罗小东喝飞鹤二段", "罗小东换成飞鹤三段了"),
        ("Luo has plot 22 at Heath Lane", "Luo says plot 22's gone to Farah"),
        ("Luo is vegetarian", "Luo has gone vegan now"),
        ("Luo's trial week is the week of the 23rd", "Luo's trial week has to shift to the 30th"),
    ],
)
def test_statements_of_one_matter_are_put_before_cognition(old: str, new: str) -> None:
    name = "罗小东" if "罗小东" in old else "Luo"
    first, second = a_memory(old, target_name=name), a_memory(new, target_name=name, valid_at=LATER)
    (asked,) = open_pairs(undecided_pairs(drafted_pairs([second], [first]), RELATIONS))
    assert (asked.new_id, asked.old_id) == (second.memory_id, first.memory_id)


@pytest.mark.parametrize(("ended", "put"), [(0, False), (1, True)])
def test_what_time_had_ended_when_the_newer_began_is_no_pair(ended: int, *, put: bool) -> None:
    old = a_memory("罗小东的体检在周三", invalid_at=LATER + timedelta(days=ended))
    new = a_memory("罗小东的体检改到周五", valid_at=LATER)
    assert bool(undecided_pairs([(new, old)], RELATIONS)) is put


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("软件工程师罗小东喜欢苹果", "软件工程师罗小东会开车"),
        ("Bartholomew Featherstonehaugh likes tea", "Bartholomew Featherstonehaugh drives a van"),
    ],
)
def test_a_long_name_makes_nothing_alike(old: str, new: str) -> None:
    name = "罗小东" if "罗小东" in old else "Bartholomew Featherstonehaugh"
    fields = {"target_name": name, "meta_data": {"title": "软件工程师"}}
    assert (
        open_pairs(undecided_pairs(drafted_pairs([a_memory(new, **fields)], [a_memory(old, **fields)]), RELATIONS))
        == []
    )


def test_one_memory_is_held_against_few() -> None:
    held = [a_memory(f"罗小东每周三去第{place}家健身房游泳") for place in range(20)]
    pairs = open_pairs(
        undecided_pairs(drafted_pairs([a_memory("罗小东改到周五去健身房游泳了", valid_at=LATER)], held), RELATIONS)
    )
    assert len(pairs) == MAX_CANDIDATES


def test_a_pair_is_put_the_same_way_whichever_came_first() -> None:
    early, late = a_memory("罗小东的聚会在周三"), a_memory("罗小东的聚会改到周五", valid_at=LATER)
    for draft, held in ((early, late), (late, early)):
        (asked,) = open_pairs(undecided_pairs(drafted_pairs([draft], [held]), RELATIONS))
        assert (asked.new_id, asked.old_id) == (late.memory_id, early.memory_id)


def test_what_was_said_in_one_breath_stands_together() -> None:
    words = Evidence(memory_id=derived_id("turn"), start=0, end=4)
    one, two = (a_memory(text, evidence=(words,)) for text in ("罗小东的聚会在周三", "罗小东的聚会改到周五"))
    assert open_pairs(undecided_pairs(drafted_pairs([two], [one]), RELATIONS)) == []


def test_a_pair_that_was_told_apart_is_put_no_more() -> None:
    old, new = a_memory("罗小东的聚会在周三"), a_memory("罗小东的聚会改到周五", valid_at=LATER)
    plan = Plan([old, new])
    tell_apart(plan, [Decision(new_id=new.memory_id, old_id=old.memory_id, relation="unrelated")], {new.memory_id})
    assert [change.after for change in plan.changes()] == [plan[new.memory_id]]
    assert plan[old.memory_id] == old
    late, early = plan[new.memory_id], plan[old.memory_id]
    assert open_pairs(undecided_pairs([(late, early), (early, late)], RELATIONS)) == []


def test_of_many_held_the_latest_and_those_spelt_most_alike_are_looked_at() -> None:
    alike = a_memory("罗小东把聚会定在周三晚上", valid_at=NOON - timedelta(days=900))
    held = [alike, *(a_memory(f"Luo no. {place}", valid_at=NOON + timedelta(place)) for place in range(2 * LOOKED_AT))]
    draft = a_memory("罗小东把聚会定在周五晚上", valid_at=NOON + timedelta(days=999))
    looked_at = [old.memory_id for _, old in drafted_pairs([draft], held)]
    assert alike.memory_id in looked_at
    assert {node.memory_id for node in held[-LOOKED_AT:]} <= set(looked_at)
    assert LOOKED_AT <= len(looked_at) <= 2 * LOOKED_AT


def test_of_a_hundred_held_each_is_looked_at() -> None:
    held = [a_memory(f"罗小东去第{place}家店") for place in range(LOOKED_AT)]
    assert len(list(drafted_pairs([a_memory("罗小东喝茶")], held))) == LOOKED_AT


def test_cognition_is_asked_of_few_pairs_the_likeliest() -> None:
    apart = (a_memory("罗小东去健身房"), a_memory("罗小东在学钢琴"), 0.1)
    pairs = [
        Undecided(a_memory(f"罗小东住{place}号"), a_memory(f"罗小东住{place}楼"), LIKELY + place / 100)
        for place in range(MAX_PAIRS + 6)
    ]
    chosen = open_pairs([*pairs, Undecided(*apart)])
    assert [one.new_id for one in chosen] == [one.new.memory_id for one in reversed(pairs[6:])]
    assert [one.pair.number for one in chosen] == list(range(1, MAX_PAIRS + 1))
