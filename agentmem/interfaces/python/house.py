"""The house of a `Memory`: what opens and closes it, whom it knows, and the reading nobody waits for."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import UUID, uuid4

import structlog

from agentmem.domain.bounds import check_argument
from agentmem.domain.event import Person
from agentmem.domain.memory import MemoryNode, local_day
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import AgentMemError, InvalidInput, NotFound, without_content
from agentmem.interfaces.python.messages import Messages, Timestamp, checked_metadata, moment, utterances
from agentmem.interfaces.python.whom import NO_RUN, NOBODY, Whom
from agentmem.language.normal import Language, language_of
from agentmem.ports.clock import Clock
from agentmem.ports.cognition import Cognition
from agentmem.retrieval.query import Recalled, RecallQuery
from agentmem.runtime.app import App, open_app
from agentmem.runtime.entrance import entrance, telling
from agentmem.runtime.personas import find_persona
from agentmem.runtime.settings import Settings
from agentmem.runtime.speech import Talk, Utterance

log = structlog.get_logger()


class House:
    """Opened with `async with`; what was added without waiting is read before it closes."""

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
        self._settings = given if path is None else given.revised(data=Path(path))
        self._open = lambda: open_app(self._settings, clock=clock, cognition=cognition)
        self._stack = AsyncExitStack()
        self._app: App | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unread: set[Lane] = set()
        self._stop = asyncio.Event()
        self._serving: asyncio.Task[None] | None = None

    @classmethod
    def over(cls, app: App) -> Self:
        """A memory over an app that is open and stays so; it needs no `async with` unless something is added without
        waiting."""
        memory = cls(app.settings)
        memory._app = app
        memory._loop = asyncio.get_running_loop()
        return memory

    @property
    def app(self) -> App:
        """The system underneath. Raises `InvalidInput` where the memory is not open."""
        if self._app is None:
            raise InvalidInput("the memory is not open: use `async with Memory() as memory`")
        return self._app

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop that answers. Raises `InvalidInput` where the memory is not open."""
        if self._loop is None:
            raise InvalidInput("the memory is not open: use `async with Memory() as memory`")
        return self._loop

    @entrance
    async def persona(self, agent_id: str, words: str = "") -> Persona:
        """The agent's persona. One nobody introduced is made known as its file says, or as a plain one that speaks the
        language of these words. Raises `InvalidInput` for an id that cannot be."""
        with suppress(NotFound):
            return await self.app.records.agent(agent_id)
        try:
            persona = find_persona(self.app.settings.personas, agent_id)
        except NotFound:
            persona = _plain(agent_id, language_of(words))
        await self.app.know_agent(persona)
        return persona

    async def spoken(
        self,
        messages: Messages,
        whom: Whom,
        *,
        metadata: Mapping[str, object] | None,
        infer: bool,
        timestamp: Timestamp | None,
        key: str | None,
    ) -> tuple[Talk, list[Utterance]]:
        """The talk that these messages are a part of, and its turns. Raises `InvalidInput`."""
        at, meta = moment(timestamp), checked_metadata(metadata)
        said = utterances(messages, key=key or f"add/{uuid4()}", infer=infer, at=at, metadata=meta)
        persona = await self.persona(whom.agent, said[0].text)
        run = whom.run or f"{NO_RUN}{key or local_day(at or self.app.clock.now())}"
        return Talk(self.app.settings.tenant, persona, Person(name=whom.user or NOBODY), run), list(said)

    async def __aenter__(self) -> Self:
        if self._app is None:
            with telling():
                self._app = await self._stack.enter_async_context(self._open())
            self._loop = asyncio.get_running_loop()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with telling(beside=error):
            try:
                self._stop.set()
                if self._serving is not None:
                    await self._serving
                if kind is None and self._unread:
                    await self.flush()
            finally:
                await self._stack.__aexit__(kind, error, trace)

    @entrance
    async def flush(self) -> None:
        """Read what was added without waiting, now."""
        while self._unread:
            await self.app.editing.close(self._unread.pop())
        await self.app.drain()

    @property
    def _tenant(self) -> str:
        return self.app.settings.tenant

    def _recaller(self, whom: Whom) -> Callable[[RecallQuery], Awaitable[Recalled]]:
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
        if self._serving is None:
            self._serving = asyncio.create_task(self._serve(), name="agentmem-reading")

    async def _serve(self) -> None:
        try:
            await self.app.serve(self._stop)
        except AgentMemError as error:
            log.warning("reading_stopped", reason=without_content(error))


def _plain(agent_id: str, language: Language) -> Persona:
    try:
        return Persona(id=agent_id, name=agent_id, language=language)
    except InvalidInput as error:
        allowed = "letters, digits, _, . and -, at most 64"
        raise InvalidInput(f"agent_id {agent_id!r}: allowed are {allowed}, beginning with a letter or digit") from error
