"""Which files a path means."""

import os
from pathlib import Path

import pytest

from agentmem.errors import InvalidInput
from agentmem.runtime.facade.chosen_files import asset_id, find_files, read_bytes


def shelf(folder: Path) -> Path:
    docs = folder / "docs"
    for name in ("a.md", "sub/b.txt", "sub/.hidden.md", ".git/c.md", "d.bin", "readme"):
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (folder / "outside.md").write_text("secret")
    (docs / "leads-out.md").symlink_to(folder / "outside.md")
    (docs / "leads-in.md").symlink_to(docs / "a.md")
    (docs / "folder-out").symlink_to(folder)
    os.mkfifo(docs / "pipe.md")
    return docs


def test_of_a_directory_what_can_be_read_is_found_once(tmp_path: Path) -> None:
    docs = shelf(tmp_path)

    found = find_files([docs, docs / "a.md"])

    assert sorted(path.name for path in found.files) == ["a.md", "b.txt"]
    assert {path.name: reason for path, reason in found.left_out} == {
        ".hidden.md": "hidden",
        "d.bin": "no reader for .bin",
        "readme": "no reader for files without a suffix",
        "leads-out.md": "a link to outside",
        "pipe.md": "not a file",
    }


def test_a_pattern_means_what_fits_it(tmp_path: Path) -> None:
    docs = shelf(tmp_path)

    assert [path.name for path in find_files([docs / "**" / "*.txt"]).files] == ["b.txt"]
    with pytest.raises(InvalidInput, match="nothing fits this pattern"):
        find_files([docs / "*.pdf"])


def test_a_path_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no such file or directory"):
        find_files([tmp_path / "nothing.md"])


def test_a_document_is_called_by_its_path_below_the_personas_or_by_its_whole_path(tmp_path: Path) -> None:
    home = tmp_path / "personas"
    assert asset_id(home / "assets" / "a.md", home) == "assets/a.md"
    assert asset_id(tmp_path / "b.md", home) == (tmp_path / "b.md").as_posix()
    long = asset_id(home / ("x" * 250) / "价目.md", home)
    assert len(long) <= 200
    assert long.endswith("/价目.md")
    assert long != asset_id(home / ("x" * 251) / "价目.md", home)


def test_links_that_lead_round_in_circles_or_nowhere_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "up").symlink_to(tmp_path)
    (tmp_path / "itself.md").symlink_to(tmp_path / "itself.md")
    (tmp_path / "nowhere.md").symlink_to(tmp_path / "gone.md")

    found = find_files([tmp_path])

    assert [path.name for path in found.files] == ["a.md"]
    assert {path.name: reason for path, reason in found.left_out} == {
        "itself.md": "a link to nowhere",
        "nowhere.md": "a link to nowhere",
    }
    with pytest.raises(InvalidInput, match="no such file or directory"):
        find_files([tmp_path / "itself.md"])


def test_of_a_file_that_is_far_too_large_no_more_is_read_than_shows_it(tmp_path: Path) -> None:
    huge = tmp_path / "huge.csv"
    huge.touch()
    os.truncate(huge, 100_000_000)
    with pytest.raises(InvalidInput, match="larger than 33,554,432 bytes"):
        read_bytes(huge)
