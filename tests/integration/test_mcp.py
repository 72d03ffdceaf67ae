"""The memory as tools: over HTTP and over standard input and output, with the SDK's own client."""

import json
import sys
from asyncio import StreamReader
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import TextResourceContents

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.interfaces.installed import installed_version
from agentmem.interfaces.mcp.transports import speak
from tests.support.cli import PATH, ROOT
from tests.support.served import served
from tests.support.speaking import called, connected
from tests.support.spine import spine


async def remembers(client: Client) -> None:
    """What is added is found, told, corrected, and forgotten."""
    added = await called(client, "add_memory", text="My phone number is 555-0142.", user_id="Tom")
    assert [(each["event"], "555-0142" in each["memory"]) for each in added["results"]] == [("ADD", True)]
    memory = added["results"][0]["id"]
    found = await called(client, "search_memories", query="How do I reach Tom?", user_id="Tom")
    assert found["results"][0]["id"] == memory
    assert [each["id"] for each in (await called(client, "list_memories"))["results"]] == [memory]
    assert "555-0142" in (await called(client, "context", query="phone"))["result"]
    assert (await called(client, "ask", query="What is Tom's phone number?"))["sources"][0]["id"] == memory
    assert [each["id"] for each in (await called(client, "search", query="phone"))["results"]] == [memory]
    assert "My phone number is" in (await called(client, "fetch", id=memory))["text"]
    (resource,) = (await client.read_resource(f"agentmem://memories/{memory}")).contents
    assert isinstance(resource, TextResourceContents)
    assert memory in resource.text
    ahead = await called(client, "update_memory", memory_id=memory, text="Tom has moved", since="2999-01-01")
    assert "since: lies in the future" in ahead
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
        noted = (server.app.settings.data / "audit.jsonl").read_text().splitlines()
        assert {json.loads(line)["route"] for line in noted} == {"/mcp"}


@dataclass
class Spoken:
    """A program that says these lines and then closes, and what it is answered."""

    lines: StreamReader = field(default_factory=lambda: StreamReader(limit=1 << 20))
    heard: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    @property
    def say(self) -> Callable[[str], Awaitable[None]]:
        return self._hear

    async def _hear(self, text: str) -> None:
        self.heard.append(json.loads(text))
        if self.heard[-1]["id"] == "last":
            self.lines.feed_eof()


async def test_who_says_what_is_no_message_is_answered_and_may_go_on(tmp_path: Path) -> None:
    begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    told = Spoken()
    for line in (
        json.dumps({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": begin}),
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask", "text": "\ud800"}}),
        json.dumps({"jsonrpc": "2.0", "id": 2, "method": "ping", "params": []}),
        json.dumps({"jsonrpc": "2.0", "id": "\ud800", "method": "ping"}),
        "{",
        "[" * 5_000,
        json.dumps({"jsonrpc": "2.0", "id": "last", "method": "ping"}),
    ):
        told.lines.feed_data(line.encode() + b"\n")
    async with spine(tmp_path, RulesCognition()) as app:
        await speak(app, told)
    assert sorted(str(each["id"]) for each in told.heard) == ["1", "2", "None", "None", "None", "first", "last"]
    assert [each["error"]["code"] for each in told.heard if "error" in each] == [-32600] * 3 + [-32700] * 2


@pytest.mark.thorough
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
        assert client.server_info is not None
        assert (client.server_info.name, client.server_info.version) == ("agentmem", installed_version())
    assert len(tools) == 12
    hints = {tool.name: tool.annotations for tool in tools}
    assert all(tool.description and tool.annotations for tool in tools)
    looks = {name for name, hint in hints.items() if hint and hint.read_only_hint}
    takes = {name for name, hint in hints.items() if hint and hint.destructive_hint}
    assert looks | takes | {"add_memory"} == set(hints)
    assert takes == {"update_memory", "delete_memory", "forget"}
    assert all("tenant" not in tool.input_schema["properties"] for tool in tools)


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


WRONG: list[tuple[str, dict[str, object], str]] = [
    ("ask", {"question": "Where?"}, "'question' is not known here; allowed: query, user_id, agent_id"),
    ("ask", {}, "query: is missing"),
    ("ask", {"query": ""}, "query: must not be empty"),
    ("ask", {"query": 7}, "query: must be text"),
    ("search_memories", {"query": "x", "limit": 0}, "limit: must be 1 or more"),
    ("search_memories", {"query": "x", "limit": 1_000}, "limit: must be 100 or less"),
    ("search_memories", {"query": "x", "limit": "many"}, "limit: must be a whole number"),
    ("context", {"query": "x", "budget": 1}, "budget: must be 200 or more"),
    ("forget", {"dry_run": "perhaps"}, "dry_run: must be true or false"),
    ("get_memory", {"memory_id": "x" * 65}, "memory_id: must have at most 64 characters"),
    ("forget", {"user": "Tom"}, "'user' is not known here; allowed: query, user_id, agent_id, dry_run"),
]


async def test_a_wrong_argument_is_told_in_one_line_by_every_tool(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, connected(server, server.owner) as client:
        await called(client, "add_memory", text="I live in Oslo.", user_id="Tom")
        for tool, arguments, line in WRONG:
            told = await called(client, tool, **arguments)
            assert told == f"Error executing tool {tool}: InvalidInput: {line}", (tool, arguments)
        for tool in (await client.list_tools()).tools:
            told = await called(client, tool.name, nonsense=1)
            assert "InvalidInput: 'nonsense' is not known here; allowed: " in told, tool.name
            assert "\n" not in told
            if tool.input_schema.get("required"):
                told = await called(client, tool.name)
                assert told.startswith(f"Error executing tool {tool.name}: InvalidInput: "), tool.name
                assert told.endswith(": is missing"), tool.name
        assert len((await called(client, "list_memories"))["results"]) == 1
