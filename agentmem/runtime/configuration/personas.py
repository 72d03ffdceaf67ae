"""Personas by id: `personas/ID.yaml` is the agent ID.

A persona that `extends` another takes over what it does not say itself: mappings are laid over one another key by key,
everything else, lists too, is replaced. One level deep: a persona that is extended extends nothing.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from agentmem import patterns as re
from agentmem.domain.persona import AgentId, Persona
from agentmem.errors import InvalidInput, NotFound
from agentmem.runtime.configuration.yaml_file import build, load, node_at, text_of
from agentmem.runtime.configuration.yaml_tree import MappingNode, Node, ScalarNode, parse
from agentmem.runtime.host.scheduler import cron_trigger

NOT_INHERITED = ("id", "extends")


class PersonaFile(Persona):
    """A persona as its file may write it. With `extends` the file says only what differs from that persona."""

    extends: AgentId | None = None

    @property
    def resolved(self) -> Persona:
        """The persona itself, once what it extends has been laid under it."""
        return Persona(**{name: getattr(self, name) for name in Persona.model_fields})


def read_persona(path: Path) -> Persona:
    """One file. Raises `InvalidInput`, also where the file is named otherwise than the agent in it."""
    tree = inherited(load(path), path)
    persona = build(tree, PersonaFile).resolved
    if mistake := misnamed(tree, path) or mistimed(tree, persona):
        raise InvalidInput(mistake)
    return persona


def persona_of_text(raw: bytes, name: str) -> Persona:
    """The persona that these bytes are, YAML or JSON; `name` is what messages call them. It extends nothing and reads
    no file. Raises `InvalidInput`."""
    tree = parse(_plain(text_of(raw, name)), name)
    persona = build(tree, Persona)
    if mistake := mistimed(tree, persona):
        raise InvalidInput(mistake)
    return persona


def find_persona(directory: Path, persona_id: str) -> Persona:
    """The persona of that id. Raises `NotFound`, naming those that are there, and `InvalidInput`."""
    return read_persona(persona_file(directory, persona_id))


def persona_file(directory: Path, persona_id: str) -> Path:
    """The file of the persona of that id. Raises `NotFound`, naming those that are there."""
    for path in persona_files(directory):
        if path.stem == persona_id:
            return path
    raise NotFound(_unknown(directory, persona_id))


def all_personas(directory: Path) -> list[Persona]:
    """Every persona of the directory, by id; none where there is no such directory."""
    return [read_persona(path) for path in persona_files(directory)]


def persona_files(directory: Path) -> Iterator[Path]:
    """The files of the directory, by name; none where there is no such directory."""
    return (path for path in sorted(directory.glob("*.y*ml")) if re.fullmatch(r"\.ya?ml", path.suffix))


def inherited(tree: Node, path: Path) -> Node:
    """The tree of a persona file with the one it extends laid under it. Raises `InvalidInput`."""
    named = tree.items.get("extends") if isinstance(tree, MappingNode) else None
    if not isinstance(tree, MappingNode) or not isinstance(named, ScalarNode) or named.value is None:
        return tree
    parent = _parent(named, path)
    below = MappingNode(parent.where)
    for key, node in parent.items.items():
        if key not in NOT_INHERITED:
            below.items[key], below.keys[key] = node, parent.keys[key]
    return _laid(below, tree)


def misnamed(tree: Node, path: Path) -> str | None:
    """What is wrong where the file is named otherwise than the agent in it."""
    held = tree.items.get("id") if isinstance(tree, MappingNode) else None
    if not isinstance(held, ScalarNode) or held.text == path.stem:
        return None
    return f"{held.where}: id: must be {path.stem!r}, as the file is named, not {held.text!r}"


def mistimed(tree: Node, persona: Persona) -> str | None:
    """What is wrong with the cron line; None where the scheduler can keep to it."""
    line = persona.memory.reflect.cron
    try:
        if line is not None:
            cron_trigger(line)
    except InvalidInput as error:
        return f"{node_at(tree, ('memory', 'reflect', 'cron')).where}: {error}"
    return None


def _plain(text: str) -> str:
    """JSON writes a letter beyond the first 65,536 as two escapes, which no YAML reads as one letter."""
    if not re.search(r"\\u[dD][89abAB]", text):
        return text
    try:
        return json.dumps(json.loads(text), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


def _parent(named: ScalarNode, path: Path) -> MappingNode:
    if named.text == path.stem:
        raise InvalidInput(f"{named.where}: extends: {named.text!r} is this persona itself")
    try:
        file = persona_file(path.parent, named.text)
    except NotFound as error:
        raise InvalidInput(f"{named.where}: extends: {error}") from error
    tree = load(file)
    if not isinstance(tree, MappingNode):
        raise InvalidInput(f"{tree.where}: must be a mapping")
    further = tree.items.get("extends")
    if isinstance(further, ScalarNode) and further.value is not None:
        raise InvalidInput(
            f"{named.where}: extends: {named.text!r} extends {further.text!r} itself; allowed: one level"
        )
    return tree


def _laid(below: MappingNode, above: MappingNode) -> MappingNode:
    """`above` over `below`: mappings key by key, everything else replaced."""
    whole = MappingNode(above.where, dict(below.items), dict(below.keys))
    for key, node in above.items.items():
        under = below.items.get(key)
        whole.items[key] = (
            _laid(under, node) if isinstance(under, MappingNode) and isinstance(node, MappingNode) else node
        )
        whole.keys[key] = above.keys[key]
    return whole


def _unknown(directory: Path, persona_id: str) -> str:
    known = ", ".join(path.stem for path in persona_files(directory)) or "none"
    return f"no persona {persona_id!r} in {directory}/; there are: {known}"
