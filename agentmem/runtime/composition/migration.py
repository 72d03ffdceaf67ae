"""Changing the embedder: all memories are embedded anew beside the index in use, then the two are swapped.

The new index is filled in a place of its own and its watermark is kept, so an interrupted migration goes on where it
stopped. Searches use the old vectors until the swap.
"""

from contextlib import AsyncExitStack

import structlog

from agentmem.errors import BackendUnavailable, without_content
from agentmem.ledger.projection import ACTIVE, Projector
from agentmem.runtime.composition import wiring
from agentmem.runtime.composition.places import discard_left, note_place
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.host.services import load_workers, routes

log = structlog.get_logger()


async def migrate_embedder(settings: Settings, progress: wiring.Progress) -> int:
    """Build the index of the configured embedder, make it the one in use, discard the old; how many memories."""
    async with AsyncExitStack() as stack:
        journal = await stack.enter_async_context(
            wiring.journal(settings, routes(load_workers(settings.worker_modules)))
        )
        embedder = await stack.enter_async_context(wiring.embedder(settings, journal, anew=True))
        await note_place(journal.marks, settings, embedder.fingerprint)
        index, _ = await wiring.open_index(settings, embedder, stack)
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
