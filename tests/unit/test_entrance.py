"""What a call gives, by the names of the parameters: as Python itself binds it, on the quick way and on the other."""

import inspect
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from agentmem.runtime.facade.entrance import binder


def plain(one: Any, two: Any, three: Any = 3) -> None: ...


def by_name(one: Any, *, two: Any, three: Any = 3) -> None: ...


def several(one: Any, *two: Any, three: Any = 3) -> None: ...


def open_ended(one: Any, **more: Any) -> None: ...


def in_order(one: Any, /, two: Any = 2) -> None: ...


GIVEN: list[tuple[tuple[int, ...], dict[str, int]]] = [
    (tuple(range(count)), dict.fromkeys(names, 9))
    for count, names in product(range(5), [(), ("one",), ("two",), ("three",), ("one", "two"), ("four",)])
]


def _told(bind: Callable[[], Any]) -> object:
    try:
        return dict(bind())
    except TypeError as error:
        return str(error)


@pytest.mark.parametrize("call", [plain, by_name, several, open_ended, in_order])
def test_a_call_is_bound_as_python_binds_it(call: Callable[..., Any]) -> None:
    bound, signature = binder(call), inspect.signature(call)
    for given, named in GIVEN:
        as_python = _told(lambda given=given, named=named: signature.bind(*given, **named).arguments)
        assert _told(lambda given=given, named=named: bound(given, named)) == as_python, (given, named)
