"""Turns taken in and read at once, for callers that want to be told what became of them; and what an agent was told,
read before it is copied or packed, so that nothing stays behind unread.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import structlog

from agentmem.agents.talk.forget_in_talk import Ended, Forget, Forgetting, forgettings, known_names, obeyed, offered
from agentmem.agents.talk.talk import Talk as Speaking
from agentmem.domain.change import Act, Change
from agentmem.domain.episode import turn_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Lane, Scope
from agentmem.memory.episodes import silence_job
from agentmem.memory.observe import insight_id
from agentmem.ports.event_log import AFTER_ALL, Accepted
from agentmem.ports.journal import Journal
from agentmem.runtime.facade.speech import ConversationKey, Said, Utterance, identified, spoken
from agentmem.runtime.host.services import Services

log = structlog.get_logger()

Drain = Callable[[Scope], Awaitable[None]]
"""Works on what waits in a scope, and on nothing else."""

_DECISIONS: frozenset[Act] = frozenset({"add", "merge", "supersede", "end", "retire", "refresh"})
"""What reading turns decides about memories; that others are linked to them or put in doubt follows from it."""


@dataclass(frozen=True, slots=True)
class ReadTurns:
    """What became of turns: themselves as memories, and what reading them changed, each memory before and after.
    `waits`: not all that was said to this agent by this person could be read yet; it will be. `forgotten`: what became
    of each thing that the person asked in them to be forgotten. `accepted`: the turns as events."""

    turns: tuple[MemoryNode, ...]
    changes: tuple[Change, ...]
    waits: bool
    forgotten: tuple[Forgetting, ...] = ()
    accepted: tuple[Accepted, ...] = ()


@dataclass(frozen=True, slots=True)
class WindowReader:
    """Takes turns in and reads them. All of them need a `key`."""

    services: Services
    drain: Drain
    forget: Forget

    async def take_in(self, talk: ConversationKey, said: Sequence[Utterance], *, end: bool = False) -> Said:
        """Have the turns made durable, and the end of their conversation if they are the last. Nothing is read."""
        said = [await self._understood(talk, one) for one in await identified(self._journal, talk, said)]
        done = [ended for one in said for ended in await self.obey(talk, one)]
        return Said(tuple(await self._accept(talk, said, end=end)), forgettings(done))

    async def _accept(self, talk: ConversationKey, said: Sequence[Utterance], *, end: bool = False) -> list[Accepted]:
        events = await spoken(self._journal, self.services.clock, talk, said, end=end)
        return await self._journal.events.append(events, now=self.services.clock.now())

    async def read(self, talk: ConversationKey, said: Sequence[Utterance]) -> ReadTurns:
        """Take the turns in, do what they ask of the memory itself, and read them with all of their lane that waits.
        A call repeated under the same keys does nothing anew and tells the same."""
        said = await identified(self._journal, talk, said)
        ids = [_turn(talk, one) for one in said]
        changes: list[Change] = []
        accepted: list[Accepted] = []
        done: list[Ended] = []
        for first, *others in _parts(said):
            part = [await self._understood(talk, first), *others]
            obeyed_now = await self.obey(talk, part[0])
            done += obeyed_now
            changes += _changes(obeyed_now)
            taken, changed = await self._read(talk, part)
            accepted += taken
            changes += changed
        nodes = await self._journal.ledger.get(talk.tenant, ids)
        depth = await self._journal.queue.depth(talk.lane.scope)
        waits = bool(depth.ready or depth.delayed or depth.leased)
        turns = tuple(nodes[key] for key in ids if key in nodes)
        return ReadTurns(turns, tuple(_folded(changes)), waits, forgettings(done), tuple(accepted))

    async def obey(self, talk: ConversationKey, one: Utterance) -> list[Ended]:
        """Forget what the person asks for in a turn, `identified`, that is new, of what he said himself; see `obeyed`.
        What cannot be made out comes to nothing, see `Unmet`."""
        if not one.asks:
            return []
        if one.key and await self._journal.events.find(talk.tenant, talk.persona.id, one.event_id or ""):
            return []
        ledger, speaking = self._journal.ledger, _speaking(talk)
        if not one.asked.requests:
            return [*await offered(ledger, speaking, one.asked, one.text)]
        return await obeyed(self.forget, ledger, speaking, one.asked.wishes)

    async def _understood(self, talk: ConversationKey, one: Utterance) -> Utterance:
        """The turn with what it asks for, where that takes knowing who is known."""
        if not (one.asked.unsure or one.asked.doubtful):
            return one
        known = await known_names(self.forget, self._journal, _speaking(talk), one.asked, one.event_id)
        return replace(one, known=known) if known else one

    async def read_lane(self, lane: Lane) -> None:
        """Read what was said in a lane without waiting for more."""
        uncut = await self._journal.events.uncut(lane, through=AFTER_ALL)
        if uncut:
            await self._journal.queue.enqueue([silence_job(lane, uncut[-1].seq)])
        await self.drain(lane.scope)

    @property
    def _journal(self) -> Journal:
        return self.services.journal

    async def _read(self, talk: ConversationKey, said: Sequence[Utterance]) -> tuple[list[Accepted], list[Change]]:
        lane = talk.lane
        accepted = await self._accept(talk, said)
        fresh = [taken.seq for taken in accepted if not taken.duplicate]
        if fresh and said[0].extract:
            await self._journal.queue.enqueue([silence_job(lane, fresh[-1])])
        await self.drain(lane.scope)
        if not said[0].extract:
            return accepted, []
        windows = await self._journal.events.windows_of(lane, {taken.seq for taken in accepted})
        runs = [run for window in windows for run in (window, insight_id(window))]
        entries = [entry for run in runs for entry in await self._journal.ledger.of_run(lane.tenant, run)]
        return accepted, [entry.change for entry in entries if entry.change.act in _DECISIONS]


def _speaking(talk: ConversationKey) -> Speaking:
    return Speaking(talk.tenant, talk.persona, talk.person, talk.run_id or "forgetting")


def _turn(talk: ConversationKey, one: Utterance) -> str:
    assert one.event_id is not None
    return turn_id(talk.tenant, talk.persona.id, one.event_id)


def _changes(done: Iterable[Ended]) -> Iterator[Change]:
    """What forgetting changed."""
    for ended in done:
        yield from (Change(act="forget", before=node) for node in ended.gone)
        yield from (Change(act="forget", before=before, after=after) for before, after in ended.edited)


def _parts(said: Sequence[Utterance]) -> list[list[Utterance]]:
    """What was said, parted before each turn that asks to forget something: it means what was known until then."""
    parts: list[list[Utterance]] = []
    for one in said:
        if not parts or one.asks:
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


async def read_what_waits(services: Services, scope: Scope, drain: Callable[[Scope], Awaitable[None]]) -> None:
    """Close the agent's open windows as a silence would, and have all there is to read read; where the journal may only
    be read, what was not read stays so."""
    journal = services.journal
    if journal.read_only:
        return
    silent = await journal.events.silent_lanes(since=services.clock.now())
    jobs = [
        silence_job(lane, seq) for lane, _, seq in silent if (lane.tenant, lane.agent) == (scope.tenant, scope.agent)
    ]
    if jobs:
        await journal.queue.enqueue(jobs)
    if (await journal.queue.depth(scope)).ready:
        await drain(scope)
