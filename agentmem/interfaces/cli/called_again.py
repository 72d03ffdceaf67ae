"""How this program is called again, in a line that can be copied into the shell it was started from."""

import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

SAME_STORE: Final = ("--config", "--data", "--tenant", "--set")
"""The common options without which another call would work on something else."""


def called_again(command: Sequence[str]) -> str:
    """The line that has this program do that on the store of this call."""
    return shlex.join([*_program(sys.argv[0]), *command, *_same_store(sys.argv[1:])])


def _program(called: str) -> list[str]:
    """Its name where the shell finds this program by it, else as it was called."""
    path = Path(called)
    if path.suffix == ".py":
        return [sys.executable, "-m", "agentmem"]
    found = shutil.which(path.name)
    return [path.name if found is not None and Path(found).resolve() == path.resolve() else called]


def _same_store(line: Sequence[str]) -> list[str]:
    kept: list[str] = []
    for place, word in enumerate(line):
        if word in SAME_STORE:
            kept += line[place : place + 2]
        elif word.startswith(tuple(f"{option}=" for option in SAME_STORE)):
            kept.append(word)
    return kept
