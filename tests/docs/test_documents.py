"""What docs/documents.md shows, done as it says."""

import re
import shlex
from pathlib import Path

import pytest

from tests.support.cli import ROOT, agentmem

PAGE = (ROOT / "docs/documents.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("personas", "config.yaml"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_commands_it_shows_work_in_their_order(home: Path) -> None:
    shown = [line for block in blocks("sh") for line in block.splitlines()]
    ended = {line: agentmem(*shlex.split(line)[1:]) for line in shown}

    assert {line: (done.code, done.err) for line, done in ended.items() if done.code} == {}
    assert "三台服务器" in next(done.out for line, done in ended.items() if " recall " in line)
    assert "aip_sales.yaml:" in next(done.out for line, done in ended.items() if " show " in line)


@pytest.mark.usefixtures("home")
def test_the_program_it_shows_finds_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = blocks("python")
    exec(compile(program, "example.py", "exec"), {"__name__": "__main__"})
    assert "三十天" in capsys.readouterr().out


def test_the_persona_it_shows_is_the_one_that_is_shipped() -> None:
    shipped = (ROOT / "personas/aip_presales.yaml").read_text("utf-8")
    for line in blocks("yaml")[0].splitlines():
        assert line in shipped
