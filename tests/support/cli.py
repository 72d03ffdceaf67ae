"""The command line in this process or in one of its own, with what it printed."""

import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import TracebackType
from typing import Any

import structlog

from agentmem.interfaces.cli.main import main

ROOT = Path(__file__).parents[2]
PATH = os.pathsep.join(str(ROOT / folder) for folder in (".", "workers", "evals"))
"""Where Python finds what stands in the repository."""


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


class Started(subprocess.Popen[str]):
    """Killed where the body of its `with` fails: a test that fails waits for nobody."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.kill()
        super().__exit__(kind, error, trace)


def started(*arguments: str | Path, **environment: str) -> Started:
    """Start Python with these arguments in the root of the repository."""
    return Started(
        [sys.executable, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": PATH, **environment},
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
