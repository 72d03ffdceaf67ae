"""From the intervals of a timeline to memories: which memory carries which interval, and what becomes of the others.

Nothing is deleted. A memory keeps its identity for the first interval it carries; where a fact turns up late and parts
it in two, the second part becomes a memory of its own. What only repeats is evidence, what is less exact is retired.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.change import Act
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Evidence, MemoryNode, StoreStatus
from agentmem.ledger.plan import Plan
from agentmem.memory.relate import Relation, Relations, related
from agentmem.memory.timeline import Span, best, laid_out, told_as_over


@dataclass(frozen=True, slots=True)
class Told:
    """The matter of one draft: its single-valued slot, or the statements that say or deny the same."""

    relations: Relations
    verdicts: Mapping[tuple[str, str], Relation]
    slot: str | None
    thread: frozenset[str]

    def joins(self, later: MemoryNode, earlier: MemoryNode) -> bool:
        """Whether they say the same, one perhaps more exactly."""
        if later.memory_id == earlier.memory_id:
            return True
        same = related(later, earlier, self.relations, self.verdicts) in ("same", "contained", "exacter")
        return same and told_as_over(later) == told_as_over(earlier)

    def excludes(self, later: MemoryNode, earlier: MemoryNode) -> bool:
        """Whether the earlier is over once the later holds. What was over when told of ends only its own like."""
        if later.memory_id == earlier.memory_id or told_as_over(earlier):
            return False
        relation = related(later, earlier, self.relations, self.verdicts)
        return relation in ("same", "contained", "exacter") if told_as_over(later) else relation == "contradicts"

    def exacter(self, one: MemoryNode, other: MemoryNode) -> bool:
        """Whether one of two that say the same says more."""
        return related(one, other, self.relations, self.verdicts) == "contained"

    def closed_at(self, node: MemoryNode) -> datetime | None:
        """The end it was given by other than these claims; that of a slot follows from them, and is laid out anew."""
        ours = self.slot is not None and node.superseded_by in self.thread and self.relations.slot(node) == self.slot
        return None if ours else node.invalid_at


def weave(plan: Plan, thread: Sequence[MemoryNode], matter: Told, now: datetime) -> None:
    """Lay the thread out and put into the plan what changes by it."""
    spans = laid_out(thread, matter)
    carriers = _carriers(spans, matter, plan, now)
    carried = {id(claim): node.memory_id for span, node in zip(spans, carriers, strict=True) for claim in span.claims}
    after = {
        node.memory_id: _carrying(node, span, carried.get(id(span.closer)), now)
        for span, node in zip(spans, carriers, strict=True)
    }
    for node in thread:
        if node.memory_id not in after and (aside := _set_aside(node, spans, carriers, matter, plan, now)) is not None:
            after[node.memory_id] = aside
    for node in _with_predecessors(after):
        _put(plan, node, now)


def _carriers(spans: Sequence[Span], matter: Told, plan: Plan, now: datetime) -> list[MemoryNode]:
    """One memory for each interval; those that are stored before those that are new."""
    taken: set[str] = set()
    found: list[MemoryNode] = []
    for span in spans:
        nodes = list({claim.node.memory_id: claim.node for claim in span.claims}.values())
        nodes.sort(key=lambda node: (node.memory_id not in plan, node.timestamp))
        chosen = best(nodes, matter)
        if chosen.memory_id in taken:
            free = [node for node in nodes if node.memory_id not in taken and not matter.exacter(chosen, node)]
            chosen = free[0] if free else _again(chosen, span, now)
        taken.add(chosen.memory_id)
        found.append(chosen)
    return found


def _again(node: MemoryNode, span: Span, now: datetime) -> MemoryNode:
    """A memory of its own for a later interval of one that is parted in two."""
    return node.revised(
        memory_id=derived_id("again", node.memory_id, span.begins.isoformat()),
        superseded_by=None,
        supersedes=(),
        conflicts_with=(),
        obs_updated=0,
        obs_reflected=0,
        created_at=now,
        expired_at=None,
        store_status=StoreStatus.VALID,
    )


def _carrying(carrier: MemoryNode, span: Span, by: str | None, now: datetime) -> MemoryNode:
    """The memory as it carries its interval: its words, its ends, and what ended it."""
    nodes = list({claim.node.memory_id: claim.node for claim in span.claims}.values())
    claims = sorted(span.claims, key=lambda claim: claim.node.memory_id != carrier.memory_id)
    evidence = tuple(dict.fromkeys(item for claim in claims for item in claim.evidence))
    ends = span.ends()
    if ends is None or (span.closer is not None and span.closer.at > ends):
        by = carrier.superseded_by if ends is not None else None
    return carrier.revised(
        evidence=evidence,
        source_ids=_sources(carrier, nodes, evidence),
        key=tuple(dict.fromkeys(key for node in (carrier, *nodes) for key in node.key)),
        importance=max(node.importance for node in nodes),
        valid_at=span.begins,
        invalid_at=None if ends is None else max(ends, span.begins),
        superseded_by=by,
        store_status=_status(carrier, span, ends, now),
    )


def _status(carrier: MemoryNode, span: Span, ends: datetime | None, now: datetime) -> StoreStatus:
    """Over, unless its end lies ahead; an end it had before tells nothing new."""
    if ends == carrier.invalid_at:
        return carrier.store_status
    return (
        StoreStatus.EXPIRED
        if ends is not None and not (ends > now and _ahead(span, carrier, ends))
        else StoreStatus.VALID
    )


def _sources(carrier: MemoryNode, nodes: Sequence[MemoryNode], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """The sources of all that say so; of a memory that was parted only those its own words come from."""
    named = [item.memory_id for item in evidence]
    parted = len(evidence) < len(carrier.evidence)
    return tuple(dict.fromkeys(named if parted else [*carrier.source_ids, *(i for n in nodes for i in n.source_ids)]))


def _ahead(span: Span, carrier: MemoryNode, ends: datetime) -> bool:
    """Whether the end is one that lies ahead: planned, or named when it was said."""
    if span.closer is not None and span.closer.at == ends:
        return span.closer.planned
    return carrier.store_status is StoreStatus.VALID


def _set_aside(
    node: MemoryNode, spans: Sequence[Span], carriers: Sequence[MemoryNode], matter: Told, plan: Plan, now: datetime
) -> MemoryNode | None:
    """A memory that carries no interval: retired for the one that does, or not kept at all if it is new and says the
    same. A plan that was replaced before it came true belongs to no interval."""
    homes = zip(spans, carriers, strict=True)
    home = next((kept for span, kept in homes if any(claim.node is node for claim in span.claims)), None)
    if home is not None and node.memory_id not in plan and not matter.exacter(home, node):
        return None
    by = (home or carriers[-1]).memory_id
    if node.superseded_by == by and node.invalid_at == node.valid_at:
        return node
    return node.revised(store_status=StoreStatus.EXPIRED, invalid_at=node.valid_at, expired_at=now, superseded_by=by)


def _with_predecessors(after: Mapping[str, MemoryNode]) -> Iterator[MemoryNode]:
    """Each memory with the names of those it took over from."""
    for node in after.values():
        before = [key for key in node.supersedes if key not in after or after[key].superseded_by == node.memory_id]
        gone = [key for key, other in after.items() if other.superseded_by == node.memory_id and key != node.memory_id]
        yield node.revised(supersedes=tuple(dict.fromkeys((*before, *gone))))


def _put(plan: Plan, node: MemoryNode, now: datetime) -> None:
    """Put the memory where it changed, with what was done to it."""
    known = plan.get(node.memory_id)
    if known is None:
        ended = node.invalid_at is not None and node.superseded_by is not None
        plan.put(node.revised(expired_at=now, revision=1) if ended else node, "add", "new")
        return
    if known == node:
        return
    if (known.invalid_at, known.superseded_by) != (node.invalid_at, node.superseded_by):
        node = node.revised(expired_at=None if node.invalid_at is None else now)
    act, reason = _done(known, node)
    plan.put(node.revised(obs_updated=known.obs_updated + 1), act, reason)


def _done(known: MemoryNode, node: MemoryNode) -> tuple[Act, str]:
    if node.invalid_at is not None and known.invalid_at != node.invalid_at:
        retired = node.invalid_at == node.valid_at
        return ("supersede", "a fuller or firmer statement of the same") if retired else ("end", "no longer true")
    if known.evidence != node.evidence:
        return "merge", "said again"
    return "refresh", "its interval was laid out anew"
