"""The house style, as far as it can be counted."""

import re
from collections.abc import Iterator
from pathlib import Path

import agentmem

ROOT = Path(__file__).parents[2]
LONGEST = 400
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|raise NotImplementedError")
VAGUE = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc"}


def sources() -> Iterator[Path]:
    for folder in ("agentmem", "workers"):
        yield from sorted((ROOT / folder).rglob("*.py"))


def test_no_file_is_long() -> None:
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in sources()}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


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


def test_the_public_face_is_what_it_was() -> None:
    """A name added here is a promise; a name removed is a broken one."""
    assert tuple(sorted(agentmem.__all__)) == PUBLIC
    assert len(PUBLIC) <= 15
    assert all(hasattr(agentmem, name) for name in PUBLIC)


PUBLIC = (
    "AgentMemError",
    "App",
    "Memory",
    "MemoryNode",
    "MemoryType",
    "Modality",
    "Person",
    "Persona",
    "RecallQuery",
    "Recalled",
    "Scope",
    "Settings",
    "load_settings",
    "open_app",
)
