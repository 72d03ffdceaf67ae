"""`agentmem compact` and `keep.history`: what is folded, and what stays as it was."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Scope
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade import compaction
from agentmem.runtime.facade.compaction import compacting
from agentmem.runtime.host.clocks import ManualClock
from tests.support.cli import Ran, agentmem
from tests.support.index_kind import an_index

NUMBER = "13900139000"


@pytest.fixture(scope="module")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which somebody's number changed, long ago; to be copied."""
    data = tmp_path_factory.mktemp("played") / "data"
    assert agentmem("run", "scenarios/changed_phone.yaml", "--data", data).code == 0
    return data


@pytest.fixture
def played(played_once: Path, tmp_path: Path) -> Path:
    """A data directory of one's own with that."""
    return Path(shutil.copytree(played_once, tmp_path / "data"))


def run(data: Path, *arguments: str | Path) -> Ran:
    """A command on this data, of which 30 days of history are kept."""
    return agentmem(*arguments, "--data", data, "--set", "keep.history=30d", "--json")


def listed(data: Path) -> list[object]:
    """Every memory there is."""
    (agent, *_) = agentmem("agents", "--data", data, "--json").json["agents"]
    return list(run(data, "memories", "--agent", agent.get("agentId") or agent["id"], "--all").json["memories"])


def test_what_is_folded_changes_no_memory_and_no_index(played: Path) -> None:
    before = listed(played)
    told = run(played, "compact")
    assert told.code == 0, told.err
    assert told.json["folded"] > 0
    assert listed(played) == before
    assert run(played, "index", "rebuild").code == run(played, "index", "verify").code == 0
    assert listed(played) == before
    assert run(played, "compact").json["folded"] == 0


def test_without_a_limit_nothing_is_folded(played: Path) -> None:
    assert agentmem("compact", "--data", played, "--json").json["folded"] == 0


def test_less_than_a_day_of_history_is_refused(played: Path) -> None:
    told = agentmem("compact", "--data", played, "--set", "keep.history=3h")
    assert (told.code, told.err.count("\n")) == (2, 1)


async def test_a_worker_folds_by_its_own_clock(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(data=played, index=an_index())
    async with open_app(settings) as app:
        agent = (await app.records.agents())[0].id
        everything = list(await app.memories(Selection(Scope(app.tenant, agent))))
        latest = max(node.created_at for node in everything)
        rows = await _rows(app.journal, everything)
        clock = ManualClock(latest + timedelta(days=400))
        seen = compaction.fold_history
        done: list[int] = []

        async def fold(*given: object) -> int:
            done.append(await seen(*given))  # pyright: ignore[reportArgumentType] - handed on as it came
            return done[-1]

        monkeypatch.setattr(compaction, "fold_history", fold)
        async with compacting(app.journal, timedelta(days=30), clock):
            while not done:
                await app.journal.ledger.head()
        assert done[0] > 0
        assert list(await app.memories(Selection(Scope(app.tenant, agent)))) == everything
        assert await _rows(app.journal, everything) < rows


async def _rows(journal: Journal, nodes: list[MemoryNode]) -> int:
    return sum([len(await journal.ledger.history(node.tenant, node.memory_id)) for node in nodes])
