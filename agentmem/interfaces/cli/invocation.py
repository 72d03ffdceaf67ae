"""The options every command has, wherever on the line they stand, and the step from a command to its action."""

import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from agentmem.interfaces.cli.deferred import deferred

PANEL = "Options of every command"

Config = Annotated[Path | None, typer.Option("--config", help="Configuration file.", rich_help_panel=PANEL)]
Data = Annotated[Path | None, typer.Option("--data", help="Data directory.", rich_help_panel=PANEL)]
Tenant = Annotated[str | None, typer.Option("--tenant", help="Whose agents.", rich_help_panel=PANEL)]
As = Annotated[
    str | None,
    typer.Option("--principal", help="On whose behalf; without it, the owner.", rich_help_panel=PANEL),
]
Overrides = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set one setting.", rich_help_panel=PANEL)
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON value and nothing else.", rich_help_panel=PANEL)]


@dataclass(frozen=True, slots=True)
class Invocation:
    """What the common options said. Of two the one further right counts; `--set` adds up."""

    config: Path | None = None
    data: Path | None = None
    tenant: str | None = None
    principal: str | None = None
    overrides: tuple[str, ...] = ()
    as_json: bool = False


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


def behind(line: Sequence[str], groups: Collection[str]) -> list[str]:
    """The line with common options that stand before the command moved right behind it, where each command reads them.

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


def command(
    program: typer.Typer, name: str, action: str, *, panel: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., int]]:
    """Make a command of a function that only declares its parameters; `action` is MODULE.FUNCTION in `actions`."""

    def declare(declaration: Callable[..., None]) -> Callable[..., int]:
        def invoke(**given: Any) -> int:
            invocation = _invoked(**{key: given.pop(key) for key in _COMMON})
            return deferred("perform.perform")(invocation, action, given)

        own = inspect.signature(declaration)
        declared = [item.replace(kind=inspect.Parameter.KEYWORD_ONLY) for item in own.parameters.values()]
        extended = own.replace(parameters=[*declared, *_COMMON.values()], return_annotation=int)
        invoke.__doc__ = declaration.__doc__
        invoke.__annotations__ = {key: parameter.annotation for key, parameter in extended.parameters.items()}
        vars(invoke).update(__signature__=extended, action=action, declared=tuple(own.parameters))
        program.command(name, rich_help_panel=panel)(invoke)
        return invoke

    return declare


def group_of(program: typer.Typer, name: str, about: str) -> typer.Typer:
    """A group of commands, `agentmem NAME COMMAND`, added to the program."""
    group = typer.Typer(help=about, no_args_is_help=True)
    program.add_typer(group, name=name)
    return group
