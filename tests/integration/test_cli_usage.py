"""Options, exit codes, help and JSON of the command line."""

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
import typer

from agentmem.answers.answer import AskMode
from agentmem.domain.memory import LAYERS
from agentmem.errors import (
    BackendUnavailable,
    BadAnswer,
    Busy,
    Conflict,
    EmbedderChanged,
    HeldElsewhere,
    IndexBroken,
    InternalError,
    InvalidInput,
    LeaseLost,
    NotFound,
)
from agentmem.interfaces.cli.commands.ask import AnswerMode
from agentmem.interfaces.cli.commands.context import HeadingLanguage
from agentmem.interfaces.cli.commands.recall import Ranking
from agentmem.interfaces.cli.exits import Misuse, exit_code
from agentmem.interfaces.cli.main import program
from agentmem.interfaces.cli.options import Filters, Layer, options_after_command
from agentmem.interfaces.installed import installed_version
from agentmem.language.normal import Language
from agentmem.retrieval.profiles import ProfileName
from tests.support.cli import ROOT, agentmem, python

COMMON = ("--config", ROOT / "config.yaml")


def commands(group: typer.Typer = program, prefix: str = "") -> Iterator[tuple[str, typer.models.CommandInfo]]:
    for info in group.registered_commands:
        yield f"{prefix}{info.name}", info
    for info in group.registered_groups:
        assert info.typer_instance is not None
        yield from commands(info.typer_instance, f"{info.name} ")


NAMES = [name for name, _ in commands()]


def test_the_commands_are_those_of_the_contract() -> None:
    assert ", ".join(NAMES) == (
        "init, run, chat, say, recall, context, ask, memories, show, history, edit, end, bring-back, settle, "
        "report, agents, ingest, clone, hire, "
        "release, forget, export, import, reflect, undo, worker, serve, mcp, queue, backup, restore, compact, doctor, "
        "graph show, graph path, graph communities, graph rebuild, graph export, graph entities, graph merge, "
        "graph split, persona lint, "
        "persona show, persona diff, persona schema, token create, token list, token revoke, "
        "dead list, dead retry, dead drop, index rebuild, index optimise, "
        "index verify, embedder migrate, eval memory, eval retrieval, eval multihop, eval time"
    )


def test_the_version_is_that_of_the_package() -> None:
    shown = agentmem("--version")
    assert (shown.code, shown.out, shown.err) == (0, f"agentmem {installed_version()}\n", "")
    assert "--version" in agentmem("--help").out


@pytest.mark.parametrize("line", [(), ("dead",), ("eval",)])
def test_who_names_no_command_is_shown_those_there_are(line: tuple[str, ...]) -> None:
    shown = agentmem(*line)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == agentmem(*line, "--help").out


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help(name: str) -> None:
    result = agentmem(*name.split(), "--help")

    assert result.code == 0
    assert f"Usage: agentmem {name}" in result.out
    assert "--json" in result.out


def test_the_layers_on_the_command_line_are_those_of_the_domain() -> None:
    assert [layer.value for layer in Layer] == [layer.value for layer in LAYERS]


def test_the_languages_on_the_command_line_are_those_of_the_library() -> None:
    assert get_args(HeadingLanguage) == get_args(Language)


def test_the_rankings_and_modes_on_the_command_line_are_those_of_the_library() -> None:
    assert set(get_args(Ranking)) == set(get_args(ProfileName))
    assert get_args(AnswerMode) == get_args(AskMode)


@pytest.mark.parametrize("before", [True, False])
def test_common_options_stand_before_or_after_the_command(tmp_path: Path, before: bool) -> None:
    options = (*COMMON, "--data", tmp_path / "d", "--tenant", "acme", "--set", "log.level=error", "--json")
    line = (*options, "agents") if before else ("agents", *options)

    assert agentmem(*line).json == {"agents": []}
    assert (tmp_path / "d" / "journal.db").exists()


def test_common_options_may_stand_between_a_group_and_its_command(tmp_path: Path) -> None:
    result = agentmem("--data", tmp_path / "a", "dead", "--json", "list", "--data", tmp_path / "b")

    assert result.json == {"dead": [], "next": None}
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("recall x --json", "recall x --json"),
        ("--json --data d recall x", "recall --json --data d x"),
        ("--data=d recall --data e", "recall --data=d --data e"),
        ("--set a=b dead --json list x", "dead list --set a=b --json x"),
        ("--json --help", "--help --json"),
        ("dead --help", "dead --help"),
        ("--json dead --help", "dead --help --json"),
        ("--data", "--data"),
        ("--nope recall", "--nope recall"),
        ("--json say a -- --data", "say --json a -- --data"),
        ("", ""),
    ],
)
def test_options_before_a_command_are_moved_after_it(line: str, expected: str) -> None:
    assert " ".join(options_after_command(line.split(), {"dead"})) == expected


@pytest.mark.thorough
@pytest.mark.parametrize("line", [["retrieval", "x.json", "--format", "locomo"], ["multihop", "x"], ["time", "x.json"]])
def test_without_the_evaluations_the_extra_is_named(line: list[str]) -> None:
    script = (
        "import sys; sys.modules['agentmem_evals'] = None; "
        "from agentmem.interfaces.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )

    result = python("-c", script, "eval", *line, "--json")

    assert result.code == 2
    assert result.err == f'agentmem: `agentmem eval {line[0]}` needs: pip install "agentmem-framework[evals]"\n'
    assert result.json["error"]["kind"] == "Usage"


def test_settings_given_on_both_sides_add_up(tmp_path: Path) -> None:
    result = agentmem("--set", "tennant=x", "queue", "--set", "log.level=loud", "--data", tmp_path)

    assert result.code == 2
    assert "(and 1 more)" in result.err


@pytest.mark.parametrize(
    ("line", "code", "kind", "said"),
    [
        (["nope"], 2, "Usage", "No such command 'nope'"),
        (["recall"], 2, "Usage", "QUERY: is missing; see `agentmem recall --help`"),
        (["recall", "x", "--agent", "a", "--type", "y"], 2, "Usage", "--type"),
        (["recall", "x", "--agent", "a", "-k", "0"], 2, "Usage", "-k"),
        (["recall", "x", "--agent", "a", "--as-of", "soon"], 2, "Misuse", "--as-of 'soon': must be a date"),
        (
            ["recall", "x", "--agent", "a", "--filter", "{kind: x}"],
            2,
            "Misuse",
            "--filter: no JSON: Expecting property",
        ),
        (["recall", "x", "--agent", "a", "--filter", "[" * 100_000], 2, "Misuse", "--filter: nested too deeply"),
        (
            ["recall", "x", "--agent", "a", "--filter", '{"memory-type": "x"}'],
            2,
            "Misuse",
            "filters.memory-type: no field",
        ),
        (["recall", "x", "--agent", "a", "--filter", "[]"], 2, "Misuse", "filters: must be an object"),
        (
            ["recall", "x", "--agent", "a", "--filter", '{"OR": [{"importance": {"gtr": 5}}]}'],
            2,
            "Misuse",
            "filters.OR[0].importance: unknown operator 'gtr'; allowed: eq, ne",
        ),
        (["queue", "--set", "tennant=x"], 2, "BadOverride", "did you mean 'tenant'"),
        (["queue", "--set", "tenant"], 2, "BadOverride", "must be KEY=VALUE"),
        (["queue", "--config", "nope.yaml"], 3, "InvalidInput", "nope.yaml: cannot be read"),
        (["run", "nope.yaml"], 3, "InvalidInput", "nope.yaml: cannot be read"),
        (["context", "x", "--agent", "a", "--budget", "199"], 2, "Usage", "--budget"),
        (["context", "x", "--agent", "a", "--language", "de"], 2, "Usage", "--language"),
        (["context", "x", "--agent", "nobody"], 5, "NotFound", "no agent 'nobody' in tenant 'default'"),
        (["recall", "x", "--agent", "nobody"], 5, "NotFound", "no agent 'nobody' in tenant 'default'"),
        (["show", "deadbeef"], 5, "NotFound", "no memory whose id begins with 'deadbeef'"),
        (["show", "00000000-0000-0000-0000-000000000000"], 5, "NotFound", "no memory '00000000"),
        (["show", "ab"], 2, "Misuse", "too short"),
        (["history", "deadbeef"], 5, "NotFound", "no memory"),
        (["undo", "nope"], 5, "NotFound", "no run 'nope'"),
        (["say", "nobody", "hi", "--from", "Bo"], 5, "NotFound", "no agent 'nobody'"),
        (["dead", "retry"], 2, "Misuse", "name jobs, or say --all"),
        (["dead", "drop", "x"], 5, "NotFound", "no such job was given up: x"),
    ],
)
def test_an_expected_error_is_one_line_an_object_and_a_code(
    tmp_path: Path, line: list[str], code: int, kind: str, said: str
) -> None:
    result = agentmem(*line, "--data", tmp_path, "--json")

    assert result.code == code
    assert result.err.count("\n") == 1
    assert said in result.err
    assert result.json["error"]["kind"] == kind
    assert said in result.json["error"]["message"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Misuse("x"), 2),
        (InvalidInput("x"), 3),
        (BackendUnavailable("x"), 4),
        (HeldElsewhere("x"), 4),
        (Busy("x", retry_after=1), 4),
        (BadAnswer("x"), 4),
        (IndexBroken("x"), 4),
        (EmbedderChanged("x"), 4),
        (InternalError("x"), 70),
        (LeaseLost("x"), 4),
        (NotFound("x"), 5),
        (Conflict("x"), 5),
    ],
)
def test_each_error_has_its_exit_code(error: Exception, code: int) -> None:
    assert exit_code(error) == code  # pyright: ignore[reportArgumentType] - all are AgentMemErrors


def test_a_mistake_in_a_scenario_is_found_before_any_is_played(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("scenario: x\n", encoding="utf-8")

    result = agentmem("run", ROOT / "scenarios" / "aip_sales.yaml", wrong, "--data", tmp_path / "d")

    assert (result.code, result.out) == (3, "")
    assert f"{wrong}:1: persona: is missing" in result.err
    assert not (tmp_path / "d").exists()


def test_a_scenario_of_an_unknown_persona_is_an_invalid_file(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    text = (ROOT / "scenarios" / "aip_sales.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace("persona: aip_sales", "persona: nobody"), encoding="utf-8")

    result = agentmem("run", path, "--data", tmp_path)

    assert result.code == 3
    assert "x.yaml: persona: no persona 'nobody' in personas/; there are: aip_presales, aip_sales," in result.err


HEAVY = (
    *("asyncio", "pydantic", "numpy", "sqlalchemy", "qdrant_edge", "yaml", "structlog", "agentmem.domain.memory"),
    *("typer.rich_utils", "rich.markdown", "rich.table", "rich.traceback"),
)


def test_the_help_of_a_filter_names_the_page_that_explains_filters() -> None:
    page = get_args(Filters)[1].help.rpartition("see ")[2].rstrip(".")
    assert "## Filters" in (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.thorough
@pytest.mark.parametrize("line", [["--help"], ["recall", "--help"], ["dead", "list", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(line: list[str]) -> None:
    script = (
        "import sys; from agentmem.interfaces.cli.main import main; main(sys.argv[1:]); "
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )

    assert python("-c", script, *line).out.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (("recall", "x", "--agent", "a", "-k", "0"), "must be 1 or more"),
        (("recall", "x", "--agent", "a", "-k", "many"), "must be a whole number"),
        (("recall", "x", "--agent", "a", "--type", "talk"), "--type: 'talk'; allowed: perceptual, conversation"),
        (("recall", "x"), "--agent: is missing; see `agentmem recall --help`"),
        (("recall", "x", "--agnt", "a"), "No such option: --agnt"),
        (("say", "aip_sales", "--from", "", "x"), "must not be empty"),
    ],
)
def test_a_wrong_option_is_told_in_words_of_our_own(tmp_path: Path, line: tuple[str, ...], told: str) -> None:
    ran = agentmem(*line, "--data", tmp_path, *COMMON)
    assert ran.code == 2
    assert told in ran.err
    assert not [word for word in ("Input should", "Value error", "String should") if word in ran.err]
