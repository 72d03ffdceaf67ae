"""A line that calls this program again can be copied into the shell."""

import sys
from pathlib import Path

import pytest

from agentmem.interfaces.cli.commands.serve import called_again


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that the shell finds by its name only where its folder is on the path."""
    program = tmp_path / "bin" / "agentmem"
    program.parent.mkdir()
    program.write_text("#!/bin/sh")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", "/nowhere")
    return program


def test_a_program_outside_the_path_is_named_as_it_was_called(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(program), "serve"])
    assert called_again(["token", "list"]) == f"{program} token list"


def test_a_program_on_the_path_is_named_by_its_name(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.setattr(sys, "argv", [str(program), "serve"])
    assert called_again(["token", "list"]) == "agentmem token list"


def test_the_same_store_is_named_and_nothing_else(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = ["--port", "1", "--data", "my data", "--set=a.b=1", "--config", "x.yaml", "--json"]
    monkeypatch.setattr(sys, "argv", [str(program), "serve", *given])
    assert called_again(["queue"]) == f"{program} queue --data 'my data' --set=a.b=1 --config x.yaml"
