"""What the model may do while it replies: the tools of one turn, each bounded to the person it talks with.

What a tool returns is quoted data, kept in mind as told, so that saying it again is an echo.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import structlog

from agentmem.agents.talk.conversation_so_far import TalkWindow
from agentmem.agents.talk.forget_in_talk import Ended, Forget, forget_own, told_in, unmet
from agentmem.agents.talk.recollection import Recollection, Recollector
from agentmem.agents.talk.reply import repeats
from agentmem.agents.talk.talk import Talk
from agentmem.domain.filter import Filter
from agentmem.domain.value import JsonValue
from agentmem.errors import AgentMemError, InvalidInput
from agentmem.language.tokens import tokens
from agentmem.ports.ledger import Ledger
from agentmem.ports.models import Arguments, TokenCounter, Tool
from agentmem.retrieval.context_wording import Quoting
from agentmem.retrieval.query import Hit, Words

log = structlog.get_logger()

MAX_NOTES, LONGEST_NOTE, LONGEST_QUERY, LONGEST_RESULT = 5, 500, 2_000, 8_000
SECONDS: Final = 20.0
"""No tool takes longer: somebody waits for the reply."""

ASKED_LATELY: Final = 2
"""Turns of the person in which he may have asked to forget something: this one, and the one before a question back."""


@dataclass(slots=True)
class TurnTools:
    """One turn's tools and what came of them. `told` is what the model was told, `used` the memories it was shown,
    `notes` what it is to remember, `done` what became of requests to forget; `asked` are the words in which the person
    asks for that now, which the window does not keep. `recalled` is False where nothing could be looked up."""

    talk: Talk
    window: TalkWindow
    recollect: Recollector
    count: TokenCounter
    ledger: Ledger
    forget: Forget
    quoting: Quoting
    told: list[str] = field(default_factory=list[str])
    used: dict[str, Hit] = field(default_factory=dict[str, Hit])
    words: dict[str, list[Words]] = field(default_factory=dict[str, list[Words]])
    notes: list[str] = field(default_factory=list[str])
    done: list[Ended] = field(default_factory=list[Ended])
    asked: tuple[str, ...] = ()
    recalled: bool = True

    def tools(self, others: Sequence[Tool] = ()) -> tuple[Tool, ...]:
        """The four of every agent, and `others` under the same bounds. A name of ours is not given away."""
        own = (
            _tool("recall_memory", _RECALL, "query", self._recall_memory),
            _tool("ask_knowledge", _ASK, "question", self._ask_knowledge),
            _tool("remember", _REMEMBER, "text", self._remember),
            _tool("forget_memory", _FORGET, "query", self._forget_memory),
        )
        names = {tool.name for tool in own}
        return (*own, *(self._bounded(tool) for tool in others if tool.name not in names))

    def take(self, recollection: Recollection) -> None:
        """Keep in mind what was shown."""
        self.told += recollection.told
        self.used |= {hit.memory.memory_id: hit for hit in recollection.hits if hit.memory.memory_id not in self.used}
        self.words |= recollection.words

    async def _recall_memory(self, query: str) -> str:
        return await self._looked_up(query, self.talk.filter(self.window.since))

    async def _ask_knowledge(self, question: str) -> str:
        return await self._looked_up(question, self.talk.documents(), answers=True)

    async def _looked_up(self, text: str, wanted: Filter, *, answers: bool = False) -> str:
        found = await self.recollect(self.talk, text, wanted, self.count, answers=answers)
        if found is None:
            raise InvalidInput("nothing can be looked up now")
        self.take(found)
        return found.context.text

    async def _remember(self, text: str) -> str:
        if len(self.notes) >= MAX_NOTES or len(text) > LONGEST_NOTE:
            raise InvalidInput(f"at most {MAX_NOTES} notes in a reply, of at most {LONGEST_NOTE} characters")
        if repeats(text, (*self.told, *self.window.echoed)):
            raise InvalidInput("this is known already")
        self.notes.append(text)
        return "noted"

    async def _forget_memory(self, query: str) -> str:
        asked = frozenset(
            word for said in (*self.window.said_by_person(ASKED_LATELY), *self.asked) for word in tokens(said)
        )
        words = frozenset(tokens(query))
        if 2 * len(words & asked) < len(words):
            raise InvalidInput("forget only what the person asks to be forgotten, in the person's own words")
        try:
            done = await forget_own(self.forget, self.ledger, self.talk, query)
        except InvalidInput:
            raise
        except AgentMemError as error:
            log.warning("not_forgotten", agent=self.talk.persona.id, reason=type(error).__name__)
            raise InvalidInput("nothing can be forgotten now") from error
        self.done.append(done or await unmet(self.ledger, self.talk, query))
        gone = told_in(done)
        return f"{len(gone)} forgotten" if gone else "nothing like that is remembered of the person"

    def _bounded(self, tool: Tool) -> Tool:
        async def call(arguments: Arguments) -> str:
            result = await _in_time(tool.call(arguments))
            clean = self.quoting.quoted(self.quoting.text(result[:LONGEST_RESULT]))
            self.told.append(clean)
            return clean

        return replace(tool, call=call)


def _tool(name: str, description: str, parameter: str, act: Callable[[str], Awaitable[str]]) -> Tool:
    async def call(arguments: Arguments) -> str:
        given = arguments.get(parameter)
        if not isinstance(given, str) or not given.strip() or len(given) > LONGEST_QUERY or len(arguments) > 1:
            raise InvalidInput(f"{name} takes {parameter}, a text of 1 to {LONGEST_QUERY} characters, and nothing else")
        return await _in_time(act(given.strip()))

    schema: Mapping[str, JsonValue] = {
        "type": "object",
        "properties": {parameter: {"type": "string"}},
        "required": [parameter],
        "additionalProperties": False,
    }
    return Tool(name, description, schema, call)


async def _in_time(doing: Awaitable[str]) -> str:
    try:
        async with asyncio.timeout(SECONDS):
            return await doing
    except TimeoutError as error:
        raise InvalidInput(f"it took longer than {SECONDS:g} s") from error


_RECALL = "Look up what else you remember of the person you are talking with, and your documents."
_ASK = "Look up an answer in your own documents alone."
_REMEMBER = "Remember something the person asks you to remember: one sentence that stands alone and names the person."
_FORGET = "Forget something of the person you are talking with, at the person's wish and in the person's own words."
