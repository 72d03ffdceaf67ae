"""Where callers come in: what they give is as it is declared and within bounds, and what goes wrong is our own error.

An operation of the app is an entrance by its rule (`runtime.facade.access`); others are marked.
"""

import asyncio
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from functools import cache, wraps
from types import TracebackType
from typing import Any, Final, TypeVar, cast, get_type_hints

from agentmem.domain.bounds import check_argument
from agentmem.errors import AgentMemError, Conflict, InvalidInput, NotFound, in_tree

T = TypeVar("T")
Call = TypeVar("Call", bound=Callable[..., Any])

_SIGNALS: Final = (KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError)
"""What is no failure but somebody's wish to stop."""


@contextmanager
def telling(*, beside: BaseException | None = None) -> Generator[None]:
    """Errors inside come out as ours; `beside` is the caller's own, on its way through here, and stays what it is. What
    the caller has to mend is said whole in its one line, and brings no chain of causes along."""
    try:
        yield
    except (*_SIGNALS, AgentMemError) as error:
        if error is not beside and isinstance(error, InvalidInput | NotFound | Conflict):
            raise error from None
        raise
    except BaseException as error:
        if error is beside:
            raise
        ours = in_tree(error)
        raise ours from ours.__cause__ or error


class ErrorContext(AbstractAsyncContextManager[T]):
    """A context whose opening and closing fail with our errors; what fails inside it is the caller's."""

    def __init__(self, inner: AbstractAsyncContextManager[T]) -> None:
        self._inner = inner

    async def __aenter__(self) -> T:
        with telling():
            return await self._inner.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        with telling(beside=error):
            return await self._inner.__aexit__(kind, error, trace)


def told(answer: Any) -> Any:
    """The answer; a context in such a way that it fails with our errors."""
    if isinstance(answer, AbstractAsyncContextManager):
        return ErrorContext(cast("AbstractAsyncContextManager[Any]", answer))
    return answer


def check_arguments(operation: Callable[..., Any], arguments: Mapping[str, object]) -> None:
    """Check what is given to an operation, by name, against what it declares. Raises `InvalidInput`."""
    several, hints = _hints(operation)
    for name, value in arguments.items():
        if name == several:
            for each in cast("tuple[object, ...]", value):
                check_argument(name, each, hints[name])
        elif name in hints:
            check_argument(name, value, hints[name])


@cache
def _hints(operation: Callable[..., Any]) -> tuple[str | None, Mapping[str, Any]]:
    """The parameter that takes any number of arguments, and what each parameter is declared as."""
    kinds = inspect.signature(operation).parameters.values()
    several = next((each.name for each in kinds if each.kind is each.VAR_POSITIONAL), None)
    return several, get_type_hints(operation)


def binder(call: Callable[..., Any]) -> Callable[[tuple[Any, ...], dict[str, Any]], Mapping[str, Any]]:
    """What `inspect.Signature.bind` says: what a call gives, by the names of the parameters. Raises `TypeError`. A call
    that fits as it stands takes a sixth of the time."""
    signature = inspect.signature(call)
    parameters = signature.parameters.values()
    plain = all(each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY) for each in parameters)
    in_order = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    known = frozenset(signature.parameters)
    needed = frozenset(each.name for each in parameters if each.default is each.empty)

    def bound(given: tuple[Any, ...], named: dict[str, Any]) -> Mapping[str, Any]:
        if plain and len(given) <= len(in_order):
            arguments = dict(zip(in_order, given, strict=False)) | named
            if len(arguments) == len(given) + len(named) and needed <= arguments.keys() <= known:
                return arguments
        return signature.bind(*given, **named).arguments

    return bound


def entrance(call: Call) -> Call:
    """Check what is given, and tell what goes wrong in our words. What cannot be bound at all is a `TypeError`, as with
    any function."""
    bound = binder(call)

    @wraps(call)
    async def answering(*given: Any, **named: Any) -> Any:
        arguments = bound(given, named)
        with telling():
            check_arguments(call, arguments)
            return await cast("Awaitable[Any]", call(*given, **named))

    @wraps(call)
    async def streaming(*given: Any, **named: Any) -> AsyncGenerator[Any]:
        arguments = bound(given, named)
        with telling():
            check_arguments(call, arguments)
            async for part in cast("AsyncGenerator[Any]", call(*given, **named)):
                yield part

    @wraps(call)
    def at_once(*given: Any, **named: Any) -> Any:
        arguments = bound(given, named)
        with telling():
            check_arguments(call, arguments)
            answer = call(*given, **named)
        return told(answer)

    if inspect.iscoroutinefunction(call):
        guarded: Any = answering
    else:
        guarded = streaming if inspect.isasyncgenfunction(call) else at_once
    guarded.entrance = True
    return cast(Call, guarded)
