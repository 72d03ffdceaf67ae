"""A capability for pydantic-ai: the agent is told what it remembers, and what is said is remembered.

    async with AsyncMemory() as memory:
        agent = Agent("openai:gpt-5-mini", capabilities=[Remembering(memory, user_id="Tom")])

A run costs one recall and no model call of memory's own. What is recalled is what a talk with this person may show:
nothing that others said of him. It is quoted data in a fence, part of the run's instructions and of no message; where
the answer repeats it, that is marked, and nothing is learned from it. Where memory is away, the agent talks on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import structlog

from agentmem.agents.talk.recollection import Reminder
from agentmem.agents.talk.reply import echoes
from agentmem.domain.event import ECHOES
from agentmem.errors import AgentMemError, without_content
from agentmem.interfaces.integrations.home import AnyMemory, asked
from agentmem.interfaces.python.call_scope import DEFAULT_AGENT
from agentmem.interfaces.python.messages import Message
from agentmem.runtime.facade.entrance import entrance

try:
    from pydantic_ai import AgentRunResult
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import UserContent
    from pydantic_ai.tools import AgentDepsT, RunContext
    from pydantic_ai.toolsets import FunctionToolset
except ImportError:
    raise ImportError('the capability needs: pip install "pydantic-ai-slim>=2.62"') from None

log = structlog.get_logger()


@dataclass
class Remembering(AbstractCapability[AgentDepsT]):
    """A memory for an agent, open here or held by a server. `user_id` is whom it talks with, or tells that from the
    run, such as `lambda ctx: ctx.deps.user`; a conversation is pydantic-ai's own. The model may also look things up by
    itself, with the tool `search_memory`."""

    memory: AnyMemory
    user_id: str | Callable[[RunContext[AgentDepsT]], str]
    agent_id: str = DEFAULT_AGENT
    _block: str = field(default="", init=False, repr=False)
    _user: str = field(default="", init=False, repr=False)
    _told: list[str] = field(default_factory=list[str], init=False, repr=False)

    @entrance
    async def for_run(self, ctx: RunContext[AgentDepsT]) -> AbstractCapability[AgentDepsT]:
        """One of its own for each run, which recalls for its person."""
        run = replace(self)
        run._user = self.user_id if isinstance(self.user_id, str) else self.user_id(ctx)
        return run

    def get_instructions(self) -> Callable[[], str]:
        """What was recalled for this run, as a block; nothing where nothing bears on what was said."""
        return lambda: self._block

    def get_toolset(self) -> FunctionToolset[AgentDepsT]:
        """The tool `search_memory`."""
        return FunctionToolset[AgentDepsT]([self._search_memory()], id="agentmem")

    @entrance
    async def before_run(self, ctx: RunContext[AgentDepsT]) -> None:
        """Recall what bears on what is said, then take it in."""
        said = _text(ctx.prompt)
        if said.strip():
            self._block = await self._recalled(ctx, said)
            await self._taken_in(ctx, "user", said, {})

    @entrance
    async def after_run(self, ctx: RunContext[AgentDepsT], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Take the answer in."""
        answer = result.output if isinstance(result.output, str) else result.response.text
        if answer and answer.strip():
            marked = echoes(answer, self._told)
            await self._taken_in(ctx, "assistant", answer, {ECHOES: marked} if marked else {})
        return result

    def _search_memory(self) -> Callable[[RunContext[AgentDepsT], str], Any]:
        async def search_memory(ctx: RunContext[AgentDepsT], query: str) -> str:
            """Look up what is remembered about the user and what was said before.

            Args:
                query: what to look for, in a few words
            """
            return await self._recalled(ctx, query) or "nothing that bears on this is remembered"

        return search_memory

    async def _recalled(self, ctx: RunContext[AgentDepsT], query: str) -> str:
        whom = {"user_id": self._user, "agent_id": self.agent_id, "run_id": ctx.conversation_id}
        try:
            found: Reminder = await asked(self.memory, "remind", query, **whom)
        except AgentMemError as error:
            log.warning("not_recalled", agent=self.agent_id, reason=without_content(error))
            return ""
        self._told += found.told
        return found.text

    async def _taken_in(self, ctx: RunContext[AgentDepsT], role: str, text: str, meta: Mapping[str, object]) -> None:
        message: Message = {"role": role, "content": text}
        try:
            await asked(
                self.memory,
                "add",
                message,
                user_id=self._user,
                agent_id=self.agent_id,
                run_id=ctx.conversation_id,
                metadata=meta,
                key=f"run/{ctx.run_id}/{role}",
                wait=False,
            )
        except AgentMemError as error:
            log.warning("not_taken_in", agent=self.agent_id, role=role, reason=without_content(error))


def _text(prompt: str | Sequence[UserContent] | None) -> str:
    if prompt is None or isinstance(prompt, str):
        return prompt or ""
    return "\n".join(part for part in prompt if isinstance(part, str))
