"""Everything that is wrong with a persona file, not only the first thing."""

import importlib.util
from importlib import import_module
from pathlib import Path

from agentmem.errors import InvalidInput
from agentmem.runtime.configuration.personas import PersonaFile, inherited, misnamed, mistimed
from agentmem.runtime.configuration.yaml_file import build, line_of, node_at, problems, read_text
from agentmem.runtime.configuration.yaml_tree import MAX_BYTES, Node, parse_on


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
