"""Where the index has no room on its disk, turns are taken in and everything else says what to do, in one line."""

from io import RawIOBase
from pathlib import Path

import pytest

from tests.support.cli import agentmem
from tests.support.mounts import grown, small_disk

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("embedded_index_throughout")]


def fill(file: RawIOBase) -> None:
    """Write until the disk takes no more."""
    while True:
        file.write(bytes(4096))


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


@pytest.mark.parametrize("size", ["6m", "30m", "50m", "100m"])
def test_a_new_store_on_a_disk_too_small_for_an_index_takes_turns_in_and_goes_on_when_there_is_room(
    tmp_path: Path, size: str
) -> None:
    with small_disk(tmp_path / "disk", size) as disk:
        data = ("--data", disk)
        said = agentmem("say", "aip_sales", "--from", "Ann", "My phone number is 555-0142.", "--end", *data)
        assert said.code == 0, said
        assert "free space" in " ".join(said.err.split())
        assert agentmem("say", "aip_sales", "--from", "Ann", "My desk is 12.", "--end", *data).code == 0
        assert not list((disk / "index").rglob("*.dat")), "nothing half made takes the room that is left"
        grown(disk, "400m")
        assert agentmem("worker", "--once", *data).code == 0
        assert "555-0142" in agentmem("recall", "phone", "--agent", "aip_sales", *data).out


def test_on_a_full_disk_every_command_says_that_it_is_full(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "60m") as disk:
        data = ("--data", disk)
        said = agentmem("say", "aip_sales", "--from", "Ann", "My phone number is 555-0142.", "--end", *data)
        assert said.code == 0, said
        filler = disk / "filler"
        with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
            fill(file)
        for command in (
            ("say", "aip_sales", "--from", "Ann", "My desk is 12."),
            ("recall", "phone", "--agent", "aip_sales"),
            ("compact",),
        ):
            ran = agentmem(*command, *data)
            told = " ".join(ran.err.split())
            assert (ran.code, "check the disk" in told) == (4, False), ran
            assert "free space" in told


def test_a_small_disk_that_holds_all_that_loading_fills_is_enough(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "250m") as disk:
        for number in range(3):
            text = f"My phone number is 555-014{number}."
            said = agentmem("say", "aip_sales", "--from", "Ann", text, "--end", "--data", disk)
            assert (said.code, "free space" in " ".join(said.err.split())) == (0, False), said


def test_a_file_in_the_place_of_the_index_stops_no_turn_and_is_named(tmp_path: Path) -> None:
    data = ("--data", tmp_path)
    (tmp_path / "index").write_text("no folder")
    said = agentmem("say", "aip_sales", "--from", "Ann", "My phone number is 555-0142.", "--end", *data)
    assert said.code == 0, said
    for command in (("recall", "phone", "--agent", "aip_sales"), ("index", "rebuild")):
        ran = agentmem(*command, *data)
        assert (ran.code, ran.err.count("\n")) == (4, 1), ran
        assert "is a file where the folder of the index belongs: move it away" in ran.err
    assert "move it away" in " ".join(agentmem("doctor", *data).out.split())
    (tmp_path / "index").unlink()
    assert agentmem("worker", "--once", *data).code == 0
    assert "555-0142" in agentmem("recall", "phone", "--agent", "aip_sales", *data).out
