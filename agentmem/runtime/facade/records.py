"""Agents and single memories by id, as far as the principal may see them; the rest is not there."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from agentmem.domain.change import LedgerEntry
from agentmem.domain.entity import told_by
from agentmem.domain.filter import AllOf
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant, Lane, Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.ledger.listing import every
from agentmem.ledger.projection import Projector
from agentmem.memory.observe import insight_id
from agentmem.ports.cognition import Cognition
from agentmem.ports.event_log import Progress
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Ledger, RunSummary, Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.access import Access, needs, shows_its_own
from agentmem.runtime.facade.inspecting import Inspecting

_OPERATORS: Final = ("tools", "knowledge", "model")
PAGE = 1_000
REFLECTION: Final = "reflection"
"""The cause of what a reflection changes."""

MAX_DIGITS: Final = 19
"""Of the number of a change."""
MAX_PEOPLE = 10_000


@dataclass(frozen=True, slots=True)
class EventState:
    """How far an event is: on disk; read, so that nothing more is to be done; the same, and in the index; or given up,
    and why."""

    state: Literal["accepted", "read", "indexed", "parked"]
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryChanged:
    """A memory as it is since its last change, None where it is gone. `cursor`: what follows comes after it."""

    cursor: str
    memory_id: str
    memory: MemoryNode | None


@dataclass(frozen=True, slots=True)
class Changes:
    """Memories that changed, in the order of their last changes; what follows comes after `cursor`. `more`: some may be
    there already."""

    changes: tuple[MemoryChanged, ...]
    cursor: str
    more: bool


@dataclass(frozen=True, slots=True)
class RunEntries:
    """What a run changed, oldest first; what follows comes after row `next`, None where nothing does. A page is shorter
    where something was forgotten since."""

    entries: tuple[LedgerEntry, ...]
    next: int | None


@dataclass(frozen=True, slots=True)
class Records:
    """Look-ups in the journal of the principal's tenant. `projector` is None where this process holds no index;
    `cognition` where nobody asks why nothing was made of a turn."""

    access: Access
    journal: Journal
    projector: Projector | None = None
    cognition: Cognition | None = None

    @property
    def inspecting(self) -> Inspecting:
        """How many of them there are, and what rests on what."""
        return Inspecting(self.access, self.journal, self.cognition)

    @shows_its_own()
    async def agents(self) -> list[Persona]:
        """The agents of which the principal may do anything, by id."""
        there = await self.journal.registry.agents(self.access.principal.tenant)
        return [persona for persona in there if self.access.knows(persona.id)]

    @shows_its_own()
    async def agent(self, agent_id: str) -> Persona:
        """One of them. Raises `NotFound`."""
        found = await self.journal.registry.agent(self.access.principal.tenant, agent_id)
        if found is None or not self.access.knows(agent_id):
            raise NotFound(f"no agent {agent_id!r}")
        return found

    @shows_its_own()
    async def check_granted(self, persona: Persona) -> None:
        """Raise `InvalidInput` where somebody else than the operator gives an agent what runs, is read or is called
        from this machine: tools, documents by path, a model. What it has of them already it may keep."""
        if self.access.principal.operator:
            return
        held = await self.journal.registry.agent(self.access.principal.tenant, persona.id)
        for name in _OPERATORS:
            given = getattr(persona, name)
            if given and given != getattr(held, name, None):
                raise InvalidInput(f"persona: {name}: only the operator of this store gives an agent {name}")

    @shows_its_own(Grant.READ)
    async def get(
        self, memory_ids: Collection[str], *, known_at: datetime | None = None, forgotten: bool = False
    ) -> dict[str, MemoryNode]:
        """Memories by id, as `Ledger.get` answers them; those that are not there or not to be seen are left out. Only
        the owner sees `forgotten` ones."""
        shown = forgotten and self.access.principal.operator
        tenant = self.access.principal.tenant
        found = await self.journal.ledger.get(tenant, memory_ids, known_at=known_at, forgotten=shown)
        return {node.memory_id: node for node in self.access.visible(Grant.READ, found.values())}

    @shows_its_own(Grant.READ)
    async def beginning(
        self, start: str, *, known_at: datetime | None = None, forgotten: bool = False
    ) -> list[MemoryNode]:
        """The memories whose ids begin so. Only the owner sees `forgotten` ones."""
        statuses = tuple(StoreStatus) if forgotten and self.access.principal.operator and known_at is None else ()
        found: list[MemoryNode] = []
        for persona in await self.agents():
            own = self.access.own_target(persona.id)
            scope = Scope(self.access.principal.tenant, persona.id, own)
            if self.access.may(Grant.READ, scope):
                nodes = await self._all(Selection(scope, statuses=statuses, limit=PAGE, known_at=known_at))
                found += (node for node in nodes if node.memory_id.startswith(start))
        return self.access.visible(Grant.READ, found)

    @shows_its_own(Grant.READ)
    async def history(self, memory_id: str, *, forgotten: bool = True) -> list[LedgerEntry]:
        """The changes of one memory, oldest first; empty where it is not there or not to be seen. What is forgotten is
        told to the owner alone, and not to him without `forgotten`."""
        tenant = self.access.principal.tenant
        entries = await self.journal.ledger.history(tenant, memory_id)
        if not self.access.sees(Grant.READ, entries):
            return []
        return entries if forgotten and self.access.principal.operator else _told(entries)

    @shows_its_own()
    async def asked_of(self, query: object, agent: str | None, about: str | None) -> Scope | None:
        """What a question in words is asked of; None for a query, which says it itself. Raises `InvalidInput` where it
        is not clear which agent is meant."""
        if not isinstance(query, str):
            if agent is not None or about is not None:
                raise InvalidInput("agent and about go with a question in words: a query names its scope itself")
            return None
        if agent is None:
            there = [persona.id for persona in await self.agents()]
            if len(there) != 1:
                raise InvalidInput(f"agent: say which one is asked; there are: {', '.join(there) or 'none'}")
            agent = there[0]
        tenant = self.access.principal.tenant
        return Scope(tenant, agent, None if about is None else entity_id(tenant, agent, canonical_name(about)))

    @needs(Grant.READ, of="scope")
    async def reflections(self, scope: Scope, *, before: int | None = None, limit: int = 100) -> list[RunSummary]:
        """The reflections that changed memories in scope, the latest first; `before` is the `seq` of the last seen."""
        return await self.journal.ledger.runs(scope, cause=REFLECTION, before=before, limit=limit)

    @shows_its_own(Grant.READ)
    async def of_run(self, run: str, *, after: int = 0, limit: int | None = None) -> RunEntries:
        """The changes that a run made, oldest first, without what was forgotten since: all, or a page of `limit` behind
        row `after`. Raises `NotFound`, also where the principal may not see all that the run touched."""
        tenant, ledger = self.access.principal.tenant, self.journal.ledger
        lanes = await ledger.lanes_of_run(tenant, run)
        entries = await ledger.of_run(tenant, run, after=after, limit=limit) if lanes else []
        its_own = all(self.access.may(Grant.READ, lane.scope) for lane in lanes)
        if not lanes or not its_own or not self.access.sees(Grant.READ, entries):
            raise NotFound(f"no run {run!r}")
        histories = (await ledger.histories(tenant, {entry.memory_id for entry in entries})).values()
        rows = {entry.seq for entry in entries}
        seen = (_told(history) for history in histories if self.access.sees(Grant.READ, history))
        told = sorted((entry for told in seen for entry in told if entry.seq in rows), key=lambda entry: entry.seq)
        return RunEntries(tuple(told), entries[-1].seq if len(entries) == limit else None)

    @needs(Grant.READ, of="scope")
    async def told_of(self, scope: Scope) -> list[str]:
        """Of whom else something is known that the scope's target told; see `Ledger.told_of`."""
        return await self.journal.ledger.told_of(scope)

    @needs(Grant.READ, of="scope")
    async def changes(self, scope: Scope, *, after: str | None = None) -> Changes:
        """What has changed in a scope after a cursor; without one nothing, and the cursor to begin at. A memory that
        changed several times is told once, as it is now. Raises `InvalidInput` for what is no cursor."""
        if after is None:
            return Changes((), str(await self.journal.ledger.head()), more=False)
        if not (after.isascii() and after.isdigit() and len(after) < MAX_DIGITS):
            raise InvalidInput(f"{after[:30]!r} is no cursor: give the one that came with an earlier change")
        found = await self.journal.ledger.since(int(after), limit=PAGE)
        mine = [version for version in found if _is_within(version.lane, scope) and version.unreadable is None]
        told = [MemoryChanged(str(version.seq), version.memory_id, _shown(version.node)) for version in mine]
        return Changes(tuple(told), str(found[-1].seq) if found else after, more=len(found) == PAGE)

    @shows_its_own(Grant.TALK, Grant.READ)
    async def event(self, event_key: str) -> EventState:
        """How far the event is that was accepted under this key, `Accepted.event_key` in hexadecimal; for whoever may
        talk or read where it was told. Why it was given up is told to the owner alone. Raises `NotFound`."""
        unknown = NotFound(f"no event {event_key!r}")
        try:
            named = bytes.fromhex(event_key)
        except ValueError:
            raise unknown from None
        found = await self.journal.events.progress(self.access.principal.tenant, named)
        mine = found is not None and any(self.access.may(grant, found.lane.scope) for grant in (Grant.TALK, Grant.READ))
        if found is None or not mine:
            raise unknown
        if found.parked is not None:
            return EventState("parked", found.parked if self.access.principal.operator else None)
        if found.waits:
            return EventState("accepted")
        return EventState("indexed" if await self._is_indexed(found) else "read")

    async def _is_indexed(self, event: Progress) -> bool:
        if self.projector is None:
            return False
        windows = await self.journal.events.windows_of(event.lane, {event.seq})
        runs = [run for window in windows for run in (window, insight_id(window))]
        written = [entry.seq for run in runs for entry in await self.journal.ledger.of_run(event.lane.tenant, run)]
        return max(written, default=0) <= self.projector.position

    async def _all(self, selection: Selection) -> list[MemoryNode]:
        return [node async for node in every(self.journal.ledger, selection)]


def _is_within(lane: Lane, scope: Scope) -> bool:
    own = (lane.tenant, lane.agent) == (scope.tenant, scope.agent)
    return own and (scope.target is None or lane.target in scope.targets)


def _shown(node: MemoryNode | None) -> MemoryNode | None:
    return None if node is None or node.is_forgotten else node


async def people_called(journal: Journal, scope: Scope, name: str) -> list[str]:
    """Whom a name may mean, ids, best first: who spoke under it, those known by it as an alias, and of whom others
    speak under it."""
    wanted, ledger = canonical_name(name), journal.ledger
    exact = entity_id(scope.tenant, scope.agent, wanted)
    people = Selection(scope, types=(MemoryType.OBSERVATION,), statuses=(StoreStatus.VALID,), limit=MAX_PEOPLE).told
    also = [
        node.target_id
        for node in (await ledger.select(people) if people else ())
        if node.attribute in ("alias", "name") and canonical_name(node.value or "") == wanted
    ]
    known = {lane.target for lane in await journal.events.lanes(scope)}
    told = Selection(Scope(scope.tenant, scope.agent, exact), limit=1).told
    held = await ledger.select(told) if told else []
    spoke, told_of = [exact] if exact in known else [], [exact] if held else []
    return list(dict.fromkeys((*spoke, *also, *told_of)))


async def with_told(query: RecallQuery, access: Access, ledger: Ledger) -> RecallQuery:
    """A question about a person, asked also of what he told of others; as it is for whoever may see him alone."""
    scope = query.scope
    if scope.target is None or scope.beside or not access.may(Grant.READ, Scope(scope.tenant, scope.agent)):
        return query
    others = tuple(await ledger.told_of(scope))
    told = told_by(scope.target)
    wanted = told if query.filter is None else AllOf((told, query.filter))
    return replace(query, scope=replace(scope, beside=others), filter=wanted) if others else query


def _told(entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    """A history without what is forgotten: nothing of a memory that is, and of one that something was taken out of, or
    that was forgotten and made anew, as communities are, only what came after that."""
    last = entries[-1].change.after if entries else None
    if last is None or last.is_forgotten:
        return []
    told: list[LedgerEntry] = []
    for entry in entries:
        before, after = entry.change.before, entry.change.after
        if after is not None and after.is_forgotten:
            told = []
        elif entry.change.act == "forget" or (before is not None and before.is_forgotten):
            told = [entry.revised(change=entry.change.revised(before=None))]
        else:
            told.append(entry)
    return told
