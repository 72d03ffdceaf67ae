"""Names that are paths: one clear line, code 2, and nothing written outside the store."""

from pathlib import Path

import pytest

from tests.support.cli import agentmem

PATHS = ("../x", "../../../tmp/x", "/x", "a/../../x", "..", "..\\x")
SAY = ("say", "clerk", "--from", "Tom", "hello")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "deep" / "home"
    (folder / "personas").mkdir(parents=True)
    (folder / "personas" / "clerk.yaml").write_text("id: clerk\nname: Clerk\nlanguage: en\n")
    return folder


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "words",
    [
        (*SAY, "--tenant", "{}"),
        ("agents", "--tenant", "{}"),
        ("say", "clerk", "--from", "{}", "hello"),
        ("say", "{}", "--from", "Tom", "hello"),
        ("recall", "hello", "--agent", "{}"),
        ("clone", "clerk", "{}"),
    ],
)
def test_a_path_is_no_name(folder: Path, words: tuple[str, ...], path: str) -> None:
    outside = sorted(folder.parent.parent.rglob("*"))
    options = ("--data", folder / "data", "--set", f"personas={folder / 'personas'}")
    ran = agentmem(*(word.format(path) for word in words), *options)
    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.strip().splitlines()) == 1
    left = [found for found in folder.parent.parent.rglob("*") if not found.is_relative_to(folder / "data")]
    assert sorted(left) == [found for found in outside if not found.is_relative_to(folder / "data")]
