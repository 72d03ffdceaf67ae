"""Talking with agents: what `app.talks` offers."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from agentmem.agents.talk.conversation_so_far import ConversationLocks, window
from agentmem.agents.talk.forget_in_talk import Ended, Forget, forget_own
from agentmem.agents.talk.recollection import Recollector, Reminder, own_words, sources_of
from agentmem.agents.talk.reply import Reply
from agentmem.agents.talk.talk import Talk, lane_of
from agentmem.agents.talk.talker import Heard, Talker, Voice
from agentmem.domain.episode import is_forgotten, title_told
from agentmem.domain.event import NOTE, ConversationEnded, Person, TurnSpoken
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant
from agentmem.ports.ledger import Selection
from agentmem.ports.models import Limits
from agentmem.runtime.composition import wiring
from agentmem.runtime.composition.opened import Opened
from agentmem.runtime.composition.voices import Voices
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.access import Access, needs
from agentmem.runtime.facade.speech import addressed
from agentmem.runtime.host.services import Services

DERIVED: Final = (MemoryType.OBSERVATION, MemoryType.INSIGHT, MemoryType.LONGTERM)
MAX_KNOWN: Final = 1_000
LOOKED_BACK: Final = 100
"""Turns and endings, the last of a person's, in which his title is looked for."""

MAX_TURNS: Final = 60
"""Of an open conversation that are told."""


@dataclass(frozen=True, slots=True)
class Talks:
    """Talks between the agents of a tenant and people, who are told apart by their names."""

    access: Access
    settings: Settings
    services: Services
    voices: Voices
    floors: ConversationLocks
    opened: Opened | None
    forgetting: Forget
    introduced: Callable[[str], Awaitable[Persona]]

    @needs(Grant.TALK, of=("agent_id", "person"))
    @asynccontextmanager
    async def reply(
        self, agent_id: str, person: Person | str, text: str, *, run_id: str | None = None, key: str | None = None
    ) -> AsyncGenerator[Reply]:
        """Take in what the person says and reply: `async with app.talks.reply(...) as reply`, then `async for piece in
        reply`. The conversation goes on where it was left unless `run_id` names one; `key` makes a repeated call the
        same turn, with the same reply; keys of calls for other people are others. Turns of one talk wait for one
        another, until the reply before is left.

        What the person says is durable once this is entered, the reply once it was read to its end. Raises `NotFound`
        for an agent that nobody introduced, `InvalidInput`, `Busy` where another turn of the talk takes longer than
        `chat.timeout`, and while it is read what `ChatModel.reply` raises.
        """
        async with self._turn(agent_id, person, run_id, text) as talk:
            voice = await self.voices.of(talk.persona)
            event_id = None if key is None else talk.event_id(key, run_id)
            async with self._replying(await self._talker.hear(talk, text, event_id), voice) as reply:
                yield reply

    @needs(Grant.TALK, of=("agent_id", "person"))
    @asynccontextmanager
    async def reply_to_last(
        self, agent_id: str, person: Person | str, *, run_id: str, key: str
    ) -> AsyncGenerator[Reply]:
        """Reply to what the conversation's last turn says, or begin the conversation; `key` makes a repeated call the
        same reply."""
        async with self._turn(agent_id, person, run_id) as talk:
            voice = await self.voices.of(talk.persona)
            heard = await self._talker.overhear(talk, talk.event_id(key, run_id))
            async with self._replying(heard, voice) as reply:
                yield reply

    @needs(Grant.TALK, of=("agent_id", "person"))
    async def end(self, agent_id: str, person: Person | str, *, run_id: str | None = None) -> None:
        """End the conversation that is open, so that it is read now and what is said next begins another."""
        async with self._turn(agent_id, person, run_id) as talk:
            now = self.services.clock.now()
            turns = await self.services.journal.events.latest(talk.lane, limit=1)
            ending = ConversationEnded(
                event_id=f"{talk.run_id}/end/{turns[-1].seq if turns else 0}",
                tenant=talk.tenant,
                agent_id=talk.persona.id,
                agent_name=talk.persona.name,
                target_id=talk.lane.target,
                at=now,
                run_id=talk.run_id,
            )
            await self.services.journal.events.append([ending], now=now)

    @needs(Grant.READ, Grant.WRITE, of=("agent_id", "person"))
    async def forget(self, agent_id: str, person: Person | str, query: str) -> Ended | None:
        """Forget what the query names of what this person said of himself; None where nothing was found. Nothing is
        erased. Raises `InvalidInput` for a query that names nothing."""
        talk = await self._talk(agent_id, person, None)
        return await forget_own(self.forgetting, self.services.journal.ledger, talk, query)

    @needs(Grant.READ, of=("agent_id", "person"))
    async def known(self, agent_id: str, person: Person | str) -> list[MemoryNode]:
        """What the agent holds of this person in talks with him, newest first: observations and what follows from them,
        not the turns themselves."""
        talk = await self._talk(agent_id, person, None)
        now, ledger = self.services.clock.now(), self.services.journal.ledger
        held = await ledger.select(
            Selection(replace(talk.scope, beside=()), types=DERIVED, statuses=(StoreStatus.VALID,), limit=MAX_KNOWN)
        )
        sources = await sources_of(ledger, talk.tenant, held)
        return [node for node in held if node.is_valid(now) and own_words(node, talk, sources)]

    @needs(Grant.READ, of=("agent_id", "person"))
    async def turns(self, agent_id: str, person: Person | str) -> tuple[TurnSpoken, ...]:
        """What was said last in the conversation that is open, oldest first, without the agent's notes to itself."""
        talk = await self._talk(agent_id, person, None)
        seen = await window(self.services.journal.events, talk.lane, talk.run_id, pairs=MAX_TURNS // 2)
        return tuple(turn for turn in seen.turns if not turn.meta.get(NOTE))

    @needs(Grant.READ, of=("agent_id", "person"))
    async def title(self, agent_id: str, person: Person | str) -> str | None:
        """With which title the person was last introduced, as far as his last turns tell; None where with none, or with
        one that told what was forgotten since."""
        talk = await self._talk(agent_id, person, None)
        latest = await self.services.journal.events.latest(talk.lane, limit=LOOKED_BACK)
        spoken = [each.event for each in latest if isinstance(each.event, TurnSpoken)]
        titles = (turn.person.title for turn in reversed(spoken) if not is_forgotten(turn.text))
        title = next(filter(None, titles), None)
        wanted = Selection(replace(talk.scope, beside=()), types=DERIVED, statuses=(StoreStatus.DELETED,))
        gone = [] if title is None else await self.services.journal.ledger.select(wanted)
        return None if any(title_told(node) == title for node in gone) else title

    @needs(Grant.READ, of=("agent_id", "person"))
    async def remind(self, agent_id: str, person: Person | str, text: str, *, run_id: str) -> Reminder:
        """What bears on a text, for an agent that is not spoken for here: no more than a talk with this person would
        show, which is nothing that others said of him."""
        talk = await self._talk(agent_id, person, run_id, text)
        return await self._talker.remind(
            talk, text, wiring.token_counter(talk.persona.model or self.settings.chat_model)
        )

    @needs(Grant.TALK, of=("agent_id", "person"))
    async def ready(self, agent_id: str, person: Person | str) -> None:
        """Return where the two can talk. Raises `NotFound`, and `InvalidInput` that says what is missing."""
        talk = await self._talk(agent_id, person, None)
        await self.voices.of(talk.persona)

    @asynccontextmanager
    async def _turn(
        self, agent_id: str, person: Person | str, run_id: str | None, text: str = ""
    ) -> AsyncGenerator[Talk]:
        """The talk, in which nobody else in this process takes a turn meanwhile. Raises `Busy`."""
        persona = await self.introduced(agent_id)
        someone = await self._addressed(persona, person, text)
        lane = lane_of(self.access.principal.tenant, persona, someone)
        async with self.floors.taken(lane, seconds=self.settings.chat.timeout):
            self.access.demand(Grant.TALK, lane.scope)  # it may have been taken away while this one waited
            yield await self._talker.talk(lane.tenant, persona, someone, run_id)

    @asynccontextmanager
    async def _replying(self, heard: Heard, voice: Voice) -> AsyncGenerator[Reply]:
        async with self._talker.reply(heard, voice) as reply:
            reply.pieces = self.access.while_granted(Grant.TALK, heard.talk.lane.scope, reply.pieces)
            yield reply
        if self.opened is not None and reply.complete:
            await self.opened.touch((hit.memory.memory_id for hit in reply.used), self.services.clock.now())

    async def _talk(self, agent_id: str, person: Person | str, run_id: str | None, text: str = "") -> Talk:
        persona = await self.introduced(agent_id)
        someone = await self._addressed(persona, person, text)
        return await self._talker.talk(self.access.principal.tenant, persona, someone, run_id)

    async def _addressed(self, persona: Persona, person: Person | str, text: str) -> Person:
        return await addressed(self.services.journal, self.access.principal.tenant, persona, person, text)

    @property
    def _talker(self) -> Talker:
        chosen, journal, now = self.settings.chat, self.services.journal, self.services.clock.now
        looking = None if self.opened is None else (self.opened.recall, self.opened.person)
        return Talker(
            journal,
            Recollector(looking, journal.ledger, now, chosen.memories, chosen.context_tokens, chosen.recall_seconds),
            self.forgetting,
            now,
            Limits(chosen.requests, chosen.tool_calls, chosen.tokens),
            chosen.pairs,
            timedelta(hours=chosen.silence_hours),
        )
