"""The program `agentmem`: its commands, and the one place where it ends."""

import sys
from collections.abc import Sequence

import typer
from typer.core import TyperGroup
from typer.main import get_command

from agentmem.interfaces.cli.commands import (
    bundles,
    copies,
    documents,
    forget,
    graph,
    hire,
    measure,
    memory,
    persona,
    play,
    talk,
    upkeep,
)
from agentmem.interfaces.cli.deferred import deferred
from agentmem.interfaces.cli.invocation import behind

USAGE = 2

program = typer.Typer(
    name="agentmem",
    help="Memory that lasts, corrects itself and can be asked, for agents with a persona.",
    epilog="Every command takes --config, --data, --tenant, --principal, --set and --json, before or behind it.",
    no_args_is_help=True,
    add_completion=False,
)
for commands in (play, talk, memory, documents, copies, hire, forget, bundles, graph, persona, upkeep, measure):
    commands.add_to(program)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code."""
    groups = [str(group.name) for group in program.registered_groups]
    line = behind(sys.argv[1:] if arguments is None else arguments, groups)
    command, path = get_command(program), ["agentmem"]
    # Straight to the command: the groups above it would load pydantic to read options nobody gave.
    while line and isinstance(command, TyperGroup) and line[0] in command.commands:
        command = command.commands[line[0]]
        path.append(line.pop(0))
    try:
        code = command.main(args=line, prog_name=" ".join(path), standalone_mode=False)
    except typer.TyperException as error:
        return _misuse(error, as_json="--json" in line)
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def _misuse(error: typer.TyperException, *, as_json: bool) -> int:
    message = error.format_message()
    # Without a message the help was asked for by giving no command, and has been shown.
    if message:
        context = getattr(error, "ctx", None)
        path = context.command_path if context else "agentmem"
        deferred("output.report_error")("Usage", f"{message} See `{path} --help`.", as_json=as_json)
    return USAGE
