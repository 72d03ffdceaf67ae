"""The index of the running system, opened, and what keeps it up to date; or filled anew for another embedder."""

from contextlib import AsyncExitStack
from dataclasses import dataclass

import structlog

from agentmem.errors import BackendUnavailable, without_content
from agentmem.ledger.projection import ACTIVE, Projector, check_embedder
from agentmem.ports.memory_index import MemoryIndex, check_stays
from agentmem.retrieval.gathering import Gatherer
from agentmem.retrieval.person_profile import PersonProfile
from agentmem.retrieval.recall import Recall, Touch
from agentmem.runtime.composition import wiring
from agentmem.runtime.composition.places import discard_left, note_place
from agentmem.runtime.configuration.settings import Settings, TransientIndexSettings
from agentmem.runtime.host.services import Services, load_workers, routes
from agentmem.runtime.host.worker_host import caught_up

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Opened:
    """An index with what keeps it up to date. `rebuilt` says why it was filled anew at opening, or is None."""

    index: MemoryIndex
    projector: Projector
    recall: Recall
    person: PersonProfile
    touch: Touch
    rebuilt: str | None


async def open_index(settings: Settings, services: Services, stack: AsyncExitStack) -> Opened:
    """Open the configured index on `stack` and bring it up to date. Raises `EmbedderChanged` and `HeldElsewhere`."""
    journal = services.journal
    embedder = await stack.enter_async_context(wiring.embedder(settings, journal))
    await check_embedder(journal.marks, embedder.fingerprint)
    if not journal.read_only:
        await note_place(journal.marks, settings, embedder.fingerprint)
    index, broken = await wiring.open_index(settings, embedder, stack)
    projector = Projector(journal, index, embedder, lasting=not isinstance(settings.index, TransientIndexSettings))
    anew = await projector.open()
    await caught_up(projector)
    stack.push_async_callback(_flushed, projector)
    reranker = await stack.enter_async_context(wiring.reranker(settings))
    gatherer = Gatherer(journal, index, embedder, projector, services.clock.now)
    recall = Recall(gatherer, reranker, settings.recall.rerank_seconds)
    person = PersonProfile(index, journal.ledger, projector, services.clock.now)
    return Opened(index, projector, recall, person, Touch(index), broken or anew)


async def _flushed(projector: Projector) -> None:
    """At the end, as far as that can be done: what is not flushed is projected again at the next opening."""
    try:
        await projector.flush()
    except BackendUnavailable as error:
        log.warning("not_flushed", reason=without_content(error))


async def migrate_embedder(settings: Settings, progress: wiring.Progress) -> int:
    """Build the index of the configured embedder, make it the one in use, discard the old; how many memories.

    It is filled in a place of its own and its watermark is kept, so an interrupted migration goes on where it stopped.
    Searches use the old vectors until the swap.
    """
    async with AsyncExitStack() as stack:
        journal = await stack.enter_async_context(
            wiring.journal(settings, routes(load_workers(settings.worker_modules)))
        )
        if journal.read_only:
            raise BackendUnavailable(
                "the journal may not be written, and could not tell which index is in use: check its owner and mode",
                of_the_machine=True,
            )
        embedder = await stack.enter_async_context(wiring.embedder(settings, journal, anew=True))
        await note_place(journal.marks, settings, embedder.fingerprint)
        index, _ = await wiring.open_index(settings, embedder, stack)
        check_stays(index)
        projector = Projector(journal, index, embedder)
        await projector.open()
        head = await journal.ledger.head()
        while await projector.step():
            progress(min(projector.position, head), head)
        await projector.flush()
        await journal.marks.set_mark(ACTIVE, embedder.fingerprint)
        wiring.discard_other_indexes(settings, embedder.fingerprint)
        try:
            await discard_left(journal.marks, settings, index, embedder.fingerprint)
        except BackendUnavailable as error:
            log.warning("old_index_left", reason=without_content(error))
        return await index.count()
