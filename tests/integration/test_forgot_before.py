"""What was forgotten when forgetting only ended memories: forgotten as today once the store is opened, and brought back
by taking back the run of that time."""

from pathlib import Path

import pytest

from tests.support.cli import Ran, agentmem
from tests.support.golden import golden, rows_of

RUN = "8757bd96-e80c-5f78-9313-e75b1567cd65"
NUMBER, TURN = "13800138000", "c9c5f712-6643-576e-bea8-7dd73ce5941e"
BEFORE = "2026-11-22T08:08:10+00:00"
OF_LENA = ("--agent", "running_coach", "--about", "Lena")
QUESTION = "What is Lena's phone number?"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The store of that time."""
    return golden(4, tmp_path, kind="forgot").parent


def run(data: Path, *arguments: str) -> Ran:
    ran = agentmem(*arguments, "--data", data, "--json")
    assert ran.code == 0, ran.err
    return ran


def answers(data: Path) -> list[str]:
    """What is told of her now, and of what was known and true before."""
    ways = [["memories", *OF_LENA, "--all"], ["context", QUESTION, *OF_LENA], ["ask", QUESTION, *OF_LENA]]
    past = [["recall", QUESTION, *OF_LENA, option, BEFORE] for option in ("--as-of", "--known-at")]
    return [run(data, *way).out for way in (*ways, *past)]


def test_nobody_is_told_it_any_more_whatever_time_is_asked_about(data: Path) -> None:
    told = answers(data)
    assert [text for text in told if NUMBER in text] == []
    assert "Lisbon" in told[0]


def test_the_turn_it_was_said_in_keeps_only_what_was_left_of_it(data: Path) -> None:
    answers(data)
    said = rows_of(data / "journal.db", {"events": ["body"]})["events"]
    assert [body for body in said if "Lisbon" in str(body)]
    assert [body for body in said if NUMBER in str(body)] == []


def test_taking_back_the_run_of_that_time_brings_it_back(data: Path) -> None:
    assert NUMBER not in run(data, "recall", QUESTION, *OF_LENA).out
    assert run(data, "undo", RUN).json["blocked"] == []
    assert NUMBER in run(data, "recall", QUESTION, *OF_LENA).out
    shown = run(data, "show", TURN).json
    assert shown["memory"]["content"] == "My phone number is 13800138000 and I live in Lisbon."
