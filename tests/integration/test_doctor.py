"""What `agentmem doctor` finds: every damage that tests make, by name and with the one command that mends it."""

import shlex
import subprocess
from pathlib import Path

import pytest

from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.checkup import MIN_FREE, of_files
from tests.support.cli import agentmem
from tests.support.damages import DAMAGES, Damage, execute
from tests.support.syscalls import copy_all

pytestmark = pytest.mark.usefixtures("embedded_index_throughout")

PERSONA = "id: clerk\nname: 前台\n"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which something was said and read, closed in order."""
    folder = tmp_path_factory.mktemp("sound")
    (folder / "personas").mkdir()
    (folder / "personas" / "clerk.yaml").write_text(PERSONA, encoding="utf-8")
    for text in ("我的电话是13800138000", "我的电话换成了13900139000"):
        assert agentmem("say", "clerk", text, "--from", "王芳", "--end", *options_of(folder)).code == 0
    assert problems(folder) == []
    assert agentmem("backup", folder / "sound.backup", *options_of(folder)).code == 0
    return folder


def options_of(folder: Path, *more: str) -> tuple[str, ...]:
    return ("--data", str(folder / "data"), "--set", f"personas={folder / 'personas'}", *more)


def problems(folder: Path, *options: str) -> list[str]:
    return agentmem("doctor", *options_of(folder, *options), "--json").json["problems"]


def damaged(sound: Path, tmp_path: Path, damage: Damage) -> Path:
    """A copy of the store that is damaged."""
    folder = tmp_path / "store"
    copy_all(sound, folder)
    damage.make(folder / "data")
    return folder


@pytest.mark.thorough
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
def test_every_damage_is_named_with_what_mends_it(sound: Path, tmp_path: Path, damage: Damage) -> None:
    told = problems(damaged(sound, tmp_path, damage), *damage.options)
    assert [line for line in told if damage.says in line and damage.mend in line], told
    assert all("\n" not in line for line in told)


@pytest.mark.thorough
@pytest.mark.parametrize("damage", [damage for damage in DAMAGES if damage.mends], ids=lambda damage: damage.name)
def test_the_command_that_is_named_mends_it(sound: Path, tmp_path: Path, damage: Damage) -> None:
    folder = damaged(sound, tmp_path, damage)
    [line] = [line for line in problems(folder, *damage.options) if damage.says in line]
    run(line, folder, damage)
    assert problems(folder, *damage.options) == []


def run(line: str, folder: Path, damage: Damage) -> None:
    """Run the command between the backticks that begins as the damage says; FILE is a backup of the sound store."""
    [command] = [part for part in line.split("`")[1::2] if part.startswith(damage.mend)]
    given = {"FILE": str(folder / "sound.backup"), "TEXT": "好", "NAME": "王芳"}
    program, *arguments = (given.get(word, word) for word in shlex.split(command))
    if program != "agentmem":
        subprocess.run([program, *arguments], check=True)
        return
    mended = agentmem(*arguments, *options_of(folder, *damage.options))
    assert mended.code == 0, mended.err
    assert agentmem("worker", "--once", *options_of(folder, *damage.options)).code == 0


def test_what_counts_how_far_the_index_is_may_be_lost(sound: Path, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    copy_all(sound, folder)
    execute(folder / "data", "UPDATE marks SET value = 'x' WHERE value GLOB '[0-9]*'")
    assert problems(folder) == []
    assert agentmem("index", "verify", *options_of(folder)).code == 0


def test_a_disk_that_is_nearly_full_is_named(sound: Path) -> None:
    settings = Settings(data=sound / "data")
    assert of_files(settings, lambda _: MIN_FREE) == []
    [problem] = of_files(settings, lambda _: MIN_FREE - 1)
    assert "has 255 MB left" in str(problem)


def test_the_doctor_changes_nothing_where_the_journal_is_missing(sound: Path, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    copy_all(sound, folder)
    for file in (folder / "data").glob("journal.db*"):
        file.unlink()
    before = sorted(path.name for path in (folder / "data").rglob("*"))
    ran = agentmem("doctor", *options_of(folder))
    assert ran.code == 4
    assert sorted(path.name for path in (folder / "data").rglob("*")) == before
