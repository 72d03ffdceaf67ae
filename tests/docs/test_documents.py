"""What docs/documents.md shows, done as it says."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli import ROOT, agentmem

PAGE = (ROOT / "docs/documents.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("personas", "config.yaml", "workers"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_commands_it_shows_work_in_their_order(home: Path) -> None:
    shown = [line for block in blocks("sh") for line in block.splitlines()]
    ended = {line: agentmem(*shlex.split(line)[1:]) for line in shown}

    assert {line: (done.code, done.err) for line, done in ended.items() if done.code} == {}
    assert "三台服务器" in next(done.out for line, done in ended.items() if " recall " in line)
    assert "aip_sales.yaml:" in next(done.out for line, done in ended.items() if " show " in line)


def test_the_program_it_shows_finds_the_answer(home: Path) -> None:
    (program,) = blocks("python")
    (home / "example.py").write_text(program, "utf-8")
    done = subprocess.run(
        [sys.executable, "example.py"], cwd=home, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "三十天" in done.stdout


def test_the_persona_it_shows_is_the_one_that_is_shipped() -> None:
    shipped = (ROOT / "personas/aip_presales.yaml").read_text("utf-8")
    for line in blocks("yaml")[0].splitlines():
        assert line in shipped
