"""`--principal`: the command line on behalf of somebody who may do less than the owner, and sees no more."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from agentmem.interfaces.cli.main import program
from tests.support.cli import Ran, agentmem

CONFIG = """\
principals:
  shop: {agents: {ada: [talk, read]}}
  tom: {agents: {ada: [talk, read, write]}, about: Tom}
  beside: {agents: {bob: [talk, read, write, admin, hire]}}
  nobody: {}
"""
NO_ID = "00000000-0000-4000-8000-000000000000"
DENIED: dict[str, tuple[str, ...]] = {
    "run": ("s.yaml",),
    "say": ("ada", "--from", "Tom", "hello"),
    "recall": ("phone", "--agent", "ada"),
    "context": ("phone", "--agent", "ada"),
    "ask": ("phone?", "--agent", "ada"),
    "memories": ("--agent", "ada"),
    "graph show": ("Tom", "--agent", "ada"),
    "graph path": ("Tom", "Jerry", "--agent", "ada"),
    "graph communities": ("--agent", "ada"),
    "graph rebuild": ("--agent", "ada"),
    "graph export": ("g.xml", "--agent", "ada"),
    "graph entities": ("--agent", "ada"),
    "graph merge": ("Tom", "Jerry", "--agent", "ada"),
    "graph split": ("Tom", "--agent", "ada"),
    "show": (NO_ID,),
    "history": (NO_ID,),
    "edit": (NO_ID, "mine now"),
    "end": (NO_ID,),
    "bring-back": (NO_ID,),
    "settle": (NO_ID, NO_ID),
    "forget": ("--agent", "ada", "--about", "Tom", "--yes"),
    "reflect": ("--agent", "ada"),
    "undo": ("some-run",),
    "chat": ("ada", "--as", "Tom"),
    "ingest": ("config.yaml", "--agent", "ada"),
    "clone": ("ada", "eve"),
    "hire": ("ada", "--as", "eve", "--tenant", "globex"),
    "release": ("ada",),
    "export": ("ada", "never-written.zip"),
    "import": ("config.yaml",),
    "persona diff": ("ada",),
    "worker": ("--once",),
    "queue": (),
    "report": ("never-written.md", "--agent", "ada", "--about", "Tom"),
    "backup": ("never-written.backup",),
    "compact": (),
    "restore": ("config.yaml",),
    "doctor": (),
    "dead retry": ("some-job",),
    "dead drop": ("some-job",),
    "index rebuild": (),
    "index optimise": (),
    "index verify": (),
    "embedder migrate": (),
    "serve": (),
    "token create": ("phone", "--agent", "ada=read"),
    "token list": (),
    "token revoke": ("phone",),
}
EMPTY: dict[str, object] = {"agents": {"agents": []}, "dead list": {"dead": [], "next": None}}
OF_FILES = {
    "eval memory",
    "eval retrieval",
    "eval multihop",
    "eval time",
    "init",
    "persona lint",
    "persona show",
    "persona schema",
}
"""They look at files of the caller's own, and open no store of ours."""

OF_TOOLS = {"mcp"}
"""It begins for everybody; each tool that is then called is allowed or refused by itself."""


def commands(group: typer.Typer, before: tuple[str, ...] = ()) -> Iterator[str]:
    for command in group.registered_commands:
        yield " ".join((*before, str(command.name)))
    for below in group.registered_groups:
        assert below.typer_instance is not None
        yield from commands(below.typer_instance, (*before, str(below.name)))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which ada knows something of Tom and Jerry."""
    folder = tmp_path_factory.mktemp("principals")
    (folder / "config.yaml").write_text(CONFIG)
    (folder / "personas").mkdir()
    for agent in ("ada", "bob"):
        (folder / "personas" / f"{agent}.yaml").write_text(f"id: {agent}\nname: {agent.title()}\nlanguage: en\n")
    for agent, person, text in (
        ("ada", "Tom", "My phone number is 555-0142."),
        ("ada", "Jerry", "My phone number is 555-0199."),
        ("bob", "Tom", "Hello."),
    ):
        assert as_(folder, None, "say", agent, "--from", person, text, "--end").code == 0
    return folder


def as_(folder: Path, principal: str | None, *line: str) -> Ran:
    options = ("--principal", principal) if principal else ()
    personas = f"personas={folder / 'personas'}"
    place = ("--config", folder / "config.yaml", "--data", folder / "data", "--set", personas)
    return agentmem(*line, *place, *options, "--json")


def test_every_command_is_tried_by_somebody_who_may_do_nothing() -> None:
    assert set(commands(program)) == {*DENIED, *EMPTY, *OF_FILES, *OF_TOOLS}


@pytest.mark.parametrize("command", DENIED)
def test_who_may_do_nothing_finds_nothing(place: Path, command: str) -> None:
    ran = as_(place, "nobody", *command.split(), *DENIED[command])
    assert ran.code == 5, ran
    assert not any(word in ran.out for word in ("555", "Tom ", "Jerry"))


@pytest.mark.parametrize("command", EMPTY)
def test_who_may_do_nothing_is_shown_empty_lists(place: Path, command: str) -> None:
    assert as_(place, "nobody", *command.split()).json == EMPTY[command]


def test_a_principal_does_what_he_may_and_no_more(place: Path) -> None:
    assert "555-0199" in as_(place, "shop", "recall", "Jerry's phone", "--agent", "ada").out
    assert [agent["id"] for agent in as_(place, "shop", "agents").json["agents"]] == ["ada"]
    assert as_(place, "shop", "say", "ada", "--from", "Ann", "hello").code == 0
    assert as_(place, "shop", "forget", "--agent", "ada", "--about", "Jerry", "--yes").code == 5
    assert as_(place, "shop", "queue").code == 5


def test_a_principal_bound_to_a_person_sees_that_person_alone(place: Path) -> None:
    for line in (("recall", "phone number"), ("context", "phone number"), ("memories",), ("ask", "phone number?")):
        out = as_(place, "tom", *line, "--agent", "ada").out
        assert "555-0142" in out
        assert "555-0199" not in out
    hers = as_(place, None, "memories", "--agent", "ada", "--about", "Jerry").json["memories"]
    for memory in hers:
        assert as_(place, "tom", "show", memory["memoryId"]).code == 5
        assert as_(place, "tom", "history", memory["memoryId"][:8]).code == 5
    refused = [as_(place, "tom", "recall", "phone", "--agent", "ada", "--about", who) for who in ("Jerry", "Nobody")]
    assert refused[0].err.replace("Jerry", "Nobody") == refused[1].err
    assert as_(place, "tom", "say", "ada", "--from", "Jerry", "hello").code == 5


def test_an_agent_one_may_not_see_is_an_agent_that_is_not_there(place: Path) -> None:
    for line in (("recall", "phone"), ("memories",), ("reflect",)):
        forbidden, unknown = (as_(place, "beside", *line, "--agent", agent) for agent in ("ada", "eve"))
        assert (forbidden.code, forbidden.err.replace("ada", "eve")) == (5, unknown.err)
        assert "ada" not in unknown.err


def test_a_principal_nobody_configured_is_not_found(place: Path) -> None:
    ran = as_(place, "stranger", "agents")
    assert (ran.code, ran.err) == (5, "agentmem: no principal 'stranger'\n")


def test_a_grant_nobody_knows_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("principals:\n  shop: {agents: {ada: [own]}}\n")
    ran = agentmem("agents", "--config", tmp_path / "config.yaml", "--data", tmp_path / "data")
    assert ran.code == 3
    assert ran.err.startswith(f"agentmem: {tmp_path / 'config.yaml'}:2: principals.shop.agents.ada[0]: unknown value")
