"""What one reflection looks at: what is new, what is of the same day, what is like it, and what is in doubt.

Everything is found along an index of its own, so that a look costs what is new, not what is stored.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from agentmem.domain.attributes import cardinality
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.domain.staleness import FADES_AFTER, PROVEN_FOR, REFLECTED, rests_on
from agentmem.ports.ledger import Ledger, News, Selection
from agentmem.reflection.neighbours import Neighbours

SHORT_WINDOW = 50
"""New observations looked at in one run, the newest, and with those of the same days at most so many; what is left
stays new for the next."""

WITHOUT_INDEX = 500
"""Observations compared with, the newest, by a process that does not hold the index."""

INSIGHTS = 200
"""Insights held that are looked at, the newest."""

FADING = 200
"""Memories that are due to fade, taken in one run."""

_TOLD = (StoreStatus.VALID, StoreStatus.EXPIRED)

PROVEN_TALKS, PROVEN_DAYS = 3, 2
"""An insight is stable when what it rests on comes from so many conversations, on so many days, and nothing about it
has changed for `PROVEN_FOR`."""


@dataclass(frozen=True, slots=True)
class ReflectionInputs:
    """`fresh` no run has looked at, oldest first; `observations` they are compared with, themselves included, oldest
    first; `near` are the only ones of these, by the id of a fresh one, that it is held against (None: all); `over`
    are earlier ones of the same matters, which a claim that turns up late may part anew; `insights` held; `doubtful`
    need review, those `doubted_anew` were put to nobody yet; `sources` are what those rest on, by id, as far as it is
    there; `disputed` are linked with others, which are in `observations`; `proven` insights may last, the `slight`
    rest on too little for that; `fading` are due. Without news there are only these three."""

    fresh: tuple[MemoryNode, ...] = ()
    observations: tuple[MemoryNode, ...] = ()
    near: Mapping[str, frozenset[str]] | None = None
    over: tuple[MemoryNode, ...] = ()
    insights: tuple[MemoryNode, ...] = ()
    doubtful: tuple[MemoryNode, ...] = ()
    doubted_anew: tuple[MemoryNode, ...] = ()
    sources: Mapping[str, MemoryNode] = field(default_factory=dict[str, MemoryNode])
    disputed: tuple[MemoryNode, ...] = ()
    proven: tuple[MemoryNode, ...] = ()
    slight: tuple[MemoryNode, ...] = ()
    fading: tuple[MemoryNode, ...] = ()

    @property
    def news(self) -> bool:
        """Whether there is anything to think about; what only time does needs no thought."""
        return bool(self.fresh or self.doubtful)

    def near_to(self, fresh: MemoryNode) -> Sequence[MemoryNode]:
        """The observations that a fresh one is held against."""
        if self.near is None:
            return self.observations
        return [node for node in self.observations if node.memory_id in self.near[fresh.memory_id]]

    def everything(self) -> dict[str, MemoryNode]:
        """All that the run may change, each once."""
        compared = (*self.over, *self.observations)
        groups = (compared, self.insights, self.doubtful, self.disputed, self.proven, self.slight, self.fading)
        return {node.memory_id: node for group in groups for node in group}


def age(node: MemoryNode) -> tuple[datetime, int]:
    """By which of two memories is the newer: event time, and of equals the one said later."""
    return node.valid_at, node.timestamp


@dataclass(frozen=True, slots=True)
class Lookout:
    """Gathers a sight. `neighbours` is None where this process does not hold the index."""

    ledger: Ledger
    neighbours: Neighbours | None

    async def look(self, scope: Scope, persona: Persona, now: datetime) -> ReflectionInputs | None:
        """What there is to look at about one target; None without news and where time has nothing to do either."""
        news = await self.ledger.news(scope, limit=SHORT_WINDOW)
        fading = await self._fading(scope, now)
        proven, slight = await self._proving(scope, now)
        if not (news.fresh or news.doubtful):
            return ReflectionInputs(proven=proven, slight=slight, fading=fading) if proven or slight or fading else None
        doubtful = (*news.doubtful, *(node for node in news.unsettled if node.needs_review))
        disputed = tuple(node for node in (*news.fresh, *news.unsettled) if node.conflicts_with)
        compared, near = await self._compared_with(scope, news, disputed, persona)
        compared = sorted(await self._with_earlier(scope, compared), key=age)
        return ReflectionInputs(
            fresh=tuple(sorted(news.fresh, key=age)),
            observations=tuple(node for node in compared if node.store_status is StoreStatus.VALID),
            near=near,
            over=tuple(node for node in compared if node.store_status is not StoreStatus.VALID),
            insights=tuple(await self._insights(scope)),
            doubtful=doubtful,
            doubted_anew=news.doubtful,
            sources=await self._sources(scope, doubtful),
            disputed=disputed,
            proven=proven,
            slight=slight,
            fading=fading,
        )

    async def _insights(self, scope: Scope) -> list[MemoryNode]:
        """Those that proved stable live among what lasts."""
        layers = Selection(scope, types=(MemoryType.INSIGHT,), statuses=(StoreStatus.VALID,), limit=INSIGHTS)
        lasting = await self.ledger.select(replace(layers, types=(MemoryType.LONGTERM,)))
        return [*await self.ledger.select(layers), *(node for node in lasting if node.kind == REFLECTED)]

    async def _compared_with(
        self, scope: Scope, news: News, disputed: Iterable[MemoryNode], persona: Persona
    ) -> tuple[list[MemoryNode], Mapping[str, frozenset[str]] | None]:
        """The observations to look at, ended ones included, and which of them each fresh one is held against."""
        fresh, linked = news.fresh, {key for node in disputed for key in node.conflicts_with}
        newest = Selection(scope, types=(MemoryType.OBSERVATION,), statuses=(StoreStatus.VALID,), limit=SHORT_WINDOW)
        if self.neighbours is None:
            recent = await self.ledger.select(replace(newest, statuses=_TOLD, limit=WITHOUT_INDEX))
            known = {node.memory_id: node for node in (*fresh, *recent)}
            return [*known.values(), *await self._older(scope, linked - known.keys())], None
        alike = await self.neighbours.of(scope, fresh)
        filling = await self.neighbours.filling(scope, _slots(fresh, persona))
        days = {node.dt for node in fresh}
        same_day = [node for node in await self.ledger.select(newest) if node.dt in days]
        known = dict([(node.memory_id, node) for node in (*fresh, *same_day)][:SHORT_WINDOW])
        around = frozenset((*known, *filling, *linked))
        near = {node.memory_id: around | found for node, found in zip(fresh, alike, strict=True)}
        older = await self._older(scope, frozenset[str]().union(filling, linked, *alike) - known.keys())
        return [*known.values(), *older], near

    async def _older(self, scope: Scope, memory_ids: Collection[str]) -> list[MemoryNode]:
        found = await self.ledger.get(scope.tenant, memory_ids)
        return [node for node in found.values() if _compares(node, scope)]

    async def _with_earlier(self, scope: Scope, observations: Sequence[MemoryNode]) -> list[MemoryNode]:
        """These with what they ended, and what that had ended: the earlier intervals of their matters."""
        found = {node.memory_id: node for node in observations}
        ahead: Iterable[MemoryNode] = observations
        while ended := {key for node in ahead for key in node.supersedes} - found.keys():
            ahead = await self._older(scope, ended)
            found |= {node.memory_id: node for node in ahead}
        return list(found.values())

    async def _sources(self, scope: Scope, nodes: Sequence[MemoryNode]) -> dict[str, MemoryNode]:
        """What they rest on, and what has taken over from that."""
        wanted = {key for node in nodes for key in rests_on(node)}
        found = await self.ledger.get(scope.tenant, wanted)
        successors = {node.superseded_by for node in found.values() if node.superseded_by} - found.keys()
        return found | await self.ledger.get(scope.tenant, successors)

    async def _proving(self, scope: Scope, now: datetime) -> tuple[tuple[MemoryNode, ...], tuple[MemoryNode, ...]]:
        """Of the insights that nothing has changed for long enough: those that last, those that rest on too little."""
        due = await self.ledger.proving(scope, now=now, limit=INSIGHTS)
        settled = [node for node in due if not (node.needs_review or node.conflicts_with)]
        old = [node for node in settled if await self._unchanged(node, now)]
        sources = await self._sources(scope, old)
        proven = tuple(node for node in old if _carried(node, sources))
        return proven, tuple(node for node in old if node not in proven)

    async def _unchanged(self, node: MemoryNode, now: datetime) -> bool:
        entries = await self.ledger.history(node.tenant, node.memory_id)
        return all(now - entry.at >= PROVEN_FOR for entry in entries)

    async def _fading(self, scope: Scope, now: datetime) -> tuple[MemoryNode, ...]:
        """What is due to fade and was not recalled lately, at most `FADING`."""
        wanted = FADING
        while True:
            due = await self.ledger.fading(scope, now=now, limit=wanted)
            unused = await self._unused(due, now)
            if len(unused) >= FADING or len(due) < wanted:
                return tuple(unused[:FADING])
            wanted *= 2

    async def _unused(self, due: Sequence[MemoryNode], now: datetime) -> list[MemoryNode]:
        """A reading is over, whoever recalled it. Whether anything else is used only the index knows: without it that
        stays."""
        spoken = [node.memory_id for node in due if node.memory_type is not MemoryType.PERCEPTUAL]
        if self.neighbours is None:
            kept = set(spoken)
        else:
            kept = await self.neighbours.recalled_since(spoken, now - FADES_AFTER) if spoken else set[str]()
        return [node for node in due if node.memory_id not in kept]


def _slots(fresh: Iterable[MemoryNode], persona: Persona) -> Collection[str]:
    """Slots that hold one value at a time, so that another value matters at whatever distance."""
    own = persona.memory.attributes
    named = {node.attribute for node in fresh if node.attribute and node.value}
    return {attribute for attribute in named if cardinality(attribute, own) != "multi"}


def _compares(node: MemoryNode, scope: Scope) -> bool:
    return node.memory_type is MemoryType.OBSERVATION and node.target_id == scope.target


def _carried(node: MemoryNode, sources: Mapping[str, MemoryNode]) -> bool:
    known = [sources[key] for key in rests_on(node) if key in sources]
    talks, days = {source.run_id or source.dt for source in known}, {source.dt for source in known}
    return len(talks) >= PROVEN_TALKS and len(days) >= PROVEN_DAYS
