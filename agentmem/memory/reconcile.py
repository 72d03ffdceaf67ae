"""What becomes of a new memory beside those that are held: merged, taking over, ending an older one, or standing alone.

Nothing is deleted. Newer event time wins; where two are equally old, the one said later.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, assert_never

from agentmem.domain.memory import MemoryNode, Modality, StoreStatus
from agentmem.domain.statement import Pair, Verdict
from agentmem.domain.value import Value
from agentmem.language.normal import trigram_similarity
from agentmem.ledger.plan import Plan
from agentmem.memory.band import Nearness
from agentmem.memory.relate import Relation, Relations, related
from agentmem.memory.timeline import is_claim, standing
from agentmem.memory.weave import Told, weave

MAX_PAIRS = 12
"""Pairs put before cognition in one call; those that look most alike come first."""


BAND = 0.35
"""Cosine below which two statements are not worth a judgement, though they share words."""

CLOSE = 0.7
"""Cosine from which two statements are, though they share few."""


@dataclass(frozen=True, slots=True)
class Open:
    """A pair that words alone could not decide."""

    pair: Pair
    new_id: str
    old_id: str


def drafted_pairs(drafts: Sequence[MemoryNode], held: Sequence[MemoryNode]) -> Iterator[tuple[MemoryNode, MemoryNode]]:
    """Each new memory with those held and those drafted before it about the same target, the newer by event time first.

    So a pair is put the same way whichever of the two arrived first.
    """
    for place, draft in enumerate(drafts):
        for other in (*held, *drafts[:place]):
            if other.target_id == draft.target_id and other.memory_type is draft.memory_type:
                yield (draft, other) if _order(draft) >= _order(other) else (other, draft)


def _order(node: MemoryNode) -> tuple[datetime, int]:
    return node.valid_at, node.timestamp


def open_pairs(
    pairs: Iterable[tuple[MemoryNode, MemoryNode]], relations: Relations, near: Nearness | None = None
) -> list[Open]:
    """Of these (newer, older) pairs the ones to put before cognition: undecided, most alike first.

    Where `near` tells how near they are in meaning, what is far is left out and what is near is put, however worded.
    """
    undecided = [(new, old) for new, old in pairs if _is_open(new, old, relations, near)]
    undecided.sort(key=lambda pair: (_over(pair), -_alike(pair, near)))
    return [
        Open(Pair(number=number, new=new.content, old=old.content), new.memory_id, old.memory_id)
        for number, (new, old) in enumerate(undecided[:MAX_PAIRS], start=1)
    ]


def _is_open(new: MemoryNode, old: MemoryNode, relations: Relations, near: Nearness | None) -> bool:
    cosine = near.get((new.memory_id, old.memory_id)) if near is not None else None
    if cosine is None:
        return relations.of(new, old) == "undecided"
    return cosine >= (BAND if relations.of(new, old) == "undecided" else CLOSE)


def _alike(pair: tuple[MemoryNode, MemoryNode], near: Nearness | None) -> float:
    new, old = pair
    cosine = near.get((new.memory_id, old.memory_id)) if near is not None else None
    return trigram_similarity(new.content, old.content) if cosine is None else cosine


def _over(pair: tuple[MemoryNode, MemoryNode]) -> bool:
    return any(node.store_status is not StoreStatus.VALID for node in pair)


class Decision(Value):
    """A verdict by the ids of its pair, as it is staged: numbers would mean other pairs after a retry."""

    new_id: str
    old_id: str
    relation: Literal["same", "contained", "contradicts", "unrelated"]


def decided(pairs: Iterable[Open], verdicts: Iterable[Verdict]) -> tuple[Decision, ...]:
    """Verdicts with the ids of their pairs; those on pairs nobody asked about are left out."""
    asked = {item.pair.number: item for item in pairs}
    return tuple(
        Decision(new_id=item.new_id, old_id=item.old_id, relation=verdict.relation)
        for verdict in verdicts
        if (item := asked.get(verdict.number)) is not None
    )


def by_pair(decisions: Iterable[Decision]) -> dict[tuple[str, str], Relation]:
    """Relations by (new id, old id)."""
    return {(item.new_id, item.old_id): item.relation for item in decisions}


def reconcile(
    plan: Plan,
    drafts: Sequence[MemoryNode],
    relations: Relations,
    verdicts: Mapping[tuple[str, str], Relation],
    now: datetime,
) -> None:
    """Work the drafts into the plan, one after the other, in the order in which they were said."""
    for draft in drafts:
        if draft.memory_id not in plan:
            thread = _thread(plan, draft, relations, verdicts)
            matter = Told(relations, verdicts, relations.slot(draft), frozenset(node.memory_id for node in thread))
            weave(plan, thread, matter, now)


def _thread(
    plan: Plan, draft: MemoryNode, relations: Relations, verdicts: Mapping[tuple[str, str], Relation]
) -> list[MemoryNode]:
    """The draft, and all that competes with it or says the same: its slot, and the like of its wording."""
    slot = relations.slot(draft)
    found = [draft]
    for node in plan.held():
        if node.target_id != draft.target_id or node.memory_type is not draft.memory_type:
            continue
        if (slot is not None and relations.slot(node) == slot) or related(draft, node, relations, verdicts) not in (
            "unrelated",
            "undecided",
        ):
            found.append(node)
    known = [node.memory_id for node in found]
    return [node for node in found if node is draft or is_claim(node, known)]


def lapsed(old: MemoryNode, new: MemoryNode) -> bool:
    """Whether the older memory was over before the newer one holds: then the newer opens an interval of its own."""
    return old.invalid_at is not None and old.invalid_at <= new.valid_at


def settle(plan: Plan, new: MemoryNode, old: MemoryNode, relation: Relation, now: datetime) -> MemoryNode | None:
    """Apply one relation. The new memory as it goes on, or None where the old one has taken it in."""
    match relation:
        case "same":
            return _same(plan, new, old, now)
        case "contained":
            return _take_over(plan, new, old, now, "a fuller statement of the same")
        case "exacter":
            plan.put(_merged(old, new), "merge", "said again, less exactly")
            return None
        case "contradicts":
            return _contradict(plan, new, old, now)
        case "unrelated" | "undecided":
            return new
        case _:
            assert_never(relation)


def _same(plan: Plan, new: MemoryNode, old: MemoryNode, now: datetime) -> MemoryNode | None:
    if standing(new) > standing(old):
        return _take_over(plan, new, old, now, _firmer(new, old))
    if set(new.evidence) - set(old.evidence):
        plan.put(_merged(old, new), "merge", "said again")
    return None


def _firmer(new: MemoryNode, old: MemoryNode) -> str:
    if new.modality is old.modality:
        return "told by another before, now by himself"
    return f"held as {old.modality} before, now {new.modality}"


def _take_over(plan: Plan, new: MemoryNode, old: MemoryNode, now: datetime, reason: str) -> MemoryNode | None:
    if standing(new) < standing(old):
        return new
    plan.put(old.retired(now=now, by=new.memory_id), "supersede", reason)
    merged = _merged(new, old)
    return merged.revised(
        supersedes=(*new.supersedes, old.memory_id), valid_at=min(new.valid_at, old.valid_at), obs_updated=0
    )


def _contradict(plan: Plan, new: MemoryNode, old: MemoryNode, now: datetime) -> MemoryNode | None:
    if standing(new) < standing(old):
        return new
    if new.valid_at >= old.valid_at:
        plan.put(old.ended(at=new.valid_at, now=now, by=new.memory_id), "end", "no longer true")
        return new.revised(supersedes=(*new.supersedes, old.memory_id))
    return new.ended(at=old.valid_at, now=now, by=old.memory_id).revised(obs_updated=0, revision=1)


def _merged(kept: MemoryNode, other: MemoryNode) -> MemoryNode:
    return kept.revised(
        evidence=tuple(dict.fromkeys((*kept.evidence, *other.evidence))),
        source_ids=tuple(dict.fromkeys((*kept.source_ids, *other.source_ids))),
        key=tuple(dict.fromkeys((*kept.key, *other.key))),
        importance=max(kept.importance, other.importance),
        valid_at=min(kept.valid_at, other.valid_at),
        obs_updated=kept.obs_updated + 1,
    )


def take_back(plan: Plan, rejected: Iterable[str], now: datetime) -> None:
    """Retire what the agent asserted or guessed in turns that the person has denied."""
    denied = set(rejected)
    own = (Modality.ASSERTED_BY_AGENT, Modality.HYPOTHESIS)
    for node in list(plan.valid()):
        if node.modality in own and denied.intersection(node.source_ids):
            plan.put(node.retired(now=now), "retire", "denied by the person")
