"""chat: turns typed and replies as they come, while the workers read along in the background."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import ConsoleRenderable

from agentmem.errors import AgentMemError, BackendUnavailable, InvalidInput, NeedsRepair
from agentmem.interfaces.cli.command_context import CommandSession, LineWire, asks_for_lines, stops_itself
from agentmem.interfaces.cli.commands.say import forgotten_lines
from agentmem.interfaces.cli.exits import DONE, exit_code
from agentmem.interfaces.cli.memory_view import hit_list, memory_list
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.typed_names import introduced_agent, person_called
from agentmem.interfaces.wire import forgettings_data
from agentmem.language.safe_text import safe_text

if TYPE_CHECKING:
    from agentmem.agents.talk.reply import Reply
    from agentmem.domain.event import Person
    from agentmem.domain.persona import Persona
    from agentmem.runtime.facade.app import App


HELP: Final = """/why          which memories the last reply was given, with scores and the words they rest on
/memory       what is known of you
/forget TEXT  forget what TEXT names of you; it ends and is not erased
/end          end this conversation; it is read now, and what you say next begins another
/help         this
/quit         leave; the conversation goes on when you come back"""


@asks_for_lines
@stops_itself
async def chat(
    session: CommandSession,
    persona: Annotated[str, typer.Argument(metavar="PERSONA", help="The agent's id.")],
    speaker: Annotated[str | None, typer.Option("--as", help="Who you are; your user name, if not given.")] = None,
    title: Annotated[str | None, typer.Option("--title", help="What you are, such as 软件工程师.")] = None,
) -> Answer:
    """Talk with an agent; line by line where input is no terminal. Needs a chat model."""
    import getpass

    from agentmem.interfaces.cli.line_input import terminal_restored

    here = session.wire is None
    someone = person_called(getpass.getuser() if speaker is None else speaker, title)
    async with _opened(session) as app:
        agent = await introduced_agent(app, persona)
        await app.talks.ready(agent.id, someone)
        talk = Chat(app, session, agent, someone)
        with terminal_restored() if here else nullcontext():
            async with _reading_along(app, session) if here else nullcontext():  # who holds the index has workers
                await talk.go_on()
    data = {"agent": agent.id, "person": someone.name, "turns": talk.said}
    return Answer(data, code=DONE if talk.failure is None else exit_code(talk.failure))


@asynccontextmanager
async def _opened(session: CommandSession) -> AsyncGenerator[App]:
    """With the index, or without where that cannot be opened: then the agent has only the conversation."""
    async with AsyncExitStack() as stack:
        try:
            app = await stack.enter_async_context(session.opened())
        except (BackendUnavailable, NeedsRepair) as error:
            app = await stack.enter_async_context(session.opened(index=False))
            session.terminal.note(f"talking without earlier memories: {error}")
        yield app


@asynccontextmanager
async def _reading_along(app: App, session: CommandSession) -> AsyncGenerator[None]:
    """The workers, until the talk is over. Where they cannot work, the talk goes on."""
    import asyncio

    async def serve() -> None:
        try:
            await app.serve(session.stop)
        except AgentMemError as error:
            session.terminal.note(f"nothing new is learned now: {error}")

    async with asyncio.TaskGroup() as tasks:
        if app.access.principal.operator:  # for others, whoever runs the store works
            tasks.create_task(serve(), name="workers")
        try:
            yield
        finally:
            session.stop.set()


@dataclass(slots=True)
class Chat:
    """One sitting. `said` are its turns for other programs; `failure`: why the last reply was not had that was not."""

    app: App
    session: CommandSession
    agent: Persona
    person: Person
    last: Reply | None = None
    failure: AgentMemError | None = None
    said: list[Mapping[str, object]] = field(default_factory=list[Mapping[str, object]])

    async def go_on(self) -> None:
        """Line by line until the end of input, `/quit` or a signal."""
        from agentmem.interfaces.cli.line_input import is_terminal, read_line

        wire = self.session.wire
        asked = wire if isinstance(wire, LineWire) else None
        if asked.is_terminal if asked else is_terminal():
            self.session.terminal.note(f"{self.agent.name} listens; /help tells what else there is")

        async def next_line() -> str | None:
            name = self.person.name
            return await (asked.line(name) if asked else read_line(name, self.session.stop))

        while (line := await next_line()) is not None:
            text = line.strip()
            if text == "/quit":
                return
            if text:
                await self._until_stopped(self._command(text) if text.startswith("/") else self._turn(text))
            if self.session.stop.is_set():
                return

    async def _until_stopped(self, work: Coroutine[object, object, None]) -> None:
        """A reply that is cut short is not remembered."""
        try:
            if not await self.session.until_stopped(work):
                self._say("\n")
        except AgentMemError as error:
            self.failure = error
            self.session.terminal.note(f"no reply: {error}")

    async def _turn(self, text: str) -> None:
        async with self.app.talks.reply(self.agent.id, self.person, text) as reply:
            self.last = reply
            self._say(f"{self.agent.name}: ")
            try:
                async for piece in reply:
                    self._say(piece)
            finally:
                self._say("\n")
                self.said.append(_turn(text, reply))
                for line in forgotten_lines(reply.forgotten):
                    self._show(line)

    async def _command(self, line: str) -> None:
        name, _, rest = line.partition(" ")
        commands: Mapping[str, Callable[[str], Awaitable[None]]] = {
            "/why": self._why,
            "/memory": self._memory,
            "/forget": self._forget,
            "/end": self._end,
            "/help": self._help,
        }
        command = commands.get(name)
        if command is None:
            self._show(words(f"there is no {name}; /help tells what there is"))
        else:
            await command(rest.strip())

    async def _why(self, _: str) -> None:
        if self.last is None:
            self._show(words("nothing was said yet"))
        elif not self.last.recalled:
            self._show(words("memory could not be looked up; the reply has only this conversation"))
        elif not self.last.used:
            self._show(words("no memory; the reply has only this conversation"))
        else:
            self._show(hit_list(self.last.used, self.last.words, explain=True))

    async def _memory(self, _: str) -> None:
        known = await self.app.talks.known(self.agent.id, self.person)
        self._show(memory_list(known) if known else words(f"nothing is known of {self.person.name} yet"))

    async def _forget(self, query: str) -> None:
        from agentmem.agents.talk.forget_in_talk import Forgetting, forgettings, told_in

        try:
            ended = await self.app.talks.forget(self.agent.id, self.person, query)
        except InvalidInput as error:
            self._show(words(str(error)))
            return
        for line in forgotten_lines(forgettings([ended]) if ended else [Forgetting()]):
            self._show(line)
        if ended is not None:
            self._show(memory_list(told_in(ended)))

    async def _end(self, _: str) -> None:
        await self.app.talks.end(self.agent.id, self.person)
        self.last = None
        self._show(words("ended"))

    async def _help(self, _: str) -> None:
        self._show(words(HELP))

    def _say(self, text: str) -> None:
        if not self.session.terminal.as_json:
            out = self.session.terminal.out.file
            out.write(safe_text(text))
            out.flush()

    def _show(self, shown: ConsoleRenderable) -> None:
        if not self.session.terminal.as_json:
            self.session.terminal.out.print(shown)


def _turn(text: str, reply: Reply) -> Mapping[str, object]:
    return {
        "said": text,
        "reply": reply.text if reply.complete else None,
        "memoryIds": [hit.memory.memory_id for hit in reply.used],
        "recalled": reply.recalled,
        "forgotten": forgettings_data(reply.forgotten),
        "usage": {"calls": reply.usage.calls, "tokensIn": reply.usage.tokens_in, "tokensOut": reply.usage.tokens_out},
    }
