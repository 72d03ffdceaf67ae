"""The names of slots, their cardinality, and what a persona may add."""

import pytest

from agentmem.domain.attributes import cardinality, own_slot, slot_of, value_kind, words_of
from agentmem.domain.persona import AttributePolicy, MemoryPolicy


@pytest.mark.parametrize(
    ("spoken", "slot"),
    [
        ("phone", "phone"),
        ("手机号码", "phone"),
        ("mobile number", "phone"),
        ("Office Phone", "work_phone"),
        ("办公室电话", "work_phone"),
        ("家里电话", "home_phone"),
        ("公司邮箱", "work_email"),
        ("warehouse phone", "warehouse_phone"),
        ("仓库的电话", "仓库_phone"),
        ("personal email", "email"),
        ("family status", "marital_status"),
        ("number of employees", "headcount"),
        ("favourite colour", "favourite_colour"),
    ],
)
def test_a_slot_has_one_name_in_all_spellings(spoken: str, slot: str) -> None:
    assert slot_of(spoken) == slot
    assert slot_of(slot) == slot


def test_a_qualifier_makes_another_slot_of_the_same_kind() -> None:
    assert cardinality("warehouse_phone", {}) == "single"
    assert value_kind("warehouse_phone", {}) == "phone"
    assert words_of("warehouse_phone") == words_of("phone")


def test_what_nobody_knows_holds_many_values() -> None:
    assert cardinality("favourite_colour", {}) == "multi"
    assert cardinality(None, {}) == "multi"


def test_a_persona_adds_attributes_in_short_or_in_full() -> None:
    policy = MemoryPolicy.model_validate(
        {"attributes": {"shoe_size": "single", "rent": {"kind": "money", "words": ["租金"]}, "preference": "multi"}}
    )
    assert policy.attributes["shoe_size"] == "single"
    assert policy.attributes["rent"] == AttributePolicy(cardinality="single", kind="money", words=("租金",))
    assert cardinality("rent", policy.attributes) == "single"
    assert value_kind("rent", policy.attributes) == "money"
    assert own_slot("租金", policy.attributes) == "rent"


def test_a_personas_word_on_a_built_in_attribute_counts() -> None:
    assert cardinality("city", {"city": "multi"}) == "multi"
