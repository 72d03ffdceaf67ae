"""`AsyncClient` and `Client`: a memory that `agentmem serve` holds, in the words of `Memory` and with its values."""

import inspect
import os
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from datetime import datetime
from enum import Enum
from functools import lru_cache, wraps
from types import TracebackType
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar, cast, get_args, get_type_hints

import httpx
from pydantic import TypeAdapter

from agentmem import errors
from agentmem.errors import AgentMemError, BackendUnavailable, InvalidInput
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.results import Results
from agentmem.interfaces.python.shared import BLOCKING_LOOP

P = ParamSpec("P")
R = TypeVar("R")

ADDRESS: Final = "http://127.0.0.1:8420"
TOKEN: Final = "AGENTMEM_TOKEN"


def answer_of(operation: str) -> Any:
    """What an operation answers, as declared."""
    return get_type_hints(getattr(AsyncMemory, operation))["return"]


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


def _remote(
    method: Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate["AsyncClient", P], Coroutine[Any, Any, R]]:
    name, declared = method.__name__, inspect.signature(method)

    @wraps(method)
    async def call(self: "AsyncClient", *args: P.args, **given: P.kwargs) -> R:
        arguments = dict(declared.bind(self, *args, **given).arguments)
        del arguments["self"]
        return cast(R, _read(answer_of(name), await self.call(name, arguments)))

    return call


class AsyncClient:
    """A memory at an address, for whom the token says; without one it is taken from `AGENTMEM_TOKEN`. `timeout` is in
    seconds. Errors are those of `AsyncMemory`; a server that cannot be reached is `BackendUnavailable`."""

    add = _remote(AsyncMemory.add)
    search = _remote(AsyncMemory.search)
    get = _remote(AsyncMemory.get)
    get_all = _remote(AsyncMemory.get_all)
    list = get_all
    update = _remote(AsyncMemory.update)
    delete = _remote(AsyncMemory.delete)
    delete_all = _remote(AsyncMemory.delete_all)
    history = _remote(AsyncMemory.history)
    context = _remote(AsyncMemory.context)
    ask = _remote(AsyncMemory.ask)

    def __init__(
        self,
        base_url: str = ADDRESS,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        secret = token or os.environ.get(TOKEN)
        if not secret:
            raise InvalidInput(f"a token is needed: give it, or set {TOKEN}; `agentmem token create` makes one")
        if not secret.isascii() or not secret.isprintable():
            raise InvalidInput("token: must be one as `agentmem token create` prints it")
        headers = {"Authorization": f"Bearer {secret}"}
        self._http = httpx.AsyncClient(base_url=base_url, headers=headers, timeout=timeout, transport=transport)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self._http.base_url)!r})"

    async def call(self, operation: str, arguments: Mapping[str, object]) -> object:
        """What an operation answers there, as JSON. Raises what it raises."""
        body = {name: _plain(value) for name, value in arguments.items() if value is not None}
        try:
            answer = await self._http.post(f"/v1/memory/{operation}", json=body)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise BackendUnavailable(f"{self._http.base_url} does not answer: {type(error).__name__}") from error
        except (TypeError, ValueError) as error:
            raise InvalidInput(f"{operation}: what is given cannot be sent as JSON: {error}") from error
        if not answer.is_success:
            raise _error(answer)
        try:
            return answer.json()
        except ValueError as error:
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
        case list() | tuple() | set() | frozenset():
            return [_plain(part) for part in cast("tuple[object, ...]", value)]
        case _:
            return value


def _error(answer: httpx.Response) -> AgentMemError:
    """The error that a problem tells of."""
    try:
        problem = answer.json()
        code, detail = str(problem["code"]), str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        return BackendUnavailable(f"{answer.url.host} answers {answer.status_code} and no more")
    kind = getattr(errors, code, InvalidInput if answer.status_code < 500 else BackendUnavailable)
    wait = answer.headers.get("Retry-After", "")
    if isinstance(kind, type) and issubclass(kind, BackendUnavailable):
        return kind(detail, retry_after=float(wait) if wait.isdigit() else None)
    return cast(AgentMemError, kind(detail))


def _blocking(
    method: Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate["Client", P], R]:
    @wraps(method)
    def call(self: "Client", *args: P.args, **given: P.kwargs) -> R:
        return BLOCKING_LOOP.run(lambda: method(self.inner, *args, **given))

    return call


class Client:
    """`AsyncClient` for code that is not asynchronous; threads may share it."""

    add = _blocking(AsyncClient.add)
    search = _blocking(AsyncClient.search)
    get = _blocking(AsyncClient.get)
    get_all = _blocking(AsyncClient.get_all)
    list = get_all
    update = _blocking(AsyncClient.update)
    delete = _blocking(AsyncClient.delete)
    delete_all = _blocking(AsyncClient.delete_all)
    history = _blocking(AsyncClient.history)
    context = _blocking(AsyncClient.context)
    ask = _blocking(AsyncClient.ask)
    close = _blocking(AsyncClient.close)

    def __init__(self, base_url: str = ADDRESS, token: str | None = None, *, timeout: float = 60.0) -> None:
        self.inner = AsyncClient(base_url, token, timeout=timeout)

    def __repr__(self) -> str:
        return repr(self.inner).removeprefix("Async")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
