"""Imports point down, vendors stay in their adapters: the contracts of pyproject.toml, kept."""

import subprocess
import sys
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


def test_importing_the_library_loads_no_vendor_and_no_adapter() -> None:
    vendors = ("sqlalchemy", "qdrant_client", "qdrant_edge", "pydantic_ai", "openai", "agentmem.adapters.journal")
    call = f"import sys, agentmem, agentmem.runtime.app; print(*[name for name in {vendors} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", call], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == ""
