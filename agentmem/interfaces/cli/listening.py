"""Commands of other processes, done by the one that holds the index: a socket in the data directory, its owner's alone.

Whoever reaches it may open the files beside it, so a command acts for whom its caller says.
"""

import asyncio
import json
import os
import socket
import struct
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, Final, cast

import structlog
from rich.console import Console

from agentmem.domain.bounds import check_argument
from agentmem.domain.scope import Grant, Principal
from agentmem.errors import AgentMemError, BackendUnavailable, InvalidInput, in_tree, without_content
from agentmem.interfaces.cli.command_context import Action, CommandSession, LineWire, Wire, is_handed_over
from agentmem.interfaces.cli.exits import UNAVAILABLE, exit_code, usage
from agentmem.interfaces.cli.interruption import Signals
from agentmem.interfaces.cli.memory_view import tell_times_in
from agentmem.interfaces.cli.output import Answer, Terminal
from agentmem.interfaces.cli.through import NAME, reachable
from agentmem.runtime.configuration.settings import EdgeIndexSettings, QdrantIndexSettings, Settings
from agentmem.runtime.facade.app import App

log = structlog.get_logger()

MAX_REQUEST: Final = 16 << 20
COMMANDS: Final = "agentmem.interfaces.cli.commands."


class _Frames(StringIO):
    """A text file whose words go to the caller, as this part of an answer."""

    def __init__(self, writer: asyncio.StreamWriter, part: str) -> None:
        super().__init__()
        self._writer, self._part = writer, part

    def write(self, text: str, /) -> int:
        """See `StringIO`."""
        _send(self._writer, {self._part: text})
        return len(text)


@dataclass(frozen=True, slots=True)
class HeldSession(CommandSession):
    """A command's session in the process that holds the index, which is there already."""

    held: App
    theirs: Wire | None = None

    @property
    def wire(self) -> Wire | None:
        """See `CommandSession`."""
        return self.theirs

    @asynccontextmanager
    async def opened(self, *, index: bool = True) -> AsyncGenerator[App]:
        """The app on behalf of the principal."""
        yield self.held.for_principal(self.principal or Principal.owner(self.settings.tenant))

    async def until_stopped(self, work: Coroutine[object, object, None]) -> bool:
        """See `CommandSession`; who is asked for lines and has none any more has what is under way stopped."""
        if not isinstance(self.theirs, LineWire):
            return await CommandSession.until_stopped(self, work)
        hearing = asyncio.ensure_future(self.theirs.over())
        hearing.add_done_callback(lambda done: None if done.cancelled() else self.stop.set())
        try:
            return await CommandSession.until_stopped(self, work)
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)  # two may not read at once


@asynccontextmanager
async def listening(app: App, settings: Settings) -> AsyncGenerator[None]:
    """Do commands that others hand over, while the body runs, where this process alone holds the index."""
    if app.opened is None or not _held_alone(settings):
        yield
        return
    under_way: set[asyncio.Task[None]] = set()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        under_way.add(task)
        try:
            if _is_owner(writer):
                await _Handed(app, settings).do(reader, writer)
        except (OSError, ValueError) as error:
            log.warning("command_not_done", reason=without_content(error))
        finally:
            under_way.discard(task)
            writer.close()

    file = settings.data / NAME
    server = await asyncio.start_unix_server(take, sock=_bound(file), limit=MAX_REQUEST)
    try:
        yield
    finally:
        file.unlink(missing_ok=True)
        server.close()
        for task in list(under_way):
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class _Handed:
    """Does one command."""

    app: App
    settings: Settings

    async def do(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read what is asked, do it, and send what is to be printed and the exit code."""
        request = json.loads(await reader.readline() or b"{}")
        out = Console(
            file=_Frames(writer, "out"),
            width=request["width"],
            force_terminal=request["colours"],
            markup=False,
            emoji=False,
            highlight=False,
        )
        err = Console(file=_Frames(writer, "err"), width=request["width"], markup=False, emoji=False, highlight=False)
        terminal = Terminal(request["json"], out, err)
        wire = _wire(reader, writer, request)
        working = asyncio.ensure_future(self._answer(request, terminal, wire))
        # whoever is read from is heard to be gone by the command itself
        gone = asyncio.ensure_future(reader.read(1) if wire is None else working)
        try:
            await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            working.cancel()
        with suppress(asyncio.CancelledError):
            _send(writer, {"code": await working})
            await writer.drain()

    async def _answer(self, request: Mapping[str, Any], terminal: Terminal, wire: Wire | None) -> int:
        try:
            answer = await self._done(request, terminal, wire)
            terminal.print(answer)
        except Exception as error:  # noqa: BLE001 - the command ends here, and the caller is told
            told = in_tree(error)
            if told is not error:
                log.error("command_failed", reason=without_content(error))
            terminal.report(type(told).__name__, _said_there(told))
            return exit_code(told)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():  # the caller is gone, or this process ends
                raise
            log.error("command_broken_off", action=request["action"])
            terminal.report(BackendUnavailable.__name__, "something the command waited for was broken off: try again")
            return UNAVAILABLE
        return answer.code

    async def _done(self, request: Mapping[str, Any], terminal: Terminal, wire: Wire | None) -> Answer:
        action = _action(request["action"])
        given = {name: _meant(value) for name, value in request["given"].items()}
        with usage():
            for name, value in given.items():
                check_argument(name, value, object)
        changes = {"tenant": request["tenant"], "personas": Path(request["personas"]), "timezone": request["timezone"]}
        settings = self.settings.revised(**changes)
        principal = _principal(settings.tenant, request["principal"])
        session = HeldSession(settings, terminal, principal, asyncio.Event(), Signals(), self.app, wire)
        tell_times_in(settings.zone)
        return await action(session, **given)


def _said_there(error: AgentMemError) -> str:
    """What whoever handed the command over is told. This process has read its configuration; another model is had when
    it starts."""
    return f"{error}; then start the process anew that answers here" if error.lacks == "chat model" else str(error)


def _wire(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: Mapping[str, Any]) -> Wire | None:
    """The caller's standard input and output, where he sends what comes in; None where the command reads nothing."""

    async def send(part: str, words: str) -> None:
        _send(writer, {part: words})
        await writer.drain()

    if request.get("asks"):
        return LineWire(reader, partial(send, "out"), partial(send, "ask"), request["terminal"])
    return Wire(reader, partial(send, "out")) if request.get("reads") else None


def _action(name: str) -> Action:
    """The action of that name that may be handed over. Raises `InvalidInput`."""
    module, _, function = name.partition(":")
    action = getattr(import_module(module), function, None) if module.startswith(COMMANDS) else None
    if not is_handed_over(action):
        raise InvalidInput("the process that holds the index is of another version: start it anew")
    return cast(Action, action)


def _principal(tenant: str, given: Mapping[str, Any] | None) -> Principal | None:
    if given is None:
        return None
    agents = {agent: frozenset(map(Grant, grants)) for agent, grants in given["agents"].items()}
    return Principal(given["name"], tenant, agents, given["about"])


def _meant(value: object) -> object:
    if isinstance(value, dict):
        return Path(cast("dict[str, str]", value)["path"])
    return [_meant(part) for part in cast("list[object]", value)] if isinstance(value, list) else value


def _held_alone(settings: Settings) -> bool:
    index = settings.index
    embedded = isinstance(index, EdgeIndexSettings) or (
        isinstance(index, QdrantIndexSettings) and index.path is not None
    )
    return embedded and hasattr(socket, "AF_UNIX")


def _bound(file: Path) -> socket.socket:
    """A socket of that name, its owner's alone from the beginning. One that was left behind goes: whoever made it held
    the index, which is ours now."""
    file.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        with reachable(file) as name:
            listening.bind(name)
    finally:
        os.umask(before)
    return listening


def _is_owner(writer: asyncio.StreamWriter) -> bool:
    """Whether the caller runs as whom this process runs; where the system cannot tell, the file's mode is enough."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    connection: socket.socket = writer.get_extra_info("socket")
    sent = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return struct.unpack("3i", sent)[1] in (os.getuid(), 0)


def _send(writer: asyncio.StreamWriter, frame: Mapping[str, object]) -> None:
    if not writer.is_closing():
        writer.write(json.dumps(frame).encode() + b"\n")
