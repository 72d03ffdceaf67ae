"""`agentmem persona`: lint, show and diff, with their exit codes."""

from pathlib import Path

from tests.support.cli import Ran, agentmem


def folder(tmp_path: Path) -> Path:
    personas = tmp_path / "personas"
    personas.mkdir()
    (personas / "ada.yaml").write_text("id: ada\nname: Ada\nlanguage: en\n")
    (personas / "eve.yaml").write_text("id: eve\nextends: ada\nstyle: short\n")
    return personas


def ran(personas: Path, *arguments: str | Path) -> Ran:
    data = personas.parent / "data"
    return agentmem("persona", *arguments, "--set", f"personas={personas}", "--data", data)


def test_all_personas_are_linted_unless_some_are_named(tmp_path: Path) -> None:
    personas = folder(tmp_path)
    (personas / "bad.yaml").write_text("id: bad\nlanguage: no\n")

    everything = ran(personas, "lint", "--json")

    assert everything.code == 3
    assert {Path(item["path"]).stem: len(item["problems"]) for item in everything.json["files"]} == {
        "ada": 0, "bad": 2, "eve": 0,
    }  # fmt: skip
    assert ran(personas, "lint", personas / "ada.yaml").code == 0
    assert ran(personas, "lint", personas / "none.yaml").code == 3


def test_a_shown_persona_is_resolved_and_says_where_each_value_is_from(tmp_path: Path) -> None:
    personas = folder(tmp_path)

    shown = ran(personas, "show", "eve", "--json").json

    assert shown["persona"]["name"] == "Ada"
    assert {item["key"]: item["from"] for item in shown["values"]}["name"] == f"{personas / 'ada.yaml'}:2"
    assert "name: Ada" in ran(personas, "show", "eve").out
    assert ran(personas, "show", "nobody").code == 5


def test_a_persona_is_compared_with_another_or_with_the_registered_agent(tmp_path: Path) -> None:
    personas = folder(tmp_path)

    assert [item["key"] for item in ran(personas, "diff", "ada", "eve", "--json").json["differences"]] == [
        "id",
        "style",
    ]
    assert ran(personas, "diff", "ada").code == 5
    agentmem("say", "ada", "hello", "--from", "Bo", "--set", f"personas={personas}", "--data", tmp_path / "data")
    assert ran(personas, "diff", "ada", "--json").json["differences"] == []
    (personas / "ada.yaml").write_text("id: ada\nname: Ada\nlanguage: zh\n")
    assert ran(personas, "diff", "ada", "--json").json["differences"] == [
        {"key": "language", "left": "zh", "right": "en"}
    ]


def test_a_cron_line_that_never_comes_is_found_where_it_stands(tmp_path: Path) -> None:
    personas = folder(tmp_path)
    (personas / "ada.yaml").write_text("id: ada\nname: Ada\nmemory:\n  reflect:\n    cron: 99 * * * *\n")

    linted = ran(personas, "lint", personas / "ada.yaml")
    said = agentmem(
        "say", "ada", "hello", "--from", "Bo", "--set", f"personas={personas}", "--data", tmp_path / "data"
    )  # fmt: skip

    assert (linted.code, said.code) == (3, 3)
    place = f"{personas / 'ada.yaml'}:5: memory.reflect.cron: '99 * * * *'"
    assert linted.out.startswith(place)
    assert said.err.startswith(f"agentmem: {place}")


def test_a_problem_is_one_line_however_long(tmp_path: Path) -> None:
    personas = folder(tmp_path)
    (personas / "ada.yaml").write_text(f"id: ada\nname: Ada\n{'k' * 300}: 1\n")

    problem, summary = ran(personas, "lint", personas / "ada.yaml").out.splitlines()

    assert "k" * 100 in problem
    assert summary == "1 persona file, 1 with problems"


def test_a_directory_of_personas_that_is_not_there_is_no_directory_without_problems(tmp_path: Path) -> None:
    linted = agentmem("persona", "lint", "--set", f"personas={tmp_path / 'none'}")
    assert (linted.code, linted.err.count("no such directory")) == (3, 1)
