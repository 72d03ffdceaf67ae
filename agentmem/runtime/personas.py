"""Personas by id: `personas/ID.yaml` is the agent ID."""

import re
from collections.abc import Iterator
from pathlib import Path

from agentmem.domain.persona import Persona
from agentmem.errors import InvalidInput, NotFound
from agentmem.runtime.yaml_file import read


def read_persona(path: Path) -> Persona:
    """One file. Raises `InvalidInput`, also where the file is named otherwise than the agent in it."""
    persona = read(path, Persona)
    if persona.id != path.stem:
        raise InvalidInput(f"{path}: id: must be {path.stem!r}, as the file is named, not {persona.id!r}")
    return persona


def find_persona(directory: Path, persona_id: str) -> Persona:
    """The persona of that id. Raises `NotFound`, naming those that are there, and `InvalidInput`."""
    for path in _files(directory):
        if path.stem == persona_id:
            return read_persona(path)
    known = ", ".join(path.stem for path in _files(directory)) or "none"
    raise NotFound(f"no persona {persona_id!r} in {directory}/; there are: {known}")


def all_personas(directory: Path) -> list[Persona]:
    """Every persona of the directory, by id; none where there is no such directory."""
    return [read_persona(path) for path in _files(directory)]


def _files(directory: Path) -> Iterator[Path]:
    return (path for path in sorted(directory.glob("*.y*ml")) if re.fullmatch(r"\.ya?ml", path.suffix))
