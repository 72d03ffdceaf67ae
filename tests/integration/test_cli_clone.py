"""`agentmem clone`, and what `agentmem agents` tells of it."""

import asyncio
from pathlib import Path

import pytest

from agentmem.agents.copying.clone import Cloner
from agentmem.errors import InternalError
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from tests.support.cli import ROOT, agentmem
from tests.support.index_kind import an_index

PERSONAS = f"personas={ROOT / 'personas'}"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Where the sales assistant was told something."""
    said = agentmem("say", "aip_sales", "我的电话是13800138000", "--from", "罗小东", "--end", *common(tmp_path))
    assert said.code == 0, said.err
    return tmp_path


def common(data: Path) -> tuple[str, ...]:
    return ("--data", str(data), "--set", PERSONAS, "--json")


def test_a_clone_is_made_once_and_both_sides_tell_of_it(data: Path) -> None:
    made = agentmem("clone", "aip_sales", "--as", "south", "--name", "南方导购", *common(data))
    assert made.json["made"]
    assert made.json["unread"] == {"waiting": 0, "dead": 0}
    lineage = made.json["lineage"]
    assert (lineage["sourceAgent"], lineage["agentId"], lineage["state"]) == ("aip_sales", "south", "made")
    again = agentmem("clone", "aip_sales", "--as", "south", "--name", "南方导购", *common(data))
    assert (again.code, again.json["made"], again.json["lineage"]) == (0, False, lineage)
    plain = agentmem(
        "clone", "aip_sales", "--as", "south", "--name", "南方导购", "--data", str(data), "--set", PERSONAS
    )
    assert plain.out.startswith("south exists: it was cloned from aip_sales")
    assert "nothing was copied now" in plain.out
    assert agentmem("clone", "aip_sales", "--as", "south", *common(data)).code == 2
    source, clone = sorted(agentmem("agents", *common(data)).json["agents"], key=lambda agent: agent["id"])
    assert (source["copies"], clone["madeFrom"]) == ([lineage], lineage)
    assert clone["name"] == "南方导购"
    shown = agentmem("agents", "--data", str(data), "--set", PERSONAS).out
    assert "cloned as south" in shown
    assert "cloned from aip_sales" in shown
    found = agentmem("recall", "罗小东的电话", "--agent", "south", "--about", "罗小东", *common(data)).json["hits"]
    assert "13800138000" in found[0]["memory"]["content"]
    assert found[0]["memory"]["userName"] == "南方导购"
    agentmem("say", "aip_sales", "我住在上海", "--from", "罗小东", "--end", *common(data))
    late = agentmem("clone", "aip_sales", "--as", "south", "--name", "南方导购", *common(data))
    assert (late.code, "has learned more" in late.json["error"]["message"]) == (2, True)


def test_the_id_of_a_clone_is_given_as_that_of_a_hired_agent_or_after_the_agent(data: Path) -> None:
    assert agentmem("clone", "aip_sales", "north", *common(data)).json["lineage"]["agentId"] == "north"
    for line in (("clone", "aip_sales"), ("clone", "aip_sales", "east", "--as", "west")):
        refused = agentmem(*line, *common(data))
        assert (refused.code, "--as: give the clone one id" in refused.err) == (2, True)


def test_what_cannot_be_cloned_is_one_line(data: Path) -> None:
    assert agentmem("clone", "nobody", "--as", "south", *common(data)).code == 5
    bad = agentmem("clone", "aip_sales", "--as", "not an id", *common(data))
    assert (bad.code, "'not an id' is no agent's id" in bad.err) == (2, True)
    assert agentmem("clone", "aip_sales", "--as", "south", "--discard", *common(data)).code == 5


def test_a_clone_that_was_begun_can_be_given_up(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def no_further(*_: object) -> None:
        raise KeyError("stopped")

    async def begin() -> None:
        settings = Settings(data=data, index=an_index())
        async with open_app(settings) as app:
            with pytest.raises(InternalError):
                await app.copies.clone("aip_sales", "south")

    with monkeypatch.context() as patched:
        patched.setattr(Cloner, "_further", no_further)
        asyncio.run(begin())
    assert agentmem("agents", *common(data)).json["agents"][-1]["id"] == "aip_sales"
    assert agentmem("clone", "aip_sales", "--as", "south", "--discard", *common(data)).json == {"discarded": "south"}
    assert agentmem("clone", "aip_sales", "--as", "south", "--discard", *common(data)).code == 5
