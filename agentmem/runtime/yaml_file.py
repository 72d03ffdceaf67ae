"""A YAML file as a validated value; a mistake in it is one line: file, line, key, what is wrong, what is allowed.

Scalars become what the schema says: `0123` and `12:30` stay text where text is wanted, a quoted `"10"` is no number,
and no number is a date.
"""

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from agentmem.errors import InvalidInput
from agentmem.runtime.text_file import read_text
from agentmem.runtime.yaml_problems import describe, descriptions, node_at
from agentmem.runtime.yaml_tree import MAX_BYTES, Leaf, Node, parse

T = TypeVar("T", bound=BaseModel)

_TEXT_WANTED = {"string_type", "literal_error", "enum"}


def read(path: Path, model: type[T]) -> T:
    """The file's content as `model`. Raises `InvalidInput` with one line that says where the mistake is."""
    return build(load(path), model)


def load(path: Path) -> Node:
    """The file as a tree that knows its lines. Raises `InvalidInput`."""
    return parse(read_text(path, MAX_BYTES), str(path))


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
            and isinstance(node, Leaf)
            and node.plain
            and not isinstance(node.value, str | None)
        ):
            node.value = node.text
            found = True
    return found
