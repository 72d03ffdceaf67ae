"""The intervals of one matter: claims laid out by time, and what each stored memory says once they are."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from agentmem.domain.change import Act
from agentmem.domain.event import AHEAD
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Ending, Evidence, MemoryNode, StoreStatus
from agentmem.ledger.plan import Plan
from agentmem.memory.relation import Relation, Relations, related, standing


class ClaimRules(Protocol):
    """What the claims of one timeline are about, and how two of them stand to each other."""

    def joins(self, later: MemoryNode, earlier: MemoryNode) -> bool:
        """Whether they say the same, one perhaps more exactly."""
        ...

    def excludes(self, later: MemoryNode, earlier: MemoryNode) -> bool:
        """Whether the earlier is over once the later holds."""
        ...

    def overrules(self, later: MemoryNode, earlier: MemoryNode) -> bool:
        """Whether it was said outright that the later takes the place of the earlier, which may be a plan."""
        ...

    def exacter(self, one: MemoryNode, other: MemoryNode) -> bool:
        """Whether one of two that say the same says more."""
        ...

    def closed_at(self, node: MemoryNode) -> datetime | None:
        """Where a memory ends for a reason that lies outside these claims."""
        ...


@dataclass(frozen=True, slots=True)
class TimedClaim:
    """What one memory says from one moment on, and the words it rests on."""

    node: MemoryNode
    at: datetime
    said: datetime
    evidence: tuple[Evidence, ...] = ()

    @property
    def order(self) -> tuple[datetime, int, str]:
        """By event time; what is equally old by its place in the text, which the timestamps keep."""
        return self.at, self.node.timestamp, self.node.memory_id

    @property
    def planned(self) -> bool:
        """Whether it was said before it was to hold."""
        return self.at > self.said


@dataclass(slots=True)
class Interval:
    """One interval: the claims that say the same, and what ends it."""

    claims: list[TimedClaim]
    closer: TimedClaim | None = None
    closed: datetime | None = None
    confirmed: datetime | None = None

    @property
    def begins(self) -> datetime:
        """When its first claim holds."""
        return self.claims[0].at

    @property
    def standing(self) -> int:
        """The weight of its weightiest claim."""
        return max(standing(claim.node) for claim in self.claims)

    def best(self, matter: ClaimRules) -> MemoryNode:
        """The memory that speaks for its claims."""
        return best([claim.node for claim in self.claims], matter)

    def add(self, claim: TimedClaim, closed: datetime | None) -> None:
        """Take in one more claim, and where it ends for a reason that lies outside; without one, it was so still when
        that was said."""
        self.claims.append(claim)
        if closed is None:
            self.confirmed = max(claim.said, self.confirmed or claim.said)
        else:
            self.closed = max(closed, self.closed or closed)

    @property
    def over(self) -> datetime | None:
        """Where it ends for a reason that lies outside, unless somebody said afterwards that it goes on."""
        return None if self.closed and self.confirmed and self.confirmed > self.closed else self.closed

    def ends(self) -> datetime | None:
        """Where it ends, whichever reason comes first."""
        ends = [end for end in (self.closer.at if self.closer else None, self.over) if end is not None]
        return min(ends, default=None)


def is_claim(node: MemoryNode, thread: Collection[str]) -> bool:
    """Whether a memory has a say: one that was taken back for a reason of its own has none."""
    match node.ending:
        case Ending.FORGOTTEN | Ending.RECORD:
            return False
        case Ending.RETIRED | Ending.SUPERSEDED | Ending.ENDED:
            return node.invalid_at != node.valid_at or node.superseded_by in thread
        case Ending.OVER_WHEN_TOLD | Ending.FADED | None:
            return True


def told_as_over(node: MemoryNode) -> bool:
    """Whether it was over when it was told: `my old number was …`."""
    return node.ending is Ending.OVER_WHEN_TOLD


def laid_out(nodes: Sequence[MemoryNode], matter: ClaimRules, now: datetime) -> list[Interval]:
    """The intervals that follow from what these memories claim."""
    told = _newest_last(_possible(list(_claims(nodes)), now), matter)
    claims = sorted(_standing_plans(list(told), matter), key=lambda claim: claim.order)
    spans: list[Interval] = []
    for claim in claims:
        running = [span for span in spans if span.closer is None]
        home = next((span for span in reversed(running) if _joins(claim, span, matter)), None)
        for span in running:
            weighs = span is not home and standing(claim.node) >= span.standing
            if weighs and matter.excludes(claim.node, span.best(matter)):
                span.closer = claim
        if home is None:
            home = Interval([])
            spans.append(home)
        home.add(claim, matter.closed_at(claim.node))
    return spans


def _newest_last(told: Sequence[TimedClaim], matter: ClaimRules) -> Iterator[TimedClaim]:
    """The claims, none begun before what was told to hold: `we moved last month` is newer than `I live there`."""
    for claim in told:
        before = (each for each in told if each.at == each.said < claim.said and claim.at < each.at)
        held = [each.at for each in before if matter.excludes(claim.node, each.node)]
        yield replace(claim, at=max(held)) if held and matter.closed_at(claim.node) is None else claim


def _claims(nodes: Sequence[MemoryNode]) -> Iterator[TimedClaim]:
    """What each memory says, once for each time it was said; words that a memory took over stay with their giver."""
    given = [item for node in nodes if taken_over(node) for item in node.evidence]
    for node in nodes:
        own = [item for item in node.evidence if taken_over(node) or item not in given]
        moments = dict.fromkeys(_moment(item, node) for item in own)
        for at, said in moments or {(node.valid_at, node.valid_at): None}:
            words = tuple(item for item in own if _moment(item, node) == (at, said))
            yield TimedClaim(node, at, said, words)


def _moment(item: Evidence, node: MemoryNode) -> tuple[datetime, datetime]:
    since = item.since or node.valid_at
    return since, item.said_at or since


def _possible(claims: Sequence[TimedClaim], now: datetime) -> list[TimedClaim]:
    """The claims, of which none was said after now: what a clock that ran ahead dated so was said before what was told
    after it."""
    told = [claim for claim in claims if claim.said <= now + AHEAD]
    if len(told) == len(claims):
        return told
    return [claim if claim in told else _dated_back(claim, told) for claim in claims]


def _dated_back(claim: TimedClaim, told: Sequence[TimedClaim]) -> TimedClaim:
    after = [other.at for other in told if other.node.timestamp > claim.node.timestamp]
    return replace(claim, at=min(claim.at, *after), said=min(claim.said, *after)) if after else claim


def taken_over(node: MemoryNode) -> bool:
    """Whether it was retired for another that says the same."""
    return node.ending is Ending.RETIRED and node.superseded_by is not None


def _standing_plans(claims: list[TimedClaim], matter: ClaimRules) -> Iterator[TimedClaim]:
    """Without the plans that a later plan, or a word that speaks of them, has replaced before they came true."""
    for claim in claims:
        later = (other for other in claims if other is not claim and claim.said <= other.said < claim.at)
        if not (claim.planned and any(_replaces_plan(other, claim, matter) for other in later)):
            yield claim


def _replaces_plan(other: TimedClaim, plan: TimedClaim, matter: ClaimRules) -> bool:
    if matter.overrules(other.node, plan.node):
        return True
    return (
        plan.said < other.said
        and other.planned
        and (matter.excludes(other.node, plan.node) or matter.joins(other.node, plan.node))
    )


def _joins(claim: TimedClaim, span: Interval, matter: ClaimRules) -> bool:
    over = span.over is not None and span.over <= claim.at
    return not over and matter.joins(claim.node, span.best(matter))


def best(nodes: Sequence[MemoryNode], matter: ClaimRules) -> MemoryNode:
    """The memory that speaks for all that say the same: the weightiest, of these the most exact, of these the first."""
    chosen = nodes[0]
    for node in nodes[1:]:
        more, less = standing(node), standing(chosen)
        if more > less or (more == less and matter.exacter(node, chosen)):
            chosen = node
    return chosen


@dataclass(frozen=True, slots=True)
class SlotClaims:
    """Memories of one matter: a single-valued slot, or statements that say or deny the same. `thread` are their ids."""

    relations: Relations
    verdicts: Mapping[tuple[str, str], Relation]
    thread: frozenset[str]

    def joins(self, later: MemoryNode, earlier: MemoryNode) -> bool:
        """Whether they say the same, one perhaps more exactly."""
        if later.memory_id == earlier.memory_id:
            return True
        same = related(later, earlier, self.relations, self.verdicts) in ("same", "adds", "says_less")
        return same and told_as_over(later) == told_as_over(earlier)

    def excludes(self, later: MemoryNode, earlier: MemoryNode) -> bool:
        """Whether the earlier is over once the later holds. What was over when told of ends only its own like."""
        if later.memory_id == earlier.memory_id or told_as_over(earlier):
            return False
        relation = related(later, earlier, self.relations, self.verdicts)
        return relation in ("same", "adds", "says_less") if told_as_over(later) else relation == "replaces"

    def overrules(self, later: MemoryNode, earlier: MemoryNode) -> bool:
        """Whether cognition said that the later takes the place of the earlier, and it weighs as much."""
        said = self.verdicts.get((later.memory_id, earlier.memory_id)) == "replaces"
        return said and standing(later) >= standing(earlier)

    def exacter(self, one: MemoryNode, other: MemoryNode) -> bool:
        """Whether one of two that say the same says more."""
        return related(one, other, self.relations, self.verdicts) == "adds"

    def closed_at(self, node: MemoryNode) -> datetime | None:
        """The end it was given by other than these claims; that of a slot follows from them, and is laid out anew, as
        does that of one whose words another of them took over."""
        ours = node.superseded_by in self.thread and (taken_over(node) or self.relations.slot(node) is not None)
        return None if ours else node.invalid_at


def weave(plan: Plan, thread: Sequence[MemoryNode], matter: SlotClaims, now: datetime) -> None:
    """Lay the thread out and put into the plan what changes by it."""
    spans = laid_out(thread, matter, now)
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


def _carriers(spans: Sequence[Interval], matter: SlotClaims, plan: Plan, now: datetime) -> list[MemoryNode]:
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


def _again(node: MemoryNode, span: Interval, now: datetime) -> MemoryNode:
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
        ending=None,
    )


def _carrying(carrier: MemoryNode, span: Interval, by: str | None, now: datetime) -> MemoryNode:
    """The memory as it carries its interval: its words, its ends, and what ended it."""
    nodes = list({claim.node.memory_id: claim.node for claim in span.claims}.values())
    claims = sorted(span.claims, key=lambda claim: claim.node.memory_id != carrier.memory_id)
    evidence = tuple(dict.fromkeys(item for claim in claims for item in claim.evidence))
    ends = span.ends()
    if ends is None or (span.closer is not None and span.closer.at > ends):
        by = carrier.superseded_by if ends is not None else None
    laid_out = carrier.revised(
        evidence=evidence,
        source_ids=_sources(carrier, nodes, evidence),
        key=tuple(dict.fromkeys(key for node in (carrier, *nodes) for key in node.key)),
        importance=max(node.importance for node in nodes),
        valid_at=span.begins,
        invalid_at=None if ends is None else max(ends, span.begins),
        superseded_by=by,
    )
    known = ends == carrier.invalid_at  # an end it had before tells nothing new
    if known and carrier.ending not in (Ending.ENDED, Ending.SUPERSEDED):
        return laid_out
    over = known or (ends is not None and not (ends > now and _ahead(span, carrier, ends)))
    ending = (Ending.ENDED if by is None else Ending.SUPERSEDED) if over else None
    return laid_out.revised(store_status=StoreStatus.EXPIRED if over else StoreStatus.VALID, ending=ending)


def _sources(carrier: MemoryNode, nodes: Sequence[MemoryNode], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """The sources of all that say so; of a memory that was parted only those its own words come from."""
    named = [item.memory_id for item in evidence]
    parted = len(evidence) < len(carrier.evidence)
    return tuple(dict.fromkeys(named if parted else [*carrier.source_ids, *(i for n in nodes for i in n.source_ids)]))


def _ahead(span: Interval, carrier: MemoryNode, ends: datetime) -> bool:
    """Whether the end is one that lies ahead: planned, or named when it was said."""
    if span.closer is not None and span.closer.at == ends:
        return span.closer.planned
    return carrier.store_status is StoreStatus.VALID


def _set_aside(
    node: MemoryNode,
    spans: Sequence[Interval],
    carriers: Sequence[MemoryNode],
    matter: SlotClaims,
    plan: Plan,
    now: datetime,
) -> MemoryNode | None:
    """A memory that carries no interval: retired for the one that does, or not kept at all if it is new and says the
    same. A plan that was replaced before it came true belongs to no interval."""
    homes = zip(spans, carriers, strict=True)
    home = next((kept for span, kept in homes if any(claim.node is node for claim in span.claims)), None)
    if home is not None and node.memory_id not in plan and not matter.exacter(home, node):
        return None
    by = (home or _replacing(node, carriers, matter)).memory_id
    if node.superseded_by == by and node.ending is Ending.RETIRED:
        return node
    return node.retired(now=now, by=by).revised(obs_updated=node.obs_updated)


def _replacing(node: MemoryNode, carriers: Sequence[MemoryNode], matter: SlotClaims) -> MemoryNode:
    """What took the place of a plan: the last that says the same or excludes it."""
    alike = (each for each in reversed(carriers) if matter.joins(each, node) or matter.excludes(each, node))
    return next(alike, carriers[-1])


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
        if node.superseded_by is not None and node.invalid_at is not None:
            node = node.revised(expired_at=node.created_at if node.ending is Ending.RETIRED else now)
        plan.put(node, "add", "new")
        return
    if known == node:
        return
    if (known.invalid_at, known.superseded_by) != (node.invalid_at, node.superseded_by):
        node = node.revised(expired_at=None if node.invalid_at is None else now)
    act, reason = _done(known, node)
    plan.put(node.revised(obs_updated=known.obs_updated + 1), act, reason)


def _done(known: MemoryNode, node: MemoryNode) -> tuple[Act, str]:
    if node.invalid_at is not None and known.invalid_at != node.invalid_at:
        if node.ending is Ending.RETIRED:
            return "supersede", "a fuller or more certain statement of the same"
        return "end", "no longer true"
    if known.evidence != node.evidence:
        return "merge", "said again"
    return "refresh", "its interval was recalculated"
