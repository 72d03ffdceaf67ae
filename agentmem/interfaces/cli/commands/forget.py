"""forget: memories ended or erased; what a query means is shown before it is done, all else told afterwards."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import ConsoleRenderable

from agentmem.errors import NotFound
from agentmem.interfaces.cli.command_context import CommandSession, handed_over
from agentmem.interfaces.cli.exits import USAGE, Misuse, usage
from agentmem.interfaces.cli.memory_view import plain_table
from agentmem.interfaces.cli.options import About, Agent
from agentmem.interfaces.cli.output import Answer, to_copy, words
from agentmem.interfaces.cli.typed_names import memory_called, scope_of
from agentmem.interfaces.wire import forgotten_data

if TYPE_CHECKING:
    from agentmem.domain.scope import Scope
    from agentmem.memory.forget_plan import Meant
    from agentmem.ports.erasure import Erased
    from agentmem.runtime.facade.app import App
    from agentmem.runtime.facade.forget_requests import Forgotten

MAX_SHOWN = 50
_AGREED = ("y", "yes", "j", "ja", "是")


@handed_over
async def forget(
    session: CommandSession,
    agent: Agent,
    ids: Annotated[
        list[str] | None, typer.Option("--id", help="This memory, by its id or how it begins; may be repeated.")
    ] = None,
    about: About = None,
    query: Annotated[
        str | None, typer.Option("--query", help='What this names, such as "my phone but keep my address".')
    ] = None,
    source: Annotated[
        str | None, typer.Option("--source", metavar="TURN", help="This turn and everything that was derived from it.")
    ] = None,
    erase: Annotated[bool, typer.Option("--erase", help="Remove it for good, from every store.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be forgotten.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> Answer:
    """Forget memories by id, person, question or source: end them, or erase them with a receipt."""
    _check(ids, about, query, source)
    # words may mean more than was wished, and nothing undoes an erasure
    asking = (query is not None or erase) and not yes
    async with session.opened() if erase else session.opened_for_writing() as app:
        meant = await _meant(app, agent, ids, about, query, source)
        with usage():
            told = await app.forget(meant, erase=erase, dry_run=dry_run or asking)
            if asking and not dry_run and (told.gone or told.edited or erase):
                if not _agreed(session, told, erase=erase):
                    return _unasked(session, told, erase=erase)
                told = await app.forget(meant, erase=erase)
    return Answer(forgotten_data(told, dry_run=dry_run), _shown(told, erase=erase, dry_run=dry_run))


def _check(ids: Sequence[str] | None, about: str | None, query: str | None, source: str | None) -> None:
    alone = sum((bool(ids), source is not None))
    if alone + (about is not None or query is not None) != 1:
        raise Misuse("name what to forget by one of --id, --source, --query (with --about or without), --about")


async def _meant(
    app: App, agent: str, ids: Sequence[str] | None, about: str | None, query: str | None, source: str | None
) -> Meant:
    from agentmem.memory.forget_plan import Meant

    scope = await scope_of(app, agent, about)
    if ids:
        return Meant(scope, ids=tuple([(await memory_called(app, name)).memory_id for name in ids]))
    if source is not None:
        return Meant(scope, source=await _turn(app, scope, source))
    return Meant(scope, query=query)


async def _turn(app: App, scope: Scope, name: str) -> str:
    """The memory of a turn, which may be named by its event's id as well."""
    from agentmem.domain.episode import turn_id

    try:
        return (await memory_called(app, name)).memory_id
    except (NotFound, Misuse):
        turn = turn_id(scope.tenant, scope.agent, name)
        if turn not in await app.records.get([turn]):
            raise
        return turn


def _agreed(session: CommandSession, told: Forgotten, *, erase: bool) -> bool:
    """Ask, where there is somebody to ask."""
    if session.terminal.as_json or not (sys.stdin.isatty() and session.terminal.err.is_terminal):
        return False
    for line in _list(told, done=False, erase=erase):
        session.terminal.err.print(line)
    session.terminal.err.print(words("forget this? [y/N] ", "bold"), end="")
    return sys.stdin.readline().strip().casefold() in _AGREED


def _unasked(session: CommandSession, told: Forgotten, *, erase: bool) -> Answer:
    session.terminal.note("nothing was forgotten; --yes forgets it, --dry-run only looks")
    return Answer(forgotten_data(told, dry_run=True), _list(told, done=False, erase=erase), USAGE)


def _shown(told: Forgotten, *, erase: bool, dry_run: bool) -> list[ConsoleRenderable]:
    if not (told.gone or told.edited or told.erased):
        return [words("there is nothing to forget")]
    if told.erased is not None:
        erased = f"erased memories: {len(told.erased.memory_ids)}, events: {len(told.erased.events)}"
        checked = [to_copy(f"`agentmem doctor --receipt {told.receipt}` checks it")] if told.receipt else []
        counts = words(f"{erased}; others with words blacked out: {len(told.edited)}")
        return [counts, *_copies(told), *_left(told), *_left_in(told.erased), *checked]
    shown = _list(told, done=not dry_run, erase=erase)
    return shown if told.run is None else [*shown, to_copy(f"`agentmem undo {told.run}` takes it back")]


def _list(told: Forgotten, *, done: bool, erase: bool) -> list[ConsoleRenderable]:
    verb = ("forgotten" if done else "would be erased" if erase else "would be forgotten", "blacked out in")
    table = plain_table("", "memory")
    for node in told.gone[:MAX_SHOWN]:
        table.add_row(words(verb[0]), words(node.content))
    for before, after in told.edited[:MAX_SHOWN]:
        becomes = f"{before.content} → {after.content}" if after.content != before.content else before.content
        table.add_row(words(verb[1]), words(becomes))
    more = max(0, len(told.gone) - MAX_SHOWN) + max(0, len(told.edited) - MAX_SHOWN)
    return [table, *([words(f"{more} more; --json names all", "dim")] if more else []), *_copies(told), *_left(told)]


def _left(told: Forgotten) -> list[ConsoleRenderable]:
    """What names an erased person and stays, and how it goes as well."""
    if not told.left:
        return []
    more = f" and {len(told.left) - MAX_SHOWN} more; --json names all" if len(told.left) > MAX_SHOWN else ""
    how = "`agentmem forget --source ID --erase` erases one of them, `--id ID` a piece of a document"
    ids = ", ".join(told.left[:MAX_SHOWN])
    return [words(f"others' words still name who goes, and stay: {ids}{more}"), words(how, "dim")]


def _copies(told: Forgotten) -> list[ConsoleRenderable]:
    """What an erasure takes from copies: how much, and not what."""
    return [
        words(f"with {count} memories of its copy {agent} (tenant {tenant})") for tenant, agent, count in told.copies
    ]


def _left_in(erased: Erased) -> list[ConsoleRenderable]:
    """The bundles that took what was erased along, which nobody but their holders can erase."""
    return [words(f"a bundle exported before may still hold it: {file}", "yellow") for file in erased.left_in]
