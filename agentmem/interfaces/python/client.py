"""`AsyncClient` and `Client`: a memory that `agentmem serve` holds, in the words of `Memory` and with its values."""

import inspect
import json
import os
from collections.abc import Callable, Coroutine, Generator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from datetime import datetime
from enum import Enum
from functools import lru_cache, partial
from types import TracebackType
from typing import Any, Concatenate, Final, Generic, ParamSpec, Self, TypeVar, cast, get_args, get_type_hints, overload

import httpx
from pydantic import TypeAdapter

from agentmem import errors
from agentmem.domain.bounds import address_fault, check_argument
from agentmem.errors import AgentMemError, BackendUnavailable, InvalidInput, wait_asked
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.kept_items import (
    GetItem,
    ListPlaces,
    PlaceCondition,
    PutItem,
    SearchItems,
    keep_items,
)
from agentmem.interfaces.python.kept_sessions import (
    add_session_items,
    clear_session,
    pop_session_item,
    session_items,
)
from agentmem.interfaces.python.results import Results
from agentmem.interfaces.python.shared import BLOCKING_LOOP
from agentmem.runtime.facade.entrance import check_arguments, telling

P = ParamSpec("P")
R = TypeVar("R")

ADDRESS: Final = "http://127.0.0.1:8420"
TOKEN: Final = "AGENTMEM_TOKEN"
_AS_JSON: Final = {"Content-Type": "application/json"}


KEPT: Final[Mapping[str, Callable[..., Coroutine[Any, Any, Any]]]] = {
    each.__name__: each for each in (keep_items, session_items, add_session_items, pop_session_item, clear_session)
}
"""What the stores of frameworks ask of a memory, which their users call by other names."""


def method_of(operation: str) -> Callable[..., Coroutine[Any, Any, Any]]:
    """What does an operation, given the memory first."""
    return KEPT[operation] if operation in KEPT else getattr(AsyncMemory, operation)


def answer_of(operation: str) -> Any:
    """What an operation answers, as declared."""
    return get_type_hints(method_of(operation))["return"]


@lru_cache(maxsize=64)
def adapter(kind: Any) -> TypeAdapter[Any]:
    """What writes values of a kind as JSON and reads them."""
    return TypeAdapter(kind)


def _read(kind: Any, data: object) -> Any:
    """The value that was written; of `Results`, every item is read as what it is."""
    value = adapter(kind).validate_python(data)
    if not isinstance(value, Results):
        return value
    whole = cast("Results[Any]", value)
    bases = (kind,) if get_args(kind) else kind.__orig_bases__
    item = next(argument for base in bases for argument in get_args(base))
    return replace(whole, results=tuple(adapter(item).validate_python(each) for each in whole.results))


class Operation(Generic[P, R]):
    """An operation of `AsyncMemory` at a server: awaited on an `AsyncClient`, waited for on a `Client`."""

    def __init__(self, method: Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, R]]) -> None:
        self.name = method.__name__
        self._method, self._declared = method, inspect.signature(method)

    @overload
    def __get__(self, client: "AsyncClient", kind: object = None) -> Callable[P, Coroutine[Any, Any, R]]: ...
    @overload
    def __get__(self, client: "Client", kind: object = None) -> Callable[P, R]: ...
    @overload
    def __get__(self, client: None, kind: object = None) -> Callable[..., Any]: ...
    def __get__(self, client: "AsyncClient | Client | None", kind: object = None) -> Callable[..., Any]:
        match client:
            case AsyncClient():
                return partial(self._asked, client)
            case Client():
                return lambda *args, **given: BLOCKING_LOOP.run(lambda: self._asked(client.inner, *args, **given))
            case None:
                return self._method  # as the class tells it

    async def _asked(self, client: "AsyncClient", *args: Any, **given: Any) -> R:
        arguments = dict(self._declared.bind(client, *args, **given).arguments)
        del arguments["self"]
        return cast(R, await client.kept(self.name, arguments))


class Operations:
    """What clients may ask of a server's memory: the one list of it."""

    add = Operation(AsyncMemory.add)
    search = Operation(AsyncMemory.search)
    get = Operation(AsyncMemory.get)
    get_all = Operation(AsyncMemory.get_all)
    list = Operation(AsyncMemory.get_all)
    update = Operation(AsyncMemory.update)
    delete = Operation(AsyncMemory.delete)
    delete_all = Operation(AsyncMemory.delete_all)
    history = Operation(AsyncMemory.history)
    context = Operation(AsyncMemory.context)
    ask = Operation(AsyncMemory.ask)
    remind = Operation(AsyncMemory.remind)


OPERATIONS: Final = tuple(dict.fromkeys(each.name for each in vars(Operations).values() if isinstance(each, Operation)))
"""Their names."""


class AsyncClient(Operations):
    """A memory at an address, for whom the token says; without one it is taken from `AGENTMEM_TOKEN`. `timeout` is in
    seconds. Errors are those of `AsyncMemory`; a server that cannot be reached is `BackendUnavailable`."""

    def __init__(
        self,
        base_url: str = ADDRESS,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        for name, given, kind in (
            *(("base_url", base_url, str), ("token", token, str | None), ("timeout", timeout, float)),
            ("transport", transport, httpx.AsyncBaseTransport | None),
        ):
            check_argument(name, given, kind)
        secret = token or os.environ.get(TOKEN)
        if not secret:
            raise InvalidInput(f"a token is needed: give it, or set {TOKEN}; `agentmem token create` makes one")
        if not secret.isascii() or not secret.isprintable():
            raise InvalidInput("token: must be one as `agentmem token create` prints it")
        headers = {"Authorization": f"Bearer {secret}"}
        if fault := address_fault(base_url):
            raise InvalidInput(f"base_url: {fault}")
        try:
            self._http = httpx.AsyncClient(base_url=base_url, headers=headers, timeout=timeout, transport=transport)
        except (httpx.InvalidURL, ValueError) as error:  # a host of letters that stand in no name
            raise InvalidInput(f"base_url: {error}") from error

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self._http.base_url)!r})"

    async def call(self, operation: str, arguments: Mapping[str, object]) -> object:
        """What an operation answers there, as JSON. Raises what it raises."""
        if self._http.is_closed:
            raise InvalidInput("this client is closed: make another one")
        try:
            body = {name: _plain(value) for name, value in arguments.items() if value is not None}
            content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidInput(f"{operation}: what is given cannot be sent as JSON: {error}") from error
        try:
            answer = await self._http.post(f"/v1/memory/{operation}", content=content, headers=_AS_JSON)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:  # of a name that is none, the last
            raise BackendUnavailable(f"{self._http.base_url} does not answer: {type(error).__name__}") from error
        if not answer.is_success:
            raise _error(answer)
        with self._understanding():
            return answer.json()

    async def kept(self, operation: str, arguments: Mapping[str, object]) -> Any:
        """The value that an operation, or one of `KEPT`, answers there. What is given is checked as in a memory of this
        process."""
        with telling():
            check_arguments(method_of(operation), arguments)
            answer = await self.call(operation, arguments)
            with self._understanding():
                return _read(answer_of(operation), answer)

    @contextmanager
    def _understanding(self) -> Generator[None]:
        try:
            yield
        except (ValueError, RecursionError) as error:  # pydantic's complaint is a ValueError
            raise BackendUnavailable(f"{self._http.base_url} does not speak as agentmem does") from error

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _plain(value: object) -> object:
    match value:
        case Enum():
            return value.value
        case datetime():
            return value.isoformat()
        case Mapping():
            return {str(name): _plain(part) for name, part in cast("Mapping[object, object]", value).items()}
        case GetItem() | PutItem() | SearchItems() | ListPlaces() | PlaceCondition():
            return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
        case list() | tuple() | set() | frozenset():
            return [_plain(part) for part in cast("tuple[object, ...]", value)]
        case _:
            return value


def _error(answer: httpx.Response) -> AgentMemError:
    """The error that a problem tells of."""
    try:
        problem = answer.json()
        code, detail = str(problem["code"]), str(problem["detail"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return BackendUnavailable(f"{answer.url.host} answers {answer.status_code} and no more")
    kind: object = getattr(errors, code, None)
    if not (isinstance(kind, type) and issubclass(kind, AgentMemError)):
        kind = InvalidInput if answer.status_code < 500 else BackendUnavailable
    wait = answer.headers.get("Retry-After", "")
    if issubclass(kind, BackendUnavailable):
        return kind(detail, retry_after=wait_asked(float(wait)) if wait.isdecimal() else None)
    return kind(detail)


class Client(Operations):
    """`AsyncClient` for code that is not asynchronous; threads may share it."""

    def __init__(self, base_url: str = ADDRESS, token: str | None = None, *, timeout: float = 60.0) -> None:
        self.inner = AsyncClient(base_url, token, timeout=timeout)

    def __repr__(self) -> str:
        return repr(self.inner).removeprefix("Async")

    def close(self) -> None:
        """Close the connections."""
        BLOCKING_LOOP.run(self.inner.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
