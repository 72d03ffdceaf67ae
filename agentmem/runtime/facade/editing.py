"""Conversations read while the caller waits, and memories written one by one, or corrected, by hand."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from agentmem.domain.change import Change
from agentmem.domain.memory import MemoryNode, StoreStatus, microseconds
from agentmem.domain.scope import Grant, Lane, Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import Conflict, InvalidInput, NotFound
from agentmem.ledger.listing import every
from agentmem.memory.edit import (
    BY_HAND,
    brought_back,
    check_since,
    check_text,
    edited,
    ended_by_hand,
    replaced_by_hand,
    settled,
    successor,
)
from agentmem.memory.relation import Relations
from agentmem.ports.ledger import Commit, Selection
from agentmem.runtime.composition.opened import Opened
from agentmem.runtime.facade.access import Access, needs, open_to_all, shows_its_own
from agentmem.runtime.facade.reading_turns import WindowReader
from agentmem.runtime.host.services import Services

Planned = Callable[[Mapping[str, MemoryNode]], Sequence[Change]]
"""From memories as they are to what is to become of them."""

MAX_ATTEMPTS = 5
"""So often a change is planned anew because somebody else changed the same memory first."""


@dataclass(frozen=True, slots=True)
class Editing:
    """Writes into the memories of the principal's tenant."""

    access: Access
    services: Services
    reader: WindowReader
    opened: Opened | None

    @needs(Grant.TALK, of="lane")
    async def read(self, lane: Lane) -> None:
        """Read what was said in a lane now, without waiting for more, and nothing else."""
        await self.reader.read_lane(lane)

    @shows_its_own(Grant.READ, Grant.WRITE)
    async def edit(
        self, memory_id: str, text: str, meta: Mapping[str, JsonValue] | None = None, *, since: datetime | None = None
    ) -> MemoryNode:
        """Give a memory other words by hand, and more metadata where given: it was wrong all along. With `since` it was
        true until then, and what is returned is the memory that replaces it. Raises `NotFound`, and `InvalidInput` for
        a turn, for one that does not hold any more and for a `since` before it held, or in the future."""
        relations = await self._relations((await self._held([memory_id])).get(memory_id))

        def plan(held: Mapping[str, MemoryNode]) -> list[Change]:
            node = _named(held, memory_id)
            if not node.is_valid(self.services.clock.now()):
                raise InvalidInput(f"memory {memory_id} no longer holds, so it cannot be changed")
            check_text(node, text)
            corrected = edited(node, text, meta)
            if since is not None:
                return self._replaced(node, corrected, since, held.values(), relations)
            return [Change(act="refresh", before=node, after=corrected, reason=BY_HAND)]

        change = (await self.write([memory_id], plan, cause="edit"))[-1]
        assert change.after is not None
        return change.after

    @shows_its_own(Grant.READ, Grant.WRITE)
    async def end(self, memory_id: str, *, since: datetime | None = None) -> MemoryNode:
        """Have a memory hold no more since then, or since now: it was true until it ended, and nothing takes its place.
        Raises `NotFound`, and `InvalidInput` for a turn and what a document says, for one that does not hold any more
        and for a `since` at which it did not hold yet, or in the future."""

        def plan(held: Mapping[str, MemoryNode]) -> list[Change]:
            return ended_by_hand(_named(held, memory_id), held.values(), since, self.services.clock.now())

        change = (await self.write([memory_id], plan, cause="edit"))[0]
        assert change.after is not None
        return change.after

    @shows_its_own(Grant.READ, Grant.WRITE)
    async def bring_back(self, memory_id: str) -> MemoryNode:
        """Have a memory hold again that has ended, and nothing else of what ended it undone; what took its place holds
        beside it, and disputes it where the two fill a slot of one value. Raises `NotFound`, and `InvalidInput` for one
        that holds or never held by itself, or whose time is over."""
        tenant, ledger = self.access.principal.tenant, self.services.journal.ledger
        history = await ledger.history(tenant, memory_id)
        beside, relations = await self._beside((await self._held([memory_id])).get(memory_id))

        def plan(held: Mapping[str, MemoryNode]) -> list[Change]:
            node = _named(held, memory_id)
            others = [other for other in held.values() if other is not node and not other.is_forgotten]
            return brought_back(node, history, others, relations, self.services.clock.now())

        change = (await self.write([memory_id, *beside], plan, cause="edit"))[0]
        assert change.after is not None
        return change.after

    async def _beside(self, node: MemoryNode | None) -> tuple[list[str], Relations]:
        """The ids of what took the place of a memory and of what fills slots of the same person, and how that stands
        to each other."""
        if node is None:
            return [], Relations({})
        journal, scope = self.services.journal, Scope(node.tenant, node.agent_id, node.target_id)
        relations = await self._relations(node)
        slot, told = relations.slot(node), Selection(scope, (node.memory_type,), (StoreStatus.VALID,))
        filling = [other async for other in every(journal.ledger, told)] if slot is not None else []
        ids = [other.memory_id for other in filling if relations.slot(other) == slot]
        return [*filter(None, [node.superseded_by]), *ids], relations

    async def _relations(self, node: MemoryNode | None) -> Relations:
        """How memories of the agent of this one stand to each other."""
        if node is None:
            return Relations({})
        persona = await self.services.journal.registry.agent(node.tenant, node.agent_id)
        return Relations(persona.memory.attributes if persona else {})

    @shows_its_own(Grant.READ, Grant.WRITE)
    async def settle(self, memory_id: str, other_id: str, *, wrong: str | None = None) -> None:
        """Decide a dispute of two memories: one of them, `wrong`, was never true; without it the two have nothing to do
        with each other. Raises `NotFound`, and `InvalidInput` where they do not dispute each other,
        or one of them does not hold."""
        if wrong not in (None, memory_id, other_id):
            raise InvalidInput(f"wrong: {wrong!r} is neither of the two")

        def plan(held: Mapping[str, MemoryNode]) -> list[Change]:
            one, other = _named(held, memory_id), _named(held, other_id)
            taken_back = next((node for node in (one, other) if node.memory_id == wrong), None)
            return settled(one, other, taken_back, held.values(), self.services.clock.now())

        await self.write([memory_id, other_id], plan, cause="edit")

    def _replaced(
        self,
        node: MemoryNode,
        corrected: MemoryNode,
        since: datetime,
        beside: Iterable[MemoryNode],
        relations: Relations,
    ) -> list[Change]:
        now = self.services.clock.now()
        check_since(node, corrected.content, since, now)
        stamp = self.services.timestamps.next(microseconds(now))
        after = successor(corrected, memory_id=str(uuid4()), timestamp=stamp, since=since, now=now)
        return replaced_by_hand(node, after, beside, relations, now)

    @shows_its_own(Grant.READ, Grant.WRITE)
    async def write(self, memory_ids: Collection[str], planned: Planned, *, cause: str) -> Sequence[Change]:
        """Change these memories, or make them, as one run that `undo` takes back; `planned` is given them with what
        disputes them, and asked again where somebody else wrote first. Raises `Conflict` where that goes on,
        `NotFound` for what is not the principal's."""
        tried = 0
        while changes := tuple(planned(await self._held_and_disputing(memory_ids))):
            self._demand_writing(changes)
            tried += 1
            try:
                await self._commit(changes, cause)
            except Conflict:
                if tried == MAX_ATTEMPTS:
                    raise
            else:
                break
        return changes

    def _demand_writing(self, changes: Sequence[Change]) -> None:
        states = [node for change in changes for node in change.states]
        if len(self.access.visible(Grant.WRITE, states)) != len(states):
            raise NotFound("no such memory")

    async def _held_and_disputing(self, memory_ids: Collection[str]) -> dict[str, MemoryNode]:
        held = await self._held(memory_ids)
        disputing = {key for node in held.values() for key in node.conflicts_with} - held.keys()
        return held | await self._held(disputing) if disputing else held

    async def _held(self, memory_ids: Collection[str]) -> dict[str, MemoryNode]:
        tenant = self.access.principal.tenant
        found = await self.services.journal.ledger.get(tenant, memory_ids, forgotten=True)
        readable = self.access.visible(Grant.READ, found.values())
        return {node.memory_id: node for node in self.access.visible(Grant.WRITE, readable)}

    async def _commit(self, changes: tuple[Change, ...], cause: str) -> None:
        tenant, now = self.access.principal.tenant, self.services.clock.now()
        await self.services.journal.ledger.commit(Commit(tenant, f"{cause}/{uuid4()}", cause, now, changes))
        if self.opened is not None:
            await self.opened.projector.catch_up()

    @open_to_all
    async def stamp(self) -> int:
        """The timestamp of a new memory."""
        return self.services.timestamps.next(microseconds(self.services.clock.now()))


def _named(held: Mapping[str, MemoryNode], memory_id: str) -> MemoryNode:
    """The memory of that id. Raises `NotFound`."""
    node = held.get(memory_id)
    if node is None or node.is_forgotten:
        raise NotFound(f"no memory {memory_id!r}")
    return node
