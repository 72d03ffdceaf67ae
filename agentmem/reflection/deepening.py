"""Insights that thinking found become memories: new ones are added, held ones renewed in place, and what they said
until then is kept as an ended memory beside them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.ids import TimestampGenerator, memory_id
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus, Trust, local_day, microseconds
from agentmem.domain.naming import canonical_name
from agentmem.domain.staleness import REFLECTED
from agentmem.domain.statement import Insight
from agentmem.language.injection import gives_orders
from agentmem.language.tokens import in_one_wording
from agentmem.ledger.plan import Plan
from agentmem.reflection.inputs import ReflectionInputs


@dataclass(frozen=True, slots=True)
class Deepener:
    """Writes the insights of one run. `like` is a memory about the same person, made by the same agent."""

    timestamps: TimestampGenerator
    run: str
    like: MemoryNode
    now: datetime

    def deepen(self, plan: Plan, insights: Sequence[Insight], sight: ReflectionInputs) -> None:
        """Put each insight where it belongs, resting on what still holds of its sources."""
        held = {
            canonical_name(node.attribute): plan[node.memory_id]
            for node in sight.insights
            if node.kind == REFLECTED and node.attribute and plan[node.memory_id].is_valid(self.now)
        }
        known_now = {**sight.sources, **plan.nodes()}
        valid = {key: node for key, node in known_now.items() if node.store_status is StoreStatus.VALID}
        for slot, insight in enumerate(insights):
            sources = [valid[key] for key in insight.source_ids if key in valid]
            if not _hold_together(sources) or gives_orders(f"{insight.attribute} {insight.value} {insight.content}"):
                continue  # rests on nothing that holds, or was told to do something and not told something
            known = held.get(canonical_name(insight.attribute))
            if known is None:
                if not any(_says_so(node, insight) for node in held.values()):
                    added = self._insight(insight, sources, slot)
                    plan.put(added, "add", "seen in several observations")
                    held[canonical_name(insight.attribute)] = added
            elif known.needs_review or (known.value, known.content) != (insight.value, insight.content):
                renewed = _refreshed(known, insight, sources)
                if renewed.valid_at > known.valid_at:
                    earlier = self._earlier(known, renewed, slot)
                    plan.put(earlier, "add", "what it said before")
                    renewed = renewed.revised(supersedes=(*known.supersedes, earlier.memory_id))
                plan.put(renewed, "refresh", "its observations changed")

    def withdraw(self, plan: Plan, memory_ids: Iterable[str], sight: ReflectionInputs) -> None:
        """End what an earlier reflection drew and the observations bear out no more, and observations that are over."""
        drawn = {node.memory_id for node in sight.insights if node.kind == REFLECTED}
        observed = {node.memory_id for node in sight.observations}
        for key in sorted((drawn | observed).intersection(memory_ids)):
            if plan[key].store_status is StoreStatus.VALID:
                over = plan[key].ended(at=self.now, now=self.now).revised(needs_review=None)
                plan.put(over, "end", "no longer supported" if key in drawn else "over by then")

    def _insight(self, insight: Insight, sources: Sequence[MemoryNode], slot: int) -> MemoryNode:
        like, now, since = self.like, self.now, _since(sources)
        ids = tuple(node.memory_id for node in sources)
        return MemoryNode(
            memory_id=self._id("reflection", slot),
            tenant=like.tenant,
            agent_id=like.agent_id,
            user_name=like.user_name,
            target_id=like.target_id,
            target_name=like.target_name,
            memory_type=MemoryType.INSIGHT,
            kind=REFLECTED,
            content=insight.content,
            key=(insight.attribute,),
            attribute=insight.attribute,
            value=insight.value,
            modality=Modality.INFERRED,
            language=insight.language,
            timestamp=self.timestamps.next(microseconds(now)),
            dt=local_day(since),
            valid_at=since,
            invalid_at=_until(sources),
            created_at=now,
            source_ids=ids,
            depends_on=ids,
            importance=insight.importance,
            trust=_least(sources),
        )

    def _earlier(self, known: MemoryNode, renewed: MemoryNode, slot: int) -> MemoryNode:
        """What an insight said until it was renewed, which it goes on to answer of the time before."""
        kept = known.revised(
            memory_id=self._id("renewed", slot),
            timestamp=self.timestamps.next(microseconds(self.now)),
            created_at=self.now,
            needs_review=None,
            supersedes=(),
        )
        return kept.ended(at=renewed.valid_at, now=self.now, by=known.memory_id)

    def _id(self, what: str, slot: int) -> str:
        return memory_id(self.like.tenant, self.like.agent_id, self.run, what, slot)


def _since(sources: Iterable[MemoryNode]) -> datetime:
    """Since when an insight is true: since the latest of what it rests on is."""
    return max(node.valid_at for node in sources)


def _until(sources: Iterable[MemoryNode]) -> datetime | None:
    """Until when an insight is true: until the first of what it rests on is over."""
    return min((node.invalid_at for node in sources if node.invalid_at is not None), default=None)


def _hold_together(sources: Sequence[MemoryNode]) -> bool:
    """Whether there is a time at which all of these are true."""
    until = _until(sources)
    return bool(sources) and (until is None or until > _since(sources))


def _least(sources: Iterable[MemoryNode]) -> Trust:
    """As trusted as the least trusted of what it rests on."""
    return Trust.UNTRUSTED if any(node.trust is Trust.UNTRUSTED for node in sources) else Trust.PRINCIPAL


def _says_so(held: MemoryNode, insight: Insight) -> bool:
    """Whether an insight says under another name what is held already."""
    return in_one_wording(held.content, insight.content)


def _refreshed(known: MemoryNode, insight: Insight, sources: Sequence[MemoryNode]) -> MemoryNode:
    """What changes has not proved stable, so a long-term insight becomes one of the day again. Another value is true
    since its sources are; other words for the same one change nothing of that."""
    same = (known.value, known.content) == (insight.value, insight.content)
    since = known.valid_at if known.value == insight.value else max(known.valid_at, _since(sources))
    until = _until(sources)
    ids = tuple(node.memory_id for node in sources)
    history = known.meta_data.get("history")
    earlier = history if isinstance(history, list) else []
    return known.revised(
        memory_type=known.memory_type if same else MemoryType.INSIGHT,
        content=insight.content,
        value=insight.value,
        valid_at=since,
        invalid_at=until if until is not None and until > since else None,
        dt=local_day(since),
        source_ids=ids,
        depends_on=ids,
        trust=_least(sources),
        needs_review=None,
        obs_updated=known.obs_updated + 1,
        meta_data=known.meta_data if same else {**known.meta_data, "history": [*earlier, known.value]},
    )
