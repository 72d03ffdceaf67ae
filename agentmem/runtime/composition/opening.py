"""Opens the whole system: journal, workers, index, models, in order."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from agentmem.agents.talk.conversation_so_far import ConversationLocks
from agentmem.domain.ids import TimestampGenerator
from agentmem.domain.scope import Principal
from agentmem.graph.identity.resolver import Candidates
from agentmem.ports.cognition import Cognition
from agentmem.ports.models import ChatModel
from agentmem.reflection.neighbours import Neighbours
from agentmem.runtime.composition import wiring
from agentmem.runtime.composition.opened import open_index
from agentmem.runtime.composition.telemetry import MeteredCognition
from agentmem.runtime.composition.voices import Voices
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.access import Access
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.entrance import entrance
from agentmem.runtime.facade.forget_requests import CleanUp
from agentmem.runtime.host.clocks import Clock, WallClock
from agentmem.runtime.host.scheduler import ReflectionClock
from agentmem.runtime.host.services import Services, load_workers, routes
from agentmem.runtime.host.worker_host import WorkerHost


@entrance
@asynccontextmanager
async def open_app(
    settings: Settings,
    *,
    clock: Clock | None = None,
    cognition: Cognition | None = None,
    chat: ChatModel | None = None,
    index: bool = True,
    on_outage: Callable[[str], None] | None = None,
) -> AsyncGenerator[App]:
    """Open everything, in order; close it in reverse. Without `index`, writing works beside the process that holds it.

    `clock`, `cognition` and `chat` stand in for the wall clock, and for the engine and the models that are configured.
    `on_outage` is told of a service that work waits for because it cannot be reached, when that begins.

    Raises `HeldElsewhere` where another process holds the embedded index.
    """
    wiring.check(settings)
    wiring.refuse_lost_journal(settings)
    async with AsyncExitStack() as stack:
        classes = load_workers(settings.worker_modules)
        journal = await stack.enter_async_context(wiring.journal(settings, routes(classes)))
        timestamps = TimestampGenerator(await journal.ledger.newest_timestamp())
        metered = MeteredCognition(lambda: cognition or wiring.cognition(settings))
        stack.push_async_callback(metered.aclose)
        narrator = wiring.narrator(settings, stack)
        now, summariser = clock or WallClock(settings.zone), metered.counting(narrator)
        services = Services(now, timestamps, journal, metered, summariser=summariser)
        opened = await open_index(settings, services, stack) if index else None
        projector = opened.projector if opened else None
        if opened:
            gather = opened.recall.gather
            neighbours = Neighbours(gather.index, gather.embedder, gather.projector)
            candidates = Candidates(gather.index, gather.embedder, gather.projector)
            services = replace(services, neighbours=neighbours, candidates=candidates, embedder=gather.embedder)
        workers = [worker(services) for worker in classes]
        host = WorkerHost(services, workers, projector, settings.workers, on_outage)
        voices = Voices(settings, stack, chat)
        access = Access(Principal.owner(settings.tenant))
        ticking, floors = ReflectionClock(services), ConversationLocks()
        app = App(settings, services, host, ticking, metered, opened, narrator, voices, floors, access)
        if opened is not None:
            await CleanUp.of(settings, services, opened).after_all()
        yield app
