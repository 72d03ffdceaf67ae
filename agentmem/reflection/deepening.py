"""Insights that thinking found become memories: new ones are added, held ones renewed in place with their history."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.ids import TimestampGenerator, memory_id
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus, Trust, local_day, microseconds
from agentmem.domain.naming import canonical_name
from agentmem.domain.staleness import REFLECTED
from agentmem.domain.statement import Insight
from agentmem.language.injection import gives_orders
from agentmem.language.normal import trigram_similarity
from agentmem.ledger.plan import Plan
from agentmem.memory.relation import NEAR
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
            if node.kind == REFLECTED and node.attribute
        }
        known_now = {**sight.sources, **plan.nodes()}
        valid = {key for key, node in known_now.items() if node.store_status is StoreStatus.VALID}
        for slot, insight in enumerate(insights):
            sources = tuple(key for key in insight.source_ids if key in valid)
            if gives_orders(f"{insight.attribute} {insight.value} {insight.content}"):
                continue  # told to do something, not told something
            trust = _least(known_now[key] for key in sources)
            known = held.get(canonical_name(insight.attribute))
            if not sources:
                continue
            if known is None:
                if not any(_says_so(node, insight) for node in held.values()):
                    added = self._insight(insight, sources, slot).revised(trust=trust)
                    plan.put(added, "add", "seen in several observations")
                    held[canonical_name(insight.attribute)] = added
            elif known.needs_review or (known.value, known.content) != (insight.value, insight.content):
                plan.put(
                    _refreshed(known, insight, sources).revised(trust=trust), "refresh", "its observations changed"
                )

    def _insight(self, insight: Insight, sources: tuple[str, ...], slot: int) -> MemoryNode:
        like, now = self.like, self.now
        return MemoryNode(
            memory_id=memory_id(like.tenant, like.agent_id, self.run, "reflection", slot),
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
            dt=local_day(like.valid_at),
            valid_at=like.valid_at,
            created_at=now,
            source_ids=sources,
            depends_on=sources,
            importance=insight.importance,
        )


def _least(sources: Iterable[MemoryNode]) -> Trust:
    """As trusted as the least trusted of what it rests on."""
    return Trust.UNTRUSTED if any(node.trust is Trust.UNTRUSTED for node in sources) else Trust.PRINCIPAL


def _says_so(held: MemoryNode, insight: Insight) -> bool:
    """Whether an insight says under another name what is held already."""
    return trigram_similarity(held.content, insight.content) >= NEAR


def _refreshed(known: MemoryNode, insight: Insight, sources: tuple[str, ...]) -> MemoryNode:
    """What changes has not proved stable, so a long-term insight becomes one of the day again."""
    same = (known.value, known.content) == (insight.value, insight.content)
    history = known.meta_data.get("history")
    earlier = history if isinstance(history, list) else []
    return known.revised(
        memory_type=known.memory_type if same else MemoryType.INSIGHT,
        content=insight.content,
        value=insight.value,
        source_ids=sources,
        depends_on=sources,
        needs_review=None,
        obs_updated=known.obs_updated + 1,
        meta_data=known.meta_data if same else {**known.meta_data, "history": [*earlier, known.value]},
    )
