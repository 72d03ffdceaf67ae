"""An erasure touches what it means and nothing else: what was forgotten before returns exactly or not at all."""

from pathlib import Path

import pytest

from tests.support.cli import agentmem

WHO = ("--agent", "aip_sales", "--about", "Ann")


def tell(data: Path, *words: str) -> None:
    for each in words:
        assert agentmem("say", "aip_sales", "--from", "Ann", each, "--end", "--data", data).code == 0


def forget(data: Path, query: str, *more: str) -> str:
    told = agentmem("forget", *WHO, "--query", query, "--yes", "--json", *more, "--data", data)
    assert told.code == 0
    return told.json["run"]


def listed(data: Path) -> set[str]:
    told = agentmem("memories", "--agent", "aip_sales", "--all", "--json", "--data", data)
    assert told.code == 0
    return {node["content"] for node in told.json["memories"]}


@pytest.mark.parametrize("erased", ["my PIN", "my car", "my shoe size"])
def test_what_was_forgotten_returns_after_something_else_was_erased(tmp_path: Path, erased: str) -> None:
    tell(
        tmp_path,
        "My phone number is 555-0142. I like tea.",
        "My PIN is 4711.",
        "My car is a Volvo.",
        "My shoe size is 41.",
    )
    before = listed(tmp_path)
    run = forget(tmp_path, "my phone number")
    there = listed(tmp_path)
    forget(tmp_path, erased, "--erase")
    lost = there - listed(tmp_path)
    assert agentmem("undo", run, "--data", tmp_path).code == 0
    assert listed(tmp_path) == before - lost
    assert "Ann's phone number is 555-0142" in listed(tmp_path)
    assert any("I like tea." in text and "555-0142" in text for text in listed(tmp_path))


def test_a_run_whose_past_was_erased_is_not_taken_back_and_nothing_changes(tmp_path: Path) -> None:
    tell(tmp_path, "My phone number is 555-0142. I like tea. My PIN is 4711.")
    run = forget(tmp_path, "my phone number")
    forget(tmp_path, "my PIN", "--erase")
    there = listed(tmp_path)
    told = agentmem("undo", run, "--data", tmp_path)
    assert (told.code, len(told.err.splitlines())) == (5, 1)
    assert "an erasure removed what was before it" in told.err
    assert listed(tmp_path) == there
