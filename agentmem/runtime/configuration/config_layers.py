"""The layers of the configuration laid over one another: file, environment, options; each value keeps its origin."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from pydantic import BaseModel

from agentmem.domain.bounds import check_text
from agentmem.errors import InvalidInput
from agentmem.runtime.configuration.yaml_file import load
from agentmem.runtime.configuration.yaml_tree import MappingNode, Node, ScalarNode, parse, scalar

PREFIX = "AGENTMEM_"
# What test runs are told by; no settings.
_NOT_SETTINGS = ("AGENTMEM_TEST_", "AGENTMEM_REQUIRE_")
# What a `Client` shows a server; who has it in his shell uses the command line as well.
_OF_CLIENTS = "AGENTMEM_TOKEN"
# Keys that say which alternative a section is: another one takes nothing over from the layers below.
_CHOICES = ("kind", "engine")

Given = tuple[str, tuple[str, ...], str]
"""Where a value was given, the path of its key, and its text."""


class BadOverride(InvalidInput):
    """An option of the command line is wrong, and no file."""


def overrides_of(options: Sequence[str]) -> Iterator[Given]:
    """`a.b=value` options, taken apart."""
    for option in options:
        key, equals, value = option.partition("=")
        parts = tuple(part.strip() for part in key.split("."))
        if not equals or not all(parts):
            raise BadOverride(f"--set {option!r}: must be KEY=VALUE, such as --set workers.concurrency=8")
        yield "--set", parts, value


def variables_of(environment: Mapping[str, str] | None, model: type[BaseModel]) -> Iterator[Given]:
    """Variables such as `AGENTMEM_WORKERS__CONCURRENCY`; one that names no setting is a mistake."""
    for name, value in sorted((os.environ if environment is None else environment).items()):
        if not name.startswith(PREFIX) or name.startswith(_NOT_SETTINGS) or name == _OF_CLIENTS:
            continue
        parts = tuple(name.removeprefix(PREFIX).lower().split("__"))
        if parts[0] not in model.model_fields:
            near = get_close_matches(parts[0], model.model_fields, n=1)
            hint = f", did you mean {PREFIX}{near[0].upper()}?" if near else ""
            raise InvalidInput(f"{name}: no such setting{hint}; allowed: {', '.join(model.model_fields)}")
        yield name, parts, value


def layered(path: Path | None, default: Path, variables: Iterable[Given], options: Iterable[Given]) -> Node:
    """The file (the default one may be missing) with the variables and then the options over it."""
    tree = _file(path, default)
    for where, parts, text in (*variables, *options):
        _put(tree, where, parts, _value(where, text))
    return tree


def _file(path: Path | None, default: Path) -> MappingNode:
    if path is None and not default.exists():
        return MappingNode(str(default))
    chosen = path or default
    tree = load(chosen)
    if isinstance(tree, MappingNode):
        return tree
    if isinstance(tree, ScalarNode) and tree.value is None:
        return MappingNode(str(chosen))
    raise InvalidInput(f"{tree.where}: must be a mapping of settings")


def _value(where: str, text: str) -> Node:
    """Lists and mappings in YAML's short form; everything else is one scalar, also where it holds a `#` or a `:`."""
    check_text(where, text)
    if text[:1] in ("[", "{"):
        return _placed(parse(text, where), where)
    return ScalarNode(where, scalar(text), text, plain=True)


def _placed(node: Node, where: str) -> Node:
    node.where = where
    if isinstance(node, MappingNode):
        node.keys = dict.fromkeys(node.keys, where)
    if not isinstance(node, ScalarNode):
        for child in node.items.values() if isinstance(node, MappingNode) else node.items:
            _placed(child, where)
    return node


def _put(tree: MappingNode, where: str, parts: Sequence[str], value: Node) -> None:
    *above, last = parts
    for depth, part in enumerate(above, start=1):
        below = tree.items.get(part)
        chosen_anew = depth == len(above) and last in _CHOICES and _other(below, last, value)
        if chosen_anew or not isinstance(below, MappingNode):
            below = MappingNode(where)
            tree.items[part], tree.keys[part] = below, where
        tree = below
    tree.items[last], tree.keys[last] = value, where


def _other(section: Node | None, key: str, value: Node) -> bool:
    held = section.items.get(key) if isinstance(section, MappingNode) else None
    return isinstance(held, ScalarNode) and isinstance(value, ScalarNode) and held.text != value.text
