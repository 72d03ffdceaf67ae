"""`agentmem hire` and `release`: looked at first, made, asked, given back."""

import shutil
from pathlib import Path

import pytest

from tests.support.cli import agentmem

CLERK = """
id: clerk
name: Clerk
language: en
tools: ["shop.tools:refund"]
memory: {attributes: {concern: multi}}
hire: {layers: [longterm, insight, observation], targets: [Lathe], about_customers: true}
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which two customers told the clerk of themselves; to be copied."""
    folder = tmp_path_factory.mktemp("told")
    (folder / "personas").mkdir()
    (folder / "personas" / "clerk.yaml").write_text(CLERK)
    for name, text in (("Tom Miller", "My phone is 555-014-2277."), ("Ann Weber", "I live in Berlin.")):
        options = ("--data", folder / "data", "--set", f"personas={folder / 'personas'}", "--end")
        assert agentmem("say", "clerk", "--from", name, text, *options).code == 0
    return folder / "data"


@pytest.fixture
def data(told: Path, tmp_path: Path) -> Path:
    """A data directory of one's own with that."""
    return Path(shutil.copytree(told, tmp_path / "data"))


def test_a_hire_is_looked_at_made_asked_and_released(data: Path) -> None:
    there = ("--data", data, "--json", "--tenant", "globex")
    seen = agentmem("hire", "clerk", "--as", "temp", "--dry-run", *there)
    assert (seen.code, seen.json["hired"], seen.json["goes"]) == (0, False, {})
    assert seen.json["stays"]["layer"] == 2
    assert seen.json["leftBehind"] == ["tools"]
    assert agentmem("memories", "--agent", "temp", *there).code == 5
    made = agentmem("hire", "clerk", "--as", "temp", "--from-tenant", "default", *there)
    assert (made.code, made.json["new"], made.json["lineage"]["sourceAgent"]) == (0, True, "clerk")
    assert agentmem("hire", "clerk", "--as", "temp", *there).json["new"] is False
    for question in ("How do I reach Tom Miller?", "Who lives in Berlin?", "2277"):
        assert agentmem("recall", question, "--agent", "temp", *there).json["hits"] == []
    assert agentmem("agents", *there).json["agents"][0]["id"] == "temp"
    released = agentmem("release", "temp", *there)
    assert (released.code, released.json["lineage"]["state"]) == (0, "released")
    assert agentmem("recall", "Berlin", "--agent", "temp", *there).code == 5
    again = agentmem("hire", "clerk", "--as", "temp", *there)
    assert (again.code, again.json["error"]["message"]) == (2, "agent 'temp' exists already, or did once: name another")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("hire", "nobody", "--as", "temp", "--tenant", "globex"), 5, "no agent 'nobody'"),
        (("hire", "clerk", "--as", "temp"), 2, "is of tenant 'default' already: clone it"),
        (("hire", "clerk", "--as", "a b", "--tenant", "globex"), 2, "a hired agent called 'a b'"),
        (("hire", "clerk", "--tenant", "globex"), 2, "--as"),
        (("release", "clerk"), 5, "no hired agent 'clerk'"),
    ],
)
def test_what_cannot_be_hired_is_said_in_a_line(arguments: tuple[str, ...], code: int, said: str, data: Path) -> None:
    ran = agentmem(*arguments, "--data", data)
    assert (ran.code, said in ran.err, ran.err.count("\n")) == (code, True, 1)


def test_people_are_shown_what_stays_and_why(data: Path) -> None:
    shown = agentmem("hire", "clerk", "--as", "temp", "--dry-run", "--data", data, "--tenant", "globex").out
    assert "temp would come with no memories" in shown
    assert "its layer is not in the contract" in shown
    assert "of the persona stays behind: tools" in shown
