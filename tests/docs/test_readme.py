"""What the README shows, done as it says."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli import ROOT, agentmem

pytestmark = pytest.mark.usefixtures("embedded_index_throughout")

README = (ROOT / "README.md").read_text("utf-8")


PRINTED = ("555-0142", "555-0177", "Oslo", "I live in Oslo", "lives in Oslo", "I live in Oslo")
"""What each program prints, in their order."""

WITHOUT_A_MODEL = """
from agents import Model, ModelResponse, Usage, set_tracing_disabled
from agents.models.openai_provider import OpenAIProvider
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

class Polite(Model):
    async def get_response(self, *args, **given):
        text = ResponseOutputText(text="How nice.", type="output_text", annotations=[])
        said = ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *args, **given):
        raise AssertionError("nobody streams here")

OpenAIProvider.get_model = lambda self, name: Polite()
set_tracing_disabled(True)
"""
"""The SDK's own model needs a key; this one answers the same to everything."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def done(command: list[str], folder: Path) -> str:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=110, check=False)
    assert ended.returncode == 0, (command, ended.stdout, ended.stderr)
    return ended.stdout


def typed(line: str) -> str:
    """What a command prints, typed in this process's working directory."""
    ended = agentmem(*shlex.split(line)[1:])
    assert ended.code == 0, (line, ended.out, ended.err)
    return ended.out


def home(folder: Path) -> Path:
    for name in ("personas", "scenarios", "config.yaml"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def test_the_commands_it_shows_work_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = [line for block in blocks("sh") for line in block.splitlines() if line.startswith(".venv/bin/agentmem ")]
    folder = home(tmp_path)
    done([sys.executable, "-m", "agentmem", "run", "scenarios/aip_sales.yaml"], folder)
    monkeypatch.chdir(folder)
    outputs = {line: typed(line) for line in shown}

    first = outputs[".venv/bin/agentmem recall 怎么联系小东 --agent aip_sales"].splitlines()[0]
    assert "12345678901" in first
    assert "12345678901" in next(shown for line, shown in outputs.items() if " context " in line)
    listed = outputs[".venv/bin/agentmem memories --agent aip_sales --about 李雷 --all"]
    assert "30万" in listed
    assert "50万" in listed
    [looked, ended, erased] = [output for line, output in outputs.items() if " forget " in line]
    assert "would be forgotten" in looked
    assert "takes it back" in ended
    assert "erased" in erased
    stored = b"".join(path.read_bytes() for path in (folder / ".agentmem").rglob("*") if path.is_file())
    assert "50万".encode() not in stored


def programs() -> list[str]:
    """What the README shows in Python, with models that need no key."""
    return [program.replace("openai:gpt-5-mini", "test") for program in blocks("python")]


@pytest.mark.parametrize(("number", "printed"), list(enumerate(PRINTED[:-1])))
def test_each_program_it_shows_prints_what_it_remembers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int, printed: str
) -> None:
    monkeypatch.chdir(home(tmp_path))
    exec(compile(programs()[number], "example.py", "exec"), {"__name__": "__main__"})
    assert printed in capsys.readouterr().out


def test_a_program_in_a_process_of_its_own_prints_what_it_remembers(tmp_path: Path) -> None:
    (tmp_path / "example.py").write_text(WITHOUT_A_MODEL + programs()[-1], "utf-8")
    assert PRINTED[-1] in done([sys.executable, "example.py"], home(tmp_path))


def test_no_program_is_left_out() -> None:
    assert len(blocks("python")) == len(PRINTED)


def test_every_file_it_names_is_there() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
