"""JSON Schemas of the files people write, made from the models that read them, for editors to help with."""

from collections.abc import Mapping
from typing import Any, cast

from pydantic import BaseModel
from pydantic.alias_generators import to_snake

from agentmem.domain.bounds import MAX_DOCUMENT, MAX_INT, MAX_ITEMS, MIN_INT
from agentmem.domain.scenario import Scenario
from agentmem.runtime.configuration.personas import PersonaFile
from agentmem.runtime.configuration.settings import Settings

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
