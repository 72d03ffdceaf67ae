"""The command line in this process or in one of its own, with what it printed."""

import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import structlog

from agentmem.interfaces.cli.app import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What stands on stdout, which must be one JSON value and nothing else."""
        return json.loads(self.out)


def agentmem(*arguments: str | Path) -> Ran:
    """Run a command in this process."""
    out, err = StringIO(), StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main([str(item) for item in arguments])
    finally:
        structlog.reset_defaults()
    return Ran(code, out.getvalue(), err.getvalue())


def started(*arguments: str | Path, **environment: str) -> subprocess.Popen[str]:
    """Start Python with these arguments in the root of the repository."""
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def python(*arguments: str | Path, **environment: str) -> Ran:
    """Run Python with these arguments, such as `-m agentmem`, in a process of its own."""
    with started(*arguments, **environment) as process:
        out, err = process.communicate(timeout=60)
        return Ran(process.returncode, out, err)
