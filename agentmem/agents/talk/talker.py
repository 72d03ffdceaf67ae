"""The turn loop: a person's turn is journaled, one recall and one model call make the reply, the reply is journaled.

No worker is waited for. Where memory cannot be looked up the agent talks with what the journal has of the
conversation; where the model fails the person's turn stays, and nothing of the reply.
"""

import secrets
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeGuard
from uuid import uuid4

from agentmem import patterns as re
from agentmem.agents.talk.conversation_so_far import TalkWindow, current_run, window
from agentmem.agents.talk.forget_in_talk import Ended, Forget, forgettings, known_names, obeyed, offered, unmet
from agentmem.agents.talk.instructions import called, instructions, opening
from agentmem.agents.talk.recollection import Recollector, Reminder
from agentmem.agents.talk.reply import Reply, echoes
from agentmem.agents.talk.talk import Talk, lane_of
from agentmem.agents.talk.turn_tools import TurnTools
from agentmem.domain.episode import blotted
from agentmem.domain.event import ECHOES, NOTE, Event, Person, TurnSpoken
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import Persona
from agentmem.domain.value import JsonValue
from agentmem.errors import BadAnswer, InvalidInput
from agentmem.language.normal import identifiers_in, says_any
from agentmem.memory.request import Asked, asked_in
from agentmem.ports.journal import Journal
from agentmem.ports.models import ChatModel, ChatRequest, Limits, Message, TokenCounter, Tool
from agentmem.retrieval.context_wording import Quoting


@dataclass(frozen=True, slots=True)
class Voice:
    """How an agent speaks: its model, the tools of its own, and how long a text is to that model."""

    model: ChatModel
    count: TokenCounter
    tools: tuple[Tool, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """What is to be replied to: the conversation so far, the id the reply will have, and the reply where it was
    `given` before. `asked`: the words in which the person asks to forget something, which are not kept; `done`: what
    became of each such request, None where nothing was asked."""

    talk: Talk
    window: TalkWindow
    reply_id: str
    given: str | None = None
    asked: tuple[str, ...] = ()
    done: tuple[Ended, ...] | None = None

    @property
    def next_index(self) -> int:
        """The number of the next turn."""
        return self.window.turns[-1].turn_index + 1 if self.window.turns else 1


@dataclass(frozen=True, slots=True)
class Talker:
    """Talks. `pairs` turns of either side are the window; after `silence` a conversation is over."""

    journal: Journal
    recollect: Recollector
    forget: Forget
    now: Callable[[], datetime]
    limits: Limits
    pairs: int
    silence: timedelta

    async def talk(self, tenant: str, persona: Persona, person: Person, run_id: str | None) -> Talk:
        """The talk with this person: the conversation that is named, or is open, or a new one."""
        lane = lane_of(tenant, persona, person)
        run = run_id or await current_run(self.journal.events, lane, self.now(), silence=self.silence)
        return Talk(tenant, persona, person, run)

    async def hear(self, talk: Talk, text: str, event_id: str | None) -> Heard:
        """Take in what the person says; on return it is durable. Under an `event_id` it had before it is the same turn.
        Raises `InvalidInput`."""
        repeated, event_id = event_id is not None, event_id or f"talk/{uuid4()}"
        before = await self._heard(talk, f"{event_id}/reply", repeated=repeated)
        asked = asked_in(text)
        if asked.unsure or asked.doubtful:
            asked = asked_in(text, await known_names(self.forget, self.journal, before.talk, asked, event_id))
        if asked.requests or asked.unclear or asked.pleading:
            before, text = await self._obeyed(before, text, asked, event_id), asked.kept
        said = before.talk.turn(text, before.next_index, self.now(), event_id, by_agent=False, meta={})
        accepted = await self.journal.events.append([said], now=self.now())
        added = () if accepted[0].duplicate else (said,)
        return replace(before, window=TalkWindow((*before.window.turns, *added)[-2 * self.pairs :]))

    async def _obeyed(self, before: Heard, text: str, asked: Asked, event_id: str) -> Heard:
        """Forget what the person asks for, once; the window is then without it."""
        talk, events = before.talk, self.journal.events
        repeated = await events.find(talk.tenant, talk.persona.id, event_id) is not None
        wishes = () if repeated else asked.wishes
        ledger = self.journal.ledger
        if asked.requests:
            done = await obeyed(self.forget, ledger, talk, wishes) or [await unmet(ledger, talk, text)]
        else:
            done = await offered(ledger, talk, asked, text)
        if not done:
            return before
        seen = await window(events, talk.lane, talk.run_id, pairs=self.pairs)
        return replace(before, window=seen, asked=(text,), done=tuple(done))

    async def overhear(self, talk: Talk, reply_id: str) -> Heard:
        """What is in the journal already, to be replied to under that id."""
        return await self._heard(talk, reply_id, repeated=True)

    async def _heard(self, talk: Talk, reply_id: str, *, repeated: bool) -> Heard:
        events = self.journal.events
        found = await events.find(talk.tenant, talk.persona.id, reply_id) if repeated else None
        given = found.event.text if found and _is_reply(found.event, talk) else None
        seen = await window(events, talk.lane, talk.run_id, pairs=self.pairs)
        known = seen.turns[-1].person.title if seen.turns else None
        titled = talk.person.revised(title=talk.person.title or known)
        return Heard(replace(talk, person=titled), seen, reply_id, given)

    async def remind(self, talk: Talk, text: str, count: TokenCounter) -> Reminder:
        """What the agent may be told of the person where another loop than this one speaks for it."""
        seen = await window(self.journal.events, talk.lane, talk.run_id, pairs=self.pairs)
        found = await self.recollect(talk, text, talk.filter(None), count, answers=True)
        if found is None or not found.context.lines:
            return Reminder("", seen.echoed)
        return Reminder(found.context.text, (*found.told, *seen.echoed))

    @asynccontextmanager
    async def reply(self, heard: Heard, voice: Voice) -> AsyncGenerator[Reply]:
        """The reply, to be read inside. One that was given before, under the same id, is given again."""
        reply = Reply(heard.talk.run_id, forgotten=forgettings(heard.done or ()))
        if heard.given is not None:
            reply.pieces = _again(heard.given, reply)
        else:
            desk = self._desk(heard, voice)
            asked = await self._asked(heard, desk, voice)
            reply.recalled, reply.used, reply.words = desk.recalled, tuple(desk.used.values()), desk.words
            reply.pieces = self._said(heard, desk, voice.model, asked, reply)
        async with aclosing(reply.pieces):
            yield reply

    def _desk(self, heard: Heard, voice: Voice) -> TurnTools:
        return TurnTools(
            talk=heard.talk,
            window=heard.window,
            recollect=self.recollect,
            count=voice.count,
            ledger=self.journal.ledger,
            forget=self.forget,
            quoting=Quoting(secrets.token_hex(6), heard.talk.persona.language),
            asked=heard.asked,
            done=[*(heard.done or ())],
        )

    async def _asked(self, heard: Heard, desk: TurnTools, voice: Voice) -> ChatRequest:
        talk, messages = heard.talk, heard.window.messages
        said = next((message.text for message in reversed(messages) if not message.by_agent), None)
        found = None
        if said is not None:
            found = await self.recollect(talk, said, talk.filter(heard.window.since), voice.count)
            desk.recalled = found is not None
        if found is not None:
            desk.take(found)
        if not messages or messages[-1].by_agent:
            messages = (*messages, Message(False, opening(talk.persona)))
        block = "" if said is None else found and found.context.text
        forgot = None if heard.done is None else any(one.run for one in heard.done)
        told = instructions(talk.persona, called(talk.person.label, desk.quoting), self.now(), block, forgot)
        return ChatRequest(told, messages, desk.tools(voice.tools), self.limits)

    async def _said(
        self, heard: Heard, desk: TurnTools, model: ChatModel, asked: ChatRequest, reply: Reply
    ) -> AsyncGenerator[str]:
        async with aclosing(model.reply(asked)) as pieces:
            async for piece in pieces:
                if isinstance(piece, str):
                    reply.text += piece
                    yield piece
                else:
                    reply.usage = reply.usage.plus(piece)
        reply.used, reply.words = tuple(desk.used.values()), desk.words
        reply.forgotten = forgettings(desk.done)
        if not reply.text.strip():
            raise BadAnswer(f"{model.name} said nothing")
        try:
            turns = self._turns(heard, desk, reply.text)
        except InvalidInput as error:
            raise BadAnswer(f"what {model.name} said cannot be kept: {error}") from error
        await self.journal.events.append(turns, now=self.now())
        reply.complete = True

    def _turns(self, heard: Heard, desk: TurnTools, text: str) -> list[TurnSpoken]:
        """The notes the agent made and what it said, as turns of it; all of them are written, or none."""
        text = unsaid(text, desk.done)
        marked = echoes(text, (*desk.told, *heard.window.echoed))
        said: list[tuple[str, str, dict[str, JsonValue]]] = [
            (note, f"{heard.reply_id}/note/{number}", {NOTE: True}) for number, note in enumerate(desk.notes, start=1)
        ]
        said.append((text, heard.reply_id, {ECHOES: [[*span] for span in marked]} if marked else {}))
        now = self.now()
        return [
            heard.talk.turn(words, heard.next_index + place, now, event_id, by_agent=True, meta=meta)
            for place, (words, event_id, meta) in enumerate(said)
        ]


def unsaid(text: str, forgotten: Iterable[Ended]) -> str:
    """What is kept of a reply: not the values of what was forgotten while it was made, nor its numbers and addresses,
    however they are spelt."""
    values, codes = set[str](), set[str]()
    for ended in forgotten:
        values |= {said for node in ended.gone for said in (node.value, node.content) if said}
        codes |= {code for node in ended.gone for code in _codes(node)}
        codes |= {code for before, after in ended.edited for code in _codes(before) - _codes(after)}
    found = [match.span() for value in values for match in re.finditer(re.escape(value), text)]
    return blotted(text, [*found, *says_any(text, codes)])


def _codes(node: MemoryNode) -> set[str]:
    return {code for said in (node.value, node.content) for _, _, code in identifiers_in(said or "")}


def _is_reply(event: Event, talk: Talk) -> TypeGuard[TurnSpoken]:
    """Whether the agent said it to this person; an id alone proves neither."""
    return isinstance(event, TurnSpoken) and event.by_agent and event.lane == talk.lane


async def _again(text: str, reply: Reply) -> AsyncGenerator[str]:
    reply.text, reply.complete = text, True
    yield text
