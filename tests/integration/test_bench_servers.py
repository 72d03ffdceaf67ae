"""What the measuring says a server answers to strangers is what it answers."""

import asyncio
import json
from importlib import import_module
from pathlib import Path

import pytest

from agentmem.domain.scope import Grant
from tests.support.cli import ROOT
from tests.support.nodes import AGENT
from tests.support.served import served
from tests.support.socketed import answering

pytestmark = pytest.mark.skipif(not (ROOT / "bench").is_dir(), reason="this copy comes without bench/")


async def test_it_says_who_is_answered_and_how_much_of_a_body_was_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = import_module("bench.peers.servers")
    monkeypatch.setattr(servers, "MEGABYTES", 20)
    async with served(tmp_path) as server, answering(server) as client:
        theirs = await server.token({AGENT: [Grant.TALK]}, tenant="other")
        mine = client.headers["Authorization"].split()[1]
        for token in (theirs, mine):
            asked = ["--read", f"GET /v1/agents/{AGENT}", "--large", "/v1/recall", "--token", token]
            await asyncio.to_thread(servers.main, [str(client.base_url), *asked, "--body", '{"agent": "x"}'])
    stranger, owner = map(json.loads, capsys.readouterr().out.splitlines())
    assert [stranger[name]["status"] for name in ("no token", "another's token", "another host")] == [401, 404, 421]
    assert owner["another's token"]["status"] == 200
    for name in ("100 MB", "100 MB in pieces"):
        assert owner[name]["status"] == 413
        assert owner[name]["sent"] < 20_000_000
