"""A memory that a server holds, in the words of `Memory` and with its values."""

import asyncio
import inspect
from pathlib import Path
from typing import Any

import pytest

from agentmem import AsyncClient, AsyncMemory, Client, Memory
from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Grant
from agentmem.errors import BackendUnavailable, InvalidInput, NotFound
from agentmem.interfaces.http.routes.calls import HeldMemory
from agentmem.interfaces.python.client import OPERATIONS
from tests.support.nodes import AGENT
from tests.support.served import remote, served
from tests.support.socketed import answering


async def test_a_client_gives_the_values_that_the_memory_gives(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, remote(server) as client:
        memory = HeldMemory(server.app)
        whom: dict[str, Any] = {"user_id": "Tom", "agent_id": AGENT}
        said = [{"role": "user", "content": "My phone number is 555-0142."}, {"role": "assistant", "content": "Noted."}]
        added = await client.add(said, **whom, metadata={"from": "form"})
        assert [(each.event, each["memory"]) for each in added] == [("ADD", "Tom's phone number is 555-0142")]
        found = await client.search("How do I reach Tom?", **whom, layers=[MemoryType.OBSERVATION])
        assert found == await memory.search("How do I reach Tom?", **whom, layers=[MemoryType.OBSERVATION])
        one = found[0].id
        assert await client.get(one) == await memory.get(one)
        assert await client.get_all(**whom) == await memory.get_all(**whom)
        assert (await client.context("phone", **whom)).lines == (await memory.context("phone", **whom)).lines
        told, known = (
            await client.ask("What is his phone number?", **whom),
            await memory.ask("What is his phone number?", **whom),
        )
        assert (told.text, told.sources) == (known.text, known.sources)
        assert (await client.update(one, "Tom's phone number is 555-0199")).memory.endswith("0199")
        assert await client.history(one) == await memory.history(one)
        assert await client.delete(one) >= 1
        assert await client.delete_all(**whom) >= 0
        assert (await client.search("phone", **whom)).results == ()


async def test_what_is_added_without_waiting_is_read_by_the_workers(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, remote(server) as client:
        taken = await client.add("I live in Oslo.", user_id="Tom", agent_id=AGENT, wait=False)
        assert (taken.results, taken.waits) == ((), True)


async def test_errors_are_those_of_the_memory(tmp_path: Path) -> None:
    async with served(tmp_path) as server, remote(server) as client:
        with pytest.raises(NotFound, match="no memory"):
            await client.get("00000000-0000-5000-8000-000000000001")
        with pytest.raises(InvalidInput, match="empty"):
            await client.search(" ", user_id="Tom", agent_id=AGENT)
        with pytest.raises(InvalidInput, match="finite"):
            await client.add("x", user_id="Tom", metadata={"a": float("nan")})
        with pytest.raises(TypeError):
            await client.search()  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
        async with server.client() as http:
            wrong = await http.post("/v1/memory/search", json={"query": "x", "nothing": 1})
            assert (wrong.status_code, "nothing" in wrong.json()["detail"]) == (422, True)
        async with remote(server, "agm_wrong") as stranger:
            with pytest.raises(InvalidInput, match="token"):
                await stranger.search("x", user_id="Tom")


async def test_a_client_may_no_more_than_its_token(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        async with remote(server) as owner:
            await owner.add("My phone number is 555-0142.", user_id="Tom", agent_id=AGENT)
        async with remote(server, await server.token({AGENT: [Grant.READ]})) as reader:
            assert (await reader.search("phone", user_id="Tom", agent_id=AGENT)).results
            for call in (
                reader.add("x", user_id="Tom", agent_id=AGENT),
                reader.delete_all(user_id="Tom", agent_id=AGENT),
                reader.search("phone", user_id="Tom", agent_id="other"),
            ):
                with pytest.raises(NotFound):
                    await call


async def test_a_server_that_is_not_there_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    async with AsyncClient("http://127.0.0.1:9", "agm_x") as client:
        with pytest.raises(BackendUnavailable, match="does not answer"):
            await client.search("x", user_id="Tom")
    monkeypatch.delenv("AGENTMEM_TOKEN", raising=False)
    with pytest.raises(InvalidInput, match="AGENTMEM_TOKEN"):
        AsyncClient()
    assert "agm_x" not in repr(AsyncClient("http://127.0.0.1:9", "agm_x"))


async def test_code_that_is_not_asynchronous_has_the_same(tmp_path: Path) -> None:
    def use(address: str, secret: str) -> str:
        with Client(address, secret) as client:
            client.add("I live in Oslo.", user_id="Tom", agent_id=AGENT)
            return client.search("Where?", user_id="Tom", agent_id=AGENT)[0].memory

    async with served(tmp_path, RulesCognition()) as server, answering(server) as http:
        assert "Oslo" in await asyncio.to_thread(use, str(http.base_url), server.owner)


def test_client_and_memory_have_the_same_words() -> None:
    for name in OPERATIONS:
        of_memory = inspect.signature(getattr(AsyncMemory, name))
        assert inspect.signature(getattr(AsyncClient, name)) == of_memory
        assert inspect.signature(getattr(Client, name)) == inspect.signature(getattr(Memory, name))
    assert {"add", "search", "context", "ask", "remind"} <= set(OPERATIONS)
    assert not (set(vars(AsyncClient)) | set(vars(Client))) & set(OPERATIONS)  # the list stands once


async def test_a_token_of_another_tenant_has_a_memory_of_its_own(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server:
        secret = await server.token(tenant="globex")
        async with remote(server, secret) as theirs, remote(server) as ours:
            await theirs.add("I live in Oslo.", user_id="Tom")
            assert "Oslo" in (await theirs.search("Where does Tom live?", user_id="Tom"))[0].memory
            assert (await ours.search("Where does Tom live?", user_id="Tom")).results == ()
