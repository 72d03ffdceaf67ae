"""The command line about then: what was true, what was known, page by page."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.cli import Ran, agentmem

STORY = """\
scenario: moves
persona: {id: clerk, name: 前台}
customer: {name: 王芳, title: 会计}
sessions:
  - id: one
    at: 2026-03-09T10:00:00+08:00
    turns:
      - customer: 我的电话是13800138000
      - customer: 我的邮箱是wang@example.com
  - id: two
    at: 2026-04-01T10:00:00+08:00
    turns:
      - customer: 我换号了,新号码13900139000
"""
OLD, NEW = "13800138000", "13900139000"
THEN, NOW = "2026-03-16", "2026-04-02"
BEFORE = "2026-01-01"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("moves")
    (folder / "moves.yaml").write_text(STORY, encoding="utf-8")
    ran = agentmem("run", folder / "moves.yaml", "--data", folder / "data", "--json")
    assert ran.code == 0, ran.out
    return folder / "data"


TABLE = {(THEN, THEN): OLD, (THEN, NOW): OLD, (NOW, THEN): OLD, (NOW, NOW): NEW}
"""The number that was true at the first time, as known at the second."""


def listed(data: Path, *options: str) -> Ran:
    ran = agentmem("memories", "--agent", "clerk", "--data", data, "--json", *options)
    assert ran.code == 0, ran.err
    return ran


def in_the_list(data: Path, *options: str) -> str:
    return " ".join(item["content"] for item in listed(data, "--type", "observation", *options).json["memories"])


def recalled(data: Path, *options: str) -> str:
    asked = ("recall", "王芳的电话", "--agent", "clerk", "--type", "observation", "--data", data, "--json")
    return " ".join(hit["memory"]["content"] for hit in agentmem(*asked, *options).json["hits"])


def numbers(told: str) -> set[str]:
    return {number for number in (OLD, NEW) if number in told}


def the_old_number(data: Path) -> str:
    everything = listed(data, "--type", "observation", "--all").json["memories"]
    return next(item["memoryId"] for item in everything if OLD in item["content"])


@pytest.mark.parametrize("look", [in_the_list, recalled])
@pytest.mark.parametrize(("true", "known"), TABLE)
def test_list_and_recall_tell_what_was_true_from_what_was_known(
    data: Path, look: Callable[..., str], true: str, known: str
) -> None:
    assert numbers(look(data, "--as-of", true, "--known-at", known)) == {TABLE[true, known]}


@pytest.mark.parametrize("look", [in_the_list, recalled])
def test_one_time_alone_is_enough_to_ask_about_then(data: Path, look: Callable[..., str]) -> None:
    assert numbers(look(data, "--known-at", THEN)) == {OLD}
    assert numbers(look(data, "--as-of", THEN)) == {OLD}
    assert numbers(look(data, "--as-of", NOW)) == numbers(look(data)) == {NEW}
    assert look(data, "--as-of", BEFORE) == look(data, "--known-at", BEFORE) == ""


def test_a_memory_is_shown_as_it_was_known(data: Path) -> None:
    old = the_old_number(data)
    then = agentmem("show", old, "--known-at", THEN, "--data", data, "--json").json
    now = agentmem("show", old[:8], "--known-at", NOW, "--data", data, "--json").json
    assert (then["memory"]["storeStatus"], then["memory"]["invalidAt"]) == ("valid", None)
    assert now == agentmem("show", old, "--data", data, "--json").json
    assert now["memory"]["storeStatus"] == "expired"
    assert [OLD in item["words"] for item in then["evidence"]] == [True]
    for name in (old, old[:8]):
        unknown = agentmem("show", name, "--known-at", BEFORE, "--data", data)
        assert unknown.code == 5
        assert "was known at 2026-01-01T23:59:59" in unknown.err


def test_a_time_is_one_moment_in_whatever_offset_it_is_written(data: Path) -> None:
    learned = "2026-04-01T10:00:00+08:00"
    moments = [learned, "2026-03-31T22:00:00-04:00", "2026-04-01T02:00:00Z"]
    assert {recalled(data, "--as-of", at) for at in moments} == {recalled(data, "--as-of", learned)}
    assert numbers(in_the_list(data, "--as-of", "2026-04-01T01:59:59Z")) == {OLD}
    assert numbers(in_the_list(data, "--as-of", "2026-04-01T02:00:00Z")) == {NEW}


def test_an_hour_that_a_clock_change_skips_or_repeats_is_read_all_the_same(data: Path) -> None:
    berlin = ("--set", "timezone=Europe/Berlin")
    for at in ("2026-03-29T02:30", "2025-10-26T02:30"):
        assert agentmem("memories", "--agent", "clerk", "--data", data, "--as-of", at, *berlin).code == 0
    assert numbers(in_the_list(data, "--as-of", "2026-04-01T03:59", *berlin)) == {OLD}
    assert numbers(in_the_list(data, "--as-of", "2026-04-01T04:00", *berlin)) == {NEW}


@pytest.mark.parametrize(("zone", "said"), [("Asia/Shanghai", "10:00"), ("America/New_York", "22:00")])
def test_every_command_tells_times_in_the_configured_zone(data: Path, zone: str, said: str) -> None:
    options = ("--data", data, "--set", f"timezone={zone}")
    (first,) = (each for each in listed(data, "--all").json["memories"] if each["value"] == OLD)
    commands = (
        ("memories", "--agent", "clerk", "--all"),
        ("recall", "联系方式", "--agent", "clerk"),
        ("show", first["memoryId"]),
        ("history", first["memoryId"]),
    )
    for command in commands:
        assert said in agentmem(*command, *options).out, command
    day = "2026-03-09" if zone == "Asia/Shanghai" else "2026-03-08"
    assert day in agentmem("show", first["memoryId"], *options).out
    assert first["validAt"] == "2026-03-09T10:00:00+08:00"


def test_pages_together_are_the_whole_list(data: Path) -> None:
    whole, read, cursor = listed(data, "--all").json, list[object](), list[str]()
    while True:
        part = listed(data, "--all", "--limit", "2", *cursor).json
        read += part["memories"]
        if part["next"] is None:
            break
        assert len(part["memories"]) == 2
        cursor = ["--after", part["next"]]
    assert (whole["next"], read) == (None, whole["memories"])
    assert "more: --after " in agentmem("memories", "--agent", "clerk", "--limit", "1", "--data", data).out


def test_a_filter_narrows_the_list_and_its_pages_stay_full(data: Path) -> None:
    phones = '{"content": {"contains": "1380"}}'
    found = listed(data, "--all", "--filter", phones).json["memories"]
    assert found
    assert all("1380" in item["content"] for item in found)
    first = listed(data, "--all", "--filter", phones, "--limit", "1").json
    assert (first["memories"], first["next"] is None) == (found[:1], len(found) == 1)
    assert numbers(in_the_list(data, "--filter", phones)) == set()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--after", "x"], "'x' is no cursor"),
        (["--filter", "{"], "--filter: no JSON"),
        (["--filter", "[" * 100_000], "--filter: nested too deeply"),
        (["--filter", "[1]"], "must be an object"),
        (["--known-at", "gestern"], "--known-at 'gestern': must be a date"),
        (["--limit", "0"], "must be 1 or more"),
    ],
)
def test_a_wrong_option_is_a_mistake_of_usage(data: Path, options: list[str], told: str) -> None:
    ran = agentmem("memories", "--agent", "clerk", "--data", data, *options)
    assert (ran.code, told in ran.err) == (2, True), ran.err
