"""What the documents about the house say of its rooms is there."""

import pytest

from agentmem import patterns as re
from tests.support.cli import ROOT

PATH = re.compile(r"`((?:agentmem|workers)/[\w/]+(?:\.py)?)`")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
DOCUMENTS = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_a_document_names_is_there(document: str) -> None:
    named = [found.group(1) for found in PATH.finditer((ROOT / document).read_text("utf-8"))]
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_of_a_document_leads_somewhere(document: str) -> None:
    place = (ROOT / document).parent
    linked = [found.group(1) for found in LINK.finditer((ROOT / document).read_text("utf-8"))]
    assert [path for path in linked if not (place / path).exists()] == []


def test_the_paths_of_a_turn_and_of_a_question_are_told_with_their_rooms() -> None:
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    paths = [part for part in text.split("\n## ") if part.startswith("The path of")]
    assert len(paths) == 2
    assert all(len(set(PATH.findall(path))) >= 8 for path in paths)


def test_every_folder_of_the_library_is_on_the_plan() -> None:
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    rooms = [path.name for path in (ROOT / "agentmem").iterdir() if (path / "__init__.py").exists()]
    assert [room for room in rooms if f"agentmem/{room}" not in text] == []
