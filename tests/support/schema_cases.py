"""Requests made up from the OpenAPI document, and what of the program's answers it does not allow.

A few parts of a request are those of a store that something is in, so that more than what is not there is answered.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from unittest import SkipTest

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.failures import FailureGroup

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.interfaces.http.api import routes
from tests.fixtures.talking_model import speaker
from tests.support.nodes import AGENT
from tests.support.served import BASE, served

_ANY: Final[Any] = import_module("schemathesis.checks")  # whose types are not known whole
_OPENAPI: Final[Any] = import_module("schemathesis.specs.openapi.checks")
CHECKS: Final[list[Any]] = [
    _ANY.not_a_server_error,
    _OPENAPI.status_code_conformance,
    _OPENAPI.content_type_conformance,
    _OPENAPI.response_headers_conformance,
    _OPENAPI.response_schema_conformance,
]
ENDLESS: Final = "/v1/changes"
UNWELL: Final = (
    HealthCheck.too_slow,
    HealthCheck.filter_too_much,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
)
STREAM_SECONDS: Final = 0.2
"""How long a stream without an end is read."""


@dataclass
class Tried:
    """How many requests were made, how they were answered by status, and what was wrong, by operation."""

    statuses: dict[int, int] = field(default_factory=dict[int, int])
    wrong: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def count(self) -> int:
        return sum(self.statuses.values())


def try_cases(folder: Path, *, each: int, first: int = 0, wrong: bool = False) -> Tried:
    """Ask every operation `each` times on a server in `folder`, as the document allows, or, with `wrong`, as it does
    not; `first` seeds what is asked."""

    async def tried() -> Tried:
        async with (
            served(folder, RulesCognition(), speaks=speaker("a reply").chat) as server,
            server.client() as client,
        ):
            known = await planted(client, server.app.drain)
            loop = asyncio.get_running_loop()

            def send(**request: Any) -> httpx.Response | None:
                return asyncio.run_coroutine_threadsafe(answered(client, request), loop).result()

            return await asyncio.to_thread(ask_all, send, known, each, first, wrong=wrong)

    return asyncio.run(tried())


async def planted(client: httpx.AsyncClient, drain: Callable[[], Any]) -> dict[str, str]:
    """Something of every kind in the store, by the name under which a request names it."""
    said = {"person": "Tom", "text": "My friend Ann lives in Oslo. My phone number is 555-0142."}
    read = (await client.post(f"/v1/agents/{AGENT}/turns", params={"wait": "read"}, json=said)).json()
    document = await client.post(
        "/v1/documents",
        params={"agent": AGENT, "name": "a.md"},
        content=b"# A\n\nThe plan costs 300.",
        headers={"Content-Type": "text/markdown"},
    )
    await drain()
    reflected = (await client.post(f"/v1/agents/{AGENT}/reflect", json={})).json()["runs"]
    memory = read["changes"][0]["memory"]["memoryId"]
    history = (await client.get(f"/v1/memories/{memory}/history")).json()["history"]
    return {
        "agent": AGENT,
        "model": AGENT,
        "person": "Tom",
        "about": "Tom",
        "user": "Tom",
        "entity": "Ann",
        "one": "Ann",
        "other": "Oslo",
        "memory": memory,
        "event": read["eventId"],
        "document": document.json()["id"],
        "run": reflected[0]["run"] if reflected else history[0]["run"],
    }


async def answered(client: httpx.AsyncClient, request: Mapping[str, Any]) -> httpx.Response | None:
    """The answer; None for a stream that goes on."""
    if not request["url"].startswith(f"{BASE}{ENDLESS}"):
        return await client.request(**request)
    try:
        async with asyncio.timeout(STREAM_SECONDS):
            return await client.request(**request)
    except TimeoutError:
        return None


def ask_all(
    send: Callable[..., httpx.Response | None], known: Mapping[str, str], each: int, first: int, *, wrong: bool
) -> Tried:
    """Every operation of the document."""
    tried = Tried()
    document: Any = schemathesis.openapi.from_dict(routes().openapi())
    for found in document.get_all_operations():
        operation: Any = found.ok()
        name = f"{operation.method.upper()} {operation.path}"
        asking = Asking(send, {} if name == "DELETE /v1/agents/{agent}" else known, tried, name)
        quiet = settings(
            max_examples=each,
            database=None,
            deadline=None,
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=UNWELL,
        )
        mode = GenerationMode.NEGATIVE if wrong else GenerationMode.POSITIVE
        with suppress(Unsatisfiable, SkipTest):  # of some operations nothing can be asked wrongly
            seed(first)(quiet(given(case=operation.as_strategy(mode))(asking.ask)))()
    return tried


@dataclass
class Asking:
    """One operation's cases; every other one is about what is there."""

    send: Callable[..., httpx.Response | None]
    known: Mapping[str, str]
    tried: Tried
    name: str
    number: int = 0

    def ask(self, case: Any) -> None:
        """One case."""
        self.number += 1
        if self.number % 2:
            for part in (case.path_parameters, case.query, case.body):
                for name, value in self.known.items() if isinstance(part, dict) else ():
                    if name in part:
                        part[name] = value
        request = dict(case.as_transport_kwargs(base_url=BASE))
        del request["cookies"]  # no operation takes any
        request["headers"] = {name: text for name, text in request["headers"].items() if name != "Authorization"}
        if isinstance(data := request.pop("data", None), str | bytes):
            request["content"] = data
        elif data is not None:
            request["data"] = data
        try:
            answer = self.send(**request)
        except (httpx.InvalidURL, UnicodeError, ValueError):  # what no client could send
            return
        if answer is None:
            return
        self.tried.statuses[answer.status_code] = self.tried.statuses.get(answer.status_code, 0) + 1
        try:
            case.validate_response(answer, checks=CHECKS)
        except FailureGroup as group:  # every operation is looked at, and the first finding of each told
            told = "; ".join(str(each) for each in group.exceptions)
            self.tried.wrong.setdefault(self.name, f"{answer.status_code} {told} {request} {answer.text[:500]}")
