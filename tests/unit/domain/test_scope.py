"""What names the parts of a scope, a lane and a principal, and what does not."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest

from agentmem.domain.bounds import MAX_NAME
from agentmem.domain.scope import ALL, Grant, Lane, Principal, Scope
from agentmem.errors import InvalidInput

MADE: dict[str, Callable[[Any], object]] = {
    "the tenant of a scope": lambda name: Scope(name, "seller"),
    "its agent": lambda name: Scope("acme", name),
    "its target": lambda name: Scope("acme", "seller", name),
    "its run": lambda name: Scope("acme", "seller", run=name),
    "what is beside its target": lambda name: Scope("acme", "seller", "Ann", beside=("Tom", name)),
    "the tenant of a lane": lambda name: Lane(name, "seller", "Ann"),
    "the agent of a lane": lambda name: Lane("acme", name, "Ann"),
    "the target of a lane": lambda name: Lane("acme", "seller", name),
}
OF_PRINCIPALS: dict[str, Callable[[Any], object]] = {
    "the name of a principal": lambda name: Principal(name, "acme"),
    "the tenant of a principal": lambda name: Principal("reader", name),
    "an agent of a principal": lambda name: Principal("reader", "acme", {name: frozenset({Grant.READ})}),
}
NAMES = [("x", True), ("罗" * MAX_NAME, True), ("x" * (MAX_NAME + 1), False), ("a\x00b", False), (5, False)]
NARROW = [("", False), (" x", False), ("x ", False), ("a\nb", False), (ALL, False), (("x",), False)]


@pytest.mark.parametrize("part", MADE)
@pytest.mark.parametrize(("name", "fits"), NAMES + NARROW)
def test_a_part_of_a_scope_has_a_name_of_one_line(part: str, name: object, *, fits: bool) -> None:
    with nullcontext() if fits else pytest.raises(InvalidInput):
        MADE[part](name)


@pytest.mark.parametrize("part", OF_PRINCIPALS)
@pytest.mark.parametrize(("name", "fits"), [*NAMES, ("\ud800", False)])
def test_a_principal_has_names_that_are_texts(part: str, name: object, *, fits: bool) -> None:
    with nullcontext() if fits else pytest.raises(InvalidInput):
        OF_PRINCIPALS[part](name)


@pytest.mark.parametrize(("target", "beside"), [(None, ("Tom",)), ("Ann", ["Tom"]), ("Ann", "Tom")])
def test_beside_a_target_are_others_in_a_tuple(target: str | None, beside: Any) -> None:
    with pytest.raises(InvalidInput, match="beside"):
        Scope("acme", "seller", target, beside=beside)
