"""The whole system, opened: what every interface talks to."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from agentmem.agents.talk.conversation_so_far import ConversationLocks
from agentmem.answers.answer import AskQuery, AskReply
from agentmem.answers.ask import Asker
from agentmem.answers.visible_memory import Recaller
from agentmem.domain.event import Event, Person
from agentmem.domain.filter import Filter, holds
from agentmem.domain.memory import Ending, MemoryNode, StoreStatus
from agentmem.domain.persona import Persona
from agentmem.domain.scope import ALL, Grant, Principal, Scope
from agentmem.domain.statement import Usage
from agentmem.language.normal import Language
from agentmem.ledger.listing import Page, page
from agentmem.ledger.undo import UndoReport
from agentmem.memory.forget_plan import Meant
from agentmem.ports.event_log import Accepted
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Selection
from agentmem.ports.models import Narrator, TokenCounter
from agentmem.retrieval.context import BUDGET, Context, build_context, slot_facts
from agentmem.retrieval.expansion import communities
from agentmem.retrieval.query import Recalled, RecallQuery, Words, words_of
from agentmem.runtime.composition import wiring
from agentmem.runtime.composition.opened import Opened
from agentmem.runtime.composition.telemetry import MeteredCognition
from agentmem.runtime.composition.voices import Voices
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade import reflections
from agentmem.runtime.facade.access import Access, needs, needs_tenant, open_to_all, operator_only, shows_its_own
from agentmem.runtime.facade.access_tokens import Tokens
from agentmem.runtime.facade.agent_copies import Copies
from agentmem.runtime.facade.bundles import Bundles
from agentmem.runtime.facade.compaction import compacting
from agentmem.runtime.facade.editing import Editing
from agentmem.runtime.facade.forget_requests import CleanUp, Forgotten, forget, told_to
from agentmem.runtime.facade.graphs import Graphs
from agentmem.runtime.facade.library import Library
from agentmem.runtime.facade.reading_turns import ReadTurns, WindowReader
from agentmem.runtime.facade.records import Records, people_called, with_told
from agentmem.runtime.facade.speech import ConversationKey, Said, Utterance, addressed, not_the_owners, of_his_own
from agentmem.runtime.facade.store_upkeep import Indexing, Upkeep
from agentmem.runtime.facade.talks import Talks
from agentmem.runtime.host.ahead import Ahead
from agentmem.runtime.host.clocks import Clock
from agentmem.runtime.host.scheduler import ReflectionClock, cron_trigger
from agentmem.runtime.host.services import Services
from agentmem.runtime.host.worker_host import WorkerHost


@dataclass(frozen=True, slots=True)
class App:
    """Journal, workers and, unless opened without, the index."""

    settings: Settings
    services: Services
    host: WorkerHost
    reflection_clock: ReflectionClock
    cognition: MeteredCognition
    opened: Opened | None
    narrator: Callable[[], Awaitable[Narrator | None]]
    voices: Voices
    floors: ConversationLocks
    access: Access

    def for_principal(self, principal: Principal) -> "App":
        """The same opened resources on behalf of somebody else. Raises `NotFound` unless this is the operator's app."""
        self.access.demand_operator()
        return replace(self, access=replace(self.access, principal=principal))

    @needs_tenant(Grant.ADMIN)
    async def revoke(self, principal: str, *, agent: str = ALL) -> None:
        """End a principal's access to an agent, or to all, for as long as this app is open. What is under way for him
        brings no result any more."""
        self.access.revoked.revoke(self.tenant, principal, agent)

    def _clean_up(self) -> CleanUp:
        return CleanUp.of(self.settings, self.services, self.opened)

    @property
    def tenant(self) -> str:
        """Whose agents and memories these are: the principal's tenant."""
        return self.access.principal.tenant

    @property
    def records(self) -> Records:
        """Agents and single memories, by id."""
        return Records(self.access, self.journal, self.opened.projector if self.opened else None, self.cognition)

    @property
    def upkeep(self) -> Upkeep:
        """The queue, what was given up, the state of the stores."""
        return Upkeep(self.access, self.journal, self.opened)

    @property
    def tokens(self) -> Tokens:
        """Who may come in from outside."""
        return Tokens(self.access, self.journal, self.clock)

    @property
    def clock(self) -> Clock:
        """Where this app's time comes from."""
        return self.services.clock

    @property
    def journal(self) -> Journal:
        """The truth."""
        return self.services.journal

    @property
    def usage(self) -> Usage:
        """What cognition has cost since opening."""
        return self.cognition.usage

    @property
    def bundles(self) -> Bundles:
        """Agents into files and out of them."""
        projector = self.opened.projector if self.opened else None
        return Bundles(self.access, self.services, projector, self._drain_scope)

    @property
    def searchable(self) -> Opened:
        """The index; `BackendUnavailable` where the app was opened without one."""
        return self.index.held

    @property
    def index(self) -> Indexing:
        """The index as a whole."""
        return Indexing(self.access, self.journal, self.opened)

    @property
    def copies(self) -> Copies:
        """Agents made from others."""
        return Copies(self.access, self.services, self.opened, self._drain_scope, self._clean_up().after_all)

    @property
    def editing(self) -> Editing:
        """Memories written by hand."""
        return Editing(self.access, self.services, self._reader, self.opened)

    @property
    def _reader(self) -> WindowReader:
        return WindowReader(self.services, self._drain_scope, self._own)

    async def _own(self, meant: Meant, *, dry_run: bool = False) -> Forgotten:
        # What somebody has forgotten who talks is his own, and is checked there; he needs no more than to talk.
        return await replace(self, access=Access(Principal.owner(self.tenant))).forget(meant, dry_run=dry_run)

    @property
    def library(self) -> Library:
        """Documents, and the sources of earlier answers."""
        return Library(self.access, self.words, self.services, self.settings)

    @property
    def graph(self) -> Graphs:
        """What links whom and what memories are about."""
        return Graphs(self.access, self.journal, self.clock, self.opened)

    @property
    def talks(self) -> Talks:
        """Talking with agents."""
        parts = (self.voices, self.floors, self.opened, self._own, self.library.introduced)
        return Talks(self.access, self.settings, self.services, *parts)

    @needs(Grant.ADMIN, of="persona")
    async def know_agent(self, persona: Persona) -> None:
        """Make an agent of this tenant known, or give it another persona. Raises `InvalidInput` for a bad cron line."""
        if persona.memory.reflect.cron is not None:
            cron_trigger(persona.memory.reflect.cron)
        await self.records.check_granted(persona)
        await self.journal.registry.save_agent(self.tenant, persona, now=self.clock.now())

    @needs(Grant.WRITE, of="events")
    async def accept(self, events: Sequence[Event]) -> list[Accepted]:
        """Take events in; on return they are durable. A document counts as the owner's only where he takes it in."""
        if not self.access.principal.operator:
            events = [not_the_owners(event) for event in events]
        if (person := self.access.principal.about) is not None:
            events = [await of_his_own(self.journal, event, person) for event in events]
        return await self.journal.events.append(events, now=self.clock.now())

    @needs(Grant.TALK, of=("agent_id", "person"))
    async def say(
        self,
        agent_id: str,
        person: Person | str,
        text: str | Sequence[Utterance],
        *,
        by_agent: bool = False,
        run_id: str | None = None,
        key: str | None = None,
        end: bool = False,
    ) -> Said:
        """Take in a turn, or several, between an agent and `person`; they are read by and by. `by_agent` and `key` are
        for a text: `key` makes a repeated call the same turn. `end` ends the conversation. What a person asks in it to
        be forgotten is forgotten before this returns, and the words that ask are not kept; see `Said.forgotten`.
        Raises `NotFound` for an agent that nobody introduced and that has no persona file."""
        talk, said = await self._spoken(agent_id, person, text, by_agent, run_id, key)
        taken = await self._reader.take_in(talk, said, end=end)
        return taken if self.access.may(Grant.READ, talk.lane.scope) else taken.unread

    @needs(Grant.TALK, Grant.READ, of=("agent_id", "person"))
    async def add(
        self,
        agent_id: str,
        person: Person | str,
        text: str | Sequence[Utterance],
        *,
        by_agent: bool = False,
        run_id: str | None = None,
        key: str | None = None,
    ) -> ReadTurns:
        """Take in turns as `say` does, and read them now, with all of their talk that waits: what became of memories.
        Repeated under the same keys it does nothing anew and tells the same. Raises `NotFound`."""
        talk, said = await self._spoken(agent_id, person, text, by_agent, run_id, key)
        return await self._reader.read(talk, said)

    async def _spoken(
        self,
        agent_id: str,
        person: Person | str,
        text: str | Sequence[Utterance],
        by_agent: bool,
        run_id: str | None,
        key: str | None,
    ) -> tuple[ConversationKey, Sequence[Utterance]]:
        persona = await self.library.introduced(agent_id)
        said = [Utterance(text, by_agent, key=key)] if isinstance(text, str) else text
        if any(one.by_agent for one in said):  # who makes the agent say something writes its part of the talk
            self.access.demand(Grant.WRITE, Scope(self.tenant, agent_id))
        words = " ".join(one.text for one in said)
        someone = await addressed(self.journal, self.tenant, persona, person, words)
        return ConversationKey(self.tenant, persona, someone, run_id), said

    @open_to_all
    async def drain(self, *, patience: float = 0.0, outages: bool = True) -> None:
        """Run the workers in this process until nothing is ready, see `WorkerHost.drain`; reflections that were due
        are made up for. Raises `InvalidInput` for a model that lacks its key, before any work is taken."""
        await self._begin_to_work()
        await self.host.drain(patience=patience, outages=outages)

    async def _drain_scope(self, scope: Scope) -> None:
        await self._begin_to_work()
        await self.host.drain_scope(scope)

    async def _begin_to_work(self) -> None:
        if self.settings.cognition.engine != "rules":
            self.cognition.ready()
        await self.reflection_clock.make_up()

    @operator_only
    async def serve(self, stop: asyncio.Event) -> None:
        """Run the workers and the clock of reflection until `stop` is set."""
        self.cognition.ready()
        keeping = compacting(self.journal, self.settings.keep.history, self.clock)
        async with self.reflection_clock.running(), keeping:
            await self.host.serve(stop)

    @needs(Grant.READ, of="query", in_words=True)
    async def recall(self, query: RecallQuery | str, *, agent: str | None = None, about: str | None = None) -> Recalled:
        """Find memories; the index is told that they were recalled. A text is asked of `agent`, or the only one there
        is, and of what it knows `about` that person and heard from him, or of all. Raises `InvalidInput`."""
        if scope := await self.records.asked_of(query, agent, about):
            return await self.recall(RecallQuery(scope, str(query)))
        assert not isinstance(query, str)
        found = await self.searchable.recall(await with_told(query, self.access, self.journal.ledger))
        await self.searchable.touch((hit.memory.memory_id for hit in found.hits), self.clock.now())
        return found

    @needs(Grant.READ, of="query", in_words=True)
    async def ask(
        self,
        query: AskQuery | str,
        *,
        recall: Recaller | None = None,
        agent: str | None = None,
        about: str | None = None,
    ) -> AskReply:
        """Answer a question from memory, with its sources; a text as in `recall`. `recall` finds them in the place of
        `App.recall`. Raises `BackendUnavailable`, and `BadAnswer` where a model's answer cannot be used."""
        if scope := await self.records.asked_of(query, agent, about):
            return await self.ask(AskQuery(scope, str(query)), recall=recall)
        assert not isinstance(query, str)
        opened = self.searchable
        reply = await Asker(opened.recall.gather, recall or self.recall, self.words, await self.narrator())(query)
        await opened.touch((source.memory.memory_id for source in reply.sources), self.clock.now())
        return reply

    @needs(Grant.READ, of="memories")
    async def words(self, memories: Sequence[MemoryNode], *, said_to: str | None = None) -> dict[str, list[Words]]:
        """The words each of these memories rests on, by memory id; see `words_of`."""
        sources = await self.records.get({part.memory_id for memory in memories for part in memory.evidence})
        return {memory.memory_id: words_of(memory, sources, said_to=said_to) for memory in memories}

    @needs(Grant.READ, of="query", in_words=True)
    async def context(
        self,
        query: RecallQuery | str,
        *,
        language: Language | None = None,
        budget: int = BUDGET,
        count: TokenCounter | None = None,
        agent: str | None = None,
        about: str | None = None,
    ) -> Context:
        """What is remembered about a question, as a block for a prompt of at most `budget` tokens, in `language`, else
        the persona's; a text as in `recall`. Tokens are counted by `count`, else as the chat model counts them where
        its vocabulary is at hand, else by estimate. Raises `NotFound`, and `InvalidInput` for a budget below 200."""
        if scope := await self.records.asked_of(query, agent, about):
            asked = RecallQuery(scope, str(query))
            return await self.context(asked, language=language, budget=budget, count=count)
        assert not isinstance(query, str)
        persona = await self.records.agent(query.scope.agent)
        found = await self.recall(query)
        memories = [hit.memory for hit in found.hits]
        past = query.as_of or query.known_at  # what is to be known of somebody whatever is asked is of today
        now = past or self.clock.now()
        return build_context(
            found,
            await self.words(memories, said_to=query.scope.target),
            known=await slot_facts(self.journal.ledger, query.scope, memories, now, query.known_at),
            communities=await communities(self.recall, query),
            person=[] if past else await self.searchable.person(query.scope, query.filter),
            language=language or persona.language,
            budget=budget,
            count=count or wiring.token_counter(persona.model or self.settings.chat_model),
            nonce=secrets.token_hex(6),
            now=now,
        )

    @needs(Grant.WRITE, of="scope")
    async def reflect(self, scope: Scope, *, key: str | None = None) -> list[reflections.ReflectionReport]:
        """Reflect now on everybody about whom there is anything to do; with a `key`, once for ever under that key."""
        return await reflections.reflect_now(self.journal, self._drain_scope, scope, key, now=self.clock.now())

    @needs(Grant.READ, Grant.WRITE, of="scope")
    async def preview_reflection(self, scope: Scope) -> list[reflections.ReflectionPreview]:
        """What reflecting now on everybody in scope would change, one run each; a model is asked as it would be, and
        nothing is written."""
        return await reflections.preview_reflection(self.services, scope)

    @shows_its_own(Grant.WRITE)
    async def undo(self, run: str, *, cascade: bool = False) -> UndoReport:
        """Take a run back. Raises `NotFound`."""
        report = await reflections.take_back(self.journal, self.access, self.clock, run, cascade=cascade)
        if self.opened is not None:
            await self.opened.projector.catch_up()
        return report

    @needs(Grant.READ, of="selection")
    async def memories(self, selection: Selection, *, valid: bool = False, wanted: Filter | None = None) -> Page:
        """One page of memories from the ledger, newest first: all that the selection names, or those that are `valid`,
        at its times or now; of these, those the filter asks for; none that is forgotten, and no record that states
        nothing unless records are asked for. With `known_at` the pages are one state of the ledger."""
        now = self.clock.now()

        def keep(node: MemoryNode) -> bool:
            stated = node.ending is not Ending.RECORD or selection.record is not None
            shown = not valid or node.is_shown(now, as_of=selection.as_of, known_at=selection.known_at)
            return stated and shown and (wanted is None or holds(wanted, node))

        if (told := selection.told) is None:
            return Page((), None)
        if valid and not told.statuses:
            ended = () if selection.as_of is None else (StoreStatus.EXPIRED,)
            told = replace(told, statuses=(StoreStatus.VALID, *ended))
        return await page(self.journal.ledger, told, keep)

    @needs(Grant.READ, of="scope")
    async def targets(self, scope: Scope, name: str) -> list[str]:
        """Whom a name may mean, ids, best first: who spoke under it, those known by it as an alias, and of whom others
        speak under it."""
        return await people_called(self.journal, scope, name)

    @needs(Grant.ADMIN, of="agent_id")
    async def forget_agent(self, agent_id: str) -> None:
        """Remove an agent with everything it has, from every file: that takes the index, else the next opening does it.
        What was erased from it does not come back; who was hired stays bound by his contract, and his id is used up."""
        await self.journal.eraser.remove(self.tenant, agent_id, now=self.clock.now())
        await self._clean_up().after_all()

    @needs(Grant.READ, Grant.WRITE, of="meant")
    async def forget(self, meant: Meant, *, erase: bool = False, dry_run: bool = False) -> Forgotten:
        """Forget what is meant and what was made of it alone, ahead of whatever waits or is being thought; what nobody
        has read yet is looked through as well. Without `erase` no answer tells it any more, as one run that `undo`
        takes back. With it, it is removed from every store, cannot be imported again, and a receipt is kept; that
        takes the index. `dry_run` only tells what would happen. Nobody is told more of what goes along than he may
        read. Raises `NotFound`, and `InvalidInput` for a query that names nothing."""
        opened = self.searchable if erase else self.opened
        async with Ahead(self.services, wiring.quick_reader).of(meant, erase=erase, dry_run=dry_run) as drafts:
            told = await forget(self._clean_up(), meant, erase=erase, dry_run=dry_run, drafts=drafts)
        if opened is not None:
            await opened.projector.catch_up()
        return told if self.access.principal.operator else await told_to(self.access, self.journal, told)
