"""A command handed to the process that holds the index, by a socket in the data directory; its answer is printed here.

Light to load: who only passes a question on needs nothing of the library but its settings.
"""

import json
import os
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from enum import Enum
from pathlib import Path
from typing import Any, Final, cast

from agentmem.errors import BackendUnavailable
from agentmem.interfaces.cli.command_context import Action, Invocation, is_asking_for_lines, is_reading_input
from agentmem.runtime.configuration.settings import Settings

NAME: Final = "agentmem.sock"
_LONGEST: Final = 100
"""Bytes of a path that the system takes for a socket, near enough."""


def name_of(action: Action) -> str:
    """What an action is called on the other side."""
    return f"{action.__module__}:{action.__name__}"


@contextmanager
def reachable(file: Path) -> Generator[str]:
    """A name of the socket that is short enough, while the body runs. Raises `OSError`."""
    if len(os.fsencode(file)) <= _LONGEST:
        yield str(file)
        return
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        yield f"/proc/self/fd/{folder}/{file.name}"
    finally:
        os.close(folder)


def through(settings: Settings, invocation: Invocation, action: Action, given: Mapping[str, object]) -> int | None:
    """The exit code of the action, done by the process that listens in the data directory; None where there is none.
    Raises `BackendUnavailable` where that one ends meanwhile, and `NotFound` for a principal there is not."""
    principal = None if invocation.principal is None else settings.principal(invocation.principal)
    connection = _connected(settings.data / NAME)
    if connection is None:
        return None
    whose = None if principal is None else {"name": principal.name, "agents": _plain(principal.agents)}
    request = {
        "action": name_of(action),
        "given": {name: _plain(value) for name, value in given.items()},
        "tenant": settings.tenant,
        "principal": None if whose is None or principal is None else {**whose, "about": principal.about},
        "personas": str(settings.personas.absolute()),
        "timezone": settings.timezone,
        "json": invocation.as_json,
        "reads": is_reading_input(action),
        "asks": is_asking_for_lines(action),
        "terminal": sys.stdin.isatty() and sys.stdout.isatty(),
        "width": shutil.get_terminal_size().columns,
        "colours": sys.stdout.isatty() and "NO_COLOR" not in os.environ,
    }
    with connection, connection.makefile("rwb") as stream:
        stream.write(json.dumps(request).encode() + b"\n")
        stream.flush()
        if is_reading_input(action):
            threading.Thread(target=_pass_on, args=(connection,), daemon=True).start()
        with _asked(connection) if is_asking_for_lines(action) else nullcontext():
            for line in stream:
                frame = json.loads(line)
                if "ask" in frame:
                    threading.Thread(target=_ask, args=(connection, frame["ask"]), daemon=True).start()
                elif (code := _shown(frame)) is not None:
                    return code
    raise BackendUnavailable("the process that holds the index ended before it had answered: try again")


def _pass_on(connection: socket.socket) -> None:
    """Send what comes in, until it ends. Read from the descriptor: nothing may be held of it when the program ends."""
    with suppress(OSError):
        while read := os.read(0, 65_536):
            connection.sendall(read)
        connection.shutdown(socket.SHUT_WR)


@contextmanager
def _asked(connection: socket.socket) -> Generator[None]:
    """Lines are asked for while the body runs: the terminal is left as it was, and a signal ends the input, so that the
    other side comes to its end; a second one ends this process."""
    from agentmem.interfaces.cli.line_input import terminal_restored

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def end(_number: int, _frame: object) -> None:
        for number, action in before.items():
            signal.signal(number, action)
        with suppress(OSError):
            connection.shutdown(socket.SHUT_WR)

    try:
        for number in before:
            signal.signal(number, end)
        with terminal_restored():
            yield
    finally:
        for number, action in before.items():
            signal.signal(number, action)


def _ask(connection: socket.socket, prompt: str) -> None:
    """Send the next line, or that there is none."""
    from agentmem.interfaces.cli.line_input import read_at_once

    line = read_at_once(prompt)
    with suppress(OSError):
        if line is None:
            connection.shutdown(socket.SHUT_WR)
        else:
            connection.sendall(line.rstrip("\n").encode(errors="replace") + b"\n")


def _connected(file: Path) -> socket.socket | None:
    """A connection to whoever listens there; a socket that somebody else made is nobody's."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with suppress(OSError):
        if file.stat().st_uid == os.getuid():
            with reachable(file) as name:
                connection.connect(name)
            return connection
    connection.close()
    return None


def _shown(frame: Mapping[str, Any]) -> int | None:
    """Print what came; the exit code where that came."""
    sys.stdout.write(frame.get("out", ""))
    sys.stdout.flush()
    sys.stderr.write(frame.get("err", ""))
    return cast("int | None", frame.get("code"))


def _plain(value: object) -> object:
    match value:
        case Path():
            return {"path": str(value.absolute())}
        case Enum():
            return value.value
        case Mapping():
            return {str(name): _plain(part) for name, part in cast("Mapping[object, object]", value).items()}
        case list() | tuple() | set() | frozenset():
            return [_plain(part) for part in cast("list[object]", value)]
        case _:
            return value
