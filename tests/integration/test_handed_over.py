"""Commands beside a process that holds the index: done by that one, over a socket of its owner's, without a word."""

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from agentmem.interfaces.cli.through import reachable
from tests.support.cli import ROOT, Ran, Started, agentmem, python, started

pytestmark = pytest.mark.thorough

AGENT = ("--agent", "harbour_desk")
SOCKET = "agentmem.sock"
COMMANDS = [
    ("recall", "How do I reach Zoe?", *AGENT),
    ("recall", "phone", *AGENT, "--explain", "-k", "3", "--type", "observation"),
    ("graph", "entities", *AGENT),
    ("index", "verify"),
]
"""What prints the same whoever does it."""


@pytest.fixture(scope="module", params=["worker", "serve"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which command holds the index. Each has a store of its own, as what is said to one stays there."""
    return str(request.param)


@pytest.fixture(scope="module")
def data(kind: str, embedded_index_throughout: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which something was said, in a folder whose name is longer than a socket's may be."""
    folder = tmp_path_factory.mktemp("data") / ("long" * 30)
    played = python("-m", "agentmem", "run", ROOT / "scenarios" / "two_customers.yaml", "--data", folder, "--json")
    assert played.code == 0
    return folder


@pytest.fixture(scope="module")
def alone(data: Path) -> dict[tuple[str, ...], Ran]:
    """What the commands print with nobody beside them."""
    return {command: python("-m", "agentmem", *command, "--data", data) for command in COMMANDS}


@pytest.fixture(scope="module")
def holder(kind: str, data: Path, alone: object) -> Generator[Started]:
    """A process that holds the index of the store and listens."""
    more = ("--set", "chat_model=test", *(("--port", "0") if kind == "serve" else ()))
    with started("-m", "agentmem", kind, *more, "--data", data) as process:
        try:
            until = time.monotonic() + 60
            while not (data / SOCKET).exists():
                assert time.monotonic() < until
                assert process.poll() is None
                time.sleep(0.05)
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
    assert not (data / SOCKET).exists()


def test_a_socket_that_was_left_behind_is_nobody(data: Path, alone: dict[tuple[str, ...], Ran]) -> None:
    with socket.socket(socket.AF_UNIX) as left, reachable(data / SOCKET) as name:
        left.bind(name)
    command = COMMANDS[0]
    assert python("-m", "agentmem", *command, "--data", data) == alone[command]
    (data / SOCKET).unlink()


def test_what_is_asked_is_answered_as_if_nobody_held_the_index(
    holder: Started, data: Path, alone: dict[tuple[str, ...], Ran]
) -> None:
    assert (data / SOCKET).stat().st_mode & 0o777 == 0o600
    for command, expected in alone.items():
        assert agentmem(*command, "--data", data) == expected, command
    found = agentmem("recall", "phone", *AGENT, "--data", data, "--json")
    assert (found.code, bool(found.json["hits"]), found.err) == (0, True, "")


def test_what_is_wrong_is_told_in_the_same_words(holder: Started, data: Path) -> None:
    unknown = agentmem("recall", "x", "--agent", "nobody", "--data", data, "--json")
    assert unknown.code == 5
    assert unknown.json["error"]["message"].startswith("no agent 'nobody'")
    assert len(unknown.err.splitlines()) == 1
    assert agentmem("recall", " ", *AGENT, "--data", data).code == 2
    elsewhere = agentmem("recall", "x", *AGENT, "--data", data, "--tenant", "globex")
    assert elsewhere.code == 5
    assert agentmem("recall", "x", *AGENT, "--data", data, "--principal", "shop").code == 5


def test_a_principal_sees_through_it_what_is_his(holder: Started, data: Path) -> None:
    shop = ("--set", 'principals.shop={"agents": {"other": ["read"]}}', "--principal", "shop")
    assert agentmem("recall", "phone", *AGENT, "--data", data, *shop).code == 5


def test_what_is_taken_out_is_gone_for_both(holder: Started, data: Path, tmp_path: Path) -> None:
    file = tmp_path / "agent.zip"
    exported = agentmem("export", "harbour_desk", file, "--data", data, "--json")
    assert exported.code == 0, exported.err
    assert file.exists()


def test_programs_that_speak_mcp_are_answered_by_it(holder: Started, data: Path) -> None:
    version = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    wanted = {"name": "search_memories", "arguments": {"query": "phone", "agent_id": "harbour_desk"}}
    said = [
        {"id": 1, "method": "initialize", "params": version},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": wanted},
    ]
    command = [sys.executable, "-m", "agentmem", "mcp", "--data", str(data)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bridge:
        assert bridge.stdin is not None
        assert bridge.stdout is not None
        answers: list[Any] = []
        for each in said:
            bridge.stdin.write(json.dumps({"jsonrpc": "2.0", **each}) + "\n")
            bridge.stdin.flush()
            if "id" in each:
                answers.append(json.loads(bridge.stdout.readline()))
        bridge.stdin.close()
        assert bridge.wait(30) == 0
    assert answers[0]["result"]["serverInfo"]["name"]
    assert answers[1]["result"]["structuredContent"]["results"], answers[1]


def test_a_receipt_is_checked_with_the_index_that_somebody_holds_and_without_it_there_is_no_verdict(
    holder: Started, data: Path
) -> None:
    said = agentmem("say", "harbour_desk", "--from", "Ben", "My code word is heron.", "--data", data, "--end", "--json")
    assert said.code == 0, said.err
    done = agentmem("forget", *AGENT, "--about", "Ben", "--erase", "--yes", "--data", data, "--json")
    assert done.code == 0, done.err
    checked = agentmem("doctor", "--receipt", done.json["receipt"], "--canary", "heron", "--data", data, "--json")
    assert (checked.code, checked.json["problems"], checked.json["unseen"]) == (0, [], None)
    found = agentmem("doctor", "--canary", "Marcus", "--data", data, "--json")
    assert (found.code, bool(found.json["found"])) == (1, True)
    (data / SOCKET).rename(data / "aside")
    try:
        told = agentmem("doctor", "--receipt", done.json["receipt"], "--data", data, "--json")
    finally:
        (data / "aside").rename(data / SOCKET)
    assert (told.code, told.json["problems"]) == (4, [])
    assert told.json["unseen"]


def test_who_only_asks_loads_nothing_that_answers(holder: Started, data: Path) -> None:
    """What makes an answer quick: two seconds of loading are the holder's. The time itself is taken by `make bench`."""
    code = (
        "import sys; from agentmem.interfaces.cli.main import main; code = main(sys.argv[1:]);"
        "sys.stderr.write(' '.join(sys.modules)); sys.exit(code)"
    )
    ran = python("-c", code, "recall", "phone", *AGENT, "--data", data, "--json")
    assert (ran.code, bool(ran.json["hits"])) == (0, True)
    loaded = set(ran.err.split())
    assert "agentmem.interfaces.cli.through" in loaded
    assert not loaded & {"asyncio", "numpy", "qdrant_client", "openai", "fastapi", "apscheduler", "sqlite3"}
    assert not {
        name
        for name in loaded
        if name.startswith(("agentmem.runtime.composition", "agentmem.memory", "agentmem.adapters"))
    }


def talking(data: Path, *options: str) -> subprocess.Popen[str]:
    """`agentmem chat` as Zoe, in a pipe."""
    command = [sys.executable, "-m", "agentmem", "chat", "harbour_desk", "--as", "Zoe", "--data", str(data), *options]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def test_a_talk_goes_through_it_line_by_line(holder: Started, data: Path) -> None:
    with talking(data) as talk:
        out, err = talk.communicate("Hello there.\n/memory\n/nonsense\n", timeout=60)
    assert (talk.returncode, err) == (0, "")
    assert out.startswith("Harbour House 前台: ")
    assert "there is no /nonsense" in out
    with talking(data, "--json") as talk:
        out, err = talk.communicate("Are you there?\n", timeout=60)
    assert (talk.returncode, err) == (0, ""), out
    told = json.loads(out)
    assert (told["person"], [turn["said"] for turn in told["turns"]]) == ("Zoe", ["Are you there?"])


def test_a_talk_through_it_ends_well_where_it_is_interrupted(holder: Started, data: Path) -> None:
    with talking(data) as talk:
        assert talk.stdin is not None
        assert talk.stdout is not None
        talk.stdin.write("Hello again.\n")
        talk.stdin.flush()
        assert talk.stdout.readline().startswith("Harbour House 前台: ")
        talk.send_signal(signal.SIGINT)
        assert talk.wait(60) == 0
