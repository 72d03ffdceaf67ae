"""Looking at personas: every value with the place it comes from, and what differs between two."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from agentmem.domain.persona import Persona
from agentmem.domain.value import JsonValue
from agentmem.runtime.configuration.personas import inherited, read_persona
from agentmem.runtime.configuration.yaml_file import load, node_at
from agentmem.runtime.configuration.yaml_tree import Node

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Origin:
    """One value of a persona; `origin` is `file:line`, or `default` where no file says it."""

    key: str
    value: JsonValue
    origin: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One key that two personas have different values for; None where one does not have it."""

    key: str
    left: JsonValue
    right: JsonValue


def values_of(path: Path) -> list[Origin]:
    """Every value of the persona of a file, in the order of the model. Raises `InvalidInput`."""
    tree = inherited(load(path), path)
    return [Origin(".".join(key), value, _origin(tree, key)) for key, value in _leaves(read_persona(path))]


def differences(left: Persona, right: Persona) -> list[Difference]:
    """What differs, in the order of the model; empty for equal personas."""
    first, second = dict(_leaves(left)), dict(_leaves(right))
    keys = dict.fromkeys((*first, *second))
    return [
        Difference(".".join(key), first.get(key), second.get(key))
        for key in keys
        if (key in first, first.get(key)) != (key in second, second.get(key))
    ]


def _leaves(persona: Persona) -> Iterator[tuple[tuple[str, ...], JsonValue]]:
    """Values by path; lists are values, as they are when a persona extends another."""
    dumped = cast("Mapping[str, JsonValue]", persona.model_dump(mode="json", by_alias=False))
    yield from _below((), dumped)


def _below(path: tuple[str, ...], values: Mapping[str, JsonValue]) -> Iterator[tuple[tuple[str, ...], JsonValue]]:
    for name, value in values.items():
        if isinstance(value, dict) and value:
            yield from _below((*path, name), value)
        else:
            yield (*path, name), value


def _origin(tree: Node, key: tuple[str, ...]) -> str:
    place = node_at(tree, key)
    return DEFAULT if place.missing else place.where
