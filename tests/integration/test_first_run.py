"""The first minutes: a project is written, the demo plays, and both work from a wheel in an empty environment."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from agentmem.interfaces.cli.commands.run import demo_folder
from tests.support.cli import ROOT, agentmem

pytestmark = pytest.mark.thorough


def test_a_new_project_plays_its_scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = agentmem("init", tmp_path / "desk")
    monkeypatch.chdir(tmp_path / "desk")

    assert written.code == 0
    assert written.out.splitlines()[-1].endswith("agentmem run scenarios/first_stay.yaml")
    assert agentmem("run", "scenarios/first_stay.yaml", "--json").json["scenarios"][0]["passed"] is True
    assert agentmem("persona", "lint").code == 0


def test_a_project_plays_its_own_scenario_and_the_demo_only_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agentmem("init", tmp_path)
    monkeypatch.chdir(tmp_path)

    assert agentmem("run", "--json").json["scenarios"][0]["scenario"] == "first-stay"
    assert [agent["id"] for agent in agentmem("agents", "--json").json["agents"]] == ["front_desk"]
    first = tmp_path / "scenarios" / "first_stay.yaml"
    (tmp_path / "scenarios" / "second.yaml").write_bytes(first.read_bytes())
    asked = agentmem("run")
    assert (asked.code, asked.out) == (2, "")
    assert asked.err == (
        "agentmem: name what to play: scenarios/first_stay.yaml, scenarios/second.yaml; "
        "or play the demo: agentmem run demo\n"
    )
    shutil.rmtree(tmp_path / "scenarios")
    refused = agentmem("run")
    assert (refused.code, refused.err.count("\n"), "agentmem run demo" in refused.err) == (2, 1, True)
    assert [agent["id"] for agent in agentmem("agents", "--json").json["agents"]] == ["front_desk"]
    assert agentmem("run", "demo", "--json").json["scenarios"][0]["scenario"] == "aip-sales"


def test_what_must_never_be_stated_does_not_gainsay_what_is_shown(tmp_path: Path) -> None:
    shown = " ".join(agentmem("run", ROOT / "scenarios" / "aip_sales.yaml", "--data", tmp_path).out.split())

    assert "希望利用AI进行数据分析预测" in shown
    assert "no valid stated memory says: 数据分析 (销售给的两个选项他没有回答)" in shown
    assert "nothing with" not in shown


def test_a_project_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    own = tmp_path / "personas" / "front_desk.yaml"
    own.parent.mkdir()
    own.write_text("mine")

    refused = agentmem("init", tmp_path)

    assert (refused.code, refused.out) == (2, "")
    assert refused.err == f"agentmem: {own} is there already; nothing was written\n"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["front_desk.yaml", "personas"]
    assert own.read_text() == "mine"


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    refused = agentmem("init", tmp_path / "file" / "project")

    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "cannot be written" in refused.err


def test_a_run_without_a_scenario_plays_the_demo_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    played = agentmem("run", "--json").json["scenarios"]

    assert [(one["scenario"], one["passed"]) for one in played] == [("aip-sales", True)]
    assert agentmem("recall", "怎么联系小东", "--agent", "aip_sales", "--json").json["hits"]


def test_the_first_word_to_an_unknown_agent_is_answered_with_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    refused = agentmem("say", "desk", "hello", "--from", "Bo")

    assert refused.code == 5
    assert refused.err == (
        "agentmem: no agent 'desk' in tenant 'default'; there are: none; "
        "write personas/desk.yaml, or begin a project with: agentmem init\n"
    )


def test_the_demo_of_a_checkout_is_at_its_top() -> None:
    assert demo_folder() == ROOT


def test_a_wheel_in_an_empty_environment_plays_the_demo(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling comes with the extra `test`")
    home, work = tmp_path / "venv", tmp_path / "work"
    call = f"from hatchling.build import build_wheel; print(build_wheel({str(tmp_path)!r}))"
    built = subprocess.run([sys.executable, "-c", call], cwd=ROOT, capture_output=True, text=True, check=True)
    venv.create(home, with_pip=False)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home)}))
    with ZipFile(tmp_path / built.stdout.split()[-1]) as wheel:
        wheel.extractall(site)
    libraries = {str(Path(entry)) for entry in sys.path if entry.endswith("site-packages")}
    (site / "libraries.pth").write_text("\n".join(sorted(libraries)))
    work.mkdir()

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        line = [home / "bin" / "python", "-P", *arguments]
        return subprocess.run(line, cwd=work, capture_output=True, text=True, timeout=60, check=False)

    assert run("-c", "import agentmem; print(agentmem.__file__)").stdout.startswith(str(site))
    assert run("-m", "agentmem", "init", "project").returncode == 0
    played = run("-m", "agentmem", "run")
    assert (played.returncode, played.stderr) == (0, "")
    assert "checks passed" in played.stdout
    assert 'pip install "agentmem-framework[evals]"' in run("-m", "agentmem", "eval", "time", "x.json").stderr
