"""The program `agentmem`: its commands, and the one place where it ends."""

import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from typer.main import get_command_from_info, get_group

from agentmem.interfaces.cli.commands import (
    agents,
    ask,
    backup,
    chat,
    clone,
    context,
    doctor,
    edit,
    eval,
    export,
    forget,
    graph,
    hire,
    index,
    ingest,
    init,
    mcp,
    memories,
    persona,
    queue,
    recall,
    reflect,
    report,
    run,
    say,
    serve,
    show,
    token,
    worker,
)
from agentmem.interfaces.cli.exits import INTERRUPTED, USAGE, told
from agentmem.interfaces.cli.options import add_command, add_group, options_after_command
from agentmem.interfaces.cli.output import report_error

program = typer.Typer(
    name="agentmem",
    help="Memory that lasts, corrects itself and can be asked, for agents with a persona.",
    epilog="Every command takes --config, --data, --tenant, --principal, --set and --json, before or after it.",
    add_completion=False,
    rich_markup_mode=None,  # its panels take a third of the time that the help takes
    context_settings={"max_content_width": 120},
)
for action in (
    init.init,
    run.run,
    chat.chat,
    say.say,
    recall.recall,
    context.context,
    ask.ask,
    memories.memories,
    show.show,
    show.history,
    edit.edit,
    edit.end,
    edit.bring_back,
    edit.settle,
    report.report,
    agents.agents,
    ingest.ingest,
    clone.clone,
    hire.hire,
    hire.release,
    forget.forget,
    export.export,
    export.import_,
    reflect.reflect,
    reflect.undo,
    worker.worker,
    serve.serve,
    mcp.mcp,
    queue.queue,
    backup.backup,
    backup.restore,
    backup.compact,
    doctor.doctor,
):
    add_command(program, action)

for group, about, actions in (
    (
        "graph",
        "What links whom and what memories are about.",
        (
            graph.show,
            graph.path,
            graph.communities,
            graph.rebuild,
            graph.export,
            graph.entities,
            graph.merge,
            graph.split,
        ),
    ),
    ("persona", "The files that say who an agent is.", (persona.lint, persona.show, persona.diff, persona.schema)),
    ("token", "Who may come in from outside.", (token.create, token.list_, token.revoke)),
    ("dead", "The jobs that were given up.", (queue.list_, queue.retry, queue.drop)),
    ("index", "The search index.", (index.rebuild, index.optimise, index.verify)),
    ("embedder", "What turns text into vectors.", (index.migrate,)),
):
    add_group(program, group, about, actions)

eval.add_evaluations(program)


def _tell_version(asked: bool) -> None:
    if asked:
        from agentmem.interfaces.installed import installed_version

        sys.stdout.write(f"agentmem {installed_version()}\n")
        raise typer.Exit


@program.callback()
def options_of_program(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show which version this is.")
    ] = False,
) -> None:
    """Take what stands before any command and is for none."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; the exit code."""
    groups = [str(group.name) for group in program.registered_groups]
    line = options_after_command(sys.argv[1:] if arguments is None else arguments, groups)
    path = ["agentmem"]
    try:
        code = _command_of(program, line, path)(args=line, prog_name=" ".join(path), standalone_mode=False)
    except typer.TyperException as error:
        report_error("Usage", told(error, " ".join(path)), as_json="--json" in line)
        return USAGE
    except typer.Abort:
        return INTERRUPTED
    return code if isinstance(code, int) else 0


def _command_of(group: typer.Typer, line: list[str], path: list[str]) -> Callable[..., object]:
    """The command that a line begins with, or the group, which shows its help where no command follows; the words that
    name it go from the line to the path.

    Straight to the command: the others take 30 ms to make, and the groups above it would load pydantic to read options
    nobody gave.
    """
    name = line[0] if line else None
    for below in group.registered_groups:
        if below.name == name and below.typer_instance is not None:
            path.append(line.pop(0))
            return _command_of(below.typer_instance, line, path)
    for each in group.registered_commands:
        if each.name == name:
            path.append(line.pop(0))
            return get_command_from_info(each, pretty_exceptions_short=True, rich_markup_mode=None).main
    if not line:
        line.append("--help")
    return get_group(group).main
