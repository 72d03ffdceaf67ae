"""The house style, as far as it can be counted."""

import ast
import inspect
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel

import agentmem
from agentmem import App, AsyncMemory, exports, load_settings, open_app
from agentmem.interfaces.python.memory_graph import Graph
from tests.architecture.test_access import facets, operations

ROOT = Path(__file__).parents[2]
LONGEST = 400
SHORT, MAX_SHORT = 60, 0.1
"""Lines of a file that is a room too small, and the share of such files."""
LONGEST_FUNCTION, MEDIAN, NINE_IN_TEN = 50, 7, 20
"""Lines of a function."""
MAX_HOMONYMS = 8
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|raise NotImplementedError")
VAGUE = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc"}


def sources() -> Iterator[Path]:
    for folder in ("agentmem", "workers", "evals"):
        yield from sorted((ROOT / folder).rglob("*.py"))


def test_no_file_is_long() -> None:
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in sources()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_few_files_are_short() -> None:
    """Files that mark a folder as a package are not counted: Python wants each to be there."""
    lengths = [len(path.read_text().splitlines()) for path in sources() if path.name != "__init__.py"]
    assert sum(length < SHORT for length in lengths) <= MAX_SHORT * len(lengths)


def test_functions_are_short() -> None:
    lengths = sorted(each for source in read() for each in source.functions)
    assert [name for length, name in lengths if length > LONGEST_FUNCTION] == []
    assert lengths[len(lengths) // 2][0] <= MEDIAN
    assert lengths[len(lengths) * 9 // 10][0] <= NINE_IN_TEN


def test_few_names_mean_more_than_one_class() -> None:
    homes = Counter(name for source in read() for name in source.classes)
    assert len([name for name, count in homes.items() if count > 1]) <= MAX_HOMONYMS


def test_who_catches_everything_raises_it_again_or_says_why_not() -> None:
    assert [place for source in read() for place in source.silent] == []


@dataclass(frozen=True, slots=True)
class Source:
    """What is counted of one file: the lines and names of its functions, its classes, and where everything is caught
    without a word."""

    functions: list[tuple[int, str]]
    classes: list[str]
    silent: list[str]


@cache
def read() -> list[Source]:
    """Every file, parsed once."""
    return [_source(path) for path in sources()]


def _source(path: Path) -> Source:
    text = path.read_text()
    tree, lines = ast.parse(text), text.splitlines()
    nodes = [*ast.walk(tree)]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    caught = [node for node in nodes if isinstance(node, ast.ExceptHandler)]
    where = path.relative_to(ROOT)
    return Source(
        [((node.end_lineno or 0) - node.lineno + 1, f"{where}:{node.lineno} {node.name}") for node in functions],
        [node.name for node in tree.body if isinstance(node, ast.ClassDef)],
        [f"{where}:{node.lineno}" for node in caught if _is_silent(node, lines[node.lineno - 1])],
    )


def _is_silent(node: ast.ExceptHandler, line: str) -> bool:
    everything = node.type is None or (
        isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")
    )
    return everything and "#" not in line and not any(isinstance(each, ast.Raise) for each in ast.walk(node))


def test_nothing_is_left_undone_in_words() -> None:
    assert [path for path in sources() if UNFINISHED.search(path.read_text())] == []


def test_every_module_says_what_it_is_for() -> None:
    def begins_well(path: Path) -> bool:
        text = path.read_text()
        return not text.strip() or text.startswith('"""')

    assert [path for path in sources() if not begins_well(path)] == []


def test_no_name_is_vague() -> None:
    assert [
        path for path in sources() if {path.stem, *path.parent.parts} & VAGUE or re.search(r"_v\d", path.stem)
    ] == []


def test_every_package_can_be_seen() -> None:
    """A folder without `__init__.py` is invisible to import-linter, so nothing would be checked in it."""
    folders = {path.parent for path in sources()}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_every_type_of_a_public_call_is_a_name_of_the_package() -> None:
    """Also the types of the fields of those types, as deep as they go."""
    called = [*(operation for facet in facets(App) for _, operation in operations(facet)), open_app, load_settings]
    called += [member for face in (AsyncMemory, Graph) for member in vars(face).values() if inspect.isfunction(member)]
    todo: list[type] = [
        kind for call in called if not call.__name__.startswith("_") for kind in _kinds(list(_hints(call)))
    ]
    reached: set[type] = set()
    while todo:
        if (kind := todo.pop()) not in reached:
            reached.add(kind)
            is_value = kind is not App and (is_dataclass(kind) or issubclass(kind, BaseModel))
            todo += _kinds(list(_hints(kind))) if is_value else ()
    wanted = {kind for kind in reached if not kind.__name__.startswith("_") and kind.__module__ not in INTERNAL}
    assert {kind for kind in wanted if vars(exports).get(kind.__name__) is not kind} == set()
    assert len(wanted) > 80


def test_the_package_lists_its_names_and_loads_nothing_before_one_is_used() -> None:
    assert {"App", "AsyncMemory", "Memory", "Persona", "RecallQuery", "Settings", "open_app"} <= set(dir(agentmem))
    assert all(hasattr(agentmem, name) for name in dir(agentmem))
    assert not hasattr(agentmem, "nothing_of_the_kind")
    call = "import sys, agentmem; print([name for name in sys.modules if name.startswith('agentmem.')])"
    assert subprocess.run([sys.executable, "-c", call], capture_output=True, text=True, check=True).stdout == "[]\n"


INTERNAL = {
    f"agentmem.{name}"
    for name in ("runtime.configuration.settings", "runtime.host.clocks", "ports.cognition", "ports.models")
}
"""What is configured in words or stands in for an adapter; its parts are no names of the package."""


def _hints(kind: Any) -> Iterator[object]:
    """What the parameters of a call, or the fields of a value, are declared as."""
    hints = get_type_hints(kind)
    if isinstance(kind, type):
        names = list(getattr(kind, "model_fields", ())) or [each.name for each in fields(kind)]
    else:
        names = list(hints)
    yield from (hints[name] for name in names)


def _kinds(hint: Any) -> list[type]:
    """Our own classes in a declared type, or in a list of such."""
    own: object = get_origin(hint) or hint
    ours = [own] if isinstance(own, type) and own.__module__.startswith("agentmem") else []
    parts: Iterable[Any] = hint if isinstance(own, list) else get_args(hint)
    return [*ours, *(kind for part in parts for kind in _kinds(part))]
