"""`agentmem serve` as a process: it prints how to come in, answers, reads what is said, and stops well."""

import json
import shlex
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.support.cli import Started, agentmem, started

pytestmark = pytest.mark.thorough

PATIENCE = 60.0
AGENT = {"id": "ada", "name": "Ada", "language": "en"}


def opened(data: Path, *options: str) -> tuple[Started, str, str]:
    """A server that answers: its process, its address, and the token it printed, if it did."""
    process = started("-m", "agentmem", "serve", "--port", "0", "--data", data, *options)
    assert process.stderr is not None
    address = secret = ""
    for line in process.stderr:
        address = line.split()[-1] if line.startswith("listening on ") else address
        secret = line.split()[-1] if line.startswith("the owner's token") else secret
        if line.startswith("try: "):
            break
    return process, address, secret


def asked(address: str, secret: str, path: str, body: object = None, method: str | None = None) -> Any:
    """What the server answers."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    with urlopen(Request(address + path, data, headers, method=method), timeout=PATIENCE) as answer:
        return json.load(answer)


def test_from_a_first_start_a_turn_is_said_read_and_recalled(tmp_path: Path) -> None:
    process, address, secret = opened(tmp_path)
    with process:
        asked(address, secret, "/v1/agents/ada", AGENT, "PUT")
        said = {"person": "Tom", "text": "My phone number is 555-0142.", "end": True}
        event = asked(address, secret, "/v1/agents/ada/turns", said)["eventId"]
        until = time.monotonic() + PATIENCE
        while asked(address, secret, f"/v1/events/{event}")["state"] != "indexed":
            assert time.monotonic() < until
        found = asked(address, secret, "/v1/recall", {"agent": "ada", "query": "How do I reach Tom?"})
        assert "555-0142" in found["hits"][0]["memory"]["content"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    assert secret not in (tmp_path / "audit.jsonl").read_text()
    recalled = agentmem("recall", "Tom's phone", "--agent", "ada", "--data", tmp_path, "--json")
    assert "555-0142" in recalled.json["hits"][0]["memory"]["content"]


def test_a_second_start_prints_a_command_that_makes_a_link(tmp_path: Path) -> None:
    agentmem("token", "create", "owner", "--owner", "--data", tmp_path)
    with started("-m", "agentmem", "serve", "--port", "0", "--data", tmp_path) as process:
        assert process.stderr is not None
        address, _, command = (process.stderr.readline().strip() for _ in range(3))
        python, *call = shlex.split(command)
        with started(*call) as made:
            told = made.communicate(timeout=PATIENCE)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    assert (python, made.returncode) == (sys.executable, 0)
    assert f"{address.split()[-1]}/enter#{told[0].strip()}" in told[1]


def test_an_address_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = agentmem("serve", "--port", str(port), "--data", tmp_path, "--json")
    assert refused.code == 4
    assert f"127.0.0.1:{port}" in refused.json["error"]["message"]
