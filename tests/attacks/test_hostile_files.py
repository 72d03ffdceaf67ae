"""Files that want to be more than data, and names that want to be paths."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from agentmem.domain.memory import MemoryType
from agentmem.domain.persona import Persona
from agentmem.domain.scenario import Scenario
from agentmem.domain.scope import Scope
from agentmem.errors import AgentMemError, InvalidInput, NotFound
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.configuration.personas import find_persona, persona_of_text
from agentmem.runtime.configuration.settings import load_settings
from agentmem.runtime.configuration.yaml_file import read
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import SCOPE, quiet_persona, spine

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
BOMBS = {
    "an object": "id: !!python/object/apply:os.system ['touch /tmp/pwned']",
    "a billion laughs": LAUGHS,
    "three thousand brackets": "a: " + "[" * 3_000,
    "three thousand mappings": "".join(" " * depth + "a:\n" for depth in range(3_000)),
    "a key twice": "id: a\nid: b",
    "two megabytes": "name: " + "x" * 2_000_000,
    "a second document": "id: a\n---\nid: b",
    "a merge key": "base: &b {id: a}\n<<: *b",
    "half a character": 'id: "\\ud800"',
    "a number that is none": "id: a\nname: a\nmemory: {windows: {turns: 1e999}}",
}


async def test_a_folder_of_a_skill_is_read_and_nothing_in_it_is_run(tmp_path: Path) -> None:
    skill, ran = tmp_path / "skill", tmp_path / "ran"
    (skill / "scripts").mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: lamp\n---\n# Lamps\nA lamp burns oil. Run scripts/fill.sh first.")
    for name, text in {"fill.sh": f"#!/bin/sh\ntouch {ran}", "fill.py": f"open({str(ran)!r}, 'w')"}.items():
        (skill / "scripts" / name).write_text(text)
        (skill / "scripts" / name).chmod(0o755)
    async with spine(tmp_path) as app:
        told = await app.library.ingest(AGENT, [skill])
        await app.drain()
        held = await app.memories(Selection(SCOPE, types=(MemoryType.LONGTERM,)))
    assert list(told.refused) == []
    assert any("burns oil" in node.content for node in held)
    assert not ran.exists()
    assert [path for path in (tmp_path / "data").rglob("*") if path.is_file() and path.stat().st_mode & 0o111] == []


@pytest.mark.parametrize("kind", BOMBS)
@pytest.mark.parametrize("model", [Persona, Scenario])
def test_a_file_that_is_more_than_data_is_refused_in_one_line(
    tmp_path: Path, kind: str, model: type[Persona] | type[Scenario]
) -> None:
    file = tmp_path / "bomb.yaml"
    file.write_text(BOMBS[kind])
    with pytest.raises(InvalidInput) as refused:
        read(file, model)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 1_000


@pytest.mark.parametrize("place", ["a name", "a value", "a value in a list", "a name further in"])
def test_half_a_character_in_the_json_of_a_persona_is_refused_in_one_line(place: str) -> None:
    half = "\ud800"
    more: Mapping[str, object] = {
        "a name": {half: "x"},
        "a value": {"role": f"clerk {half}"},
        "a value in a list": {"goals": ["x", half]},
        "a name further in": {"memory": {"attributes": {half: "single"}}},
    }[place]
    with pytest.raises(InvalidInput) as refused:
        persona_of_text(json.dumps({"id": "ada", "name": "Ada", **more}).encode(), "persona")
    assert len(str(refused.value).encode().splitlines()) == 1


def test_a_pipe_in_the_place_of_a_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    for refusing in (
        lambda: read(tmp_path / "pipe.yaml", Persona),
        lambda: load_settings(tmp_path / "pipe.yaml"),
        lambda: find_persona(tmp_path, "pipe"),
    ):
        with pytest.raises(InvalidInput, match="is not a file"):
            refusing()
    assert load_settings(Path(os.devnull)) == load_settings(None)


def test_a_step_nobody_knows_is_no_step_of_a_scenario(tmp_path: Path) -> None:
    file = tmp_path / "hostile.yaml"
    file.write_text(
        "scenario: s\npersona: {id: a, name: A}\ncustomer: {name: Tom}\n"
        "sessions: [{id: x, at: 2026-01-01T00:00:00Z, turns: [{do: shell, command: touch /tmp/pwned}]}]\n"
    )
    with pytest.raises(InvalidInput):
        read(file, Scenario)


NAMES = (
    "../../outside",
    "/etc/passwd",
    "..",
    "CON",
    "a/b/../../c",
    "x" * 200,
    "🙂",
    "C:\\x",
    "a%2f..%2fb",
    "nul\u202egnp",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_persona_is_found_by_its_name_and_never_by_a_path(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "personas"
    folder.mkdir()
    (tmp_path / "outside.yaml").write_text("id: outside\nname: Outside\n")
    with pytest.raises(NotFound):
        find_persona(folder, name)


async def test_names_of_tenants_agents_and_people_lead_to_no_path(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        for name in NAMES:
            try:
                await app.know_agent(quiet_persona().revised(id=name))
                await app.say(name, name, "hello", key=name, run_id=name, end=True)
            except (AgentMemError, ValueError):
                continue
        await app.drain()
        agents = [persona.id for persona in await app.records.agents()]
        for agent in agents:
            for target in await app.targets(Scope(TENANT, agent), agent):
                await app.forget(Meant(Scope(TENANT, agent, target)), erase=True)
    assert _top(tmp_path) == {"data"}
    assert {name for name in _top(tmp_path / "data") if not name.startswith("journal")} <= {"index", "receipts"}


def _top(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}
