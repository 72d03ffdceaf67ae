"""Imports point down, vendors stay in their adapters: the contracts of pyproject.toml, kept."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_import_contracts_are_kept() -> None:
    pytest.importorskip("importlinter", reason="import-linter comes with the extra `dev`; `make imports` runs it too")
    call = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", call, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=90, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.thorough
def test_importing_the_library_loads_no_vendor_and_no_adapter() -> None:
    vendors = ("sqlalchemy", "qdrant_client", "qdrant_edge", "pydantic_ai", "openai", "agentmem.adapters.journal")
    call = f"import sys, agentmem.runtime.facade.app; print(*[name for name in {vendors} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", call], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == ""


def test_patterns_are_compiled_in_one_place() -> None:
    """Python's `re` goes back and tries again, so a text can hold it for years; `agentmem.patterns` cannot be held."""
    engines = {"re", "re2", "regex", "sre_parse", "sre_compile", "sre_constants", "_sre"}
    theirs = {
        (path.relative_to(ROOT).as_posix(), name)
        for folder in ("agentmem", "workers", "evals")
        for path in (ROOT / folder).rglob("*.py")
        if path.parent != ROOT / "agentmem" / "patterns"
        for name in imported(path)
    }
    assert {(path, name) for path, name in theirs if name.partition(".")[0] in engines} == set()


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
