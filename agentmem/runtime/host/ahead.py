"""Going ahead of background work: whoever asks to forget waits for no worker, and no worker writes after him what it
thought before."""

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import structlog

from agentmem.domain.entity import graph_lane
from agentmem.domain.episode import episode_id
from agentmem.domain.event import TurnSpoken
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import AgentMemError, Conflict, LeaseLost
from agentmem.memory.episodes import Recorder
from agentmem.memory.forget_plan import Meant
from agentmem.memory.intake import Author, Drafter, checked, window_of
from agentmem.ports.cognition import Cognition
from agentmem.ports.event_log import Sequenced
from agentmem.ports.ledger import Commit
from agentmem.runtime.host.services import Services

log = structlog.get_logger()

WINDOW = 20
"""Turns that are looked through together."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """Takes lanes from their workers for the time of a forgetting. `reader` reads at once and asks nobody."""

    services: Services
    reader: Callable[[], Cognition]

    @asynccontextmanager
    async def of(self, meant: Meant, *, erase: bool, dry_run: bool) -> AsyncGenerator[list[MemoryNode]]:
        """Inside, nobody else works on what is meant, and every turn is a memory; what the turns seem to say that no
        worker has read yet. Where a person is erased, what he said is not looked at; with `dry_run` work goes on."""
        scope, journal = meant.scope, self.services.journal
        lanes = await journal.events.lanes(Scope(scope.tenant, scope.agent, scope.target))
        taken = [] if dry_run else [*lanes, graph_lane(scope.tenant, scope.agent)]
        claims = await journal.queue.seize(taken)
        try:
            unread = [] if erase and meant.everything else [(lane, await journal.events.unread(lane)) for lane in lanes]
            for lane, turns in unread:
                await self._record(lane, turns)
            yield [] if meant.query is None else [draft for each in unread for draft in await self._drafts(*each)]
        finally:
            for claim in claims:
                with suppress(LeaseLost):
                    await journal.queue.release(claim)

    async def _record(self, lane: Lane, turns: Sequence[Sequenced]) -> None:
        """Write turns down as the worker would that has not come to them yet."""
        if not turns:
            return
        ledger, now = self.services.journal.ledger, self.services.clock.now()
        ids = {episode_id(item.event) for item in turns if isinstance(item.event, TurnSpoken)}
        stored = await ledger.get(lane.tenant, ids, forgotten=True)
        changes = Recorder(self.services.timestamps, self.services.clock.now).written(turns, stored)
        if changes:
            run = derived_id("ahead", lane.tenant, lane.agent, lane.target, *sorted(ids))
            with suppress(Conflict):  # the worker was faster
                await ledger.commit(Commit(lane.tenant, run, "conversation", now, changes))

    async def _drafts(self, lane: Lane, turns: Sequence[Sequenced]) -> list[MemoryNode]:
        found: list[MemoryNode] = []
        for window in _windows(turns):
            try:
                found += await self._read(lane, window)
            except AgentMemError as error:
                log.warning("not_looked_through", agent=lane.agent, reason=type(error).__name__)
        return found

    async def _read(self, lane: Lane, turns: Sequence[Sequenced]) -> list[MemoryNode]:
        first = turns[0].event
        assert isinstance(first, TurnSpoken)
        persona = await self.services.persona(lane)
        window = window_of(derived_id("ahead", first.event_id), (), turns, persona)
        reading = checked((await self.reader().read(window)).reading, window)
        author = Author(lane.tenant, lane.agent, lane.target, first.run_id)
        drafter = Drafter(self.services.timestamps, self.services.clock.now)
        return drafter.draft(dict(enumerate(reading.statements)), window, author, "ahead", {})


def _windows(turns: Sequence[Sequenced]) -> Iterator[list[Sequenced]]:
    """The turns of each conversation, in pieces."""
    window: list[Sequenced] = []
    for item in turns:
        run = item.event.run_id if isinstance(item.event, TurnSpoken) else None
        held = window[0].event if window else None
        if isinstance(held, TurnSpoken) and (held.run_id != run or len(window) == WINDOW):
            yield window
            window = []
        window.append(item)
    if window:
        yield window
