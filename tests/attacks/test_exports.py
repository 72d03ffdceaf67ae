"""Whatever is handed to a name of the package, or comes back from a server, ends in one line of ours: the classes that
callers make, the functions they call, and the clients, which are no entrances of the app. Both are taken from the code.
"""

import inspect
from collections.abc import Awaitable, Callable
from enum import Enum
from pathlib import Path
from typing import Any

import httpx
import pytest

from agentmem import AsyncClient, AsyncMemory, Client, Settings, exports, load_settings
from agentmem.errors import AgentMemError, InternalError, InvalidInput
from agentmem.interfaces.python.client import OPERATIONS
from tests.support import refused
from tests.support.callers import offered, parameters
from tests.support.nodes import a_memory
from tests.support.served import remote, served

LEFT_OUT = {"App": "is opened by open_app", "open_app": "is tried as it opens, below"}


def is_made_by_callers(made: Any) -> bool:
    """Whether it is called with what is to be checked: an enumeration is called as Python does, and with what it says,
    and nobody calls a protocol."""
    return not (
        inspect.isclass(made) and (issubclass(made, BaseException | Enum) or getattr(made, "_is_protocol", False))
    )


MADE = [
    name for name, made in vars(exports).items() if name[0] != "_" and name not in LEFT_OUT if is_made_by_callers(made)
]


def ours(error: BaseException | None) -> bool:
    """Whether nothing went wrong, or what the caller can put right did, in one line."""
    of_the_tree = isinstance(error, AgentMemError) and not isinstance(error, InternalError)
    return error is None or (of_the_tree and "\n" not in str(error) and len(str(error)) < 2_000)


def failure(call: Callable[[], object]) -> BaseException | None:
    try:
        call()
    except BaseException as error:  # noqa: BLE001 - whatever comes out is what is looked at
        return error
    return None


async def awaited(call: Callable[[], Awaitable[object]]) -> BaseException | None:
    try:
        await call()
    except BaseException as error:  # noqa: BLE001 - the same
        return error
    return None


@pytest.mark.parametrize("name", MADE)
def test_a_name_of_the_package_takes_or_refuses_whatever_it_is_given(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call: Callable[..., object] = getattr(exports, name)
    declared = [each for each in inspect.signature(call).parameters.values() if each.kind != each.VAR_KEYWORD]
    needed = {each.name: "x" for each in declared if each.default is each.empty}
    for parameter in declared:
        for wrong, value in refused.ALL.items():
            error = failure(lambda: call(**{**needed, parameter.name: value}))  # noqa: B023 - called at once
            assert ours(error), f"{name}({parameter.name}=), {wrong}: {error!r:.300}"


def test_each_field_of_a_memory_takes_or_refuses_whatever_it_is_given() -> None:
    node = a_memory("I live in Oslo.")
    for field in type(node).model_fields:
        for wrong, value in refused.ALL.items():
            error = failure(lambda: node.revised(**{field: value}))  # noqa: B023 - called at once
            assert ours(error), f"{field}, {wrong}: {error!r:.300}"


async def test_an_app_is_opened_with_settings_alone() -> None:
    for wrong, value in {**refused.ALL, "a mapping": {"data": "x"}}.items():
        error = await awaited(lambda: exports.open_app(value).__aenter__())  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] # noqa: B023 - called at once
        assert isinstance(error, InvalidInput), f"{wrong}: {error!r:.300}"


@pytest.mark.parametrize("zone", ["x" * 300, "../../etc/passwd", "Asia", "", "Mars/Olympus"])
def test_a_time_zone_that_there_is_not_is_a_wrong_setting(zone: str) -> None:
    with pytest.raises(InvalidInput, match="timezone"):
        Settings(timezone=zone)


@pytest.mark.parametrize(
    "wrong", [{"path": "x"}, {"overrides": "a=b"}, {"overrides": [1]}, {"data": 1}, {"tenant": 1}, {"environment": []}]
)
def test_settings_are_loaded_from_what_is_declared(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(wrong))):
        load_settings(**wrong)


@pytest.mark.parametrize("name", OPERATIONS)
async def test_an_operation_of_a_client_takes_or_refuses_whatever_it_is_given(name: str, tmp_path: Path) -> None:
    operation = getattr(AsyncMemory, name)
    declared = {each: hint for each, hint in parameters(operation).items() if each != "return"}
    given = offered(name, declared, tmp_path)
    signature = inspect.signature(operation).parameters
    needed = {each: given[each] for each in declared if signature[each].default is inspect.Parameter.empty}
    async with served(tmp_path) as server, remote(server) as client:
        for parameter in declared:
            for wrong, value in refused.ALL.items():
                error = await awaited(lambda: getattr(client, name)(**{**needed, parameter: value}))  # noqa: B023 - called at once
                assert ours(error), f"{name}({parameter}=), {wrong}: {error!r:.300}"


SAID = {
    "nothing": b"null",
    "a list": b"[1]",
    "an empty object": b"{}",
    "a deep list": b"[" * 100_000,
    "an endless number": b"1" * 5_000,
    "no UTF-8": b"\xff",
    "items of another kind": b'{"results":[{"x":1}]}',
    "a problem of no kind": b'{"code":"Final","detail":"x"}',
    "a problem that is a function": b'{"code":"is_panic","detail":"x"}',
    "a problem of two lines": b'{"code":"InvalidInput","detail":"a\\nb"}',
}
"""What a server of somebody else's may answer."""


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("status", [200, 422, 503])
async def test_what_a_server_answers_that_is_none_of_ours_is_told_in_one_line(status: int, said: str) -> None:
    headers = {b"Retry-After": b"\xb2"}

    def answers(_: httpx.Request) -> httpx.Response:
        return httpx.Response(status, headers=headers, content=SAID[said])

    async with AsyncClient("http://127.0.0.1:1", "agm_x", transport=httpx.MockTransport(answers)) as client:
        for call in (lambda: client.search("x"), lambda: client.get("x"), lambda: client.ask("x")):
            error = await awaited(call)
            assert isinstance(error, InvalidInput if 400 <= status < 500 and b"code" in SAID[said] else AgentMemError)
            assert ours(error), f"{error!r:.300}"


async def test_a_client_says_what_is_wrong_with_it() -> None:
    for address in ("http://\x00", "\ud800", "http://127.0.0.1:99999999", "http://127.0.0.1:x", "ftp://x", "x", ""):
        with pytest.raises(InvalidInput, match="base_url"):
            Client(address, "agm_x")
    client = AsyncClient("http://127.0.0.1:9", "agm_x")
    await client.close()
    with pytest.raises(InvalidInput, match="closed"):
        await client.search("x")
