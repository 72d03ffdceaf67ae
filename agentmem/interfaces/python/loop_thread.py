"""One event loop on a thread of its own, for synchronous code that uses what is asynchronous."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from threading import Thread, get_ident
from typing import Any, Generic, TypeVar

from agentmem.errors import InvalidInput

T = TypeVar("T")
R = TypeVar("R")


class LoopThread(Generic[T]):
    """Keeps what `opened` gives open in one task of its loop, from `open` to `close`, and runs coroutines beside it."""

    def __init__(self, opened: Callable[[], AbstractAsyncContextManager[T]]) -> None:
        self._opened = opened
        self._ready: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event, T]] = Future()
        self._ended: Future[None] = Future()
        self._thread = Thread(target=self._serve, name="agentmem", daemon=True)

    def open(self) -> T:
        """Start the thread; raises whatever opening raised."""
        self._thread.start()
        return self._ready.result()[2]

    def run(self, call: Coroutine[Any, Any, R]) -> R:
        """Run it on the loop and wait for what it gives, from any other thread, whether or not a loop runs there."""
        loop, _, _ = self._ready.result()
        if get_ident() == self._thread.ident:
            call.close()
            raise InvalidInput("this is the thread that would have to answer: await the asynchronous Memory here")
        waiting = asyncio.run_coroutine_threadsafe(call, loop)
        try:
            return waiting.result()
        except BaseException:
            waiting.cancel()
            raise

    def close(self) -> None:
        """Close what is open and end the thread; raises whatever closing raised."""
        loop, stop, _ = self._ready.result()
        loop.call_soon_threadsafe(stop.set)
        self._thread.join()
        self._ended.result()

    def _serve(self) -> None:
        try:
            asyncio.run(self._live())
        except BaseException as error:  # noqa: BLE001 - the thread ends here; whoever waits for it is told
            (self._ended if self._ready.done() else self._ready).set_exception(error)
        else:
            self._ended.set_result(None)

    async def _live(self) -> None:
        stop = asyncio.Event()
        async with self._opened() as value:
            self._ready.set_result((asyncio.get_running_loop(), stop, value))
            await stop.wait()
