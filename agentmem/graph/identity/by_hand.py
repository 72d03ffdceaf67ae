"""Entities joined and parted by hand, each in a run of its own that `history` shows and `undo` takes back; and the
decisions about who is who that a copy of an agent carries along.

A copy makes its entities anew from its own memories, but what a person or a model decided does not follow from these.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from agentmem.domain.entity import APART, named
from agentmem.domain.ids import is_id
from agentmem.domain.memory import MemoryNode, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import Conflict, InvalidInput, NotFound
from agentmem.graph.identity.entities import (
    COUNT,
    MERGED_BY,
    TALKED_TO,
    above,
    joined,
    load,
    parted,
    root,
    set_apart,
    together,
    told_of,
)
from agentmem.ledger.plan import Plan
from agentmem.ports.ledger import Commit, Ledger

MAX_ATTEMPTS = 5
"""So often a change is planned anew because a worker wrote the same entity first."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Two entities as they are now, and the run that made them so."""

    run: str
    one: MemoryNode
    other: MemoryNode


@dataclass(frozen=True, slots=True)
class Hand:
    """Writes into the entities of one agent, whoever else does."""

    ledger: Ledger
    now: Callable[[], datetime]

    async def merge(self, scope: Scope, one: str, other: str) -> Settled:
        """Take `other` into `one`, names and all. Raises `NotFound` for a name that no memory mentions, and
        `InvalidInput` where they are one already."""
        for tried in range(1, MAX_ATTEMPTS + 1):
            plan = await self._plan(scope, (one, other))
            first, second = self._whole(plan, scope, one), self._whole(plan, scope, other)
            if first.memory_id == second.memory_id:
                raise InvalidInput(f"{one!r} and {other!r} are one already: {first.value}")
            both = joined(*together(first, second), by="hand", now=self.now())
            said = await self.ledger.get(scope.tenant, both.whole.source_ids)
            plan.put(told_of(both.whole, said.values()), "merge", f"{other} is {one}")
            plan.put(both.taken, "merge", f"{other} is {one}")
            if run := await self._written(plan, scope, "merge", last=tried == MAX_ATTEMPTS):
                return Settled(run, plan[first.memory_id], plan[second.memory_id])
        raise AssertionError("every try returns or raises")

    async def split(self, scope: Scope, name: str) -> Settled:
        """Let a name that leads on to another entity stand for its own again, from now on. Raises `NotFound`, and
        `InvalidInput` for one that was not merged into another."""
        for tried in range(1, MAX_ATTEMPTS + 1):
            plan = await self._plan(scope, (name,))
            taken = plan.get(named(scope.tenant, scope.agent, name))
            if taken is None:
                raise NotFound(f"{scope.agent!r} knows nothing of {name!r}")
            if taken.superseded_by is None:
                raise InvalidInput(f"{name!r} was not merged into anything; its names: {', '.join(taken.key)}")
            whole = await self._parted(plan, taken)
            if run := await self._written(plan, scope, "split", last=tried == MAX_ATTEMPTS):
                return Settled(run, plan[taken.memory_id], plan[whole])
        raise AssertionError("every try returns or raises")

    async def _parted(self, plan: Plan, taken: MemoryNode) -> str:
        """Free it from all it leads on to; the id of the last of these, which had its names."""
        reason = f"{taken.value} is by itself"
        higher = list(above(plan, taken))
        whole = higher[-1]
        known = await self.ledger.get(taken.tenant, {*whole.source_ids, *taken.source_ids})
        both = parted(whole, taken, known.values())
        for node in set_apart(higher, taken, both):
            plan.put(node, "refresh", reason)
        return whole.memory_id

    async def _plan(self, scope: Scope, names: Iterable[str]) -> Plan:
        ids = {named(scope.tenant, scope.agent, name) for name in names}
        return Plan((await load(self.ledger, scope.tenant, ids)).values())

    def _whole(self, plan: Plan, scope: Scope, name: str) -> MemoryNode:
        node = plan.get(root(plan, named(scope.tenant, scope.agent, name)))
        if node is None or node.store_status is not StoreStatus.VALID:
            raise NotFound(f"{scope.agent!r} knows nothing of {name!r}")
        return node

    async def _written(self, plan: Plan, scope: Scope, cause: str, *, last: bool) -> str | None:
        """The run; None where somebody else wrote first."""
        run = f"{cause}/{uuid4()}"
        try:
            await self.ledger.commit(Commit(scope.tenant, run, cause, self.now(), plan.changes()))
        except Conflict:
            if last:
                raise
            return None
        return run


def decided_in(entities: Iterable[MemoryNode]) -> list[MemoryNode]:
    """Those of an agent's entities that were joined or parted, with their names and without what is said of them; what
    took another one in stands before it."""
    known = {node.memory_id: node for node in entities}
    wanted = [node for node in known.values() if node.superseded_by in known or APART in node.meta_data]
    found: dict[str, MemoryNode] = {}
    for node in sorted(wanted, key=lambda node: (node.timestamp, node.memory_id)):
        for each in reversed(_chain(node, known)):
            found.setdefault(each.memory_id, _bare(each))
    return list(found.values())


def carried(
    decisions: Iterable[MemoryNode], ids: Mapping[str, str], memory_id: Callable[[str], str | None]
) -> list[MemoryNode]:
    """These decisions among entities of other `ids`. Left out is what is decided about one that has none there, and
    what rests on a memory for which `memory_id` answers None."""
    found: dict[str, MemoryNode] = {}
    for node in decisions:
        key, onward = ids.get(node.memory_id), ids.get(node.superseded_by or "")
        by = node.meta_data.get(MERGED_BY)
        told = memory_id(by) if isinstance(by, str) and is_id(by) else by
        lost = node.superseded_by is not None and (onward not in found or told is None)
        if key is not None and key not in found and not lost:
            meta = {name: value for name, value in node.meta_data.items() if name not in (MERGED_BY, APART)}
            meta |= {MERGED_BY: told} if told is not None else {}
            meta |= {APART: there} if (there := _apart(node, ids)) else {}
            found[key] = node.revised(memory_id=key, superseded_by=onward, meta_data=meta)
    return list(found.values())


def called(node: MemoryNode, names: Iterable[str]) -> MemoryNode:
    """The entity under these names, the fullest it had among them."""
    kept = tuple(names)
    return told_of(node.revised(key=kept, value=node.value if node.value in kept else kept[0]), ())


def _chain(node: MemoryNode, known: Mapping[str, MemoryNode]) -> list[MemoryNode]:
    chain: list[MemoryNode] = []
    above: MemoryNode | None = node
    while above is not None and above not in chain:
        chain.append(above)
        above = known.get(above.superseded_by or "")
    return chain


def _bare(node: MemoryNode) -> MemoryNode:
    # What was taken in is counted no further; what took it in is counted anew, of the copy's memories.
    kept = (MERGED_BY, APART, TALKED_TO) if node.store_status is StoreStatus.VALID else (MERGED_BY, APART, COUNT)
    meta = {name: node.meta_data[name] for name in kept if name in node.meta_data}
    return told_of(node, ()).revised(meta_data=meta, revision=1, obs_updated=0)


def _apart(node: MemoryNode, ids: Mapping[str, str]) -> list[JsonValue]:
    held = node.meta_data.get(APART)
    return [ids[key] for key in held if isinstance(key, str) and key in ids] if isinstance(held, list) else []
