"""Entities joined and parted by hand: each a run of its own, which `history` shows and `undo` takes back."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryNode, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.errors import Conflict, InvalidInput, NotFound
from agentmem.graph.identity.merging import joined, parted, together, without
from agentmem.graph.identity.resolution import above, load, root
from agentmem.graph.identity.summary import told_of
from agentmem.ledger.plan import Plan
from agentmem.ports.ledger import Commit, Ledger

TRIES = 5
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
        for tried in range(1, TRIES + 1):
            plan = await self._plan(scope, (one, other))
            first, second = self._whole(plan, scope, one), self._whole(plan, scope, other)
            if first.memory_id == second.memory_id:
                raise InvalidInput(f"{one!r} and {other!r} are one already: {first.value}")
            both = joined(*together(first, second), by="hand", now=self.now())
            said = await self.ledger.get(scope.tenant, both.whole.source_ids)
            plan.put(told_of(both.whole, said.values()), "merge", f"{other} is {one}")
            plan.put(both.taken, "merge", f"{other} is {one}")
            if run := await self._written(plan, scope, "merge", last=tried == TRIES):
                return Settled(run, plan[first.memory_id], plan[second.memory_id])
        raise AssertionError("every try returns or raises")

    async def split(self, scope: Scope, name: str) -> Settled:
        """Let a name that leads on to another entity stand for its own again, from now on. Raises `NotFound`, and
        `InvalidInput` for one that was not merged into another."""
        for tried in range(1, TRIES + 1):
            plan = await self._plan(scope, (name,))
            taken = plan.get(named(scope.tenant, scope.agent, name))
            if taken is None:
                raise NotFound(f"{scope.agent!r} knows nothing of {name!r}")
            if taken.superseded_by is None:
                raise InvalidInput(f"{name!r} was not merged into anything; its names: {', '.join(taken.key)}")
            whole = await self._parted(plan, taken)
            if run := await self._written(plan, scope, "split", last=tried == TRIES):
                return Settled(run, plan[taken.memory_id], plan[whole])
        raise AssertionError("every try returns or raises")

    async def _parted(self, plan: Plan, taken: MemoryNode) -> str:
        """Free it from all it leads on to; the id of the last of these, which had its names."""
        reason = f"{taken.value} is by itself"
        higher = list(above(plan, taken))
        whole = higher[-1]
        known = await self.ledger.get(taken.tenant, {*whole.source_ids, *taken.source_ids})
        both = parted(whole, taken, known.values())
        for between in higher[:-1]:
            plan.put(without(between, taken), "refresh", reason)
        plan.put(both.taken, "refresh", reason)
        plan.put(both.whole, "refresh", reason)
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
