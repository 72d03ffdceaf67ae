"""The options every command has, wherever on the line they stand, and the step from a command to its action."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from agentmem.interfaces.cli.deferred import deferred

PANEL = "Options of every command"

Config = Annotated[Path | None, typer.Option("--config", help="Configuration file.", rich_help_panel=PANEL)]
Data = Annotated[Path | None, typer.Option("--data", help="Data directory.", rich_help_panel=PANEL)]
Tenant = Annotated[str | None, typer.Option("--tenant", help="Whose agents.", rich_help_panel=PANEL)]
Overrides = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Set one setting.", rich_help_panel=PANEL)
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON value and nothing else.", rich_help_panel=PANEL)]


@dataclass(frozen=True, slots=True)
class Invocation:
    """What the common options said. What stands further right counts more; `--set` adds up."""

    config: Path | None = None
    data: Path | None = None
    tenant: str | None = None
    overrides: tuple[str, ...] = ()
    as_json: bool = False

    def then(self, later: "Invocation") -> "Invocation":
        """These options, with those that stand behind them on the line."""
        return Invocation(
            later.config or self.config,
            later.data or self.data,
            self.tenant if later.tenant is None else later.tenant,
            self.overrides + later.overrides,
            self.as_json or later.as_json,
        )


def common(
    ctx: typer.Context,
    *,
    config: Config = None,
    data: Data = None,
    tenant: Tenant = None,
    overrides: Overrides = None,
    as_json: Json = False,
) -> None:
    """Take up the common options; the callback of the program and of each group."""
    before = ctx.obj if isinstance(ctx.obj, Invocation) else Invocation()
    ctx.obj = before.then(Invocation(config, data, tenant, tuple(overrides or ()), as_json))


def command(
    program: typer.Typer, name: str, action: str, *, panel: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., int]]:
    """Make a command of a function that only declares its parameters; `action` is MODULE.FUNCTION in `actions`."""

    def declare(declaration: Callable[..., None]) -> Callable[..., int]:
        def invoke(**given: Any) -> int:
            ctx = cast("typer.Context", given.pop("ctx"))
            common(ctx, **{key: given.pop(key) for key in _COMMON})
            return deferred("perform.perform")(ctx.obj, action, given)

        own = inspect.signature(declaration)
        parameters = [*_keyword_only(own), *_keyword_only(inspect.signature(common))]
        extended = own.replace(parameters=parameters, return_annotation=int)
        invoke.__doc__ = declaration.__doc__
        invoke.__annotations__ = {key: parameter.annotation for key, parameter in extended.parameters.items()}
        vars(invoke).update(__signature__=extended, action=action, declared=tuple(own.parameters))
        program.command(name, rich_help_panel=panel)(invoke)
        return invoke

    return declare


_COMMON = tuple(key for key in inspect.signature(common).parameters if key != "ctx")


def _keyword_only(signature: inspect.Signature) -> list[inspect.Parameter]:
    return [item.replace(kind=inspect.Parameter.KEYWORD_ONLY) for item in signature.parameters.values()]
