"""What is written is for its owner only, whatever the umask and whatever lies there already."""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agentmem.domain.scope import Scope
from agentmem.memory.forget import Meant
from agentmem.private_files import make_private, open_private, open_to_others
from agentmem.runtime.configuration.settings import QdrantIndexSettings
from tests.support.cli import agentmem
from tests.support.nodes import AGENT, TARGET, TENANT
from tests.support.spine import spine

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("embedded_index_throughout")]

UMASKS = (0o000, 0o022, 0o077, 0o277)


@contextmanager
def umask(value: int) -> Generator[None]:
    before = os.umask(value)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """The rights of others on everything in a folder, where there are any."""
    found = {path.relative_to(folder).as_posix(): stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    return {name: mode for name, mode in found.items() if mode & 0o077}


@pytest.mark.parametrize("mask", UMASKS, ids=oct)
async def test_nobody_else_can_read_a_store(tmp_path: Path, mask: int) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    with umask(mask):
        for _ in range(2):
            async with spine(tmp_path) as app:
                await app.say(AGENT, "罗小东", "我的电话是13800138000", end=True)
                await app.drain()
                assert open_to_others(data) == []  # what the index writes in between lies behind its shut folder
                await app.searchable.projector.flush()
                assert modes(data) == {}
                await app.forget(Meant(Scope(TENANT, AGENT, TARGET)), erase=True)
                assert open_to_others(data) == []
            assert modes(data) == {}


async def test_nobody_else_can_enter_the_folder_of_an_index_without_edge(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir(mode=0o755)
    with umask(0):
        async with spine(tmp_path, index=QdrantIndexSettings(kind="qdrant", path=tmp_path / "index")) as app:
            await app.say(AGENT, "罗小东", "hello", end=True)
            await app.drain()
            assert open_to_others(tmp_path / "index") == []


async def test_an_index_that_others_could_read_is_shut_when_it_is_opened(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.say(AGENT, "罗小东", "hello", end=True)
    index = tmp_path / "data" / "index"
    for path in index.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    async with spine(tmp_path):
        [folder] = [path for path in index.iterdir() if path.is_dir()]
        assert modes(folder) == {}
        assert {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()} == {0o600}


@pytest.mark.parametrize("mask", [0, 0o022, 0o277, 0o777])
def test_a_file_is_its_owners_to_read_and_write_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    file = tmp_path / "journal.db"
    with umask(mask):
        os.close(open_private(file, os.O_CREAT | os.O_RDWR))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_a_link_leads_to_is_left_alone(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "index"
    outside.write_text("somebody else's")
    outside.chmod(0o644)
    folder.mkdir(mode=0o755)
    (folder / "link").symlink_to(outside)
    make_private(folder)
    assert (stat.S_IMODE(folder.stat().st_mode), stat.S_IMODE(outside.stat().st_mode)) == (0o700, 0o644)
    folder.chmod(0o755)
    assert open_to_others(folder) == []


EXPORTS = {
    "bundle": ("export", "AGENT", "out.zip"),
    "markdown": ("export", "AGENT", "out.md", "--format", "markdown"),
    "card": ("export", "AGENT", "out.json", "--format", "card"),
    "graphml": ("graph", "export", "out.graphml", "--agent", "AGENT"),
    "jsonld": ("graph", "export", "out.json", "--agent", "AGENT", "--format", "jsonld"),
}
SELLER = "aip_sales"


@pytest.mark.parametrize("name", EXPORTS)
def test_exports_are_for_their_owner_only(tmp_path: Path, name: str) -> None:
    data = tmp_path / "data"
    with umask(0):
        assert agentmem("say", SELLER, "我的电话是13800138000", "--from", "Tom", "--data", data).code == 0
        assert open_to_others(data) == []
        line = [part.replace("AGENT", SELLER) for part in EXPORTS[name]]
        line = [str(tmp_path / part) if part.startswith("out.") else part for part in line]
        [out] = [Path(part) for part in line if part.startswith(str(tmp_path))]
        assert agentmem(*line, "--data", data).code == 0
        assert stat.S_IMODE(out.stat().st_mode) == 0o600
        out.chmod(0o644)
        assert agentmem(*line, "--force", "--data", data).code == 0
        assert stat.S_IMODE(out.stat().st_mode) == 0o600
        assert modes(data) == {}


def test_doctor_tells_what_others_may_read(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    assert agentmem("say", SELLER, "hello", "--from", "Tom", "--data", data).code == 0
    assert _problems(data) == []
    [journal] = data.glob("*.db")
    journal.chmod(0o640)
    assert f"others on this machine may read {journal}; run `chmod -R go= {data}`" in _problems(data)
    journal.chmod(0o600)
    data.chmod(0o777)
    assert any(str(data) in problem for problem in _problems(data))
    data.chmod(0o700)
    assert _problems(data) == []


def _problems(data: Path) -> list[str]:
    problems: list[str] = agentmem("doctor", "--data", data, "--json").json["problems"]
    return [problem for problem in problems if "others" in problem]
