"""A YAML file as a validated value; a mistake in it is one line: file, line, key, what is wrong, what is allowed.

Scalars become what the schema says: `0123` and `12:30` stay text where text is wanted, a quoted `"10"` is no number,
and no number is a date. What pydantic complains of is told at the place in the file it is about.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, Tag, ValidationError
from pydantic.alias_generators import to_camel, to_snake
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from agentmem.domain.value import wording
from agentmem.errors import InvalidInput
from agentmem.private_files import open_named
from agentmem.runtime.configuration.yaml_tree import MAX_BYTES, MappingNode, Node, ScalarNode, SequenceNode, parse

T = TypeVar("T", bound=BaseModel)

Location = Sequence[int | str]

_TEXT_WANTED = {"string_type", "literal_error", "enum"}


def read(path: Path, model: type[T]) -> T:
    """The file's content as `model`. Raises `InvalidInput` with one line that says where the mistake is."""
    return build(load(path), model)


def load(path: Path) -> Node:
    """The file as a tree that knows its lines. Raises `InvalidInput`."""
    return parse(read_text(path, MAX_BYTES), str(path))


def read_text(path: Path, limit: int) -> str:
    """A file's text. Raises `InvalidInput` where it cannot be read, is larger than `limit` bytes or is not UTF-8."""
    try:
        with open_named(path) as file:
            raw = file.read(limit + 1)
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error
    return text_of(raw, str(path), limit)


def text_of(raw: bytes, name: str, limit: int = MAX_BYTES) -> str:
    """The text that these bytes are. Raises `InvalidInput` where there are more than `limit` or they are not UTF-8."""
    if len(raw) > limit:
        raise InvalidInput(f"{name}: larger than {limit:,} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InvalidInput(f"{name}:{line}: not UTF-8; save the file as UTF-8") from error


def build(node: Node, model: type[T]) -> T:
    """The tree as `model`. Raises `InvalidInput`."""
    try:
        return _validated(node, model)
    except ValidationError as error:
        raise InvalidInput(describe(error, node, model)) from error


def problems(node: Node, model: type[BaseModel]) -> list[str]:
    """Everything that keeps the tree from being a `model`, one line each, in the order of the file."""
    try:
        _validated(node, model)
    except ValidationError as error:
        return descriptions(error, node, model)
    return []


def _validated(node: Node, model: type[T]) -> T:
    while True:
        try:
            return model.model_validate_json(json.dumps(node.data), strict=True)
        except ValidationError as error:
            if not _as_text(node, error):
                raise


def _as_text(root: Node, error: ValidationError) -> bool:
    """Turn scalars back into what was written where text was wanted; whether there were any."""
    found = False
    for problem in error.errors(include_url=False, include_context=False):
        node = node_at(root, problem["loc"]).node
        if (
            problem["type"] in _TEXT_WANTED
            and isinstance(node, ScalarNode)
            and node.plain
            and not isinstance(node.value, str | None)
        ):
            node.value = node.text
            found = True
    return found


@dataclass(frozen=True, slots=True)
class Place:
    """Where an error location leads: the nearest node there is, its path in words, and what of the location is left."""

    node: Node
    path: str
    where: str
    missing: str | None


def node_at(root: Node, location: Location) -> Place:
    """Follow a location into the tree; labels that pydantic puts in for alternatives are passed over."""
    node, path, where, missing = root, "", root.where, None
    for part in location:
        if isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.items):
            node, path = node.items[part], f"{path}[{part}]"
            where, missing = node.where, None
        elif isinstance(node, MappingNode) and (key := _written(node, part)) is not None:
            where, missing = node.keys[key], None
            node, path = node.items[key], f"{path}.{key}".lstrip(".")
        elif isinstance(part, str):
            missing = part
    return Place(node, path, where, missing)


def _written(branch: MappingNode, part: int | str) -> str | None:
    """The key as it stands in the file: our names are known in snake and in camel case, and keys are always text."""
    forms = (str(part), to_snake(str(part)))
    return next((form for form in forms if form in branch.items), None)


def describe(error: ValidationError, root: Node, model: type[BaseModel]) -> str:
    """The first mistake, in the order of the file, and how many more there are."""
    first, *others = descriptions(error, root, model)
    return f"{first} (and {len(others)} more)" if others else first


def descriptions(error: ValidationError, root: Node, model: type[BaseModel]) -> list[str]:
    """One line for each place where something is wrong, in the order of the file."""
    problems = error.errors(include_url=False)
    leading = [item for item in problems if not _echo(item, problems)]
    found: dict[str, ErrorDetails] = {}
    for item in sorted(leading, key=lambda item: line_of(node_at(root, item["loc"]).where)):
        place = node_at(root, item["loc"])
        found.setdefault(f"{place.path}.{place.missing}" if item["type"] == "missing" else place.path, item)
    return [_one(item, root, model) for item in found.values()]


def _echo(problem: ErrorDetails, problems: Sequence[ErrorDetails]) -> bool:
    """Whether a list is only too short because its items are wrong, or a key only missing because it is misspelt."""
    inside = problem["loc"]
    if problem["type"] == "missing":
        beside = [
            str(item["loc"][-1])
            for item in problems
            if item["type"] == "extra_forbidden" and item["loc"][:-1] == inside[:-1]
        ]
        return bool(get_close_matches(str(inside[-1]), beside, n=1))
    return problem["type"] == "too_short" and any(
        len(item["loc"]) > len(inside) and item["loc"][: len(inside)] == inside for item in problems
    )


def line_of(where: str) -> int:
    """The line number at the end of `file:line`; 0 where there is none."""
    number = where.rpartition(":")[2]
    return int(number) if number.isdigit() else 0


def _one(problem: ErrorDetails, root: Node, model: type[BaseModel]) -> str:
    place = node_at(root, problem["loc"])
    head = f"{place.where}: {place.path}" if place.path else place.where
    if problem["type"] == "extra_forbidden":
        return f"{place.where}: {_unknown(place.path, _allowed(model, problem['loc'][:-1]))}"
    if problem["type"] == "missing":
        ours = to_snake(place.missing or "")
        name = ours if ours in _allowed(model, problem["loc"][:-1]) else place.missing
        return f"{place.where}: {f'{place.path}.{name}'.lstrip('.')}: is missing"
    return f"{head}: {_wrong(problem, place)}"


def _unknown(path: str, allowed: Sequence[str]) -> str:
    key = path.rpartition(".")[2]
    near = get_close_matches(key, allowed, n=1)
    hint = f", did you mean {near[0]!r}?" if near else ""
    return f"{path}: unknown key {key!r}{hint}; allowed: {', '.join(allowed)}"


def _wrong(problem: ErrorDetails, place: Place) -> str:
    kind, context = problem["type"], problem.get("ctx", {})
    got = f", not {place.node.text[:60]!r}" if isinstance(place.node, ScalarNode) else ""
    if kind in {"literal_error", "enum"}:
        return f"unknown value{got.removeprefix(', not')}; allowed: {context['expected'].replace(' or ', ', ')}"
    if kind in {"union_tag_invalid", "union_tag_not_found"}:
        return _alternatives(place.node, context)
    if kind == "value_error":
        return str(context["error"])
    return f"{wording(problem)}{got}"


def _alternatives(node: Node, context: Mapping[str, Any]) -> str:
    """A mapping that says by one key what it is, and says nothing or something unknown."""
    key = str(context["discriminator"]).strip("'")
    allowed = f"; allowed: {context['expected_tags']}" if "expected_tags" in context else ""
    held = node.items.get(key) if isinstance(node, MappingNode) else None
    if isinstance(held, ScalarNode):
        return f"unknown {key} {held.text[:60]!r}{allowed}"
    return f"needs the key {key!r} that says what it is{allowed}"


def _allowed(model: type[BaseModel], location: Location) -> list[str]:
    """The keys a mapping at this place may have."""
    models = _models_at(model, location)
    return list(dict.fromkeys(_key(name, field) for found in models for name, field in found.model_fields.items()))


def _key(name: str, field: FieldInfo) -> str:
    """What a field is called in a file: the name it was given for that, not the camel case of the wire."""
    return field.alias if field.alias and field.alias != to_camel(name) else name


def _models_at(annotation: Any, location: Location) -> Iterator[type[BaseModel]]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        yield from _models_at(arguments[0], location)
    elif origin in (Union, UnionType):
        chosen = [item for item in arguments if location and _label(item) == location[0]]
        for item in chosen or arguments:
            yield from _models_at(item, location[1:] if chosen else location)
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield from _below(annotation, location)
    elif arguments and location:
        yield from _models_at(arguments[1] if origin is dict else arguments[0], location[1:])


def _below(model: type[BaseModel], location: Location) -> Iterator[type[BaseModel]]:
    if not location:
        yield model
    for name, field in model.model_fields.items():
        if location and location[0] in (name, field.alias):
            yield from _models_at(field.annotation, location[1:])


def _label(annotation: Any) -> str | None:
    """What pydantic calls this alternative in an error location: its tag, the value of its `kind`, or its name."""
    arguments = get_args(annotation)
    if get_origin(annotation) is Annotated:
        tags = [item.tag for item in arguments[1:] if isinstance(item, Tag)]
        return tags[0] if tags else _label(arguments[0])
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for name in ("kind", "engine"):
            field = annotation.model_fields.get(name)
            if field and get_origin(field.annotation) is Literal:
                return str(get_args(field.annotation)[0])
        return annotation.__name__
    return None
