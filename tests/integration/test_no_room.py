"""Where the index has no room on its disk, turns are taken in and everything else says what to do, in one line."""

from pathlib import Path

import pytest

from tests.support.cli import agentmem
from tests.support.mounts import grown, small_disk

FULL = ("--set", "index.reserve_mb=1000000000")
"""More than any disk has: to the index, every disk is full."""


def test_turns_are_taken_in_and_everything_is_there_when_there_is_room(tmp_path: Path) -> None:
    data = ("--data", tmp_path / "data")
    said = agentmem("say", "aip_sales", "--from", "Ben", "My phone number is 555 0100", "--end", *data, *FULL)
    assert said.code == 0, said
    assert "free space" in " ".join(said.err.split())
    asked = agentmem("recall", "phone", "--agent", "aip_sales", *data, *FULL)
    assert (asked.code, asked.err.count("\n")) == (4, 1), asked
    assert "free space" in asked.err
    looked = agentmem("doctor", *data, *FULL)
    assert looked.code == 4
    assert "free space" in " ".join(looked.out.split())
    assert agentmem("worker", "--once", *data).code == 0
    assert "555 0100" in agentmem("recall", "phone", "--agent", "aip_sales", *data).out


@pytest.mark.parametrize("size", ["6m", "12m", "30m"])
def test_a_new_store_on_a_disk_too_small_for_an_index_takes_turns_in_and_goes_on_when_there_is_room(
    tmp_path: Path, size: str
) -> None:
    with small_disk(tmp_path / "disk", size) as disk:
        data = ("--data", disk)
        said = agentmem("say", "aip_sales", "--from", "Ann", "My phone number is 555-0142.", "--end", *data)
        assert said.code == 0, said
        assert "free space" in " ".join(said.err.split())
        assert not list((disk / "index").rglob("*.dat")), "nothing half made takes the room that is left"
        grown(disk, "400m")
        assert agentmem("worker", "--once", *data).code == 0
        assert "555-0142" in agentmem("recall", "phone", "--agent", "aip_sales", *data).out
