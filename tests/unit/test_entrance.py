"""What a call gives, by the names of the parameters: as Python itself binds it, on the quick way and on the other; and
how it is refused."""

import inspect
from collections.abc import AsyncGenerator, Callable
from itertools import product
from typing import Any, cast

import pytest

from agentmem.errors import AgentMemError, BackendUnavailable, InvalidInput, NotFound
from agentmem.runtime.facade.entrance import binder, entrance, telling


def plain(one: Any, two: Any, three: Any = 3) -> None: ...


def by_name(one: Any, *, two: Any, three: Any = 3) -> None: ...


def several(one: Any, *two: Any, three: Any = 3) -> None: ...


def open_ended(one: Any, **more: Any) -> None: ...


def in_order(one: Any, /, two: Any = 2) -> None: ...


def any_number(*one: Any) -> None: ...


GIVEN: list[tuple[tuple[int, ...], dict[str, int]]] = [
    (tuple(range(count)), dict.fromkeys(names, 9))
    for count, names in product(range(5), [(), ("one",), ("two",), ("three",), ("one", "two"), ("four",)])
]


def _told(bind: Callable[[], Any]) -> object:
    try:
        return dict(bind())
    except TypeError as error:
        return str(error)


@pytest.mark.parametrize("call", [plain, by_name, several, open_ended, in_order, any_number])
def test_a_call_is_bound_as_python_binds_it(call: Callable[..., Any]) -> None:
    bound, signature = binder(call), inspect.signature(call)
    for given, named in GIVEN:
        as_python = _told(lambda given=given, named=named: signature.bind(*given, **named).arguments)
        assert _told(lambda given=given, named=named: bound(given, named)) == as_python, (given, named)


@entrance
async def _answers(one: int, *more: int) -> int:
    return one + sum(more)


@entrance
async def _streams(one: int, *more: int) -> AsyncGenerator[int]:
    for each in (one, *more):
        yield each


@entrance
def _at_once(one: int, *more: int) -> int:
    return one + sum(more)


async def _called(call: Callable[..., Any], *given: object) -> object:
    answer = call(*given)
    if isinstance(answer, AsyncGenerator):
        return sum([part async for part in cast("AsyncGenerator[int]", answer)])
    return await answer if inspect.isawaitable(answer) else answer


@pytest.mark.parametrize("call", [_answers, _streams, _at_once])
async def test_whatever_is_called_is_given_what_it_declares(call: Callable[..., Any]) -> None:
    assert await _called(call, 1, 2) == 3
    for wrong in (("x",), (1, "x"), (2**63,), (1, 2**63)):
        with pytest.raises(InvalidInput):
            await _called(call, *wrong)


@pytest.mark.parametrize(
    ("error", "chained"), [(InvalidInput("x"), False), (NotFound("x"), False), (BackendUnavailable("x"), True)]
)
def test_what_the_caller_has_to_mend_is_told_without_causes_and_all_else_with_them(
    error: AgentMemError, *, chained: bool
) -> None:
    with pytest.raises(type(error)) as told, telling():
        raise error from OSError("within")
    assert (told.value.__cause__ is not None) == chained


def test_an_error_of_the_callers_own_keeps_its_causes() -> None:
    own = InvalidInput("x")
    with pytest.raises(InvalidInput) as told, telling(beside=own):
        raise own from OSError("within")
    assert told.value.__cause__ is not None
