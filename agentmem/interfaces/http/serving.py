"""Runs the program: a listener, the workers beside it, and an end at which what is under way is finished."""

import asyncio
import gc
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from errno import EADDRINUSE
from ipaddress import ip_address
from itertools import chain
from typing import Final

import structlog
import uvicorn

from agentmem import patterns
from agentmem.errors import BackendUnavailable, InvalidInput
from agentmem.interfaces.http.api import guarded
from agentmem.interfaces.http.audit import Audit
from agentmem.interfaces.http.callers import Callers
from agentmem.interfaces.http.connection import Connection
from agentmem.interfaces.http.guard import Guard
from agentmem.interfaces.web import rendering
from agentmem.runtime.configuration.settings import ServerSettings
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.entrance import telling

log = structlog.get_logger()

IDLE_SECONDS: Final = 30
GONE_SECONDS: Final = 60
"""After so long somebody is given up who takes nothing of what is sent him, or whose machine does not answer: what cut
him off may have told nobody, and his stream is one of those that his token may have."""

BACKLOG: Final = 1_024

PAUSE: Final = 0.005
"""Seconds between two steps of the preparation, for requests."""

GARBAGE: Final = 20_000
"""Objects that may have come, and not gone, before the young ones are looked through for garbage."""


@dataclass(frozen=True, slots=True)
class Serving:
    """How to serve: `insecure` lets in whoever comes, as the owner; without `workers` others do the work."""

    options: ServerSettings
    insecure: bool = False
    workers: bool = True

    def __post_init__(self) -> None:
        if self.insecure and not is_loopback(self.options.host):
            raise InvalidInput(
                f"--insecure lets everybody in who can reach {self.options.host}; allowed: 127.0.0.1, ::1, localhost"
            )


class _Listener(uvicorn.Server):
    """Hears no signals: whoever runs it says when to stop."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """See `uvicorn.Server`."""
        yield


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def bound(options: ServerSettings) -> socket.socket:
    """A socket that listens at the configured address. Raises `BackendUnavailable` where somebody else does."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _give_up_in_time(listening)
        listening.bind((options.host, options.port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        other = "; --port or server.port names another" if error.errno == EADDRINUSE else ""
        raise BackendUnavailable(f"{options.host}:{options.port}: {error.strerror or error}{other}") from error
    return listening


def _give_up_in_time(listening: socket.socket) -> None:
    """Every connection that is taken has these options of the socket it came to."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if sys.platform == "linux":
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, GONE_SECONDS // 2)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_SECONDS * 1_000)


def address_of(listening: socket.socket) -> str:
    """The address as a link begins."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def serve(
    app: App, serving: Serving, listening: socket.socket, stop: asyncio.Event, ready: Callable[[], None]
) -> None:
    """Answer and work until `stop` is set; then nothing new is taken, and what is under way has the workers' grace."""
    audit = Audit(app.settings.data, app.clock)
    callers = Callers(app, serving.options, stop, insecure=serving.insecure)
    with telling(), audit.opened():
        async with (
            guarded(serving.options, callers, audit) as program,
            asyncio.TaskGroup() as tasks,
        ):
            listener = listener_of(program, serving.options, app.settings.workers.grace)
            async with _until(stop, listener, tasks):
                watching = tasks.create_task(callers.watch(), name="tokens")
                if serving.workers:
                    tasks.create_task(app.serve(stop), name="workers")
                preparing = tasks.create_task(prepare(), name="preparation")
                ready()
                _look_for_garbage_seldom()
                await listener.serve(sockets=[listening])
                watching.cancel()
                preparing.cancel()


async def prepare() -> None:
    """Make beforehand what the first requests would otherwise wait for."""
    for _ in chain(rendering.prepare(), patterns.prepare()):
        await asyncio.sleep(PAUSE)


def listener_of(program: Guard, options: ServerSettings, grace: float) -> uvicorn.Server:
    """What listens for the program; what is under way at its end has `grace` seconds."""
    config = uvicorn.Config(
        program,
        http=Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_keep_alive=IDLE_SECONDS,
        limit_concurrency=options.connections,
        timeout_graceful_shutdown=max(1, round(grace)),
    )
    return _Listener(config)


def _look_for_garbage_seldom() -> None:
    """What is loaded by now stays, and a request leaves hardly anything behind: to look as often as Python does of
    itself took a seventh of each."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE)


@asynccontextmanager
async def _until(stop: asyncio.Event, listener: uvicorn.Server, tasks: asyncio.TaskGroup) -> AsyncGenerator[None]:
    """Tell the listener to end when `stop` is set."""

    async def end() -> None:
        await stop.wait()
        listener.should_exit = True

    ending = tasks.create_task(end(), name="stop")
    try:
        yield
    finally:
        ending.cancel()
