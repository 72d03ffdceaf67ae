"""What README.md and the pages of docs/ show, done as they say.

A block of `sh` is typed line by line, the blocks of a page in one folder where the demo was played; a block of `python`
is run in an empty one. A block of `text` after either holds lines that must have been printed. What stands in a block
of `bash` needs a model, a download or a second shell and is not run.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
import yaml

from agentmem.runtime.configuration.personas import persona_of_text
from tests.support.cli import PATH, ROOT, agentmem, started

pytestmark = pytest.mark.thorough

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FILES = ("config.yaml", "personas", "scenarios")

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


@dataclass(frozen=True)
class Block:
    """A block of a page with the lines that it must print."""

    page: str
    language: str
    text: str
    printed: tuple[str, ...]


def blocks(page: Path) -> Iterator[Block]:
    shown = r"^```(\w+)\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?"
    for language, text, printed in re.findall(shown, page.read_text("utf-8"), re.DOTALL | re.MULTILINE):
        yield Block(page.name, language, text, tuple(printed.splitlines()))


ALL = {page.name: list(blocks(page)) for page in PAGES}
PROGRAMS = [block for page in ALL.values() for block in page if block.language == "python"]
TYPED = {name: [block for block in page if block.language == "sh"] for name, page in ALL.items()}
SERVER = "http://127.0.0.1:8420"
FOR_A_SERVER = [block for block in PROGRAMS if SERVER in block.text]
FOR_THE_SDK = [block for block in PROGRAMS if "Runner" in block.text]
CURLED = [block for block in ALL["server.md"] if block.language == "bash" and "\ncurl" in block.text]
PLAIN = [block for block in PROGRAMS if block not in (*FOR_A_SERVER, *FOR_THE_SDK)]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, embedded_index_throughout: None) -> Path:
    """A folder where the demo was played."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        ended = agentmem("run")
    assert ended.code == 0, ended.err
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in FILES:
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed(line: str) -> str:
    """What a line prints that is typed in the working directory; `make` is tried by itself."""
    command = shlex.split(line, comments=True)
    if not command or command[0] == "make":
        return ""
    if Path(command[0]).name != "agentmem":
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        code, out, err = done.returncode, done.stdout, done.stderr
    else:
        ended = agentmem(*command[1:])
        code, out, err = ended.code, ended.out, ended.err
    assert code == 0, (line, out, err)
    return out


def is_printed(line: str, out: str) -> bool:
    """Whether a line was printed, wrapped or not, from the beginning of a word on; `…` stands for what is left out."""
    wrapped = "\n?".join(r"[\s\S]*?" if char == "…" else re.escape(char) for char in line)
    return re.search(rf"(?<!\S){wrapped}", out) is not None


@pytest.mark.usefixtures("embedded_index_throughout")
@pytest.mark.parametrize("page", [name for name, shown in TYPED.items() if shown])
def test_the_commands_of_a_page_work_in_their_order(page: str, home: Path, played: Path) -> None:
    shutil.copytree(played / ".agentmem", home / ".agentmem")
    for block in TYPED[page]:
        out = "".join(typed(line) for line in block.text.splitlines())
        for line in block.printed:
            assert is_printed(line, out), (block.text, line, out)


def test_pages_have_commands_and_programs() -> None:
    assert sum(map(len, TYPED.values())) >= 15
    assert len(PROGRAMS) >= 10


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("block", PLAIN, ids=lambda block: block.page)
def test_a_program_prints_what_it_shows(block: Block, capsys: pytest.CaptureFixture[str]) -> None:
    """With pydantic-ai's model for tests in the place of the one that needs a key."""
    text = re.sub(r'"openai[\w-]*:[\w.-]+"', '"test"', block.text)
    exec(compile(text, f"{block.page}.py", "exec"), {"__name__": "__main__"})
    out = capsys.readouterr().out
    assert out.strip()
    if block.printed:
        assert [line for line in block.printed if not is_printed(line, out)] == []


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("block", FOR_THE_SDK, ids=lambda block: block.page)
def test_a_program_for_the_agents_sdk_remembers(block: Block, home: Path) -> None:
    (home / "example.py").write_text(WITHOUT_A_MODEL + block.text, "utf-8")
    environment = os.environ | {"PYTHONPATH": PATH}
    ended = subprocess.run(
        [sys.executable, "example.py"], env=environment, capture_output=True, text=True, timeout=110, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert "I live in Oslo" in ended.stdout


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a server and a token for it."""
    data = tmp_path_factory.mktemp("served")
    made = agentmem("token", "create", "me", "--owner", "--data", data, "--json")
    process = started("-m", "agentmem", "serve", "--port", "0", "--data", data, "--set", "chat_model=test")
    with process:
        assert process.stderr is not None
        address = next(line.split()[-1] for line in process.stderr if line.startswith("listening on "))
        token = made.json["token"]
        agent = Request(f"{address}/v1/agents/ada", b'{"id": "ada", "name": "Ada", "language": "en"}', method="PUT")
        agent.headers.update({"Authorization": f"Bearer {token}", "Content-type": "application/json"})
        urlopen(agent, timeout=30).close()
        yield address, token
        process.terminate()


@pytest.mark.parametrize("block", FOR_A_SERVER, ids=lambda block: block.page)
def test_a_program_for_a_server_is_answered(
    block: Block, server: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = block.text.replace(SERVER, server[0]).replace("agm_…", server[1])
    exec(compile(text, f"{block.page}.py", "exec"), {"__name__": "__main__"})
    assert [line for line in block.printed if line not in capsys.readouterr().out] == []


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl")
def test_what_curl_is_shown_to_ask_is_answered(server: tuple[str, str], tmp_path: Path) -> None:
    told = "".join(block.text for block in CURLED).replace("localhost:8420", server[0]).replace("agm_…", server[1])
    strict = (
        'set -euo pipefail\ncurl() { command curl --silent --show-error --fail-with-body --max-time 100 "$@"; echo; }\n'
    )
    done = subprocess.run(
        ["bash", "-c", strict + told], cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    agent, read, recalled, answer, taken, listed = done.stdout.splitlines()
    assert json.loads(agent)["id"] == "ada"
    assert "555-0142" in str(json.loads(read)["changes"])
    assert "555-0142" in json.loads(recalled)["hits"][0]["memory"]["content"]
    assert "555-0142" in json.loads(answer)["answer"]
    assert json.loads(taken)["eventId"]
    assert "documents" in json.loads(listed)


def test_all_yaml_that_is_shown_can_be_read() -> None:
    shown = [block.text for page in ALL.values() for block in page if block.language == "yaml"]
    assert shown
    for text in shown:
        list(yaml.safe_load_all(text))


def test_the_personas_that_are_shown_are_right() -> None:
    shown = [
        block.text for page in ALL.values() for block in page if block.language == "yaml" and "\nrole:" in block.text
    ]
    assert shown
    for text in shown:
        assert persona_of_text(text.encode(), "shown").id
