"""report: all about one person, and nothing of anybody else."""

import asyncio
import json
import re
import stat
from pathlib import Path

import pytest

from agentmem import AsyncMemory
from tests.support.cli import agentmem
from tests.support.homes import ANN, BEN, Home, homes_in, plant_homes
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import spine

PLANTED = ("pin", "value", "key", "meta", "said", "turnmeta", "later", "told", "thing")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which several people have said and been remembered for their own."""
    folder = tmp_path_factory.mktemp("homes")

    async def made() -> None:
        async with spine(folder) as app:
            await plant_homes(app)

    asyncio.run(made())
    return folder / "data"


@pytest.mark.parametrize("person", [BEN, ANN], ids=["Ben", "Ann"])
def test_a_report_is_whole_and_holds_nothing_of_others(data: Path, tmp_path: Path, person: Home) -> None:
    file = tmp_path / "report.json"
    line = ("report", file, "--agent", AGENT, "--about", person.person, "--data", data, "--tenant", TENANT)
    ran = agentmem(*line, "--json")
    assert ran.code == 0, ran.err
    text = file.read_text("utf-8")
    whole = json.loads(text)
    assert (whole["about"], len(whole["memories"])) == (person.person, ran.json["memories"])
    assert set(homes_in(text)) == {(TENANT, AGENT, person.person.casefold())}
    planted = PLANTED if person is BEN else (*PLANTED[:-2], "shared", "only", "link", "thing")
    missing = [what for what in planted if not re.search(person.canary + what, text, re.IGNORECASE)]
    assert missing == []
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert agentmem(*line).code == 2
    assert agentmem(*line, "--force").code == 0


def test_a_report_about_nobody_is_none(data: Path, tmp_path: Path) -> None:
    line = ("report", tmp_path / "x", "--agent", AGENT, "--about", "Zoe", "--data", data, "--tenant", TENANT)
    assert agentmem(*line).code == 5
    assert not (tmp_path / "x").exists()


def test_a_report_tells_nothing_that_was_forgotten(tmp_path: Path) -> None:
    file, place = tmp_path / "report.json", ("--data", tmp_path / "data", "--agent", "aip_sales", "--about", "Tom")

    async def made() -> None:
        async with AsyncMemory(path=tmp_path / "data") as memory:
            await memory.add("My phone is 555-0142 and I like tea.", user_id="Tom", agent_id="aip_sales")
            await memory.add("Forget my phone number.", user_id="Tom", agent_id="aip_sales")

    asyncio.run(made())
    assert agentmem("report", file, *place).code == 0
    text = file.read_text("utf-8")
    assert "tea" in text
    assert "555-0142" not in text
