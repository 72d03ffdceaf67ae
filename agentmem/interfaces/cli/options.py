"""The options that commands share, those every command has wherever on the line they stand, the step from a command to
its action, and figures drawn into a file (`--plot`)."""

import inspect
from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from agentmem.interfaces.cli.command_context import Action, Invocation
from agentmem.interfaces.cli.exits import Misuse


class Layer(StrEnum):
    """The layers of memory, named once more: the domain is heavy to load."""

    PERCEPTUAL = "perceptual"
    CONVERSATION = "conversation"
    OBSERVATION = "observation"
    INSIGHT = "insight"
    LONGTERM = "longterm"


Config = Annotated[Path | None, typer.Option("--config", help="Configuration file.")]
Data = Annotated[Path | None, typer.Option("--data", help="Data directory.")]
Tenant = Annotated[str | None, typer.Option("--tenant", help="Whose agents.")]
As = Annotated[
    str | None,
    typer.Option("--principal", help="On whose behalf; without it, the owner."),
]
Overrides = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set one setting.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON value and nothing else.")]


Agent = Annotated[str, typer.Option("--agent", help="The agent's id.")]
About = Annotated[str | None, typer.Option("--about", help="Only what is known about this person, by name or alias.")]
Layers = Annotated[list[Layer] | None, typer.Option("--type", help="Only this layer; may be repeated.")]
AsOf = Annotated[str | None, typer.Option("--as-of", metavar="TIME", help="What was true then.")]
KnownAt = Annotated[str | None, typer.Option("--known-at", metavar="TIME", help="As known then.")]
Filters = Annotated[
    str | None,
    typer.Option(
        "--filter", metavar="JSON", help='Only what fits, such as \'{"importance": {"gte": 5}}\'; see docs/asking.md.'
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]


def _invoked(
    *,
    config: Config = None,
    data: Data = None,
    tenant: Tenant = None,
    principal: As = None,
    overrides: Overrides = None,
    as_json: Json = False,
) -> Invocation:
    return Invocation(config, data, tenant, principal, tuple(overrides or ()), as_json)


_COMMON = inspect.signature(_invoked).parameters
_VALUED = ("--config", "--data", "--tenant", "--principal", "--set")


def options_after_command(line: Sequence[str], groups: Collection[str]) -> list[str]:
    """The line with common options that stand before the command moved right after it, where each command reads them.

    So the program itself has no options whose values would have to be read before help can be shown.
    """
    rest, path, moved = list(line), list[str](), list[str]()
    while rest and (not path or (len(path) == 1 and path[0] in groups)):
        word = rest.pop(0)
        if word == "--json" or word.startswith(tuple(f"{option}=" for option in _VALUED)):
            moved.append(word)
        elif word in _VALUED:
            moved += [word, *rest[:1]]
            del rest[:1]
        elif word.startswith("-"):
            return [*path, word, *moved, *rest]
        else:
            path.append(word)
    return [*path, *moved, *rest]


def add_command(program: typer.Typer, action: Action) -> None:
    """Make a command of an action, named as the action: the parameters after its session are the command's own, and
    its docstring is the help. Their types must be there without loading what is heavy."""
    own = list(inspect.signature(action, eval_str=True).parameters.values())[1:]
    parameters = [*(item.replace(kind=inspect.Parameter.KEYWORD_ONLY) for item in own), *_COMMON.values()]

    def invoke(**given: Any) -> int:
        from agentmem.interfaces.cli.perform import perform

        invocation = _invoked(**{key: given.pop(key) for key in _COMMON})
        return perform(invocation, action, given)

    invoke.__doc__ = action.__doc__
    invoke.__annotations__ = {item.name: item.annotation for item in parameters}
    vars(invoke)["__signature__"] = inspect.Signature(parameters, return_annotation=int)
    program.command(action.__name__.rstrip("_").replace("_", "-"))(invoke)


def add_group(program: typer.Typer, name: str, about: str, actions: Sequence[Action]) -> None:
    """Add a group of commands, `agentmem NAME COMMAND`, to the program."""
    group = typer.Typer(help=about, rich_markup_mode=None)
    for action in actions:
        add_command(group, action)
    program.add_typer(group, name=name)


EXTRA = 'plots need: pip install "agentmem-framework[plot]"'

Draw = Callable[[object, Path], None]
"""Draws a report into a file."""


def drawing(plot: Path, module: str) -> Draw:
    """The function `draw` of the module, loaded before anything is measured. Raises `Misuse` for what would stop it
    afterwards."""
    if plot.suffix.lower() != ".png" or not plot.parent.is_dir() or plot.is_dir():
        raise Misuse(f"--plot {str(plot)!r}: must be a file ending in .png in a folder that exists")
    try:
        draw: Draw = import_module(module).draw
    except ImportError as error:
        raise Misuse(EXTRA) from error

    def written(report: object, path: Path) -> None:
        try:
            draw(report, path)
        except OSError as failure:
            raise Misuse(f"--plot {str(path)!r}: cannot be written: {failure.strerror or failure}") from failure

    return written
