"""What there is to look into, as an open app offers it: `app.records.inspecting`."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from agentmem.domain.change import LedgerEntry
from agentmem.domain.entity import TOLD_IN, named
from agentmem.domain.episode import episode_id, turn_id
from agentmem.domain.event import TurnSpoken
from agentmem.domain.memory import LAYERS, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Grant, Lane, Scope
from agentmem.errors import InvalidInput
from agentmem.ledger.listing import Page, page
from agentmem.ports.cognition import Cognition, Silence, why_nothing
from agentmem.ports.journal import Journal, LayerCount, WindowEndings
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.access import Access, needs, shows_its_own

MAX_RESTING: Final = 500
"""Memories that are told to rest on others, at once."""

PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """Somebody of whom there are memories. `newest` is when the youngest was made; `cursor` where the list goes on."""

    target_id: str
    name: str
    memories: int
    newest: datetime
    cursor: int


@dataclass(frozen=True, slots=True)
class KnownTalk:
    """A talk, with its turns counted; `newest` and `cursor` as of a `KnownPerson`."""

    run_id: str
    turns: int
    newest: datetime
    cursor: int


@dataclass(frozen=True, slots=True)
class Overview:
    """How many memories of each layer there are, and a page of those whom they are about, the one last told of
    first."""

    layers: tuple[LayerCount, ...]
    people: tuple[KnownPerson, ...]


@dataclass(frozen=True, slots=True)
class ForgottenRun:
    """Memories that were forgotten together, as they were, by a run that `undo` takes back."""

    run: str
    at: datetime
    memories: tuple[MemoryNode, ...]


@dataclass(frozen=True, slots=True)
class Inspecting:
    """Counts and links of the principal's tenant, so that a page of a large memory costs no more than it shows."""

    access: Access
    journal: Journal
    cognition: Cognition | None = None

    @needs(Grant.READ, of="scope")
    async def overview(self, scope: Scope, *, before: int | None = None, limit: int = PAGE) -> Overview:
        """How much there is in a scope, and of whom; with `before` of those behind that cursor. Whom an agent knows it
        is not itself, although what it was given to read is kept under its own name."""
        _check(limit)
        persona = None if scope.target else await self.journal.registry.agent(scope.tenant, scope.agent)
        itself = None if persona is None else named(scope.tenant, scope.agent, persona.name)
        layers, lanes = await self.journal.inspection.overview(scope, before=before, limit=limit, besides=itself)
        nodes = await self.journal.ledger.get(scope.tenant, [lane.newest for lane in lanes])
        people = (
            KnownPerson(node.target_id, node.target_name, lane.memories, _moment(lane.timestamp), lane.timestamp)
            for lane in lanes
            if (node := nodes.get(lane.newest)) is not None
        )
        return Overview(tuple(layers), tuple(people))

    @needs(Grant.READ, of="scope")
    async def talks(self, scope: Scope, *, before: int | None = None, limit: int = PAGE) -> list[KnownTalk]:
        """The talks of a scope, the last one first; with `before` those behind that cursor."""
        _check(limit)
        counted = await self.journal.inspection.talks(scope, before=before, limit=limit)
        return [KnownTalk(each.run_id, each.turns, _moment(each.timestamp), each.timestamp) for each in counted]

    @needs(Grant.READ, of="scope")
    async def turns(
        self, scope: Scope, *, after: tuple[int, str] | None = None, limit: int = PAGE, forgotten: bool = False
    ) -> Page:
        """The turns of a scope, newest first, behind that place. Only the owner sees `forgotten` ones."""
        _check(limit)
        told = (StoreStatus.VALID, StoreStatus.EXPIRED)
        statuses = tuple(StoreStatus) if forgotten and self.access.principal.operator else told
        chosen = Selection(scope, (MemoryType.CONVERSATION,), statuses, after=after, limit=limit)
        return await page(self.journal.ledger, chosen, lambda _: True)

    @needs(Grant.READ, of="scope")
    async def forgotten(self, scope: Scope, *, limit: int = PAGE) -> list[ForgottenRun]:
        """What is forgotten in a scope and can be brought back, what went last first: of the youngest `limit` memories
        that are. Only the owner is told of it."""
        _check(limit)
        if not self.access.principal.operator:
            return []
        gone = await self.journal.ledger.select(Selection(scope, LAYERS, (StoreStatus.DELETED,), limit=limit))
        histories = await self.journal.ledger.histories(scope.tenant, [node.memory_id for node in gone])
        last = [history[-1] for history in histories.values()]
        runs: dict[str, list[LedgerEntry]] = {}
        for entry in sorted(last, key=lambda entry: -entry.seq):
            if entry.change.before is not None:
                runs.setdefault(entry.run, []).append(entry)
        return [
            ForgottenRun(run, entries[0].at, tuple(entry.change.states[0] for entry in entries))
            for run, entries in runs.items()
        ]

    @shows_its_own(Grant.READ)
    async def resting_on(self, memory_ids: Sequence[str]) -> Mapping[str, tuple[MemoryNode, ...]]:
        """By the id of each of these memories what rests on it now, youngest first, as far as the principal may see
        both; at most `MAX_RESTING` of them."""
        tenant = self.access.principal.tenant
        pairs = await self.journal.inspection.resting_on(tenant, memory_ids, limit=MAX_RESTING)
        there = await self.journal.ledger.get(tenant, {key for pair in pairs for key in pair})
        nodes = {node.memory_id: node for node in self.access.visible(Grant.READ, there.values())}
        found: dict[str, list[MemoryNode]] = {}
        for source, made in pairs:
            node = nodes.get(made)
            if source in nodes and node is not None and source in (*node.source_ids, *node.depends_on):
                found.setdefault(source, []).append(node)
        return {source: tuple(made) for source, made in found.items()}

    @shows_its_own(Grant.READ)
    async def changed_by(self, runs: Collection[str]) -> Mapping[str, int]:
        """How many memories each of these runs changed, of those whom the principal may see."""
        counted: Counter[str] = Counter()
        for run, lane, number in await self.journal.inspection.changed_by(self.access.principal.tenant, runs):
            if self.access.may(Grant.READ, lane.scope):
                counted[run] += number
        return counted

    @shows_its_own(Grant.READ)
    async def ended_in(self, turns: Sequence[MemoryNode]) -> Mapping[str, tuple[MemoryNode, ...]]:
        """By the id of each of these turns of one talk what it brought to an end, with nothing in its place."""
        if not turns or turns[0].run_id is None:
            return {}
        lane = Lane(self.access.principal.tenant, turns[0].agent_id, turns[0].target_id)
        heard = [node.created_at for node in turns]
        endings = await self.journal.inspection.endings(lane, talk=turns[0].run_id, first=min(heard), last=max(heard))
        found: dict[str, list[MemoryNode]] = {}
        for node, spoken in await self._ended(lane, endings):
            for turn in spoken if len(spoken) == 1 else ():
                found.setdefault(turn.memory_id, []).append(node)
        return {turn.memory_id: tuple(found.get(turn.memory_id, ())) for turn in turns}

    @shows_its_own(Grant.READ)
    async def ended_by(self, memory_id: str, run: str) -> tuple[MemoryNode, ...]:
        """The turns that brought a memory to an end, with nothing in its place, where this run read them: the one that
        did or, where that cannot be told, all of the person's that were read with it."""
        tenant = self.access.principal.tenant
        node = (await self.journal.ledger.get(tenant, [memory_id])).get(memory_id)
        if node is None or not self.access.visible(Grant.READ, [node]):
            return ()
        told_in = node.meta_data.get(TOLD_IN)
        for target in dict.fromkeys((node.target_id, told_in if isinstance(told_in, str) else node.target_id)):
            lane, at = Lane(node.tenant, node.agent_id, target), node.created_at
            endings = await self.journal.inspection.endings(lane, talk="", first=at, last=at, runs=(run,))
            for ended, spoken in await self._ended(lane, endings):
                if ended.memory_id == memory_id:
                    return spoken
        return ()

    async def _ended(
        self, lane: Lane, endings: Sequence[WindowEndings]
    ) -> list[tuple[MemoryNode, tuple[MemoryNode, ...]]]:
        """What ended in windows and is over, with the turns of the person that the reader may see: the one that was
        spoken when it ended, or all of the window."""
        turn_ids = {each: [turn_id(lane.tenant, lane.agent, event) for event in each.turns] for each in endings}
        wanted = {key for ids in turn_ids.values() for key in ids} | {
            key for each in endings for key in each.memory_ids
        }
        there = await self.journal.ledger.get(lane.tenant, wanted)
        nodes = {node.memory_id: node for node in self.access.visible(Grant.READ, there.values())}
        found: list[tuple[MemoryNode, tuple[MemoryNode, ...]]] = []
        for each, ids in turn_ids.items():
            spoken = [nodes[key] for key in ids if key in nodes and nodes[key].meta_data.get("role") != "agent"]
            for node in (nodes[key] for key in each.memory_ids if key in nodes):
                if node.ending is not None and node.superseded_by is None:
                    exact = tuple(turn for turn in spoken if turn.valid_at == node.invalid_at)
                    found.append((node, exact or tuple(spoken)))
        return found

    @shows_its_own(Grant.READ)
    async def why_nothing(self, memory_ids: Sequence[str]) -> Mapping[str, Silence]:
        """By the id of each of these turns, as far as the principal may see it, what it does in place of stating
        something to be kept; those are left out of which the engine cannot say."""
        there = await self.journal.ledger.get(self.access.principal.tenant, memory_ids)
        turns = self.access.visible(Grant.READ, there.values())
        if self.cognition is None:
            return {}
        silent: dict[str, Silence] = {}
        for node in turns:
            if (why := why_nothing(self.cognition, node.content)) is not None:
                silent[node.memory_id] = why
        return silent

    @needs(Grant.READ, of="lane")
    async def unread(self, lane: Lane) -> frozenset[str]:
        """The ids of the turns of a lane that nobody has read yet, or whose reading was given up."""
        waiting = await self.journal.events.unread(lane)
        return frozenset(episode_id(item.event) for item in waiting if isinstance(item.event, TurnSpoken))


def _check(limit: int) -> None:
    if not 1 <= limit <= MAX_RESTING:
        raise InvalidInput(f"limit is {limit}, allowed: 1 to {MAX_RESTING}")


def _moment(timestamp: int) -> datetime:
    return datetime.fromtimestamp(timestamp // 1_000_000, UTC)
