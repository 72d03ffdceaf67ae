"""What fails because of what was worked on is told apart from all else, and its words are not repeated."""

import asyncio

import pytest

from agentmem.errors import AgentMemError, BackendUnavailable, Conflict, IndexBroken, Unreadable, input_faults


class PanicException(BaseException):
    """As Rust code raises it: a class that cannot be imported and derives from nothing narrower."""

    __module__ = "pyo3_runtime"


@pytest.mark.parametrize(
    "error", [ValueError("secret"), RecursionError("secret"), MemoryError(), PanicException("secret")]
)
def test_what_lies_in_the_input_is_unreadable_and_tells_no_word_of_it(error: BaseException) -> None:
    with pytest.raises(Unreadable) as caught, input_faults():
        raise error
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is error


@pytest.mark.parametrize(
    "error",
    [BackendUnavailable("x"), IndexBroken("x"), Conflict("x"), asyncio.CancelledError(), KeyboardInterrupt()],
)
def test_what_does_not_comes_out_as_it_is(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught, input_faults():
        raise error
    assert caught.value is error


def test_what_is_told_of_it_may_be_said_otherwise() -> None:
    with pytest.raises(AgentMemError, match="the third field"), input_faults(lambda _: "the third field"):
        raise ValueError("secret")
