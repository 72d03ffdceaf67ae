"""`Memory`: `AsyncMemory` for code that is not asynchronous, each operation made from the other's."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, Never, ParamSpec, Self, TypeVar

from agentmem.errors import InvalidInput
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.from_mem0 import settings_of
from agentmem.interfaces.python.memory_graph import Graph
from agentmem.interfaces.python.shared import BLOCKING_LOOP, check_thread
from agentmem.ports.cognition import Cognition
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.host.clocks import Clock

P = ParamSpec("P")
R = TypeVar("R")


def waited(memory: AsyncMemory, call: Callable[[AsyncMemory], Coroutine[Any, Any, R]]) -> R:
    """What a coroutine of the memory gives, from any thread but that of the loop where it lives, which could not
    answer: there it raises `InvalidInput`."""
    check_thread(memory.wanted)
    return BLOCKING_LOOP.run(lambda: memory.run(call))


def _blocking(
    method: Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate["Memory", P], R]:
    @wraps(method)
    def call(self: "Memory", *args: P.args, **given: P.kwargs) -> R:
        check_thread(self.inner.wanted)
        return BLOCKING_LOOP.run(lambda: method(self.inner, *args, **given))

    return call


def _blocking_graph(
    method: Callable[Concatenate[Graph, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate["BlockingGraph", P], R]:
    @wraps(method)
    def call(self: "BlockingGraph", *args: P.args, **given: P.kwargs) -> R:
        return waited(self.memory, lambda memory: method(memory.graph, *args, **given))

    return call


@dataclass(frozen=True, slots=True)
class BlockingGraph:
    """`Graph` for code that is not asynchronous."""

    memory: AsyncMemory

    add = _blocking_graph(Graph.add)
    search = _blocking_graph(Graph.search)
    get_all = _blocking_graph(Graph.get_all)
    delete_all = _blocking_graph(Graph.delete_all)


class Memory:
    """A memory; without anything it keeps its data in `./.agentmem` and needs no key. It is opened by `with`, by
    `open`, or by its first use, and closed by `close` or when the program ends; threads may share it, and several
    memories may share a store. Inside a coroutine it works as well, but holds up the caller's loop: see `AsyncMemory`.

    `agent_id` is the agent that remembers, `user_id` the person it talks with, `run_id` the conversation. Every call on
    more than one memory needs one of them.
    """

    add = _blocking(AsyncMemory.add)
    search = _blocking(AsyncMemory.search)
    get = _blocking(AsyncMemory.get)
    get_all = _blocking(AsyncMemory.get_all)
    list = _blocking(AsyncMemory.get_all)
    update = _blocking(AsyncMemory.update)
    delete = _blocking(AsyncMemory.delete)
    delete_all = _blocking(AsyncMemory.delete_all)
    history = _blocking(AsyncMemory.history)
    context = _blocking(AsyncMemory.context)
    ask = _blocking(AsyncMemory.ask)
    remind = _blocking(AsyncMemory.remind)
    persona = _blocking(AsyncMemory.persona)
    reset = _blocking(AsyncMemory.reset)
    flush = _blocking(AsyncMemory.flush)
    close = _blocking(AsyncMemory.close)

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        path: str | Path | None = None,
        clock: Clock | None = None,
        cognition: Cognition | None = None,
    ) -> None:
        self.inner = AsyncMemory(settings, path=path, clock=clock, cognition=cognition)

    @classmethod
    def from_config(cls, config: Mapping[str, object]) -> Self:
        """See `AsyncMemory.from_config`."""
        return cls(settings_of(config))

    @property
    def graph(self) -> BlockingGraph:
        """The same memories as triples, in the words of Mem0's graph."""
        return BlockingGraph(self.inner)

    def open(self) -> Self:
        """Open the store, or share it where a memory of this process has it open."""
        self.run(AsyncMemory.open)
        return self

    def run(self, call: Callable[[AsyncMemory], Coroutine[Any, Any, R]]) -> R:
        """What a coroutine of the memory gives: `memory.run(lambda inner: inner.app.drain())`."""
        return waited(self.inner, call)

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        check_thread(self.inner.wanted)
        BLOCKING_LOOP.run(lambda: self.inner.__aexit__(kind, error, trace))

    async def __aenter__(self) -> Never:
        raise InvalidInput("write `async with AsyncMemory() as memory`, or `with Memory() as memory`")

    async def __aexit__(self, *_: object) -> None: ...
