"""Characters that steer a terminal, turn a line round or hide: nothing printed, exported or logged has them raw."""

import json
import unicodedata
from io import StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest
import structlog

from agentmem.domain.change import Change
from agentmem.domain.entity import Mention, with_mentions
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode
from agentmem.graph.export import drawing, graphml, jsonld
from agentmem.ports.ledger import Commit
from agentmem.runtime.composition.telemetry import configure_logging
from tests.support.cli import agentmem
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory
from tests.support.spine import spine

SHOWN_AS_THEY_ARE = "\n\t\u200c\u200d"
STEERING = [
    chr(code)
    for code in (*range(1, 0xD800), *range(0xE000, 0x110000))
    if unicodedata.category(chr(code)) in ("Cc", "Cf", "Zl", "Zp") and chr(code) not in SHOWN_AS_THEY_ARE
]
"""Every one that Unicode has, but NUL, which nothing takes in."""
HOSTILE = "x".join(["\x1b[31m", "\x9b31m", "\x1b]0;t\x07", "user\u202egpj.exe", *STEERING])


def raw(text: str) -> set[str]:
    """Those of them that stand in a text as they are."""
    return set(text) & set(STEERING)


def hostile_memory() -> MemoryNode:
    heron, linnet = "Heron", "Linnet"
    return a_memory(
        f"{heron} uses {linnet} {HOSTILE}",
        entity_ids=tuple(entity_id(TENANT, AGENT, name) for name in ("heron", "linnet")),
        key=(heron, linnet, HOSTILE),
        value=HOSTILE,
        attribute=f"note{HOSTILE}",
        meta_data=with_mentions((Mention(name=heron), Mention(name=linnet))) | {f"k{HOSTILE}": HOSTILE},
    )


def test_drawings_of_a_graph_hold_none() -> None:
    graph = drawing([], [hostile_memory()])
    assert raw(graphml(graph)) == set()
    assert raw(jsonld(graph)) == set()
    assert "user\\u202egpj.exe" in graphml(graph)
    assert any(HOSTILE in each.get("text", "") for each in json.loads(jsonld(graph))["@graph"])


COMMANDS = (
    ("recall", "Heron", "--agent", AGENT),
    ("recall", "Heron", "--agent", AGENT, "--explain"),
    ("recall", "Heron", "--agent", AGENT, "--json"),
    ("context", "Heron", "--agent", AGENT),
    ("ask", "What does Heron use?", "--agent", AGENT, "--explain"),
    ("memories", "--agent", AGENT),
    ("memories", "--agent", AGENT, "--json"),
    ("show", "MEMORY"),
    ("history", "MEMORY"),
    ("graph", "show", "Heron", "--agent", AGENT),
    ("graph", "entities", "--agent", AGENT),
    ("forget", "--agent", AGENT, "--id", "MEMORY", "--dry-run"),
    ("forget", "--agent", AGENT, "--query", "Heron", "--dry-run"),
    ("doctor",),
    ("recall", "Heron", "--agent", HOSTILE),
    ("recall", HOSTILE, "--agent", AGENT),
    ("show", HOSTILE),
    ("undo", HOSTILE),
    ("dead", "retry", HOSTILE),
    ("import", HOSTILE),
    ("run", HOSTILE),
    ("export", AGENT, HOSTILE),
    ("doctor", "--set", f"{HOSTILE}=1"),
    ("doctor", "--config", HOSTILE),
    (HOSTILE,),
)


async def _kept(folder: Path) -> str:
    async with spine(folder) as app:
        node = hostile_memory()
        await app.journal.ledger.commit(Commit(TENANT, "run", "observation", NOON, (Change(act="add", after=node),)))
        await app.say(AGENT, "罗小东", f"Heron {HOSTILE}", end=True)
        await app.drain()
        return node.memory_id


@pytest.fixture
def memory(tmp_path: Path) -> str:
    """The id of a memory that is hostile in every field, in a store in `tmp_path`."""
    from asyncio import run  # noqa: PLC0415 - commands below run loops of their own

    return run(_kept(tmp_path))


def test_the_command_line_prints_none(tmp_path: Path, memory: str) -> None:
    for command in COMMANDS:
        line = [part.replace("MEMORY", memory) for part in command]
        ran = agentmem(*line, "--data", tmp_path / "data", "--tenant", TENANT)
        assert raw(ran.out + ran.err) == set(), command
        assert ran.code != 70, (command, ran.err)


EXPORTS = (
    ("export", AGENT, "out.zip"),
    ("export", AGENT, "out.md", "--format", "markdown"),
    ("export", AGENT, "out.json", "--format", "card"),
    ("graph", "export", "out.graphml", "--agent", AGENT),
    ("graph", "export", "out.jsonld", "--agent", AGENT, "--format", "jsonld"),
)


def test_exports_hold_none(tmp_path: Path, memory: str) -> None:
    for command in EXPORTS:
        [name] = [part for part in command if part.startswith("out.")]
        line = [str(tmp_path / part) if part == name else part for part in command]
        assert agentmem(*line, "--data", tmp_path / "data", "--tenant", TENANT).code == 0, command
        for text in _texts(tmp_path / name):
            assert raw(text) == set(), command


def _texts(file: Path) -> list[str]:
    if file.suffix != ".zip":
        return [file.read_text("utf-8")]
    with ZipFile(file) as bundle:
        return [bundle.read(name).decode() for name in bundle.namelist()]


@pytest.mark.parametrize("as_json", [True, False])
def test_logs_hold_none(as_json: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    out = StringIO()
    monkeypatch.setattr("sys.stderr", out)
    configure_logging("debug", as_json=as_json)
    try:
        structlog.get_logger().warning("something_failed", reason=HOSTILE, agent=TARGET, several=[HOSTILE])
    finally:
        structlog.reset_defaults()
    assert out.getvalue().count("\n") == 1
    assert raw(out.getvalue()) == set()
