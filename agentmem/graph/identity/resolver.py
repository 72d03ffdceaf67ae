"""Resolves new names to the entities they mean: candidates from the index for all new names at once, then rules, then a
model for what rules leave open.

Only a name that was not known is looked at, once. The cost depends on the number of new names, not of entities. Nothing
here looks at another agent's entities, let alone another tenant's.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import structlog
from pydantic import TypeAdapter

from agentmem.domain.entity import mentions_of, named
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus, Trust
from agentmem.domain.scope import Scope
from agentmem.errors import BadAnswer, without_content
from agentmem.graph.identity.entities import TALKED_TO, joined, load, root
from agentmem.graph.identity.same_entity import NameEvidence, decided, left_open, may_be_one, said_outright
from agentmem.language.same_names import shared_parts, short_form, telling_parts
from agentmem.language.tokens import query_sparse
from agentmem.ledger.plan import Plan
from agentmem.ledger.projection import Projector
from agentmem.ports.cognition import Doubt, Likeness, Resolved, Resolver
from agentmem.ports.embedder import Embedder, Matrix
from agentmem.ports.ledger import Ledger
from agentmem.ports.memory_index import Found, MemoryIndex, Probe, Sparse, Where
from agentmem.ports.work_queue import Claim, WorkQueue

NEAREST: Final = 15
"""Entities looked at for one name, of each way to find them."""

ALIKE: Final = 0.6
"""Cosine of two names from which they are near."""

AT_ONCE: Final = 100
"""Names in one query: the embedded index answers nothing else meanwhile."""


@dataclass(frozen=True, slots=True)
class Likely:
    """Ids of entities a name may mean: those of near names, the nearest first, and those found by its words alone."""

    near: tuple[str, ...]
    worded: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """Both."""
        return (*self.near, *self.worded)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Looks in the index, which it brings up to date first."""

    index: MemoryIndex
    embedder: Embedder
    projector: Projector

    async def of(self, scope: Scope, names: Sequence[str]) -> list[Likely]:
        """Entities of the scope's agent that hold, for each name. What it costs depends on the names and not on what is
        stored, save where vectors are compared. Raises `BackendUnavailable`."""
        if not names:
            return []
        await self.projector.catch_up()
        probes = await self._probes(names)
        where = Where(Scope(scope.tenant, scope.agent), types=(MemoryType.ENTITY,))
        found: list[Found] = []
        for first in range(0, len(probes), AT_ONCE):
            found += await self.index.search_many(where, probes[first : first + AT_ONCE], limit=NEAREST)
        return [_likely(each) for each in found]

    async def _probes(self, names: Sequence[str]) -> list[Probe]:
        """Words always; vectors where the embedder knows meanings. What vectors of spelling find, words find too, and
        an exact search through names took 2.8 ms at 8,000 entities, one for words 0.15 ms at any number."""
        rows: Sequence[Matrix | None] = [None] * len(names)
        if self.embedder.semantic:
            matrix = await self.embedder.embed(names, purpose="document")
            rows = [matrix[place : place + 1] for place in range(len(names))]
        return [Probe(row, Sparse(*query_sparse(name))) for row, name in zip(rows, names, strict=True)]


def _likely(found: Found) -> Likely:
    near = tuple(key for key, cosine in found.keys if cosine >= ALIKE)
    return Likely(near, tuple(key for key, _ in found.lexical if key not in near))


log = structlog.get_logger()

QUOTED: Final = 240
"""Characters of what is said of an entity that a model is shown."""

NAMES_ASKED: Final = 30
"""Names a model is asked about in one call; the others stay by themselves."""


@dataclass(frozen=True, slots=True)
class Offered:
    """Ids of what a new entity may be, all that rules look at; `near`, those a model may be asked about: of the other
    ones only words in their summaries tell, and they are as a rule what is told together with it."""

    ids: tuple[str, ...]
    near: frozenset[str]


Brought = Mapping[str, Sequence[MemoryNode]]
"""By the id of an entity, the memories of a claim that mention it."""

Left = tuple[MemoryNode, list[MemoryNode]]
"""A new entity, and those it may be as far as rules can tell."""

_STAGED: TypeAdapter[dict[str, str]] = TypeAdapter(dict[str, str])
"""By the id of each new entity a model was asked about that of the one it is; empty where it is by itself."""


@dataclass(frozen=True, slots=True)
class EntityResolver:
    """Finds for each name that a plan adds the entity it means, and merges both in the plan."""

    ledger: Ledger
    queue: WorkQueue
    candidates: Candidates
    model: Resolver | None = None

    async def resolve(self, claim: Claim, plan: Plan, changed: Sequence[MemoryNode], now: datetime) -> None:
        """Merge what is one. Raises `BackendUnavailable`; a bad answer of a model merges nothing."""
        for node in changed:
            _as_said(plan, node, now)
        new = [node for node in plan.valid() if plan.is_new(node.memory_id)]
        if not new:
            return
        brought = _brought(changed)
        scope = Scope(claim.lane.tenant, claim.lane.agent)
        offered = await self._offered(scope, new, plan, brought)
        said = await self._said(new, offered, plan, brought)
        left = _by_rules(plan, new, offered, lambda node: NameEvidence(brought.get(node.memory_id, ()), said), now)
        left = [each for each in left if _is_vouched_for(brought.get(each[0].memory_id, ()))]
        for one, other in (await self._asked(claim, left, brought)).items():
            if _may_still(plan, one, other):
                _merge(plan, one, other, "model", "a model took both for one", now)

    async def _offered(
        self, scope: Scope, new: Sequence[MemoryNode], plan: Plan, brought: Brought
    ) -> dict[str, Offered]:
        """For each new entity those it may be: known ones, and others that are new, or named beside it."""
        found = await self.candidates.of(scope, [str(node.value) for node in new])
        stored = await load(self.ledger, scope.tenant, {key for each in found for key in each.all})
        plan.learn(stored.values())
        among = _among(new)
        beside = {node.memory_id: _beside(brought.get(node.memory_id, ())) for node in new}
        return {
            node.memory_id: Offered(
                tuple(dict.fromkeys((*likely.all, *beside[node.memory_id], *among[node.memory_id]))),
                frozenset((*likely.near, *among[node.memory_id], *_alike(plan, node, likely.worded))),
            )
            for node, likely in zip(new, found, strict=True)
        }

    async def _said(
        self, new: Sequence[MemoryNode], offered: Mapping[str, Offered], plan: Plan, brought: Brought
    ) -> dict[str, list[MemoryNode]]:
        """What is known to be said of the candidates that a name may be short for, or that may be short for it."""
        wanted: dict[str, tuple[str, ...]] = {}
        for node in new:
            for other in _standing(plan, node, offered[node.memory_id].ids):
                names = [(str(node.value), each) for each in other.key]
                if any(short_form(a, b) or short_form(b, a) for a, b in names):
                    wanted[other.memory_id] = other.source_ids
        sources = {key for ids in wanted.values() for key in ids}
        known = await self.ledger.get(new[0].tenant, sources) if sources else {}
        return {
            entity: [*brought.get(entity, ()), *(known[key] for key in ids if key in known)]
            for entity, ids in wanted.items()
        }

    async def _asked(self, claim: Claim, left: Sequence[Left], brought: Brought) -> dict[str, str]:
        """By the id of a new entity that of the one it is, as the model decided it, or did at an earlier attempt."""
        job = claim.jobs[0]
        staged = _STAGED.validate_json(job.staged) if job.staged else {}
        asked = [each for each in left if each[0].memory_id not in staged][:NAMES_ASKED]
        if self.model is not None and asked:
            doubts = [_doubt(number, node, known, brought) for number, (node, known) in enumerate(asked, start=1)]
            try:
                resolved = await self.model.resolve(doubts)
            except BadAnswer as error:
                log.warning("entities_not_resolved", reason=without_content(error), names=len(doubts))
                resolved = Resolved({})
            if resolved.usage.calls:
                staged |= _answered(asked, resolved)
                await self.queue.stage(claim, job.job_id, _STAGED.dump_json(staged).decode())
        return {one: other for one, other in staged.items() if other}


def _answered(asked: Sequence[Left], resolved: Resolved) -> dict[str, str]:
    """The answer by ids; empty for a name that is by itself."""
    answered: dict[str, str] = {}
    for number, (node, known) in enumerate(asked, start=1):
        other = resolved.same.get(number)
        answered[node.memory_id] = known[other - 1].memory_id if other and 1 <= other <= len(known) else ""
    return answered


def _is_vouched_for(memories: Iterable[MemoryNode]) -> bool:
    """Whether any of these may have a model asked who is who: what somebody says about others may not."""
    return any(node.trust is not Trust.UNTRUSTED for node in memories)


def _brought(changed: Iterable[MemoryNode]) -> dict[str, list[MemoryNode]]:
    brought: dict[str, list[MemoryNode]] = defaultdict(list)
    for node in changed:
        mentioned = (named(node.tenant, node.agent_id, mention.name) for mention in mentions_of(node))
        for entity in dict.fromkeys((node.target_id, *mentioned)):
            brought[entity].append(node)
    return dict(brought)


def _beside(memories: Iterable[MemoryNode]) -> list[str]:
    """The entities named in these memories; the plan holds them, since it was made for what changed."""
    return [named(node.tenant, node.agent_id, mention.name) for node in memories for mention in mentions_of(node)]


def _among(new: Sequence[MemoryNode]) -> dict[str, list[str]]:
    """Other new entities whose names share a part with it, at most fifteen for each part."""
    having: dict[str, list[str]] = defaultdict(list)
    for node in new:
        for part in telling_parts(str(node.value)):
            having[part].append(node.memory_id)
    among: dict[str, list[str]] = defaultdict(list)
    for node in new:
        for part in sorted(shared_parts(str(node.value))):
            among[node.memory_id] += having[part][:NEAREST]
    return among


def _alike(plan: Plan, node: MemoryNode, ids: Iterable[str]) -> list[str]:
    """What these lead on to, where one of its names has a part of this one that tells."""
    parts = telling_parts(str(node.value))
    known = (plan.get(root(plan, key)) for key in ids)
    return [each.memory_id for each in known if each and any(parts & shared_parts(name) for name in each.key)]


def _standing(plan: Plan, node: MemoryNode, ids: Iterable[str]) -> list[MemoryNode]:
    """What the candidates lead on to, as far as it may be one with the new entity."""
    roots = dict.fromkeys(root(plan, key) for key in ids)
    known = (plan[key] for key in roots if key in plan)
    held = (each for each in known if each.store_status is StoreStatus.VALID)
    return [each for each in held if may_be_one(plan[node.memory_id], each)]


def _as_said(plan: Plan, node: MemoryNode, now: datetime) -> None:
    """Merge what a memory says is one, whether or not either of them is new."""
    for names in said_outright(node):
        one, other = (root(plan, named(node.tenant, node.agent_id, name)) for name in names)
        if one != other and _may_still(plan, one, other):
            _merge(plan, one, other, "rule", "said to be one", now)


def _by_rules(
    plan: Plan,
    new: Sequence[MemoryNode],
    offered: Mapping[str, Offered],
    said: Callable[[MemoryNode], NameEvidence],
    now: datetime,
) -> list[Left]:
    """Merge what rules are sure of; what they leave open, each name with those that were there before it."""
    left: list[Left] = []
    earlier: set[str] = set()
    for node in new:
        if plan[node.memory_id].store_status is StoreStatus.VALID:
            known = _standing(plan, node, offered[node.memory_id].ids)
            found = decided(plan[node.memory_id], known, said(node))
            if found is not None:
                _merge(plan, node.memory_id, found.entity.memory_id, "rule", found.reason, now)
            near = offered[node.memory_id].near
            before = (each for each in known if not plan.is_new(each.memory_id) or each.memory_id in earlier)
            rest = left_open(plan[node.memory_id], (each for each in before if each.memory_id in near))
            if found is None and rest:
                left.append((node, rest))
        earlier.add(node.memory_id)
    return left


def _may_still(plan: Plan, one: str, other: str) -> bool:
    """Whether both are by themselves in this plan still, and nothing speaks against it."""
    first, second = plan.get(one), plan.get(other)
    held = [each for each in (first, second) if each is not None and each.store_status is StoreStatus.VALID]
    return len(held) == 2 and may_be_one(held[0], held[1])


def _merge(plan: Plan, one: str, other: str, by: str, reason: str, now: datetime) -> None:
    """Into the one that is talked with, else into the one that was there first."""
    first, second = sorted(
        (plan[one], plan[other]),
        key=lambda node: (TALKED_TO not in node.meta_data, plan.is_new(node.memory_id), node.timestamp),
    )
    both = joined(first, second, by=by, now=now)
    plan.put(both.whole, "merge", reason)
    plan.put(both.taken, "merge", reason)


def _doubt(number: int, node: MemoryNode, known: Sequence[MemoryNode], brought: Brought) -> Doubt:
    told = " ".join(each.content for each in brought.get(node.memory_id, ()))[:QUOTED]
    likely = tuple(
        Likeness(place, each.key, str(each.kind), each.content[:QUOTED]) for place, each in enumerate(known, start=1)
    )
    return Doubt(number, str(node.value), str(node.kind), told, likely)
