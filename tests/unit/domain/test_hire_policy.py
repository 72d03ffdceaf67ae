"""The contract of a hire: nothing by default, and never more along a chain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agentmem.domain.memory import MemoryType
from agentmem.domain.persona import HIRABLE, HirePolicy
from agentmem.errors import InvalidInput

POLICIES = st.builds(
    HirePolicy,
    layers=st.lists(st.sampled_from(HIRABLE), unique=True).map(tuple),
    kinds=st.none() | st.lists(st.sampled_from(("chunk", "need", "general")), unique=True).map(tuple),
    targets=st.lists(st.sampled_from(("AIP", "aip", "Docker", "小美")), unique=True).map(tuple),
    about_customers=st.booleans(),
    people=st.integers(2, 9),
)


def test_an_empty_contract_lets_nothing_go() -> None:
    assert HirePolicy() == HirePolicy(layers=(), kinds=None, targets=(), about_customers=False, people=2)


@pytest.mark.parametrize("layer", [MemoryType.CONVERSATION, MemoryType.PERCEPTUAL])
def test_what_was_said_or_sensed_cannot_be_named(layer: MemoryType) -> None:
    with pytest.raises(InvalidInput, match="must be observation, insight, longterm"):
        HirePolicy(layers=(layer,))


@pytest.mark.parametrize("wrong", [{"people": 1}, {"people": "many"}, {"kinds": [""]}, {"targets": [" "]}, {"who": 1}])
def test_a_mistaken_contract_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        HirePolicy.model_validate(wrong)


def test_kinds_that_share_nothing_leave_no_kind_rather_than_every_kind() -> None:
    assert HirePolicy(kinds=("chunk",)).narrowed(HirePolicy(kinds=("need",))).kinds == ()
    assert HirePolicy(kinds=("chunk",)).narrowed(HirePolicy()).kinds == ("chunk",)
    assert HirePolicy().narrowed(HirePolicy(kinds=("chunk",))).kinds == ("chunk",)


@given(POLICIES, POLICIES)
def test_of_two_contracts_only_what_both_allow_is_left(ours: HirePolicy, theirs: HirePolicy) -> None:
    both = ours.narrowed(theirs)
    for one in (ours, theirs):
        assert set(both.layers) <= set(one.layers)
        assert one.kinds is None or (both.kinds is not None and set(both.kinds) <= set(one.kinds))
        assert {name.casefold() for name in both.targets} <= {name.casefold() for name in one.targets}
        assert both.about_customers <= one.about_customers
        assert both.people >= one.people
    assert both.narrowed(both) == both
