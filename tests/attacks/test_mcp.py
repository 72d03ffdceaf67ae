"""Who speaks to the tools and may not: nobody is told or changes more than his token says, whatever a call names."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Grant
from agentmem.runtime.host.clocks import ManualClock
from tests.attacks.test_addresses import ADDRESSES, forbid_calls
from tests.attacks.test_returns import kinds
from tests.support.homes import ANN, ELSEWHERE, GHOST, HOMES, Home, homes_in
from tests.support.nodes import AGENT, TENANT
from tests.support.served import Served, served
from tests.support.speaking import called, connected

EVERYTHING = tuple(Grant)
JSON = {"Accept": "application/json, text/event-stream"}
LIST: Mapping[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


def calls_for(home: Home) -> dict[str, dict[str, object]]:
    """Every tool, asked for what is in a home."""
    memory = home.memory.memory_id
    whom: dict[str, object] = {"user_id": home.person, "agent_id": home.agent}
    return {
        "search_memories": {"query": "PIN", **whom},
        "get_memory": {"memory_id": memory},
        "list_memories": whom,
        "memory_history": {"memory_id": memory},
        "context": {"query": "PIN", **whom},
        "ask": {"query": "What is the PIN?", **whom},
        "search": {"query": "PIN"},
        "fetch": {"id": memory},
        "add_memory": {"text": "hello", **whom},
        "update_memory": {"memory_id": memory, "text": "mine"},
        "forget": {"query": "the budget", **whom},
        "delete_memory": {"memory_id": memory},
    }


WRITES = ("add_memory", "update_memory", "forget", "delete_memory")
KINDS = {name: kind for name, kind in kinds().items() if kind.principal.agents}


async def test_every_tool_is_called_here(homes: Path) -> None:
    async with served(homes) as server, connected(server, server.owner) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == set(calls_for(ANN))


@pytest.mark.thorough
@pytest.mark.parametrize("name", KINDS)
async def test_no_tool_tells_anything_of_somebody_elses(homes: Path, name: str) -> None:
    kind = KINDS[name]
    who = kind.principal
    async with served(homes) as server:
        secret = await server.token(who.agents, about=who.about, tenant=who.tenant)
        async with connected(server, secret) as client:
            for home in (*HOMES, GHOST):
                for tool, given in calls_for(home).items():
                    told = str(await called(client, tool, **given))
                    leaked = {whose: canary for whose, canary in homes_in(told).items() if not kind.may_see(whose)}
                    assert leaked == {}, (tool, home, told)


FOREIGN: dict[str, dict[str, Any]] = {
    "another tenant": {"tenant": "initech", "agents": {"*": (Grant.TALK, Grant.READ, Grant.WRITE)}},
    "another agent": {"agents": {"other": EVERYTHING}},
    "somebody else": {"agents": {AGENT: EVERYTHING}, "about": "Ben"},
}


@pytest.mark.parametrize("kind", FOREIGN)
async def test_what_is_somebody_elses_is_answered_as_what_is_not_there(homes: Path, kind: str) -> None:
    async with served(homes) as server:
        before = await memory_of(server)
        secret = await server.token(**FOREIGN[kind])
        async with connected(server, secret) as client:
            for tool, given in calls_for(ANN).items():
                told = str(await called(client, tool, **given))
                assert tool == "search" or "NotFound: " in told, (tool, told)
        assert await memory_of(server) == before


async def test_who_may_read_changes_nothing(homes: Path) -> None:
    async with served(homes) as server:
        before = await memory_of(server)
        secret = await server.token({AGENT: [Grant.READ]})
        async with connected(server, secret) as client:
            for tool in WRITES:
                told = str(await called(client, tool, **calls_for(ANN)[tool]))
                assert "NotFound: " in told, (tool, told)
        assert await memory_of(server) == before


async def memory_of(server: Served) -> MemoryNode:
    return (await server.app.records.get([ANN.memory.memory_id]))[ANN.memory.memory_id]


async def test_no_argument_names_a_tenant(homes: Path) -> None:
    async with served(homes) as server, connected(server, server.owner) as client:
        for tool, given in calls_for(ANN).items():
            if tool not in WRITES:
                told = str(await called(client, tool, **{**given, "tenant": ELSEWHERE.tenant}))
                assert {tenant for tenant, *_ in homes_in(told)} <= {TENANT}, (tool, told)


async def test_nobody_is_answered_without_a_token_that_is_good(homes: Path) -> None:
    async with served(homes) as server:
        revoked = await server.token(name="revoked")
        brief = await server.token(name="brief", lifetime=timedelta(hours=1))
        await server.app.tokens.revoke("revoked")
        clock = server.app.clock
        assert isinstance(clock, ManualClock)
        clock.advance(timedelta(hours=2))
        for secret in ("", "agm_wrong", revoked, brief):
            async with server.client(secret) as client:
                answer = await client.post("/mcp", json=LIST, headers=JSON)
                assert answer.status_code == 401, secret
                assert answer.headers["WWW-Authenticate"].startswith("Bearer")


async def test_no_tool_tells_a_secret_of_the_configuration_or_where_files_lie(homes: Path) -> None:
    async with served(homes) as server, connected(server, server.owner) as client:
        for tool, given in calls_for(ANN).items():
            told = str(await called(client, tool, **given))
            assert server.owner not in told, tool
            assert str(homes) not in told, tool


@pytest.mark.parametrize("name", ["Tom\r\nX-Evil: 1", "Tom\x00", "Tom\u2028"])
async def test_no_name_splits_an_answer(name: str, homes: Path) -> None:
    async with served(homes) as server, server.client() as client:
        for argument in ("user_id", "agent_id"):
            given = {"text": "hello", "user_id": "Tom", "agent_id": AGENT, argument: name}
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
            body = {**call, "params": {"name": "add_memory", "arguments": given}}
            answer = await client.post("/mcp", json=body, headers=JSON)
            assert answer.status_code == 200
            assert answer.json()["result"]["isError"] is True, answer.text
            assert "x-evil" not in answer.headers


async def test_a_call_is_what_its_headers_say_it_is(homes: Path) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    body = {**call, "params": {"name": "delete_memory", "arguments": {"memory_id": ANN.memory.memory_id}}}
    told = {**JSON, "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call"}
    async with served(homes) as server, server.client() as client:
        before = await memory_of(server)
        for wrong in ({"Mcp-Name": "search_memories"}, {"Mcp-Name": "delete_memory", "Mcp-Method": "tools/list"}):
            assert (await client.post("/mcp", json=body, headers={**told, **wrong})).status_code == 400
        assert await memory_of(server) == before


@pytest.mark.sweep
@pytest.mark.parametrize("address", ADDRESSES)
async def test_no_address_that_is_said_is_called(homes: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = list[object]()
    async with served(homes) as server, connected(server, server.owner) as client:
        forbid_calls(monkeypatch, calls)
        for tool in ("add_memory", "context", "ask", "forget"):
            what = "text" if tool == "add_memory" else "query"
            await called(client, tool, **{what: f"See {address}", "user_id": "Tom", "agent_id": AGENT})
        await called(client, "fetch", id=address)
    assert calls == []


async def test_a_revoked_token_ends_what_was_begun_with_it(homes: Path) -> None:
    async with served(homes) as server, server.client(await server.token(name="brief")) as client:
        assert (await client.post("/mcp", json=LIST, headers=JSON)).status_code == 200
        await server.app.tokens.revoke("brief")
        await server.callers.look()
        assert (await client.post("/mcp", json=LIST, headers=JSON)).status_code == 401


async def test_a_session_that_somebody_else_may_have_had_opens_nothing(homes: Path) -> None:
    search = {"name": "search_memories", "arguments": {"query": "PIN", "agent_id": AGENT}}
    body = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": search}
    async with served(homes) as server:
        secret = await server.token({"other": EVERYTHING})
        async with server.client() as owner:
            begun = await owner.post("/mcp", json=LIST, headers=JSON)
        state = begun.headers.get("Mcp-Session-Id", "00000000000000000000000000000000")
        async with server.client(secret) as client:
            answer = await client.post("/mcp", json=body, headers={**JSON, "Mcp-Session-Id": state})
            assert homes_in(answer.text) == {}
            assert "NotFound" in answer.text or answer.status_code in (400, 404)


async def test_what_is_no_call_is_refused(homes: Path) -> None:
    async with served(homes) as server, server.client() as client:
        for wrong in ([LIST, LIST], {"jsonrpc": "1.0"}, "tools/list", None, {**LIST, "method": 7}):
            answer = await client.post("/mcp", json=wrong, headers=JSON)
            assert 400 <= answer.status_code < 500, (wrong, answer.status_code, answer.text)
        deep = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": ' + b"[" * 10_000 + b"]" * 10_000 + b"}"
        kind = {**JSON, "Content-Type": "application/json"}
        assert 400 <= (await client.post("/mcp", content=deep, headers=kind)).status_code < 500


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
async def test_a_client_of_an_earlier_specification_is_answered(homes: Path, version: str) -> None:
    said = {
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": {"name": "old", "version": "1"},
    }
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": said}
    async with served(homes) as server, server.client() as client:
        begun = await client.post("/mcp", json=begin, headers=JSON)
        assert begun.json()["result"]["protocolVersion"] == version
        assert begun.json()["result"]["serverInfo"]["version"]
        listed = await client.post("/mcp", json=LIST, headers={**JSON, "MCP-Protocol-Version": version})
        assert len(listed.json()["result"]["tools"]) == 12
