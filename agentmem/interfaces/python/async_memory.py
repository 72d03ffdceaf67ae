"""`AsyncMemory`: the whole system in the words that Mem0's users know; `blocking.Memory` is the same without `await`.

It narrows nothing: `memory.app` is the system underneath.
"""

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from uuid import UUID, uuid4

from agentmem.agents.talk.recollection import Reminder
from agentmem.answers.answer import AskQuery, AskReply
from agentmem.domain.bounds import check_argument
from agentmem.domain.filter import Compare
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.interfaces.lookup import introduced_or_plain
from agentmem.interfaces.python.call_scope import SEARCHED, CallScope, both, limit_of, of_layers, scope_and_filter
from agentmem.interfaces.python.from_mem0 import settings_of
from agentmem.interfaces.python.memory_graph import Graph
from agentmem.interfaces.python.messages import Messages, Timestamp, asked_moment, checked_metadata, moment, utterances
from agentmem.interfaces.python.results import (
    Added,
    HistoryEntry,
    MemoryEvent,
    MemoryItem,
    MemoryPage,
    Results,
    SearchResults,
    event_of,
    history_entry,
    memory_item,
)
from agentmem.interfaces.python.shared import SharedApp, Wanted, opened, operation
from agentmem.interfaces.wire import CONTEXT_HITS
from agentmem.language.normal import Language, language_of
from agentmem.ledger.listing import ALL, place_at
from agentmem.memory.forget_plan import Meant
from agentmem.ports.cognition import Cognition
from agentmem.ports.ledger import Selection
from agentmem.questions.form import asks_of_the_past
from agentmem.retrieval.context import BUDGET, Context
from agentmem.retrieval.query import Recalled, RecallQuery
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.entrance import entrance
from agentmem.runtime.host.clocks import Clock

R = TypeVar("R")


class AsyncMemory:
    """A memory; without anything it keeps its data in `./.agentmem` and needs no key. It is opened by `async with`, by
    `open`, or by its first use; memories of one process with one store share it.

    `agent_id` is the agent that remembers (`default` where none is given; it is introduced by itself, with the persona
    of its file where there is one), `user_id` the person it talks with, by the name he is remembered under (case and
    outer punctuation do not count), `run_id` the conversation. Every call on more than one memory needs one of them.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        path: str | Path | None = None,
        clock: Clock | None = None,
        cognition: Cognition | None = None,
    ) -> None:
        check_argument("settings", settings, Settings | None)
        check_argument("path", path, str | Path | None)
        given = settings or Settings()
        self.wanted = Wanted(given if path is None else given.revised(data=Path(path)), clock, cognition)
        self._shared: SharedApp | None = None
        self._unread: set[Lane] = set()

    @classmethod
    def from_config(cls, config: Mapping[str, object]) -> Self:
        """A memory with the settings of `config.yaml`, as a mapping. Raises `InvalidInput`, which says of a word of
        Mem0's what to write in its place."""
        return cls(settings_of(config))

    @property
    def app(self) -> App:
        """The system underneath, for code on the loop where it was opened. Raises `InvalidInput` unless it is open."""
        if self._shared is None:
            raise InvalidInput("the memory is not open: use `async with AsyncMemory() as memory`, or `open` it")
        return self._shared.app

    @entrance
    async def open(self) -> Self:
        """Open the store, or share it where a memory of this process has it open."""
        if self._shared is None or not self._shared.is_open:
            shared = await opened(self.wanted)
            mine, self._shared = self._shared, shared
            if mine is not None and mine.is_open:  # two calls at once were both the first
                await mine.leave()
        return self

    @entrance
    async def close(self) -> None:
        """Read what was added without waiting, and close the store unless another memory uses it."""
        try:
            if self._unread and self._shared is not None and self._shared.is_open:
                await self.flush()
        finally:
            await self._leave()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await (self.close() if kind is None else self._leave())

    async def _leave(self) -> None:
        shared, self._shared = self._shared, None
        if shared is not None and shared.is_open:
            await shared.leave()

    async def run(self, call: Callable[[Self], Coroutine[Any, Any, R]]) -> R:
        """What a coroutine of this memory gives, run on the loop where it was opened."""
        await self.open()
        assert self._shared is not None
        return await self._shared.on(lambda: call(self))

    @operation
    async def persona(self, agent_id: str, words: str = "") -> Persona:
        """The agent's persona. One nobody introduced is made known as its file says, or as a plain one that speaks the
        language of these words. Raises `InvalidInput` for an id that cannot be."""
        return await introduced_or_plain(self.app, agent_id, words)

    @operation
    async def flush(self) -> None:
        """Read what was added without waiting, now. What could not be read stays to be read."""
        while self._unread:
            lane = self._unread.pop()  # first: what is added to it meanwhile is to be read again
            try:
                await self.app.editing.read(lane)
            except BaseException:
                self._unread.add(lane)
                raise

    @operation
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
        and what is asked to be forgotten is, see `Added.forgotten`. `infer=False` keeps each turn as it is and makes
        nothing of it. `timestamp` is when it was said. `key` makes a repeated call the same one. `wait=False` returns
        as soon as the turns are durable: they are read in windows, by and by, at the latest when the memory is flushed
        or closed.
        Raises `InvalidInput`; a model that does not answer is no error, see `Added.waits`.
        """
        whom = CallScope.of(user_id, agent_id, run_id)
        given = key or f"add/{uuid4()}"
        said = utterances(messages, key=given, infer=infer, timestamp=timestamp, metadata=metadata)
        await self.persona(whom.agent, said[0].text)
        run = whom.conversation(key, said[0].at or self.app.clock.now())
        if not wait:
            taken = await self.app.say(whom.agent, whom.person_in(said), said, run_id=run)
            self._read_later(whom.lane(self._tenant))
            return Added((), True, taken.forgotten)
        read = await self.app.add(whom.agent, whom.person_in(said), said, run_id=run)
        raw = [] if infer else [MemoryEvent(node.memory_id, node.content, "ADD") for node in read.turns]
        made = [change for change in read.changes if _tells(change.before or change.after)]
        return Added((*raw, *map(event_of, made)), read.waits, read.forgotten)

    @operation
    async def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        filters: Mapping[str, object] | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        threshold: float | None = None,
        rerank: bool | None = None,
        as_of: Timestamp | None = None,
        layers: Sequence[MemoryType | str] | None = None,
    ) -> SearchResults:
        """The memories that bear on a question, best first, at most `limit` (or `top_k`; 10), those with a score of
        `threshold` or more.

        With a `user_id`: what is known about him, and what he told of others. `filters` are as in Mem0, see
        `domain.filter`. `rerank` False leaves the configured reranker out. `as_of`: what was true then, at
        the end of it where a day alone is named. `layers` narrows it to memories of these kinds; what was made of a
        turn stands for it, and is not `valid` where it has ended. Raises `InvalidInput`.
        """
        most = limit_of(limit, top_k, 10)
        whom, asked = scope_and_filter(filters, user_id, agent_id, run_id)
        wanted = both(asked, of_layers(SEARCHED if layers is None else layers))
        then = asked_moment(as_of, self.app.settings.zone)
        asked_for = RecallQuery(whom.scope(self._tenant), query, most, then, filter=wanted, rerank=rerank)
        found = await self._recaller(whom)(asked_for)
        hits = [hit for hit in found.hits if threshold is None or hit.score >= threshold]
        now = self.app.clock.now()
        results = tuple(memory_item(hit.memory, now, hit.score) for hit in hits)
        return SearchResults(results, found.abstained, found.confidence)

    @operation
    async def get(self, memory_id: str) -> MemoryItem:
        """One memory, whatever became of it, to its owner also where it was forgotten. Raises `NotFound`."""
        return memory_item(await self._node(memory_id, forgotten=True), self.app.clock.now())

    @operation
    async def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        filters: Mapping[str, object] | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        cursor: str | None = None,
        everything: bool = False,
        layers: Sequence[MemoryType | str] | None = None,
    ) -> MemoryPage:
        """One page of memories, newest first: what holds, or `everything`, what ended included. With a `user_id`, what
        he told of himself and of others. Going on with `next` misses nothing and repeats nothing, whatever is written
        meanwhile. Raises `InvalidInput`."""
        most = limit_of(limit, top_k, 100)
        whom, asked = scope_and_filter(filters, user_id, agent_id, run_id)
        of_layer = of_layers(layers)
        wanted = whom.filter(asked, of_layer, whom.told(self._tenant))
        after = None if cursor is None else place_at(cursor)
        scope = whom.scope(self._tenant)
        if scope.target is not None:
            scope = replace(scope, beside=tuple(await self.app.records.told_of(scope)))
        selection = Selection(scope, after=after, limit=most)
        page = await self.app.memories(selection, valid=not everything, wanted=wanted)
        now = self.app.clock.now()
        return MemoryPage(tuple(memory_item(node, now) for node in page.memories), page.next)

    list = get_all

    @operation
    async def update(
        self,
        memory_id: str,
        text: str,
        *,
        metadata: Mapping[str, object] | None = None,
        since: Timestamp | None = None,
    ) -> MemoryItem:
        """Give a memory other words under the same id, and more metadata where given; whom it is about and whose it is
        cannot be changed. With `since` it was true until then, and what is returned is the memory that replaces it.
        Raises `NotFound`, and `InvalidInput` for one that does not hold any more and for a `since` before it held, or
        in the future."""
        if not text.strip():
            raise InvalidInput("a memory needs some text, this one is empty")
        node = await self._node(memory_id)
        meta, at = checked_metadata(metadata), moment(since, "since")
        edited = await self.app.editing.edit(node.memory_id, text, meta, since=at)
        return memory_item(edited, self.app.clock.now())

    @operation
    async def delete(self, memory_id: str) -> int:
        """Forget a memory with its earlier values, the words it was made of and what was made of it alone; how many
        memories went. Their history stays, and `memory.app.undo` takes it back. Raises `NotFound`."""
        node = await self._node(memory_id)
        told = await self.app.forget(Meant(Scope(node.tenant, node.agent_id), ids=(node.memory_id,)))
        return len(told.gone)

    @operation
    async def delete_all(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> int:
        """Forget everything that is known of this person, by this agent or from this conversation, the turns included,
        with what was made of it alone; how many memories went. `memory.app.undo` takes it back; `memory.app.forget`
        with `erase` removes for good. Raises `InvalidInput`."""
        whom = CallScope.of(user_id, agent_id, run_id)
        scope = whom.scope(self._tenant)
        if whom.run is None and whom.user is not None:
            return len((await self.app.forget(Meant(scope))).gone)
        await self.flush()
        wanted = Compare("runId", "eq", whom.run) if whom.run is not None else None
        page = await self.app.memories(Selection(scope, limit=ALL), valid=True, wanted=wanted)
        ids = tuple(node.memory_id for node in page.memories)
        if not ids:
            return 0
        return len((await self.app.forget(Meant(Scope(scope.tenant, scope.agent), ids=ids))).gone)

    @operation
    async def history(self, memory_id: str) -> Results[HistoryEntry]:
        """What became of a memory, oldest first. Raises `NotFound`."""
        node = await self._node(memory_id, forgotten=True)
        return Results(tuple(map(history_entry, await self.app.records.history(node.memory_id))))

    @operation
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
        tokens, framed in `language`, else in that of the question. Raises `InvalidInput`."""
        whom, asked = scope_and_filter(filters, user_id, agent_id, run_id)
        await self.persona(whom.agent, query)
        question = RecallQuery(whom.scope(self._tenant), query, CONTEXT_HITS, filter=whom.filter(asked))
        return await self.app.context(question, language=language or language_of(query), budget=budget)

    @operation
    async def ask(
        self,
        question: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        as_of: Timestamp | None = None,
    ) -> AskReply:
        """The answer to a question, with the memories it rests on; its text is None where nothing answers it. In the
        sources' own words, or in those of the configured chat model. Raises `InvalidInput`."""
        whom = CallScope.of(user_id, agent_id, run_id)
        mode = "temporal" if asks_of_the_past(question) else "vector"
        query = AskQuery(whom.scope(self._tenant), question, mode, as_of=asked_moment(as_of, self.app.settings.zone))
        return await self.app.ask(query, recall=self._recaller(whom))

    @operation
    async def remind(
        self, text: str, *, user_id: str, agent_id: str | None = None, run_id: str | None = None
    ) -> Reminder:
        """What an agent that speaks elsewhere is to be told when this person says that: no more than a talk with him
        would show, which is nothing that others said of him. Raises `InvalidInput`."""
        whom = CallScope.of(user_id, agent_id, run_id)
        await self.persona(whom.agent, text)
        return await self.app.talks.remind(whom.agent, user_id, text, run_id=run_id or "(none)")

    @property
    def graph(self) -> Graph:
        """The same memories as triples, in the words of Mem0's graph."""
        return Graph(self)

    @operation
    async def reset(self) -> None:
        """Remove all agents of the tenant with everything they have, for good."""
        self._unread.clear()
        for persona in await self.app.records.agents():
            await self.app.forget_agent(persona.id)

    @property
    def _tenant(self) -> str:
        return self.app.tenant

    def _recaller(self, whom: CallScope) -> Callable[[RecallQuery], Awaitable[Recalled]]:
        """Recalls for a person also what he told of others."""

        async def recall(query: RecallQuery) -> Recalled:
            scope = Scope(query.scope.tenant, query.scope.agent)
            wanted = whom.filter(query.filter, whom.told(scope.tenant))
            return await self.app.recall(replace(query, scope=scope, filter=wanted))

        return recall

    async def _node(self, memory_id: str, *, forgotten: bool = False) -> MemoryNode:
        try:
            whole = str(UUID(memory_id))
        except ValueError as error:
            raise NotFound(f"no memory {memory_id!r}") from error
        found = await self.app.records.get([whole], forgotten=forgotten)
        if whole not in found:
            raise NotFound(f"no memory {memory_id!r}")
        return found[whole]

    def _read_later(self, lane: Lane) -> None:
        self._unread.add(lane)
        if self._shared is not None:
            self._shared.serve()


def _tells(node: MemoryNode | None) -> bool:
    """Whether a memory is more than a turn as it was said."""
    return node is not None and node.memory_type is not MemoryType.CONVERSATION
