"""Turns taken in and read at once, for callers that want to be told what became of them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from time import monotonic

import structlog

from agentmem.agents.talk.forgetting import Forget, obeyed
from agentmem.agents.talk.talk import Talk as Speaking
from agentmem.domain.change import Act, Change
from agentmem.domain.episode import turn_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Lane
from agentmem.memory.episodes import cut, silence_job, window_job
from agentmem.memory.observe import insight_id
from agentmem.ports.event_log import AFTER_ALL, Sequenced
from agentmem.ports.journal import Journal
from agentmem.runtime.speech import Talk, Utterance, identified, spoken
from agentmem.runtime.worker import Services

log = structlog.get_logger()

Drain = Callable[[], Awaitable[None]]

PATIENCE = 60.0
"""Seconds in which others that read the same lane may finish."""

_DECISIONS: frozenset[Act] = frozenset({"add", "merge", "supersede", "end", "retire", "refresh"})
"""What reading turns decides about memories; that others are linked to them or put in doubt follows from it."""


@dataclass(frozen=True, slots=True)
class Read:
    """What became of turns: themselves as memories, and what reading them changed, each memory before and after.
    `waits`: not all that was said to this agent by this person could be read yet; it will be."""

    turns: tuple[MemoryNode, ...]
    changes: tuple[Change, ...]
    waits: bool


@dataclass(frozen=True, slots=True)
class Reader:
    """Takes turns in and reads them. All of them need a `key`."""

    services: Services
    drain: Drain
    forget: Forget

    async def take_in(self, talk: Talk, said: Sequence[Utterance]) -> list[Sequenced]:
        """Have the turns made durable; those among them that were not there before. Nothing is read."""
        for one in said:
            await self.obey(talk, one)
        return await self._accept(talk, said)

    async def _accept(self, talk: Talk, said: Sequence[Utterance]) -> list[Sequenced]:
        now = self.services.clock.now()
        events = await spoken(self._journal, self.services.clock, talk, said)
        accepted = await self._journal.events.append(events, now=now)
        both = zip(events, accepted, strict=True)
        return [Sequenced(taken.seq, event, now) for event, taken in both if not taken.duplicate]

    async def read(self, talk: Talk, said: Sequence[Utterance]) -> Read:
        """Take the turns in, do what they ask of the memory itself, and read them with all of their lane that waits.
        A call repeated under the same keys does nothing anew and tells the same."""
        said = await identified(self._journal, talk, said)
        ids = [_turn(talk, one) for one in said]
        changes: list[Change] = []
        for part in _parts(said):
            changes += await self.obey(talk, part[0])
            changes += await self._read(talk, part)
        nodes = await self._journal.ledger.get(talk.tenant, ids)
        depth = await self._journal.queue.depth(talk.lane.scope)
        waits = bool(depth.ready or depth.delayed or depth.leased)
        return Read(tuple(nodes[key] for key in ids if key in nodes), tuple(_folded(changes)), waits)

    async def obey(self, talk: Talk, one: Utterance) -> list[Change]:
        """Forget what the person asks for in a turn that is new, of what he said himself; what changed."""
        if not one.wishes:
            return []
        (turn,) = await identified(self._journal, talk, [one])
        if one.key and await self._journal.events.find(talk.tenant, talk.persona.id, turn.event_id or ""):
            return []
        speaking = Speaking(talk.tenant, talk.persona, talk.person, talk.run_id or "forgetting")
        done = await obeyed(self.forget, self._journal.ledger, speaking, one.wishes)
        gone = (Change(act="forget", before=node) for each in done for node in each.gone)
        edited = (pair for each in done for pair in each.edited)
        return [*gone, *(Change(act="forget", before=before, after=after) for before, after in edited)]

    async def close(self, lane: Lane) -> None:
        """Have what was said in a lane read without waiting for more."""
        uncut = await self._journal.events.uncut(lane, through=AFTER_ALL)
        if uncut:
            await self._journal.queue.enqueue([silence_job(lane, uncut[-1].seq)])

    @property
    def _journal(self) -> Journal:
        return self.services.journal

    async def _read(self, talk: Talk, said: Sequence[Utterance]) -> list[Change]:
        """Windows are cut here as the worker will cut them, so that their runs are known by name."""
        lane, events = talk.lane, self._journal.events
        before = await events.uncut(lane, through=AFTER_ALL)
        fresh = await self._accept(talk, said)
        runs = [] if len(fresh) == len(said) else await self._runs_of(talk, said)
        if fresh and said[0].extract:
            new, last = {item.seq for item in fresh}, fresh[-1].seq
            uncut = {item.seq: item for item in (*before, *fresh, *await events.uncut(lane, through=last))}
            waiting = [uncut[seq] for seq in sorted(uncut) if seq <= last]
            windows = cut(waiting, talk.persona.memory.windows, silent=True).windows
            ids = [window_job(window).job_id for window in windows if new & {item.seq for item in window}]
            runs += [run for window in ids for run in (window, insight_id(window))]
            await self._journal.queue.enqueue([silence_job(lane, last)])
        await self._drained(lane)
        entries = [
            entry for run in dict.fromkeys(runs) for entry in await self._journal.ledger.of_run(lane.tenant, run)
        ]
        return [entry.change for entry in entries if entry.change.act in _DECISIONS]

    async def _drained(self, lane: Lane) -> None:
        """Return when nothing of the lane can be worked on, or is, by whomever; after `PATIENCE` in any case."""
        deadline = monotonic() + PATIENCE
        await self.drain()
        while monotonic() < deadline:
            depth = await self._journal.queue.depth(lane.scope)
            if not (depth.ready or depth.leased):
                return
            await self._journal.queue.wait(0.02)
            await self.drain()

    async def _runs_of(self, talk: Talk, said: Sequence[Utterance]) -> list[str]:
        """The runs that first rested a memory on turns that were taken in before."""
        ids = {_turn(talk, one) for one in said}
        runs: list[str] = []
        for memory_id in sorted(await self._journal.ledger.naming(talk.lane.scope, ids)):
            entries = await self._journal.ledger.history(talk.tenant, memory_id)
            named = (entry.run for entry in entries if entry.change.after and ids & {*entry.change.after.source_ids})
            runs += islice(named, 1)
        return runs


def _turn(talk: Talk, one: Utterance) -> str:
    assert one.event_id is not None
    return turn_id(talk.tenant, talk.persona.id, one.event_id)


def _parts(said: Sequence[Utterance]) -> list[list[Utterance]]:
    """What was said, parted before each turn that asks to forget something: it means what was known until then."""
    parts: list[list[Utterance]] = []
    for one in said:
        if not parts or one.wishes:
            parts.append([])
        parts[-1].append(one)
    return parts


def _folded(changes: Sequence[Change]) -> list[Change]:
    """One change of each memory, from its first state to its last."""
    folded: dict[str, Change] = {}
    for change in changes:
        first = folded.get(change.memory_id, change)
        if first.before is not None or change.after is not None:
            folded[change.memory_id] = change.revised(before=first.before)
    return list(folded.values())
