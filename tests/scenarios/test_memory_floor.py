"""What both engines make of the dialogues in tests/fixtures/dialogues does not fall below what it was."""

import pytest

from agentmem.evals.memory.controls import false_statements, stored
from agentmem.evals.memory.measures import BAD, Measure
from agentmem.evals.memory.memory_report import MemoryReport
from agentmem.evals.memory.memory_run import measure
from agentmem.runtime.configuration.settings import Settings
from tests.fixtures.recorded_model import recorded_model
from tests.fixtures.scripted_model import scripted
from tests.support.cli import ROOT

FOLDER = ROOT / "tests/fixtures/dialogues"
DIALOGUES = sorted(FOLDER.glob("??_*.yaml"))

RULES: dict[Measure, float] = {
    "found": 0.97,
    "never": 0.95,
    "ended": 1.0,
    "wrong_endings": 0.0,
    "once": 0.94,
    "repeats": 0.0,
    "recalls_first": 0.95,
    "recalls": 1.0,
    "as_of_first": 0.88,
    "as_of": 1.0,
    "answers": 0.9,
    "wrong_answers": 0.0,
}
"""Shares that are reached, or, of what should not be, not exceeded."""

MODEL: dict[Measure, float] = {
    "found": 1.0,
    "never": 1.0,
    "ended": 1.0,
    "wrong_endings": 0.0,
    "once": 1.0,
    "repeats": 0.0,
    "recalls_first": 0.95,
    "recalls": 1.0,
    "as_of_first": 1.0,
    "as_of": 1.0,
    "answers": 0.93,
    "wrong_answers": 0.0,
}
"""The same for a careful model."""


def short_of(report: MemoryReport, floor: dict[Measure, float]) -> dict[str, str]:
    """The measures that are worse than their floor."""
    found: dict[str, str] = {}
    for name, tally in report.tallies.items():
        share = tally.share
        if share is None or (share > floor[name] if name in BAD else share < floor[name]):
            found[name] = f"{tally.count} of {tally.of}, floor {floor[name]}"
    return found


@pytest.mark.thorough
async def test_the_rules_engine_keeps_its_floor() -> None:
    report = await measure(Settings(), [*DIALOGUES, FOLDER / "controls.yaml"])

    assert short_of(report, RULES) == {}
    assert false_statements(report.controls).count == 0
    assert stored(report.controls).share == 1


@pytest.mark.thorough
async def test_a_careful_model_keeps_its_floor() -> None:
    report = await measure(Settings(), DIALOGUES, cognition=scripted(recorded_model()))

    assert short_of(report, MODEL) == {}
    assert [dialogue.unread for dialogue in report.dialogues if dialogue.unread] == []
    assert report.usage.calls <= report.turns / 2
