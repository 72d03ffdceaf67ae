"""Looking at the files people write: all that is wrong with a persona, every value of it with the place it comes from,
what differs between two, and JSON Schemas, made from the models that read the files, for editors to help with."""

import importlib.util
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel
from pydantic.alias_generators import to_snake

from agentmem.domain.bounds import MAX_DOCUMENT, MAX_INT, MAX_ITEMS, MIN_INT
from agentmem.domain.persona import Persona
from agentmem.domain.scenario import Scenario
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from agentmem.runtime.configuration.personas import PersonaFile, inherited, misnamed, mistimed, read_persona
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.configuration.yaml_file import build, line_of, load, node_at, problems, read_text
from agentmem.runtime.configuration.yaml_tree import MAX_BYTES, Node, parse_on

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


def lint_persona(path: Path, *, tools: bool = False) -> list[str]:
    """One line for each problem, in the order of the file; none where it is in order. With `tools`, what the tools
    name is imported, which runs the code of those modules."""
    try:
        tree, found = parse_on(read_text(path, MAX_BYTES), str(path))
    except InvalidInput as error:
        return [str(error)]
    try:
        tree = inherited(tree, path)
    except InvalidInput as error:
        found.append(str(error))
    found += [*filter(None, [misnamed(tree, path)]), *(wrong := problems(tree, PersonaFile))]
    if not wrong:
        found += _beyond_the_file(tree, path, tools=tools)
    return sorted(dict.fromkeys(found), key=line_of_problem)


def line_of_problem(problem: str) -> int:
    """The line a problem names; 0 where it names none."""
    place, _, _ = problem.partition(": ")
    return line_of(place)


def _beyond_the_file(tree: Node, path: Path, *, tools: bool) -> list[str]:
    """What the model cannot see: whether the documents are there, and the tools."""
    persona = build(tree, PersonaFile)
    found = [*filter(None, [mistimed(tree, persona)])]
    for number, name in enumerate(persona.knowledge):
        place = node_at(tree, ("knowledge", number))
        if not (path.parent / name).is_file():
            found.append(f"{place.where}: {place.path}: no such file {str(path.parent / name)!r}")
    for number, name in enumerate(persona.tools if tools else ()):
        if complaint := _importable(name):
            place = node_at(tree, ("tools", number))
            found.append(f"{place.where}: {place.path}: {complaint}")
    return found


def _importable(tool: str) -> str | None:
    """Why a tool cannot be had; None where it can."""
    module, _, function = tool.partition(":")
    try:
        there = importlib.util.find_spec(module) is not None
        held = getattr(import_module(module), function, None) if there else None
    except Exception as error:  # noqa: BLE001 - a module of somebody else's fails as it likes
        return f"{tool!r} cannot be imported: {error}"
    if not there:
        return f"{tool!r}: there is no module {module!r}"
    return None if callable(held) else f"{tool!r}: {module!r} has no function {function!r}"


KINDS: Mapping[str, type[BaseModel]] = {"persona": PersonaFile, "scenario": Scenario, "config": Settings}
"""The kinds of files, with what reads them."""

_OF_EVERYTHING = {MIN_INT, MAX_INT, MAX_ITEMS, MAX_DOCUMENT}


def schema_of(kind: str) -> dict[str, Any]:
    """The schema of one kind of file, in JSON Schema 2020-12, with the keys as the files spell them."""
    schema = cast("dict[str, Any]", _as_written(KINDS[kind].model_json_schema()))
    if kind == "persona":
        needed = [name for name in schema.pop("required") if name != "name"]
        schema["required"] = needed
        schema["anyOf"] = [{"required": ["name"]}, {"required": ["extends"]}]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _as_written(value: object) -> object:
    """Keys in snake case, as in files, where the wire has them in camel case; without titles that only repeat them."""
    if isinstance(value, list):
        return [_as_written(item) for item in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    found: dict[str, object] = {}
    for key, item in cast("dict[str, object]", value).items():
        if key == "properties" and isinstance(item, dict):
            named = cast("dict[str, object]", item)
            found[key] = {to_snake(name): _as_written(part) for name, part in named.items()}
        elif key == "required" and isinstance(item, list):
            found[key] = [to_snake(str(name)) for name in cast("list[object]", item)]
        elif key == "propertyNames" and not _as_written(item):
            continue
        elif key != "title" and not (key == "default" and isinstance(item, dict)) and not _goes_without_saying(item):
            found[key] = _as_written(item)
    return found


def _goes_without_saying(item: object) -> bool:
    """Whether this is a bound that everything has."""
    return type(item) is int and item in _OF_EVERYTHING
