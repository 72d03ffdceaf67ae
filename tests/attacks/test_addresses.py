"""Addresses in what comes in, a card, an agent file, a persona, a document: nobody calls there. Only the local
configuration says which servers are called."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from agentmem.domain.persona import Persona
from agentmem.errors import AgentMemError, InvalidInput
from agentmem.runtime.configuration.personas import all_personas
from tests.support.foreign import agent_file
from tests.support.nodes import AGENT
from tests.support.served import served
from tests.support.spine import spine

ADDRESSES = (
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost:6333/collections",
    "http://0.0.0.0:8000/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://2130706433/",
    "http://0177.0.0.1/",
    "http://attacker.example/redirect",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_INFO",
    "//127.0.0.1/x",
)


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was connected to or looked up; nothing may be."""
    calls: list[object] = []
    forbid_calls(monkeypatch, calls)
    return calls


def forbid_calls(monkeypatch: pytest.MonkeyPatch, calls: list[object]) -> None:
    """From now on nobody is called; who would have been stands in `calls`."""

    def refused(*given: Any, **_: Any) -> Any:
        calls.append(given[1] if isinstance(given[0], socket.socket) else given[0])
        raise OSError("nobody may be called")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)


def card(address: str) -> dict[str, Any]:
    asset = {"type": "icon", "uri": address, "name": "main", "ext": "png"}
    book = {"name": address, "extensions": {"url": address}, "entries": [{"keys": ["x"], "content": f"see {address}"}]}
    data: dict[str, Any] = {
        "name": "Anna",
        "description": f"![]({address})",
        "creator_notes": address,
        "assets": [asset],
        "source": [address],
        "extensions": {"base_url": address, "webhook": address},
        "character_book": book,
    }
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": data}


def letta(address: str, folder: Path) -> dict[str, Any]:
    file = agent_file(folder / "ran")
    file["agents"][0]["llm_config"] = {"model": "gpt", "model_endpoint": address}
    file["mcp_servers"] = [{"server_url": address, "stdio_config": {"command": address}}]
    return file


@pytest.mark.sweep
@pytest.mark.parametrize("address", ADDRESSES)
async def test_no_file_that_comes_in_makes_a_call(tmp_path: Path, address: str, called: list[object]) -> None:
    files = {"card.json": card(address), "agent.af": letta(address, tmp_path)}
    async with spine(tmp_path) as app:
        for number, (name, content) in enumerate(files.items()):
            (tmp_path / name).write_text(json.dumps(content))
            await app.bundles.import_(tmp_path / name, agent_id=f"came{number}")
            persona = await app.records.agent(f"came{number}")
            assert (persona.model, persona.tools, persona.knowledge) == (None, (), ())
        documents = tmp_path / "documents"
        documents.mkdir()
        (documents / "a.md").write_text(f"# A\n![x]({address}) [y]({address})\n")
        (documents / "b.html").write_text(
            f"<base href='{address}'><link rel=stylesheet href='{address}'><img src='{address}'>"
        )
        (documents / "c.json").write_text(json.dumps({"$ref": address, "@context": address, "a": address}))
        await app.library.ingest(AGENT, [documents])
        await app.drain()
    assert called == []


@pytest.mark.sweep
@pytest.mark.parametrize("address", ADDRESSES)
async def test_nothing_that_is_sent_over_http_makes_a_call(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []
    sent = {"Content-Type": "application/octet-stream"}
    files = [card(address), letta(address, tmp_path)]
    async with served(tmp_path / "server") as server, server.client() as client:
        forbid_calls(monkeypatch, calls)
        for number, file in enumerate(files):
            came = await client.post(f"/v1/bundles?as=came{number}", content=json.dumps(file), headers=sent)
            assert came.status_code == 201, came.text
        page = f"<base href='{address}'><img src='{address}'><p>Opening hours</p>"
        taken = await client.post(f"/v1/documents?agent={AGENT}&name=b.html", content=page, headers=sent)
        assert taken.status_code == 202, taken.text
        for name in ("base_url", "webhook", "model_endpoint"):
            persona = {"id": "anna", "name": "Anna", name: address}
            assert (await client.put("/v1/agents/anna", json=persona)).status_code == 422
        said = {"person": "Tom", "text": f"See {address}"}
        assert (await client.post(f"/v1/agents/{AGENT}/turns", json=said)).status_code == 202
        await server.app.drain()
    assert calls == []


@pytest.mark.parametrize("name", ["base_url", "baseUrl", "url", "endpoint", "api_base", "source_url", "webhook"])
def test_a_persona_names_no_server(tmp_path: Path, name: str, called: list[object]) -> None:
    (tmp_path / "anna.yaml").write_text(f"id: anna\nname: Anna\n{name}: {ADDRESSES[0]}\n")
    with pytest.raises(InvalidInput, match=name):
        all_personas(tmp_path)
    assert called == []


@pytest.mark.parametrize("address", ADDRESSES)
async def test_the_model_of_a_persona_is_no_address(tmp_path: Path, address: str, called: list[object]) -> None:
    async with spine(tmp_path) as app:
        for model in (address, f"openai-chat:{address}"):
            await app.know_agent(Persona(id="anna", name="Anna", model=model))
            with pytest.raises(AgentMemError):
                async with app.talks.reply("anna", "Tom", "hello") as reply:
                    await reply.whole()
    assert [each for each in called if str(each) in address] == []
