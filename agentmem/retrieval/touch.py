"""Remembering in the index what was recalled, so that what nobody asks for can be told from what is used."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import structlog

from agentmem.errors import BackendUnavailable, NeedsRepair, without_content
from agentmem.ports.memory_index import MemoryIndex, Touchable

log = structlog.get_logger()

EVERY: Final = timedelta(seconds=300)
"""So long a memory that is recalled again is not touched again."""


class Touch:
    """Sets `lastAccess` of memories that were recalled, each at most every 300 s, as far as this process knows."""

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index
        self._touched: dict[str, datetime] = {}  # oldest first

    async def __call__(self, memory_ids: Iterable[str], now: datetime) -> None:
        """At most one write. A hint is worth no failed answer: where the index does not take it, the log says so."""
        self._forget(now)
        due = [memory_id for memory_id in dict.fromkeys(memory_ids) if memory_id not in self._touched]
        if not due or not isinstance(self._index, Touchable):
            return
        self._touched |= dict.fromkeys(due, now)
        try:
            await self._index.touch(due, now)
        except (BackendUnavailable, NeedsRepair) as error:
            log.warning("not_touched", memories=len(due), reason=without_content(error))

    def _forget(self, now: datetime) -> None:
        """What was touched long enough ago, so that this stays as small as five minutes of answers."""
        while self._touched:
            oldest = next(iter(self._touched))
            if now - self._touched[oldest] < EVERY:
                return
            del self._touched[oldest]
