"""Who comes in over HTTP and is not let in: without a token, for another host, from a page, too often, with too much;
and who is let in, and gets no more than his token says. Routes are taken from the code; one that is not called here
fails.
"""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from agentmem.domain.access_token import AccessToken
from agentmem.domain.scope import Grant
from agentmem.errors import BackendUnavailable, InvalidInput, NotFound
from agentmem.interfaces.http import callers as callers_module
from agentmem.interfaces.http import transfers
from agentmem.interfaces.http.api import routes
from agentmem.interfaces.http.callers import WRONG_AT_ONCE
from agentmem.interfaces.http.problems import RefusedRequest
from agentmem.interfaces.http.serving import Serving
from agentmem.runtime.configuration.settings import ServerSettings
from agentmem.runtime.facade.access_tokens import Tokens
from agentmem.runtime.host.clocks import ManualClock
from tests.attacks.test_returns import kinds
from tests.fixtures.talking_model import speaker
from tests.support.cli import agentmem
from tests.support.homes import ANN, ELSEWHERE, GHOST, HOMES, Home, homes_in
from tests.support.nodes import AGENT, TENANT
from tests.support.served import BASE, Served, served

EVERYTHING = tuple(Grant)
UNKNOWN = "00000000-0000-5000-8000-00000000abcd"


@dataclass(frozen=True)
class Call:
    """A request in order, for what is in a home; `writes`: it takes more than to read. `whole`: for the whole store.
    `owners`: for who runs it."""

    method: str
    path: str
    body: Mapping[str, Any] | None = None
    writes: bool = False
    whole: bool = False
    owners: bool = False
    hidden: bool = True
    """It is answered as what is not there where it may not be asked; otherwise with less."""
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    def of(self, home: Home, *, event: str = "00" * 16) -> dict[str, Any]:
        """The request for this home."""
        named = {"agent": home.agent, "person": home.person, "memory": home.memory.memory_id, "event": event}
        named |= {what: home.id_of(what) for what in ("job", "run")}
        named["document"] = home.document
        body = (
            {key: value.format(**named) if isinstance(value, str) else value for key, value in self.body.items()}
            if (self.body is not None)
            else None
        )
        content: dict[str, Any] = {"json": body} if self.content is None else {"content": self.content}
        return {"method": self.method, "url": self.path.format(**named), **content, "headers": dict(self.headers)}


BYTES = {"Content-Type": "application/octet-stream"}
SAID = [{"role": "user", "content": "What is the PIN?"}]
ASKED = {"agent": "{agent}", "query": "PIN", "about": "{person}"}
BY_ROUTE: dict[str, Call] = {
    "GET /healthz": Call("GET", "/healthz", hidden=False),
    "GET /readyz": Call("GET", "/readyz", hidden=False),
    "GET /metrics": Call("GET", "/metrics", whole=True),
    "GET /v1/agents": Call("GET", "/v1/agents", hidden=False),
    "GET /v1/agents/{agent}": Call("GET", "/v1/agents/{agent}"),
    "PUT /v1/agents/{agent}": Call(
        "PUT", "/v1/agents/{agent}", {"id": "{agent}", "name": "A"}, writes=True, hidden=False
    ),
    "POST /v1/agents/{agent}/turns": Call(
        "POST", "/v1/agents/{agent}/turns", {"person": "{person}", "text": "hello"}, writes=True
    ),
    "GET /v1/events/{event}": Call("GET", "/v1/events/{event}"),
    "POST /v1/recall": Call("POST", "/v1/recall", ASKED),
    "POST /v1/context": Call("POST", "/v1/context", ASKED),
    "POST /v1/ask": Call("POST", "/v1/ask", ASKED),
    "GET /v1/memories": Call("GET", "/v1/memories?agent={agent}&about={person}"),
    "GET /v1/memories/{memory}": Call("GET", "/v1/memories/{memory}"),
    "GET /v1/memories/{memory}/history": Call("GET", "/v1/memories/{memory}/history"),
    "PATCH /v1/memories/{memory}": Call("PATCH", "/v1/memories/{memory}", {"content": "mine"}, writes=True),
    "POST /v1/memories/{memory}/end": Call("POST", "/v1/memories/{memory}/end", {}, writes=True),
    "POST /v1/memories/{memory}/bring-back": Call("POST", "/v1/memories/{memory}/bring-back", writes=True),
    "POST /v1/memories/{memory}/settle": Call(
        "POST", "/v1/memories/{memory}/settle", {"other": "{memory}"}, writes=True
    ),
    "DELETE /v1/memories/{memory}": Call("DELETE", "/v1/memories/{memory}", writes=True),
    "POST /v1/forget": Call("POST", "/v1/forget", {"agent": "{agent}", "about": "{person}"}, writes=True),
    "POST /v1/agents/{agent}/talk": Call(
        "POST", "/v1/agents/{agent}/talk", {"person": "{person}", "text": "What is the PIN?"}, writes=True
    ),
    "GET /v1/changes": Call("GET", "/v1/changes?agent={agent}&about={person}&after=x"),
    "GET /openai/v1/models": Call("GET", "/openai/v1/models", hidden=False),
    "GET /openai/v1/models/{model}": Call("GET", "/openai/v1/models/{agent}"),
    "POST /openai/v1/chat/completions": Call(
        "POST", "/openai/v1/chat/completions", {"model": "{agent}", "user": "{person}", "messages": SAID}, writes=True
    ),
    "POST /openai/v1/responses": Call(
        "POST", "/openai/v1/responses", {"model": "{agent}", "user": "{person}", "input": "PIN?"}, writes=True
    ),
    "POST /v1/memory/{operation}": Call(
        "POST", "/v1/memory/update", {"memory_id": "{memory}", "text": "mine"}, writes=True
    ),
    "POST /v1/agents/{agent}/turns/batch": Call(
        "POST", "/v1/agents/{agent}/turns/batch", {"person": "{person}", "turns": [{"text": "hello"}]}, writes=True
    ),
    "POST /v1/agents/{agent}/reflect": Call("POST", "/v1/agents/{agent}/reflect", {"about": "{person}"}, writes=True),
    "POST /v1/agents/{agent}/clone": Call("POST", "/v1/agents/{agent}/clone", {"newId": "theft"}, writes=True),
    "DELETE /v1/agents/{agent}": Call("DELETE", "/v1/agents/{agent}", writes=True),
    "GET /v1/agents/{agent}/graph": Call("GET", "/v1/agents/{agent}/graph?entity={person}"),
    "GET /v1/agents/{agent}/graph/path": Call("GET", "/v1/agents/{agent}/graph/path?one={person}&other=Tom"),
    "GET /v1/queue": Call("GET", "/v1/queue", whole=True),
    "GET /v1/dead": Call("GET", "/v1/dead", hidden=False),
    "POST /v1/dead/{what}": Call("POST", "/v1/dead/drop", {"jobs": ["{job}"]}, hidden=False),
    "POST /v1/agents/{agent}/percepts": Call(
        "POST",
        "/v1/agents/{agent}/percepts",
        {"person": "{person}", "readings": [{"sensor": "heart", "reading": 72}]},
        writes=True,
    ),
    "POST /v1/agents/{agent}/hire": Call(
        "POST",
        "/v1/agents/{agent}/hire",
        {"newId": "x", "fromTenant": "acme", "dryRun": True},
        writes=True,
        owners=True,
    ),
    "POST /v1/agents/{agent}/release": Call("POST", "/v1/agents/{agent}/release", writes=True, owners=True),
    "POST /v1/bundles/{agent}": Call("POST", "/v1/bundles/{agent}"),
    "POST /v1/bundles": Call("POST", "/v1/bundles", content=b"{}", headers=BYTES, writes=True, hidden=False),
    "GET /v1/documents": Call("GET", "/v1/documents?agent={agent}"),
    "POST /v1/documents": Call(
        "POST", "/v1/documents?agent={agent}&name=a.md", content=b"# A\nx", headers=BYTES, writes=True
    ),
    "GET /v1/documents/{document}": Call("GET", "/v1/documents/{document}"),
    "DELETE /v1/documents/{document}": Call("DELETE", "/v1/documents/{document}", writes=True),
    "GET /v1/agents/{agent}/graph/neighbourhood": Call("GET", "/v1/agents/{agent}/graph/neighbourhood?entity={person}"),
    "GET /v1/agents/{agent}/graph/communities": Call("GET", "/v1/agents/{agent}/graph/communities"),
    "GET /v1/agents/{agent}/graph/export": Call("GET", "/v1/agents/{agent}/graph/export"),
    "GET /v1/agents/{agent}/reflections": Call("GET", "/v1/agents/{agent}/reflections?about={person}"),
    "GET /v1/runs/{run}": Call("GET", "/v1/runs/{run}"),
    "POST /v1/undo": Call("POST", "/v1/undo", {"run": "shared"}, writes=True),
}

CALLS = BY_ROUTE | {
    "asked as of a Memory": Call(
        "POST", "/v1/memory/search", {"query": "PIN", "user_id": "{person}", "agent_id": "{agent}"}, hidden=False
    ),
    "asked as by a store": Call(
        "POST",
        "/v1/memory/keep_items",
        {"ops": [{"op": "search", "below": [], "limit": 9}], "agent_id": "{agent}"},
        hidden=False,
    ),
    "asked for a stream": Call("POST", "/v1/ask?stream=true", ASKED),
    "asked for events": Call("POST", "/v1/ask", ASKED, headers={"Accept": "text/event-stream"}),
    "asked for Markdown": Call("POST", "/v1/bundles/{agent}?format=markdown"),
    "asked for a card": Call("POST", "/v1/bundles/{agent}?format=card"),
    "asked for the past": Call("GET", "/v1/agents/{agent}/graph/neighbourhood?entity={person}&asOf=2026-01-01T00:00Z"),
    "asked for another run": Call("GET", "/v1/runs/shared"),
    "hired for good": Call(
        "POST", "/v1/agents/{agent}/hire", {"newId": "x", "fromTenant": "globex"}, writes=True, owners=True
    ),
}


def test_every_route_is_called_here() -> None:
    paths = routes().openapi()["paths"]
    assert {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods} == set(BY_ROUTE)


async def answered(server: Served, secret: str, request: Mapping[str, Any]) -> httpx.Response:
    async with server.client(secret) as client:
        return await client.request(**request)


async def test_nobody_is_answered_without_a_token_that_is_good(homes: Path) -> None:
    async with served(homes) as server:
        revoked, brief = (
            await server.token(name="revoked"),
            await server.token(name="brief", lifetime=timedelta(hours=1)),
        )
        await server.app.tokens.revoke("revoked")
        clock = server.app.clock
        assert isinstance(clock, ManualClock)
        clock.advance(timedelta(hours=2))
        for name, call in CALLS.items():
            for secret in ("", "agm_wrong", revoked, brief):
                answer = await answered(server, secret, call.of(ANN))
                if name == "GET /healthz":
                    assert answer.status_code == 200
                    continue
                assert answer.status_code in (401, 429), (name, answer.status_code)
                assert answer.status_code == 429 or answer.headers["WWW-Authenticate"].startswith("Bearer")
                server.callers._wrong.clear()  # pyright: ignore[reportPrivateUsage] - every one is a first try


FOREIGN: Mapping[str, tuple[dict[str, Any], Home]] = {
    "another tenant": ({"tenant": "initech", "agents": {"*": EVERYTHING}}, ANN),
    "another agent": ({"agents": {"other": EVERYTHING}}, ANN),
    "somebody else": ({"agents": {AGENT: EVERYTHING}, "about": "Ben"}, ANN),
}


@pytest.mark.parametrize("kind", FOREIGN)
async def test_what_is_somebody_elses_is_answered_as_what_is_not_there(homes: Path, kind: str) -> None:
    given, home = FOREIGN[kind]
    ghost = Home(home.tenant, AGENT if kind == "somebody else" else "nobody", "Nobody", ghost=True)
    async with served(homes) as server:
        secret, event = await server.token(**given), await event_of(server, home)
        for name, call in sorted(CALLS.items(), key=lambda item: not item[1].hidden):  # the others make something
            told = await answered(server, secret, call.of(home, event=event))
            missing = await answered(server, secret, call.of(ghost))
            assert (home.tenant, home.agent, home.person.casefold()) not in homes_in(told.text), name
            if call.hidden and not (kind == "somebody else" and name in OF_THE_AGENT):
                assert told.status_code == 404, (name, told.text)
                assert missing.status_code in (404, 422), (name, missing.text)
                assert plain(told, home) == plain(missing, ghost), name


OF_THE_AGENT = frozenset(
    {
        "GET /v1/agents/{agent}",
        "GET /openai/v1/models/{model}",
        "GET /v1/documents",
        "GET /v1/agents/{agent}/graph/export",
    }
)
"""Who may touch what is about himself is answered with that."""


async def event_of(server: Served, home: Home) -> str:
    """The event of a turn in this home, said by its owner."""
    secret = await server.token(name="theirs", tenant=home.tenant)
    call = CALLS["POST /v1/agents/{agent}/turns"]
    return (await answered(server, secret, call.of(home))).json()["eventId"]


def plain(answer: httpx.Response, home: Home) -> str:
    """What was answered, without what was asked for."""
    text = answer.json()["detail"]
    for word in (home.agent, home.person, home.memory.memory_id, home.id_of("run"), home.document):
        text = text.replace(repr(word), "…")
    return text.split("; it knows")[0].split("no event")[0]


KINDS = {name: kind for name, kind in kinds().items() if kind.principal.agents}


@pytest.mark.thorough
@pytest.mark.parametrize("name", KINDS)
async def test_no_answer_holds_anything_of_somebody_elses(homes: Path, name: str) -> None:
    kind = KINDS[name]
    who = kind.principal
    async with served(homes, speaks=speaker("a reply").chat) as server:
        secret = await server.token(who.agents, about=who.about, tenant=who.tenant)
        for asked, call in sorted(CALLS.items(), key=lambda item: item[1].writes):
            for home in (*HOMES, GHOST) if asked not in ENDLESS or not kind.reads else ():
                told = (await answered(server, secret, call.of(home))).text
                leaked = {whose: canary for whose, canary in homes_in(told).items() if not kind.may_see(whose)}
                assert leaked == {}, (asked, home, told)


ENDLESS = frozenset({"GET /v1/changes"})
"""Who may read there is answered for as long as he listens."""


async def test_who_may_read_changes_nothing(homes: Path) -> None:
    async with served(homes) as server:
        secret = await server.token({AGENT: [Grant.READ]})
        for name, call in CALLS.items():
            if call.writes:
                assert (await answered(server, secret, call.of(ANN))).status_code == 404, name
        before = await server.app.records.get([ANN.memory.memory_id])
        assert before[ANN.memory.memory_id].store_status == "valid"


def stored(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of the journal, by table."""
    with closing(sqlite3.connect(folder / "journal.db")) as journal:
        tables = [name for (name,) in journal.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: sorted(journal.execute(f"SELECT * FROM {name}"), key=repr) for name in tables}


async def test_who_gets_something_changes_nothing(homes: Path) -> None:
    async with served(homes) as server:
        before = stored(server.app.settings.data)
        for name, call in CALLS.items():
            if call.method == "GET" and name not in ENDLESS:
                await answered(server, server.owner, call.of(ANN))
                assert stored(server.app.settings.data) == before, name


async def test_what_is_of_the_whole_store_is_the_owners(homes: Path) -> None:
    async with served(homes) as server:
        secret = await server.token({"*": EVERYTHING})
        for name, call in CALLS.items():
            if call.whole or call.owners:
                assert (await answered(server, secret, call.of(ANN))).status_code == 404, name
            if call.whole:
                assert (await answered(server, server.owner, call.of(ANN))).status_code == 200, name


@pytest.mark.parametrize("where", ["body", "query", "header"])
async def test_nothing_in_a_request_names_a_tenant(homes: Path, where: str) -> None:
    given = {"tenant": ELSEWHERE.tenant}
    async with served(homes) as server, server.client() as client:
        answer = await client.post(
            "/v1/recall",
            json={"agent": AGENT, "query": "PIN", **(given if where == "body" else {})},
            params=given if where == "query" else None,
            headers={"X-Tenant": ELSEWHERE.tenant} if where == "header" else None,
        )
        assert answer.status_code == (422 if where == "body" else 200)
        assert {tenant for tenant, *_ in homes_in(answer.text)} <= {TENANT}


async def test_no_body_names_a_tenant_or_a_principal(homes: Path) -> None:
    async with served(homes) as server:
        for name, call in CALLS.items():
            request = call.of(ANN)
            if request.get("json") is None or "/openai/" in name:  # programs of others send what they like, unheard
                continue
            for field_name in ("tenant", "principal", "token"):
                wrong = {**request, "json": {**request["json"], field_name: ELSEWHERE.tenant}}
                answer = await answered(server, server.owner, wrong)
                assert answer.status_code == 422, (name, field_name, answer.text)


@pytest.mark.parametrize("where", ["?token={}", "?access_token={}", "?api_key={}"])
async def test_a_token_is_taken_from_its_header_alone(where: str, tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client("") as client:
        assert (await client.get(f"/v1/agents{where.format(server.owner)}")).status_code == 401
        assert (await client.get("/v1/agents", headers={"X-API-Key": server.owner})).status_code == 401
        assert (await client.get("/v1/agents", headers={"Cookie": f"token={server.owner}"})).status_code == 401
        assert server.owner not in (server.app.settings.data / "audit.jsonl").read_text()


async def test_nothing_that_is_asked_for_tells_a_secret_of_the_configuration(homes: Path) -> None:
    async with served(homes) as server:
        held = server.app.settings.model_dump_json()
        assert "api_key" in held or "apiKey" in held
        for name, call in CALLS.items():
            if call.method == "GET" and name not in ENDLESS:
                told = (await answered(server, server.owner, call.of(ANN))).text
                assert server.owner not in told, name
                assert str(homes) not in told, name


@pytest.mark.parametrize("name", ["Tom\r\nX-Evil: 1", "Tom\x00", "Tom\u2028", "a\nb"])
async def test_no_name_splits_an_answer(name: str, tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        turn = {"person": name, "text": "hello"}
        answers = [
            await client.post(f"/v1/agents/{AGENT}/turns", json=turn),
            await client.get("/v1/memories", params={"agent": AGENT, "about": name}),
            await client.post(
                "/v1/documents", params={"agent": AGENT, "name": f"{name}.md"}, content=b"x", headers=BYTES
            ),
            await client.post("/v1/bundles", params={"as": name}, content=b"{}", headers=BYTES),
        ]
        for answer in answers:
            assert answer.status_code in (404, 422), answer.text
            assert "x-evil" not in answer.headers
            assert "\n" not in answer.json()["detail"]


async def test_nesting_and_size_cost_no_more_than_a_refusal(tmp_path: Path) -> None:
    deep = b'{"agent": "seller", "query": "x", "filter": ' + b'{"AND": [' * 10_000 + b"]}" * 10_000 + b"}"
    async with served(tmp_path) as server, server.client() as client:
        answer = await client.post("/v1/recall", content=deep, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422)
        claimed = {"Content-Type": "application/json", "Content-Length": str(100 << 20)}
        assert (await client.post("/v1/recall", content=b"{}", headers=claimed)).status_code == 413


@pytest.mark.parametrize("about", ["", "*", " Ben", [], {"ne": "Ben"}, True, 1, "B" * 10_000, "Be\x00n"])
async def test_whom_it_is_about_is_a_name_or_nothing_is_told(homes: Path, about: object) -> None:
    async with served(homes) as server, server.client() as client:
        answer = await client.post("/v1/recall", json={"agent": AGENT, "query": "PIN", "about": about})
        assert answer.status_code in (404, 422)
        assert homes_in(answer.text) == {}


HOSTS = [
    "evil.example",
    "127.0.0.1.evil.example",
    "127.0.0.1@evil.example",
    "localhost.",
    "[::2]",
    "0",
    "",
    "127.1",
    "a:b",
    "evil.example@127.0.0.1",
    "127.0.0.1/evil.example",
]


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("bound", ["127.0.0.1", "0.0.0.0"])
async def test_another_host_is_not_answered_for(host: str, bound: str, tmp_path: Path) -> None:
    async with served(tmp_path, host=bound) as server, server.client() as client:
        for path in ("/healthz", "/v1/agents", "/mcp", "/openai/v1/models", "/", "/openapi.json"):
            assert (await client.get(path, headers={"Host": host})).status_code == 421, path


@pytest.mark.parametrize(
    ("host", "address"), [("localhost:8420", BASE), ("127.0.0.1", BASE), ("192.0.2.7:1", "http://192.0.2.7")]
)
async def test_the_servers_own_addresses_are_answered_for(host: str, address: str, tmp_path: Path) -> None:
    async with served(tmp_path, host="0.0.0.0") as server, server.client(base=address) as client:
        assert (await client.get("/healthz", headers={"Host": host})).status_code == 200


async def test_a_configured_name_is_answered_for_and_no_part_of_it(tmp_path: Path) -> None:
    async with served(tmp_path, hosts=("memory.example.org",)) as server, server.client() as client:
        assert (await client.get("/healthz", headers={"Host": "memory.example.org:443"})).status_code == 200
        assert (await client.get("/healthz", headers={"Host": "evil-memory.example.org"})).status_code == 421


ORIGINS = ["null", "https://evil.example", "https://127.0.0.1:8420", f"{BASE}.evil.example", "http://127.0.0.1", ""]


@pytest.mark.parametrize("origin", ORIGINS)
async def test_a_page_of_another_origin_may_not_call(origin: str, tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        for path in ("/v1/agents", "/mcp", "/openai/v1/models", "/"):
            answer = await client.get(path, headers={"Origin": origin})
            assert answer.status_code == 403, path
            assert "access-control-allow-origin" not in answer.headers


async def test_a_page_that_is_configured_may_call(tmp_path: Path) -> None:
    page = {"Origin": "https://app.example.org"}
    async with served(tmp_path, origins=("https://app.example.org",)) as server, server.client() as client:
        asked = await client.options("/v1/recall", headers={**page, "Access-Control-Request-Method": "POST"})
        assert asked.status_code == 204
        wants = {"Access-Control-Request-Method": "POST"}
        assert (await client.options("/v1/recall", headers=wants)).status_code != 204  # of no page
        assert (await client.options("/v1/recall", headers=page)).status_code != 204  # nothing is asked
        assert (await client.get("/v1/agents", headers={**page, **wants})).status_code == 200  # nor here
        answer = await client.get("/v1/agents", headers=page)
        assert answer.headers["access-control-allow-origin"] == page["Origin"]
        assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
async def test_what_a_form_can_send_is_not_taken(kind: str, tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        body = b'{"agent": "seller", "query": "x"}'
        for path in ("/v1/recall", "/mcp", "/openai/v1/chat/completions", "/v1/agents/seller/hire"):
            answer = await client.post(path, content=body, headers={"Content-Type": kind})
            assert answer.status_code == 415, path
            assert "a body must be application/json" in answer.text


async def test_bodies_are_bounded_however_they_are_sent(tmp_path: Path) -> None:
    async def in_pieces(size: int) -> AsyncGenerator[bytes]:
        for _ in range(size // 100_000):
            yield b" " * 100_000
        yield b" " * (size % 100_000)

    most = 1 << 20
    json = {"Content-Type": "application/json"}
    async with served(tmp_path, body_mb=1) as server, server.client() as client:
        for size, fits in ((most, True), (most + 1, False), (10 * most, False)):
            for content in (b" " * size, in_pieces(size)):
                answer = await client.post("/v1/recall", content=content, headers=json)
                assert (answer.status_code != 413) == fits
        zipped = await client.post("/v1/recall", content=b"x", headers={**json, "Content-Encoding": "gzip"})
        assert zipped.status_code == 415


@pytest.mark.parametrize("path", ["/v1/agents", "/mcp", "/openai/v1/models"])
async def test_nobody_tries_tokens_for_long(path: str, tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client("agm_wrong") as client:
        answers = [(await client.get(path)).status_code for _ in range(int(WRONG_AT_ONCE) + 5)]
        assert answers[0] == 401
        assert answers[-1] == 429
        async with server.client() as good:
            assert (await good.get("/v1/agents")).status_code == 200


async def test_made_up_methods_are_one_line_of_what_is_counted(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        async with server.client("") as nobody:
            for number in range(3):
                await nobody.request(f"FOO{number}", "/enter")
        async with server.client() as owner:
            for number in range(3):
                await owner.request(f"FOO{number}", "/v1/agents")
            assert "FOO" not in (await owner.get("/metrics")).text
        assert "FOO" not in (server.app.settings.data / "audit.jsonl").read_text()


async def test_one_token_takes_no_more_than_its_share(tmp_path: Path) -> None:
    async with served(tmp_path, requests_per_second=1) as server, server.client() as client:
        answers = [await client.get("/v1/agents") for _ in range(4)]
        assert [answer.status_code for answer in answers[:2]] == [200, 200]
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["Retry-After"]) >= 1
        other = await server.token({AGENT: [Grant.READ]})
        async with server.client(other) as another:
            assert (await another.get("/v1/agents")).status_code == 200


async def test_a_request_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    async def never() -> AsyncGenerator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    async with served(tmp_path, request_seconds=0.05) as server, server.client() as client:
        answer = await client.post("/v1/recall", content=never(), headers={"Content-Type": "application/json"})
        assert answer.status_code == 504


@pytest.mark.parametrize(
    ("path", "kind", "goes_on"),
    [
        ("/v1/agents", "application/json", False),
        ("/v1/agents", "text/event-stream; charset=utf-8", True),
        ("/v1/bundles/seller", "application/octet-stream", True),
    ],
)
async def test_an_answer_takes_so_long_in_all_but_a_stream_and_a_file_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, kind: str, *, goes_on: bool
) -> None:
    async with served(tmp_path) as server, server.client() as client:
        loop = asyncio.get_running_loop()
        began, passed, sent = loop.time, 0.0, 0
        monkeypatch.setattr(loop, "time", lambda: began() + passed)

        async def slow(_scope: Scope, _receive: Receive, send: Send) -> None:
            nonlocal passed, sent
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind.encode())]})
            for _ in range(4):
                passed += server.program.options.request_seconds / 2
                await asyncio.sleep(0)
                await send({"type": "http.response.body", "body": b"x", "more_body": True})
                [caller] = server.callers.known
                assert caller.requests.under_way == (not kind.startswith("text/event-stream"))
                sent += 1
            await send({"type": "http.response.body"})

        object.__setattr__(server.program, "inner", slow)
        with suppress(AssertionError):  # of httpx, where the answer ends in the middle
            await client.get(path)
        assert (sent == 4) == goes_on


async def test_wrong_tokens_are_counted_by_the_address_they_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callers_module, "WRONG_PER_SECOND", 1e-9)  # none is forgiven while this runs
    async with served(tmp_path) as server:
        for address in ("192.0.2.1", "192.0.2.2", None):
            async with server.client("agm_wrong", address=address) as client:
                answers = [(await client.get("/v1/agents")).status_code for _ in range(int(WRONG_AT_ONCE) + 1)]
                assert answers == [401] * int(WRONG_AT_ONCE) + [429]


async def test_a_revoked_token_opens_nothing_at_once(tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client(await server.token(name="brief")) as client:
        assert (await client.get("/v1/agents")).status_code == 200
        await server.app.tokens.revoke("brief")
        assert (await client.get("/metrics")).status_code == 401
        assert (await client.get("/v1/agents")).status_code == 401


async def test_a_name_that_was_revoked_can_be_given_anew(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        for _ in range(3):
            secret = await server.token({AGENT: [Grant.READ]}, name="shop")
            async with server.client(secret) as client:
                assert (await client.get("/v1/agents")).json()["agents"][0]["id"] == AGENT
                await server.app.tokens.revoke("shop")
                assert (await client.get("/v1/agents")).status_code == 401


FULL = OSError(28, "No space left on device", "/srv/secret/place")


async def test_nobody_is_told_where_files_of_this_machine_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise FULL

    async def fails_inside(*_: object, **__: object) -> None:
        raise FULL

    async with served(tmp_path) as server, server.client() as client:
        monkeypatch.setattr(transfers, "TemporaryDirectory", fails)
        monkeypatch.setattr(type(server.app.journal.ledger), "get", fails_inside)
        monkeypatch.setattr(type(server.app.journal.registry), "agents", fails_inside)
        answers = [
            await client.post("/v1/documents", params={"agent": AGENT, "name": "a.md"}, content=b"x", headers=BYTES),
            await client.get(f"/v1/memories/{UNKNOWN}"),
            await client.get("/v1/agents"),
            await client.post("/v1/memory/get", json={"memory_id": UNKNOWN}),
        ]
        for answer in answers:
            assert answer.status_code == 503, answer.text
            assert "secret" not in answer.text
            assert "place" not in answer.text


async def test_what_the_journal_says_of_itself_is_told_nobody_over_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(tmp_path) as server, server.client() as client:
        with closing(sqlite3.connect(server.app.settings.data / "journal.db")) as journal:
            journal.execute("ALTER TABLE lanes RENAME TO gone")
        answer = await client.post(f"/v1/agents/{AGENT}/turns", json={"person": "Tom", "text": "Hello."})
        assert answer.status_code == 503, answer.text
        assert str(tmp_path) not in answer.text


async def test_a_look_that_failed_orphans_no_stream_and_lets_nobody_in_unseen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed, looked = asyncio.Event(), asyncio.Event()
    monkeypatch.setattr(callers_module, "LOOK_SECONDS", 0)
    async with served(tmp_path) as server:
        secret = await server.token(name="brief")
        caller = await server.callers.of(f"Bearer {secret}", "127.0.0.1")
        end_revoked = Tokens.end_revoked

        async def failing(self: Tokens, letting_in: Sequence[AccessToken]) -> list[AccessToken]:
            failed.set()
            if not looked.is_set():
                raise BackendUnavailable("the journal is away")
            return await end_revoked(self, letting_in)

        monkeypatch.setattr(Tokens, "end_revoked", failing)
        watching = asyncio.ensure_future(server.callers.watch())
        async with asyncio.timeout(60):
            await failed.wait()
            await asyncio.sleep(0)
            await server.app.tokens.revoke("brief")
            with pytest.raises(RefusedRequest):
                await server.callers.of(f"Bearer {secret}", "127.0.0.1")
            looked.set()
            await caller.ended.wait()
        watching.cancel()


@pytest.mark.parametrize("header", ["Host", "Authorization"])
async def test_a_header_that_decides_stands_there_once(header: str, tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        twice = [("Host", "127.0.0.1"), ("Authorization", f"Bearer {server.owner}"), (header, "evil")]
        assert (await client.send(httpx.Request("GET", f"{BASE}/v1/agents", headers=twice))).status_code == 400


@pytest.mark.parametrize("name", ["a%0d%0aX-Evil:1", "../x", "a b", "%2e%2e", "x" * 65])
async def test_an_id_is_an_id_and_nothing_else(name: str, tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        answer = await client.put(f"/v1/agents/{name.replace('%', '%25')}", json={"id": name, "name": "x"})
        assert answer.status_code in (404, 405, 422)
        assert "x-evil" not in answer.headers


async def test_without_a_token_only_this_machine_is_let_in(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="--insecure"):
        Serving(ServerSettings(host="0.0.0.0"), insecure=True)
    async with served(tmp_path, insecure=True) as server, server.client("") as client:
        assert (await client.get("/v1/agents")).status_code == 200
    async with served(tmp_path / "other", insecure=True) as server, server.client("agm_wrong") as client:
        assert (await client.get("/v1/agents")).status_code == 401


def test_no_first_token_is_made_for_who_listens_to_everybody(tmp_path: Path) -> None:
    for options in (("--host", "0.0.0.0"), ("--host", "0.0.0.0", "--insecure")):
        refused = agentmem("serve", "--port", "0", *options, "--data", tmp_path, "--json")
        assert refused.code in (2, 3)
        assert "token" in refused.err or "--insecure" in refused.err
    assert agentmem("token", "list", "--data", tmp_path, "--json").json == {"tokens": []}


async def test_no_secret_is_no_token(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        for secret in ("", " ", "None", "null", "undefined"):
            with pytest.raises(NotFound):
                await server.app.tokens.bearer(secret)
            async with server.client("") as client:
                answer = await client.get("/v1/agents", headers={"Authorization": f"Bearer {secret}"})
                assert answer.status_code == 401
