"""serve: the memory over HTTP, with the workers inside."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Collection, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from agentmem.errors import InvalidInput
from agentmem.interfaces.cli.command_context import CommandSession, runs_on, stops_itself
from agentmem.interfaces.cli.exits import usage
from agentmem.interfaces.cli.output import Answer, words

if TYPE_CHECKING:
    import asyncio

    from agentmem.runtime.facade.app import App

FIRST_TOKEN = "owner"
"""What the token is called that the first start makes."""


def quick_loop() -> asyncio.AbstractEventLoop:
    """uvloop's, which takes a sixth off what a request costs; Python's own where there is none."""
    try:
        from uvloop import new_event_loop
    except ImportError:
        from asyncio import new_event_loop
    return new_event_loop()


@runs_on(quick_loop)
@stops_itself
async def serve(
    session: CommandSession,
    host: Annotated[str | None, typer.Option("--host", help="Where to listen, if not as configured.")] = None,
    port: Annotated[int | None, typer.Option("--port", min=0, max=65_535, help="The same.")] = None,
    no_workers: Annotated[bool, typer.Option("--no-workers", help="Only answer; other processes work.")] = False,
    insecure: Annotated[bool, typer.Option("--insecure", help="Let in without a token; on this machine only.")] = False,
) -> Answer:
    """Answer over HTTP until Ctrl-C or SIGTERM."""
    session.owner_only()
    try:
        from agentmem.interfaces.http.serving import Serving, address_of, bound, serve
    except ImportError as error:
        raise InvalidInput('serving needs: pip install "agentmem-framework[server]"') from error
    from agentmem.interfaces.cli.listening import listening as commands_of_others

    changed = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    with usage():
        serving = Serving(session.settings.server.revised(**changed), insecure=insecure, workers=not no_workers)
    async with session.opened() as app:
        tokens = {token.name for token in await app.tokens.all()}
        secret = None if tokens else await _first_token(app, serving.options.host)
        with bound(serving.options) as listening:
            address = address_of(listening)

            def ready() -> None:
                _tell(session, address, secret, tokens, insecure=insecure)

            async with commands_of_others(app, session.settings):
                await serve(app, serving, listening, session.stop, ready)
    return Answer({"stopped": True}, [words("stopped")])


async def _first_token(app: App, host: str) -> str:
    """An owner's token where there is none yet, for this machine; whoever listens elsewhere makes one himself."""
    from agentmem.interfaces.http.serving import is_loopback

    if not is_loopback(host):
        raise InvalidInput(f"to listen on {host} a token must be there: make one with agentmem token create")
    return (await app.tokens.create(FIRST_TOKEN, {}, for_owner=True)).secret


def _tell(
    session: CommandSession, address: str, secret: str | None, tokens: Collection[str], *, insecure: bool
) -> None:
    """Where it listens, and how to come in: the first token is shown once, and after that how to make another."""
    note = session.terminal.note
    note(f"listening on {address}")
    if insecure:
        note("INSECURE: whoever can reach this address may do everything, without a token")
        note(f"the page: {address}/")
    if secret is not None:
        note(f"the owner's token, shown this once: {secret}")
        note(f"the page, opened by it: {address}/enter#{secret}")
        note(f"try: curl -H 'Authorization: Bearer {secret}' {address}/v1/agents")
    elif not insecure:
        free = next(name for number in count(2) if (name := f"{FIRST_TOKEN}-{number}") not in tokens)
        note(f"the page: {address}/, opened by any token; for a new one, and a link that opens the page by it:")
        note(f"  {called_again(['token', 'create', free, '--owner', '--link', address])}")


SAME_STORE: Final = ("--config", "--data", "--tenant", "--set")
"""The common options without which another call would work on something else."""


def called_again(command: Sequence[str]) -> str:
    """The line that has this program do that on the store of this call, to be copied into the shell it came from."""
    return shlex.join([*_program(sys.argv[0]), *command, *_same_store(sys.argv[1:])])


def _program(called: str) -> list[str]:
    """Its name where the shell finds this program by it, else as it was called."""
    path = Path(called)
    if path.suffix == ".py":
        return [sys.executable, "-m", "agentmem"]
    found = shutil.which(path.name)
    return [path.name if found is not None and Path(found).resolve() == path.resolve() else called]


def _same_store(line: Sequence[str]) -> list[str]:
    kept: list[str] = []
    for place, word in enumerate(line):
        if word in SAME_STORE:
            kept += line[place : place + 2]
        elif word.startswith(tuple(f"{option}=" for option in SAME_STORE)):
            kept.append(word)
    return kept
