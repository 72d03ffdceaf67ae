"""`Memory`: the whole system in the words that Mem0's users know, asynchronous, and `Memory.blocking` for other code.

It narrows nothing: `memory.app` is the system underneath.
"""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from agentmem.answers.question import AskQuery, Reply
from agentmem.domain.filter import Compare
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.interfaces.python.graph import BlockingGraph, Graph
from agentmem.interfaces.python.house import House
from agentmem.interfaces.python.loop_thread import LoopThread
from agentmem.interfaces.python.messages import Messages, Timestamp, checked_metadata
from agentmem.interfaces.python.values import (
    Added,
    Found,
    Listed,
    MemoryEvent,
    Past,
    Remembered,
    event_of,
    past_of,
    remembered,
)
from agentmem.interfaces.python.whom import Whom, both, of_layers, whom_and_filter
from agentmem.language.normal import Language
from agentmem.ledger.listing import place_at
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.retrieval.context import BUDGET, Context
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.entrance import entrance
from agentmem.runtime.settings import Settings

P = ParamSpec("P")
R = TypeVar("R")

CONTEXT_HITS = 40
"""Memories recalled for a block; the budget decides how many of them are shown."""

MOST_LISTED = 1_000
_ALL = 2**31 - 1


class Memory(House):
    """A memory opened with `async with`; without anything it keeps its data in `./.agentmem` and needs no key.

    `agent_id` is the agent that remembers (`default` where none is given; it is introduced by itself, with the persona
    of its file where there is one), `user_id` the person it talks with, by the name he is remembered under (case and
    outer punctuation do not count), `run_id` the conversation. Every call on more than one memory needs one of them.
    """

    @classmethod
    @entrance
    def blocking(cls, settings: Settings | None = None, *, path: str | Path | None = None) -> "BlockingMemory":
        """The same for code that is not asynchronous: `with Memory.blocking() as memory`."""
        return BlockingMemory(lambda: cls(settings, path=path))

    @entrance
    async def add(
        self,
        messages: Messages,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, object] | None = None,
        infer: bool = True,
        timestamp: Timestamp | None = None,
        key: str | None = None,
        wait: bool = True,
    ) -> Added:
        """Take in what was said, and tell what became of memories by it: what is new, changed, ended or confirmed.

        A text is something the person said. Both speakers are read; what one merely repeats is not remembered twice,
        and what is asked to be forgotten is. `infer=False` keeps each turn as it is and makes nothing of it.
        `timestamp` is when it was said. `key` makes a repeated call the same one. `wait=False` returns as soon as the
        turns are durable: they are read in windows, by and by, at the latest when the memory is flushed or closed.
        Raises `InvalidInput`; a model that does not answer is no error, see `Added.waits`.
        """
        whom = Whom.of(user_id, agent_id, run_id)
        talk, said = await self.spoken(messages, whom, metadata=metadata, infer=infer, timestamp=timestamp, key=key)
        if not wait:
            await self.app.editing.take_in(talk, said)
            self._read_later(talk.lane)
            return Added((), waits=True)
        read = await self.app.editing.read(talk, said)
        raw = [] if infer else [MemoryEvent(node.memory_id, node.content, "ADD") for node in read.turns]
        made = [change for change in read.changes if _tells(change.before or change.after)]
        return Added((*raw, *map(event_of, made)), read.waits)

    @entrance
    async def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        filters: Mapping[str, object] | None = None,
        limit: int = 10,
        threshold: float | None = None,
        rerank: bool | None = None,
        as_of: datetime | None = None,
        layers: Sequence[MemoryType] | None = None,
    ) -> Found:
        """The memories that bear on a question, at most `limit`, best first, those with a score of `threshold` or more.

        With a `user_id`: what is known about him, and what he told of others. `filters` are as in Mem0, see
        `domain.filter`. `rerank` False leaves the configured reranker out. `as_of`: what was true then. Without
        `layers` the turns themselves are left out, except those stored raw. Raises `InvalidInput`.
        """
        _check_limit(limit)
        whom, asked = whom_and_filter(filters, user_id, agent_id, run_id)
        wanted = both(asked, of_layers(tuple(layers) if layers is not None else None))
        found = await self._recaller(whom)(
            RecallQuery(whom.scope(self._tenant), query, limit, as_of, filter=wanted, rerank=rerank)
        )
        hits = [hit for hit in found.hits if threshold is None or hit.score >= threshold]
        now = self.app.clock.now()
        results = tuple(remembered(hit.memory, now, hit.score) for hit in hits)
        return Found(results, found.abstained, found.confidence)

    @entrance
    async def get(self, memory_id: str) -> Remembered:
        """One memory, whatever became of it, to its owner also where it was forgotten. Raises `NotFound`."""
        return remembered(await self._node(memory_id, forgotten=True), self.app.clock.now())

    @entrance
    async def list(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        filters: Mapping[str, object] | None = None,
        limit: int = 100,
        cursor: str | None = None,
        everything: bool = False,
        layers: Sequence[MemoryType] | None = None,
    ) -> Listed:
        """One page of memories, newest first: what holds, or `everything`, what ended included. With a `user_id`, what
        is known about him. Going on with `next` misses nothing and repeats nothing, whatever is written meanwhile.
        Raises `InvalidInput`."""
        _check_limit(limit)
        whom, asked = whom_and_filter(filters, user_id, agent_id, run_id)
        wanted = whom.filter(asked, of_layers(tuple(layers) if layers is not None else None))
        after = None if cursor is None else place_at(cursor)
        selection = Selection(whom.scope(self._tenant), after=after, limit=limit)
        page = await self.app.page(selection, everything=everything, wanted=wanted)
        now = self.app.clock.now()
        return Listed(tuple(remembered(node, now) for node in page.memories), page.next)

    @entrance
    async def update(self, memory_id: str, text: str, *, metadata: Mapping[str, object] | None = None) -> Remembered:
        """Give a memory other words under the same id, and more metadata where given; whom it is about and whose it is
        cannot be changed. Raises `NotFound`, and `InvalidInput` for one that does not hold any more."""
        if not text.strip():
            raise InvalidInput("a memory needs some text, this one is empty")
        node = await self._node(memory_id)
        edited = await self.app.editing.edit(node.memory_id, text, checked_metadata(metadata))
        return remembered(edited, self.app.clock.now())

    @entrance
    async def delete(self, memory_id: str) -> int:
        """Forget a memory with its earlier values, the words it was made of and what was made of it alone; how many
        memories went. Their history stays, and `memory.app.undo` takes it back. Raises `NotFound`."""
        node = await self._node(memory_id)
        told = await self.app.forget(Meant(Scope(node.tenant, node.agent_id), ids=(node.memory_id,)))
        return len(told.gone)

    @entrance
    async def delete_all(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> int:
        """Forget everything that is known of this person, by this agent or from this conversation, the turns included,
        with what was made of it alone; how many memories went. `memory.app.undo` takes it back; `memory.app.forget`
        with `erase` removes for good. Raises `InvalidInput`."""
        whom = Whom.of(user_id, agent_id, run_id)
        scope = whom.scope(self._tenant)
        if whom.run is None and whom.user is not None:
            return len((await self.app.forget(Meant(scope))).gone)
        await self.flush()
        wanted = Compare("runId", "eq", whom.run) if whom.run is not None else None
        page = await self.app.page(Selection(scope, limit=_ALL), wanted=wanted)
        ids = tuple(node.memory_id for node in page.memories)
        if not ids:
            return 0
        return len((await self.app.forget(Meant(Scope(scope.tenant, scope.agent), ids=ids))).gone)

    @entrance
    async def history(self, memory_id: str) -> tuple[Past, ...]:
        """What became of a memory, oldest first. Raises `NotFound`."""
        node = await self._node(memory_id, forgotten=True)
        return tuple(map(past_of, await self.app.records.history(node.memory_id)))

    @entrance
    async def context(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        filters: Mapping[str, object] | None = None,
        budget: int = BUDGET,
        language: Language | None = None,
    ) -> Context:
        """What is remembered that bears on a question, with the very words, as a block for a prompt of at most `budget`
        tokens. Raises `InvalidInput`."""
        whom, asked = whom_and_filter(filters, user_id, agent_id, run_id)
        await self.persona(whom.agent, query)
        question = RecallQuery(whom.scope(self._tenant), query, CONTEXT_HITS, filter=whom.filter(asked))
        return await self.app.context(question, language=language, budget=budget)

    @entrance
    async def ask(
        self,
        question: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        as_of: datetime | None = None,
    ) -> Reply:
        """The answer to a question, with the memories it rests on; its text is None where nothing answers it. In the
        sources' own words, or in those of the configured chat model. Raises `InvalidInput`."""
        whom = Whom.of(user_id, agent_id, run_id)
        library = replace(self.app.library, recall=self._recaller(whom))
        return await library.ask(AskQuery(whom.scope(self._tenant), question, "vector", as_of=as_of))

    @property
    def graph(self) -> Graph:
        """The same memories as triples, in the words of Mem0's graph."""
        return Graph(self)

    @entrance
    async def reset(self) -> None:
        """Remove all agents of the tenant with everything they have, for good."""
        self._unread.clear()
        for persona in await self.app.records.agents():
            await self.app.forget_agent(persona.id)


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= MOST_LISTED:
        raise InvalidInput(f"limit is {limit}, allowed: 1 to {MOST_LISTED}")


def _tells(node: MemoryNode | None) -> bool:
    """Whether a memory is more than a turn as it was said."""
    return node is not None and node.memory_type is not MemoryType.CONVERSATION


def _on_the_loop(
    method: Callable[Concatenate[Memory, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate["BlockingMemory", P], R]:
    @wraps(method)
    def call(self: "BlockingMemory", *args: P.args, **given: P.kwargs) -> R:
        return self.run(lambda memory: method(memory, *args, **given))

    return call


class BlockingMemory:
    """`Memory` for code that is not asynchronous: the same object on an event loop of its own thread, opened with
    `with` and safe to share between threads. Inside a coroutine it works as well, but holds up the caller's loop."""

    add = _on_the_loop(Memory.add)
    search = _on_the_loop(Memory.search)
    get = _on_the_loop(Memory.get)
    list = _on_the_loop(Memory.list)
    update = _on_the_loop(Memory.update)
    delete = _on_the_loop(Memory.delete)
    delete_all = _on_the_loop(Memory.delete_all)
    history = _on_the_loop(Memory.history)
    context = _on_the_loop(Memory.context)
    ask = _on_the_loop(Memory.ask)
    reset = _on_the_loop(Memory.reset)
    flush = _on_the_loop(Memory.flush)

    def __init__(self, make: Callable[[], Memory]) -> None:
        self._thread = LoopThread(make)
        self._memory: Memory | None = None

    @property
    def memory(self) -> Memory:
        """The asynchronous memory, which lives on the loop of this one's thread. Raises `InvalidInput` unless open."""
        if self._memory is None:
            raise InvalidInput("the memory is not open: use `with Memory.blocking() as memory`")
        return self._memory

    @property
    def graph(self) -> BlockingGraph:
        """See `Memory.graph`."""
        return BlockingGraph(self.memory.graph, self._thread.run)

    def run(self, call: Callable[[Memory], Coroutine[Any, Any, R]]) -> R:
        """What a coroutine of the memory gives: `memory.run(lambda inner: inner.app.drain())`."""
        return self._thread.run(call(self.memory))

    def __enter__(self) -> Self:
        self._memory = self._thread.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._memory = None
        self._thread.close()
