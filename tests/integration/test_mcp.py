"""The memory as tools: over HTTP and over standard input and output, with the SDK's own client."""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent, TextResourceContents

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.scope import Grant
from tests.support.cli import PATH, ROOT
from tests.support.homes import ANN, homes_in, plant_homes
from tests.support.nodes import AGENT
from tests.support.served import BASE, Served, served

EVERYTHING = tuple(Grant)


@asynccontextmanager
async def connected(server: Served, secret: str) -> AsyncGenerator[Client]:
    """A client at /mcp with this token."""
    transport = httpx2.ASGITransport(server.program)
    headers = {"Authorization": f"Bearer {secret}"}
    async with (
        httpx2.AsyncClient(transport=transport, headers=headers, base_url=BASE) as http,
        Client(streamable_http_client(f"{BASE}/mcp", http_client=http)) as client,
    ):
        yield client


async def called(client: Client, tool: str, **given: object) -> Any:
    """What a tool answers; an error as its text."""
    answer = await client.call_tool(tool, dict(given))
    assert isinstance(answer.content[0], TextContent)
    return answer.content[0].text if answer.is_error else answer.structured_content


async def remembers(client: Client) -> None:
    """What is added is found, told, corrected, and forgotten."""
    added = await called(client, "add_memory", text="My phone number is 555-0142.", user_id="Tom")
    assert [(each["event"], "555-0142" in each["memory"]) for each in added["results"]] == [("ADD", True)]
    memory = added["results"][0]["id"]
    found = await called(client, "search_memories", query="How do I reach Tom?", user_id="Tom")
    assert found["results"][0]["id"] == memory
    assert [each["id"] for each in (await called(client, "list_memories"))["results"]] == [memory]
    assert "555-0142" in (await called(client, "context", query="phone"))["result"]
    assert (await called(client, "ask", question="What is Tom's phone number?"))["sources"][0]["id"] == memory
    assert [each["id"] for each in (await called(client, "search", query="phone"))["results"]] == [memory]
    assert "My phone number is" in (await called(client, "fetch", id=memory))["text"]
    (resource,) = (await client.read_resource(f"agentmem://memories/{memory}")).contents
    assert isinstance(resource, TextResourceContents)
    assert memory in resource.text
    changed = await called(client, "update_memory", memory_id=memory, text="Tom's phone number is 555-0199")
    assert changed["memory"].endswith("0199")
    assert len((await called(client, "memory_history", memory_id=memory))["results"]) == 2
    assert (await called(client, "forget", query="my phone", user_id="Tom", dry_run=True))["done"] is False
    assert memory in (await called(client, "delete_memory", memory_id=memory))["forgotten"]
    assert await called(client, "get_memory", memory_id=memory) == (
        f"Error executing tool get_memory: NotFound: no memory {memory!r}"
    )


async def test_over_http(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, connected(server, server.owner) as client:
        await remembers(client)


async def test_over_standard_input_and_output(tmp_path: Path) -> None:
    program = StdioServerParameters(
        command=sys.executable,
        args=["-m", "agentmem", "mcp", "--data", str(tmp_path)],
        cwd=ROOT,
        env={"PYTHONPATH": PATH, "AGENTMEM_INDEX__KIND": "memory"},
    )
    async with Client(program) as client:
        await remembers(client)


async def test_tools_say_what_they_do_to_memories(tmp_path: Path) -> None:
    async with served(tmp_path) as server, connected(server, server.owner) as client:
        tools = (await client.list_tools()).tools
    assert len(tools) == 12
    hints = {tool.name: tool.annotations for tool in tools}
    assert all(tool.description and tool.annotations for tool in tools)
    looks = {name for name, hint in hints.items() if hint and hint.read_only_hint}
    takes = {name for name, hint in hints.items() if hint and hint.destructive_hint}
    assert looks | takes | {"add_memory"} == set(hints)
    assert takes == {"update_memory", "delete_memory", "forget"}
    assert all("tenant" not in tool.input_schema["properties"] for tool in tools)


FOREIGN: dict[str, dict[str, Any]] = {
    "another tenant": {"tenant": "initech", "agents": {"*": (Grant.TALK, Grant.READ, Grant.WRITE)}},
    "another agent": {"agents": {"other": EVERYTHING}},
    "somebody else": {"agents": {AGENT: EVERYTHING}, "about": "Ben"},
}
CALLS: dict[str, dict[str, object]] = {
    "add_memory": {"text": "hello", "user_id": ANN.person, "agent_id": AGENT},
    "search_memories": {"query": "PIN", "user_id": ANN.person, "agent_id": AGENT},
    "get_memory": {"memory_id": ANN.memory.memory_id},
    "list_memories": {"user_id": ANN.person, "agent_id": AGENT},
    "update_memory": {"memory_id": ANN.memory.memory_id, "text": "mine"},
    "delete_memory": {"memory_id": ANN.memory.memory_id},
    "memory_history": {"memory_id": ANN.memory.memory_id},
    "context": {"query": "PIN", "user_id": ANN.person, "agent_id": AGENT},
    "ask": {"question": "What is the PIN?", "user_id": ANN.person, "agent_id": AGENT},
    "forget": {"user_id": ANN.person, "agent_id": AGENT},
    "search": {"query": "PIN"},
    "fetch": {"id": ANN.memory.memory_id},
}


@pytest.mark.parametrize("kind", FOREIGN)
async def test_no_tool_reaches_what_is_somebody_elses(kind: str, tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        await plant_homes(server.app)
        secret = await server.token(**FOREIGN[kind])
        async with connected(server, secret) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == set(CALLS)
            for tool, given in CALLS.items():
                told = str(await called(client, tool, **given))
                assert (ANN.tenant, ANN.agent, ANN.person.casefold()) not in homes_in(told), (tool, told)
                assert tool == "search" or "NotFound: " in told, (tool, told)
        assert (await server.app.records.get([ANN.memory.memory_id]))[ANN.memory.memory_id].content == (
            f"Ann's PIN is {ANN.canary}later"
        )


async def test_nobody_speaks_without_a_token_for_another_host_or_from_a_page(tmp_path: Path) -> None:
    ask: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accept = {"Accept": "application/json, text/event-stream"}
    async with served(tmp_path) as server:
        async with server.client("") as client:
            assert (await client.post("/mcp", json=ask, headers=accept)).status_code == 401
        async with server.client() as client:
            for header in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
                assert (await client.post("/mcp", json=ask, headers={**accept, **header})).status_code in (403, 421)
            large = {**ask, "params": {"x": "x" * 5_000_000}}
            assert (await client.post("/mcp", json=large, headers=accept)).status_code == 413
            lying = {**accept, "Mcp-Method": "tools/call", "MCP-Protocol-Version": "2026-07-28"}
            assert (await client.post("/mcp", json=ask, headers=lying)).status_code == 400
