"""The whole system, opened: what every interface talks to."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from agentmem.domain.change import Change
from agentmem.domain.event import Event, Person
from agentmem.domain.filter import Filter, holds
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.domain.statement import Usage
from agentmem.domain.timestamp import TimestampGenerator
from agentmem.errors import BackendUnavailable, NotFound
from agentmem.language.normal import Language, canonical_name
from agentmem.ledger.listing import Page, page
from agentmem.ledger.undo import UndoReport, undo
from agentmem.ledger.verify import VerifyReport, verify
from agentmem.memory.due import reflection_job
from agentmem.memory.forget import Forgetter, Meant
from agentmem.ports.chat_model import ChatModel
from agentmem.ports.clock import Clock
from agentmem.ports.cognition import Cognition
from agentmem.ports.erasure import Erased
from agentmem.ports.event_log import Accepted
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Selection
from agentmem.ports.memory_index import Optimisable
from agentmem.ports.narrator import Narrator
from agentmem.ports.token_counter import TokenCounter
from agentmem.reflection.neighbours import Neighbours
from agentmem.reflection.run import Run
from agentmem.retrieval.asked import asked_for
from agentmem.retrieval.context import BUDGET, Context, build_context
from agentmem.retrieval.people import slot_facts
from agentmem.retrieval.query import Recalled, RecallQuery, Words, words_of
from agentmem.runtime import wiring
from agentmem.runtime.bundles import Bundles
from agentmem.runtime.clocks import WallClock
from agentmem.runtime.copies import Copies
from agentmem.runtime.forgetting import Forgotten, clean_up, finish_all, forget
from agentmem.runtime.host import WorkerHost
from agentmem.runtime.library import Library
from agentmem.runtime.opened import Opened, open_index
from agentmem.runtime.scheduler import ReflectionClock, cron_trigger
from agentmem.runtime.settings import Settings
from agentmem.runtime.speech import spoken
from agentmem.runtime.talks import Talks
from agentmem.runtime.telemetry import MeteredCognition
from agentmem.runtime.voices import Voices
from agentmem.runtime.worker import Services, load_workers, routes

MOST_RUNS = 1_000
"""Runs of one reflection by hand, each of which takes a window of what is new."""


@dataclass(frozen=True, slots=True)
class ReflectionReport:
    """One run of `App.reflect`: how many memories it changed, by act."""

    run: str
    target: str
    acts: dict[str, int]


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What one run of `App.reflect` would change about one target."""

    target: str
    changes: tuple[Change, ...]


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
        return Bundles(self.settings.tenant, self.services, projector, self.drain)

    @property
    def searchable(self) -> Opened:
        """The index; `BackendUnavailable` where the app was opened without one."""
        if self.opened is None:
            raise BackendUnavailable("this process does not hold the index")
        return self.opened

    @property
    def copies(self) -> Copies:
        """Agents made from others."""
        return Copies(self.settings.tenant, self.services, self.opened, self.drain)

    @property
    def library(self) -> Library:
        """Documents, and questions answered."""
        return Library(self.opened, self.words, self.narrator, self.services, self.settings)

    @property
    def talks(self) -> Talks:
        """Talking with agents."""
        return Talks(self.settings, self.services, self.voices, self.opened, self.forget)

    async def know_agent(self, persona: Persona) -> None:
        """Make an agent of this tenant known, or give it another persona. Raises `InvalidInput` for a bad cron line."""
        if persona.memory.reflect.cron is not None:
            cron_trigger(persona.memory.reflect.cron)
        await self.journal.registry.save_agent(self.settings.tenant, persona, now=self.clock.now())

    async def accept(self, events: Sequence[Event]) -> list[Accepted]:
        """Take events in; on return they are durable."""
        return await self.journal.events.append(events, now=self.clock.now())

    async def say(
        self,
        agent_id: str,
        person: Person | str,
        text: str,
        *,
        by_agent: bool = False,
        run_id: str | None = None,
        key: str | None = None,
        end: bool = False,
    ) -> list[Accepted]:
        """Take in one turn between an agent and `person`; `key` makes a repeated call the same turn, `end` ends the
        conversation. Raises `NotFound` for an agent that nobody introduced."""
        persona = await self.journal.registry.agent(self.settings.tenant, agent_id)
        if persona is None:
            raise NotFound(f"no agent {agent_id!r}")
        someone = person if isinstance(person, Person) else Person(name=person)
        events = await spoken(
            self.journal.events,
            self.journal.ledger,
            self.clock,
            self.settings.tenant,
            persona,
            person=someone,
            text=text,
            by_agent=by_agent,
            run_id=run_id,
            key=key,
            end=end,
        )
        return await self.accept(events)

    async def drain(self, *, patience: float = 0.0) -> None:
        """Run the workers in this process until nothing is ready; see `WorkerHost.drain`. Reflections due by the
        clock since the last time are made up for. Raises `InvalidInput` for a model that lacks its key, before any
        work is taken."""
        if self.settings.cognition.engine != "rules":
            self.cognition.ready()
        await self.reflection_clock.make_up()
        await self.host.drain(patience=patience)

    async def serve(self, stop: asyncio.Event) -> None:
        """Run the workers and the clock of reflection until `stop` is set."""
        self.cognition.ready()
        async with self.reflection_clock.running():
            await self.host.serve(stop)

    async def recall(self, query: RecallQuery) -> Recalled:
        """Find memories; the index is told that they were recalled."""
        found = await self.searchable.recall(query)
        await self.searchable.touch((hit.memory.memory_id for hit in found.hits), self.clock.now())
        return found

    async def words(self, memories: Sequence[MemoryNode]) -> dict[str, list[Words]]:
        """The words each of these memories rests on, by memory id; one look-up for each tenant they are of."""
        sources: dict[str, MemoryNode] = {}
        for tenant in {memory.tenant for memory in memories}:
            needed = {part.memory_id for memory in memories if memory.tenant == tenant for part in memory.evidence}
            sources |= await self.journal.ledger.get(tenant, needed)
        return {memory.memory_id: words_of(memory, sources) for memory in memories}

    async def context(
        self,
        query: RecallQuery,
        *,
        language: Language | None = None,
        budget: int = BUDGET,
        count: TokenCounter | None = None,
    ) -> Context:
        """What is remembered about a question, as a block for a prompt of at most `budget` tokens, told in `language`,
        the persona's unless given. Tokens are counted by `count`, else as the chat model counts them where its
        vocabulary is at hand, else by estimate. Raises `NotFound`, and `InvalidInput` for a budget below 200."""
        persona = await self.journal.registry.agent(query.scope.tenant, query.scope.agent)
        if persona is None:
            raise NotFound(f"no agent {query.scope.agent!r}")
        found = await self.recall(query)
        memories = [hit.memory for hit in found.hits]
        now = query.as_of or query.known_at or self.clock.now()
        return build_context(
            found,
            await self.words(memories),
            known=await slot_facts(self.journal.ledger, query.scope, memories, now, query.known_at),
            language=language or persona.language,
            budget=budget,
            count=count or wiring.token_counter(persona.model or self.settings.chat_model),
            nonce=secrets.token_hex(6),
            now=now,
        )

    async def reflect(self, scope: Scope, *, key: str | None = None) -> list[ReflectionReport]:
        """Reflect now on everybody in scope about whom there is news; with a `key`, once for ever under that key."""
        cause = key or f"hand/{await self.journal.ledger.head()}"
        reports: list[ReflectionReport] = []
        lanes = await self.journal.ledger.lanes_with_news(scope)
        if key is not None:
            # Also where there is no news: what comes later is not for this key, nor is a second run.
            lanes = sorted({*lanes, *await self.journal.events.lanes(scope)})
        for turn in range(MOST_RUNS if key is None else 1):
            jobs = [reflection_job(lane, f"{cause}/{turn}" if turn else cause, 0, "hand") for lane in lanes]
            await self.journal.queue.enqueue(jobs)
            await self.drain()
            done = [await self._report(job.job_id, job.lane.target) for job in jobs]
            reports += (report for report in done if report.acts)
            lanes = [job.lane for job, report in zip(jobs, done, strict=True) if report.acts]
            lanes = [lane for lane in lanes if (await self.journal.ledger.news(lane.scope, limit=1)).fresh]
            if not lanes:
                break
        return reports

    async def foresee(self, scope: Scope) -> list[Foreseen]:
        """What reflecting now on everybody in scope would change, one run each; a model is asked as it would be, and
        nothing is written."""
        found: list[Foreseen] = []
        for lane in await self.journal.ledger.lanes_with_news(scope):
            run = Run(f"dry/{lane.target}", lane, await self.services.persona(lane), by_hand=True)
            commit = await self.services.reflector.foresee(run)
            if commit is not None:
                found.append(Foreseen(lane.target, await self.journal.ledger.preview(commit)))
        return found

    async def undo(self, run: str, *, cascade: bool = False) -> UndoReport:
        """Take a run back."""
        report = await undo(self.journal.ledger, self.settings.tenant, run, now=self.clock.now(), cascade=cascade)
        if self.opened is not None:
            await self.opened.projector.catch_up()
        return report

    async def memories(self, selection: Selection) -> list[MemoryNode]:
        """List memories from the ledger."""
        return await self.journal.ledger.select(selection)

    async def page(self, selection: Selection, *, everything: bool = False, wanted: Filter | None = None) -> Page:
        """One page of memories from the ledger: those that hold, at the times the selection names or now, or
        `everything` it selects; of these, those the filter asks for. With `known_at` the pages together are one state
        of the ledger; without, a memory that ends while they are read is listed or not."""
        now = self.clock.now()

        def keep(node: MemoryNode) -> bool:
            shown = everything or node.is_shown(now, as_of=selection.as_of, known_at=selection.known_at)
            return shown and (wanted is None or holds(wanted, node))

        if not everything and not selection.statuses:
            ended = () if selection.as_of is None else (StoreStatus.EXPIRED,)
            selection = replace(selection, statuses=(StoreStatus.VALID, *ended))
        return await page(self.journal.ledger, selection, keep)

    async def targets(self, scope: Scope, name: str) -> list[str]:
        """Whom a name may mean: the target of that name, then those known by it as an alias; ids, best first."""
        wanted = canonical_name(name)
        exact = entity_id(scope.tenant, scope.agent, wanted)
        people = Selection(scope, types=(MemoryType.OBSERVATION,), statuses=(StoreStatus.VALID,), limit=10_000)
        also = [
            node.target_id
            for node in await self.memories(people)
            if node.attribute in ("alias", "name") and canonical_name(node.value or "") == wanted
        ]
        known = {lane.target for lane in await self.journal.events.lanes(scope)}
        held = await self.memories(Selection(Scope(scope.tenant, scope.agent, exact), limit=1))
        found = [exact] if exact in known or held else []
        return list(dict.fromkeys((*found, *also)))

    async def forget_agent(self, agent_id: str) -> None:
        """Remove an agent with everything it has."""
        gone = await self.journal.purge(Scope(self.settings.tenant, agent_id))
        if self.opened is not None:
            await self.opened.index.remove(gone)

    async def forget(self, meant: Meant, *, erase: bool = False, dry_run: bool = False) -> Forgotten:
        """Forget what is meant and what was made of it alone. What waits is read first, unless a person is erased.

        Without `erase` it ends, as one run that `undo` takes back. With it, it is removed from every store, cannot be
        imported again, and a receipt is kept; that takes the index. `dry_run` only tells what would happen. Raises
        `NotFound`, and `InvalidInput` for a query that names nothing.
        """
        opened = self.searchable if erase else self.opened
        if not (erase and meant.everything) and (await self.journal.queue.depth(meant.scope)).ready:
            await self.drain()
        forgetter = Forgetter(self.journal.ledger, asked_for, self.clock.now)
        told = await forget(self.journal, forgetter, meant, self.clean_up, erase=erase, dry_run=dry_run)
        if opened is not None:
            await opened.projector.catch_up()
        return told

    async def clean_up(self, erased: Erased) -> Path:
        """Clean up behind an erasure: no file keeps the old bytes. Returns the file of the receipt."""
        projector = self.searchable.projector
        discard = partial(wiring.discard_unused_indexes, self.settings, projector.fingerprint)
        return await clean_up(self.journal, projector, erased, self.settings.data, discard)

    async def rebuild(self, progress: wiring.Progress) -> int:
        """Empty the index, fill it from the ledger, put it in order; how many memories it holds. No model is called."""
        projector = self.searchable.projector
        await projector.start_over()
        head = await self.journal.ledger.head()
        while projector.position < head and await projector.step():
            progress(projector.position, head)
        await projector.flush()
        await self.optimise()
        return await self.searchable.index.count()

    async def optimise(self) -> bool:
        """Put the index in order, which may take minutes in which it answers nothing; whether there was anything to do
        as it is configured."""
        index = self.searchable.index
        return isinstance(index, Optimisable) and await index.optimise()

    async def verify(self) -> VerifyReport:
        """Compare index and ledger."""
        await self.searchable.projector.catch_up()
        return await verify(self.journal, self.searchable.index)

    async def _report(self, run: str, target: str) -> ReflectionReport:
        acts: dict[str, int] = {}
        for entry in await self.journal.ledger.of_run(self.settings.tenant, run):
            acts[entry.change.act] = acts.get(entry.change.act, 0) + 1
        return ReflectionReport(run, target, acts)


@asynccontextmanager
async def open_app(
    settings: Settings,
    *,
    clock: Clock | None = None,
    cognition: Cognition | None = None,
    chat: ChatModel | None = None,
    index: bool = True,
) -> AsyncGenerator[App]:
    """Open everything, in order; close it in reverse. Without `index`, writing works beside the process that holds it.

    `clock`, `cognition` and `chat` stand in for the wall clock, and for the engine and the models that are configured.

    Raises `HeldElsewhere` where another process holds the embedded index.
    """
    wiring.check(settings)
    async with AsyncExitStack() as stack:
        classes = load_workers(settings.worker_modules)
        journal = await stack.enter_async_context(wiring.journal(settings, routes(classes)))
        timestamps = TimestampGenerator(await journal.ledger.newest_timestamp())
        metered = MeteredCognition(lambda: cognition or wiring.cognition(settings))
        stack.push_async_callback(metered.aclose)
        services = Services(clock or WallClock(settings.zone), timestamps, journal, metered)
        opened = await open_index(settings, services, stack) if index else None
        projector = opened.projector if opened else None
        if opened:
            gather = opened.recall.gather
            neighbours = Neighbours(gather.index, gather.embedder, gather.projector)
            services = replace(services, neighbours=neighbours, embedder=gather.embedder)
        workers = [worker(services) for worker in classes]
        host = WorkerHost(services, workers, projector, settings.workers)
        narrator = wiring.narrator(settings, stack)
        voices = Voices(settings, stack, chat)
        app = App(settings, services, host, ReflectionClock(services), metered, opened, narrator, voices)
        if opened is not None:
            await finish_all(journal, app.clean_up)
        yield app
