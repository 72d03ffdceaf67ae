"""The score of the time resolver, on cases of both languages: `tests/fixtures/times.json`."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agentmem.errors import InvalidInput
from agentmem_evals.time_cases import ExpectedTime, TimeCase, read_cases, score
from tests.support.cli import ROOT, agentmem

CASES = ROOT / "tests" / "fixtures" / "times.json"
SPOKEN = datetime(2021, 2, 1, 9, 30, tzinfo=UTC)


def day(number: int, hour: int = 0) -> datetime:
    return datetime(2021, 2, number, hour, tzinfo=UTC)


def named(text: str, kind: str, *allowed: tuple[datetime | None, datetime | None], start: int = 0) -> TimeCase:
    return TimeCase(text, SPOKEN, (ExpectedTime(start, text, kind, allowed),))


def test_figures_count_the_cases_in_scope():
    report = score(read_cases(CASES))

    assert (report.cases, len(report.scored), report.correct) == (6, 5, 4)
    assert report.exact == pytest.approx(0.8)


def test_recurrences_and_durations_are_out_of_scope():
    assert [one.case.text for one in score(read_cases(CASES)).scored if "3 hours" in one.case.text] == []


def test_what_cannot_be_told_is_never_right():
    assert [one.case.text for one in score(read_cases(CASES)).failures] == ["They marry on 30 February 2022"]


def test_range_over_midnight_ends_the_next_day():
    (expected,) = read_cases(CASES)[1].expected
    assert expected.allowed == ((day(1, 22), day(2, 2)),)


@pytest.mark.parametrize(
    ("case", "right"),
    [
        (named("tomorrow", "date", (day(2), day(2))), True),
        (named("tomorrow", "date", (day(1), day(1)), (day(2), day(2))), True),
        (named("tomorrow", "date", (day(3), day(3))), False),
        (named("tomorrow", "date", (day(2), day(2)), start=1), False),
        (named("this week", "date", (day(1), day(1))), False),
        (named("this week", "daterange", (day(1), day(8))), True),
        (named("this week", "daterange", (day(1), day(7))), False),
        (named("after tomorrow", "daterange", (day(2), None)), True),
        (named("after tomorrow", "daterange", (day(2), day(3))), False),
        (named("6pm", "time", (day(1, 18), day(1, 18))), True),
        (named("today at 6pm", "time", (day(1, 18), day(1, 18))), False),
        (named("today at 6pm", "datetime", (day(1, 18), day(1, 18))), True),
        (TimeCase("nothing at all", SPOKEN, ()), True),
        (TimeCase("tomorrow", SPOKEN, ()), False),
    ],
)  # fmt: skip
def test_case_is_right_where_start_kind_and_value_agree(case: TimeCase, right: bool):
    assert [one.correct for one in score([case]).scored] == [right]


def test_no_case_in_scope_scores_nothing():
    assert score([]).exact == 0.0


def test_command_prints_the_figures():
    assert agentmem("eval", "time", CASES, "--json").json == {"cases": 6, "in_scope": 5, "correct": 4, "exact": 0.8}


def test_command_shows_a_table_and_what_failed():
    result = agentmem("eval", "time", CASES, "--failures")

    assert result.code == 0
    assert "They marry on 30 February 2022" in result.out
    assert agentmem("eval", "time", CASES, "--failures", "--json").json["failures"] == [
        {
            "text": "They marry on 30 February 2022",
            "reference": "2021-02-01T09:30:00+00:00",
            "expected": ["14: '30 february 2022' date: no resolution"],
            "found": [],
        }
    ]


CASE = {
    "Input": "today",
    "Context": {"ReferenceDateTime": "2021-02-01"},
    "Results": [{"Text": "today", "Start": 0, "TypeName": "date", "Resolution": {"values": [{"value": "2021-02-01"}]}}],
}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", ":1: not JSON"),
        ("{}", ":1: must be a list"),
        (json.dumps([{**CASE, "Input": 3}], indent=0), ":3: [0].Input: must be text, not '3'"),
        (json.dumps([CASE, {"Input": "x"}], indent=0), ":22: [1].Results: is missing"),
        (json.dumps([CASE], indent=0).replace('"Start": 0', '"Start": -1'), ":10: [0].Results[0].Start: "),
        (json.dumps([CASE], indent=0).replace('"2021-02-01"\n', '"soon"\n', 1),
         ":5: [0].Context.ReferenceDateTime: must be a date, a time or both such as 2016-11-07 16:12:00, not 'soon'"),
        (json.dumps([{**CASE, "Context": {}}], indent=0).replace("2021-02-01", "2021-02-31"),
         ":13: [0].Results[0].Resolution.values[0].value: must be"),
    ],
)  # fmt: skip
def test_mistake_in_a_file_is_one_line_with_its_place(tmp_path: Path, text: str, said: str):
    path = tmp_path / "cases.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InvalidInput) as error:
        read_cases(path)

    assert str(error.value).startswith(f"{path}{said}")
    assert agentmem("eval", "time", path).code == 3
    assert agentmem("eval", "time", path).err == f"agentmem: {error.value}\n"


def test_missing_file_is_invalid_input(tmp_path: Path):
    result = agentmem("eval", "time", tmp_path / "none.json")

    assert (result.code, result.out) == (3, "")
    assert "none.json: cannot be read" in result.err
