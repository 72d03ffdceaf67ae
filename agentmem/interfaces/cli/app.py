"""The program `agentmem`: its commands, and the one place where it ends."""

import sys
from collections.abc import Sequence

import typer
from typer.main import get_command

from agentmem.interfaces.cli.commands import memory, play, upkeep
from agentmem.interfaces.cli.deferred import deferred
from agentmem.interfaces.cli.invocation import common

USAGE = 2

program = typer.Typer(
    name="agentmem",
    help="Memory that lasts, corrects itself and can be asked, for agents with a persona.",
    no_args_is_help=True,
    add_completion=False,
)
program.callback()(common)
for commands in (play, memory, upkeep):
    commands.add_to(program)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code."""
    line = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = get_command(program).main(args=line, prog_name="agentmem", standalone_mode=False)
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
