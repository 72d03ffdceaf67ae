"""One open app for all memories of this process that name the same store: the first opens it, the last closes it.

An app lives on the event loop it was opened on. A memory that is used on another loop, or in a thread without one, has
its calls run there. Code that is not asynchronous opens on a loop that this module keeps on a thread of its own.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from threading import Lock, Thread, get_ident, main_thread
from typing import Any, Concatenate, Final, ParamSpec, Protocol, Self, TypeVar

import structlog

from agentmem.errors import AgentMemError, BackendUnavailable, Conflict, InvalidInput, NotFound, without_content
from agentmem.interfaces.python.from_mem0 import check_words
from agentmem.ports.cognition import Cognition
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.entrance import entrance
from agentmem.runtime.host.clocks import Clock

log = structlog.get_logger()

R = TypeVar("R")
P = ParamSpec("P")
M = TypeVar("M", bound="Runs")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a memory is to be opened with."""

    settings: Settings
    clock: Clock | None = None
    cognition: Cognition | None = None

    @property
    def store(self) -> tuple[str, str]:
        """Which journal and which index it is."""
        index = self.settings.index
        place = index.model_dump_json() if index.kind == "qdrant" else f"{index.kind} {self.settings.data.absolute()}"
        return self.settings.journal_url, place


class SharedApp:
    """An app, and by how many memories it is used. Raises from `ready` what opening it raised."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.users = 1
        self.loop = asyncio.get_running_loop()
        self.thread = get_ident()
        self.ready: Future[App] = _begun()
        self._ended: Future[None] = _begun()
        self._left = asyncio.Event()
        self._serving: asyncio.Task[None] | None = None
        self._task = self.loop.create_task(self._keep(), name="agentmem-store")

    @property
    def app(self) -> App:
        """The app, once it is open."""
        return self.ready.result()

    @property
    def is_open(self) -> bool:
        """Whether it can still be used: its loop may have ended before the last memory was closed."""
        return not (self._ended.done() or self.loop.is_closed())

    async def on(self, call: Callable[[], Coroutine[Any, Any, R]]) -> R:
        """What the call gives, run on the loop of the app, from whatever loop it is awaited on."""
        if asyncio.get_running_loop() is self.loop:
            return await call()
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(call(), self.loop))

    def serve(self) -> None:
        """Read by and by what is said, until the app is closed; begin again where an error ended it."""
        if self._serving is None or self._serving.done():
            self._serving = asyncio.create_task(self._serve(), name="agentmem-reading")

    async def leave(self) -> None:
        """Be used by one memory less; where it was the last, the app is closed. Raises what closing raises."""
        with _LOCK:
            self.users -= 1
            last = self.users == 0
        if last and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._left.set)
            await asyncio.wrap_future(self._ended)

    async def closed(self) -> None:
        """Return once it is closed, however that ends."""
        with suppress(Exception):
            await asyncio.wrap_future(self._ended)

    async def _keep(self) -> None:
        """One task opens and closes, as what is opened in it may ask."""
        try:
            async with open_app(self.wanted.settings, clock=self.wanted.clock, cognition=self.wanted.cognition) as app:
                self.ready.set_result(app)
                await self._left.wait()
                if self._serving is not None:
                    await self._serving
        except asyncio.CancelledError:
            self._tell(BackendUnavailable("the event loop ended while the store was being opened"), opening=True)
            raise
        except Exception as error:  # noqa: BLE001 - the task ends here, and whoever waits for it is told
            self._tell(error, opening=not self.ready.done())
        finally:
            with _LOCK:
                if _OPEN.get(self.wanted.store) is self:
                    del _OPEN[self.wanted.store]
            if not self._ended.done():
                self._ended.set_result(None)

    def _tell(self, error: Exception, *, opening: bool) -> None:
        future = self.ready if opening else self._ended
        if not future.done():
            future.set_exception(error)

    async def _serve(self) -> None:
        try:
            await self.app.serve(self._left)
        except AgentMemError as error:
            log.warning("reading_stopped", reason=without_content(error))


_OPEN: Final[dict[tuple[str, str], SharedApp]] = {}
_LOCK: Final = Lock()


async def opened(wanted: Wanted) -> SharedApp:
    """The store, open, for one memory more. Raises what `open_app` raises, and `InvalidInput` where it is open with
    other settings."""
    while True:
        with _LOCK:
            shared = _OPEN.get(wanted.store)
            if shared is None or not shared.is_open:
                shared = _OPEN[wanted.store] = SharedApp(wanted)
            elif shared.users:
                _check_same(shared.wanted, wanted)
                shared.users += 1
            closing = not shared.users
        if not closing:
            break
        await shared.closed()
    try:
        await asyncio.wrap_future(shared.ready)
    except BaseException:
        with suppress(Exception):
            await shared.leave()
        raise
    return shared


def _check_same(held: Wanted, wanted: Wanted) -> None:
    differing = [
        name for name in Settings.model_fields if getattr(held.settings, name) != getattr(wanted.settings, name)
    ]
    differing += [name for name in ("clock", "cognition") if getattr(held, name) is not getattr(wanted, name)]
    if differing:
        where = f"the store in {wanted.settings.data} is open in this process"
        raise InvalidInput(f"{where} with another {differing[0]}: give the same, or close it first")


class Runs(Protocol):
    """What runs its coroutines on the loop where it lives, and opens itself for them."""

    async def run(self, call: Callable[[Self], Coroutine[Any, Any, R]]) -> R:
        """What the call gives."""
        ...


def operation(
    method: Callable[Concatenate[M, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate[M, P], Coroutine[Any, Any, R]]:
    """An entrance that answers on the loop of the memory, and says of a word of Mem0's what to write in its place."""

    @entrance
    @wraps(method)
    async def answering(self: M, *args: P.args, **given: P.kwargs) -> R:
        return await self.run(lambda here: method(here, *args, **given))

    @wraps(method)
    async def call(self: M, *args: P.args, **given: P.kwargs) -> R:
        check_words(method, given)
        return await answering(self, *args, **given)

    vars(call)["entrance"] = True
    return call


class BlockingLoop:
    """The event loop on which code that is not asynchronous opens its memories; one for the process, started when it is
    first used. When the program ends, what is open on it is closed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.thread: int | None = None

    def run(self, call: Callable[[], Coroutine[Any, Any, R]]) -> R:
        """Run it on the loop and wait for what it gives, from any other thread, whether or not a loop runs there. What
        the caller has to mend comes without the steps that led to it there: they are on no line of his."""
        waiting = asyncio.run_coroutine_threadsafe(call(), self._started())
        try:
            return waiting.result()
        except (InvalidInput, NotFound, Conflict) as error:
            raise error.with_traceback(None) from None
        except BaseException:
            waiting.cancel()
            raise

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._loop.is_closed():
                ready: Future[asyncio.AbstractEventLoop] = Future()
                Thread(target=lambda: asyncio.run(self._live(ready)), name="agentmem").start()
                self._loop = ready.result()
            return self._loop

    async def _live(self, ready: "Future[asyncio.AbstractEventLoop]") -> None:
        loop, over = asyncio.get_running_loop(), asyncio.Event()
        self.thread = get_ident()
        Thread(target=_tell_at_the_end, args=(loop, over), name="agentmem-end", daemon=True).start()
        ready.set_result(loop)
        await over.wait()


BLOCKING_LOOP: Final = BlockingLoop()


def check_thread(wanted: Wanted) -> None:
    """Raise `InvalidInput` on a thread that would have to answer while it waits."""
    with _LOCK:
        shared = _OPEN.get(wanted.store)
    if get_ident() in (BLOCKING_LOOP.thread, shared.thread if shared is not None and shared.is_open else None):
        raise InvalidInput("this is the thread that would have to answer: await the AsyncMemory here")


def _tell_at_the_end(loop: asyncio.AbstractEventLoop, over: asyncio.Event) -> None:
    main_thread().join()
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(over.set)


def _begun() -> Future[Any]:
    """A future that nobody who waits for it can cancel."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future
