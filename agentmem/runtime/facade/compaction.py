"""Keeping a store small: old states folded away as `keep.history` says, and the room that was left given back."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from agentmem.errors import BackendUnavailable, without_content
from agentmem.ports.journal import Journal
from agentmem.runtime.host.clocks import Clock

log = structlog.get_logger()

EVERY_SECONDS = 3_600.0
PAGE = 500


@dataclass(frozen=True, slots=True)
class Compacted:
    """Rows of the ledger that were folded away, and how many bytes the store took before and takes now."""

    folded: int
    before: int
    after: int


async def fold_history(journal: Journal, history: timedelta | None, now: datetime) -> int:
    """Fold away what is older than `history`; how many rows went. None: nothing is."""
    if history is None:
        return 0
    gone, more = 0, True
    while more:
        step = await journal.storage.fold(now - history, now=now)
        gone, more = gone + step.rows, step.more
    return gone


async def compact(journal: Journal, history: timedelta | None, now: datetime) -> Compacted:
    """Fold, pack what older versions wrote, and write the files anew without the room that is free."""
    before = await journal.storage.size()
    folded = await fold_history(journal, history, now)
    reached: int | None = 0
    while reached is not None:
        reached = await journal.storage.pack(reached, limit=PAGE)
    await journal.eraser.scrub()
    return Compacted(folded, before, await journal.storage.size())


@asynccontextmanager
async def compacting(journal: Journal, history: timedelta | None, clock: Clock) -> AsyncGenerator[None]:
    """Every hour while the body runs: fold, and give free room back, in short steps beside all other work."""
    task = asyncio.create_task(_compact_for_ever(journal, history, clock), name="compaction")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _compact_for_ever(journal: Journal, history: timedelta | None, clock: Clock) -> None:
    while True:
        try:
            gone = await fold_history(journal, history, clock.now())
            while await journal.storage.give_back():
                pass
            if gone:
                log.info("history_folded", rows=gone)
        except BackendUnavailable as error:
            log.warning("history_not_folded", reason=without_content(error))
        await asyncio.sleep(EVERY_SECONDS)
