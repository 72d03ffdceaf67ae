"""The course of one matter in time: claims that say the same or exclude each other, laid out as intervals.

A claim is one thing said: a value, or that it is so no longer. Laid out by *event* time the intervals follow from the
claims alone, so the order in which they arrive makes no difference; claims equally old go by their place in the text.
Equal claims that follow one another make one interval, a claim that returns after another one opens a new interval.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from agentmem.domain.memory import Evidence, MemoryNode, Modality, StoreStatus, Trust

_STANDING = {
    Modality.HYPOTHESIS: 0,
    Modality.ASSERTED_BY_AGENT: 1,
    Modality.INFERRED: 1,
    Modality.STATED: 3,
    Modality.NEGATED: 3,
}
_HEARSAY = 2


def standing(node: MemoryNode) -> int:
    """How much a memory weighs beside another: a person's own word most, then what others tell of him, then what was
    concluded or asserted by the agent. However often it is repeated, it weighs the same."""
    own = _STANDING[node.modality]
    return min(own, _HEARSAY) if node.trust is Trust.UNTRUSTED else own


class Matter(Protocol):
    """What the claims of one timeline are about, and how two of them stand to each other."""

    def joins(self, later: MemoryNode, earlier: MemoryNode) -> bool:
        """Whether they say the same, one perhaps more exactly."""
        ...

    def excludes(self, later: MemoryNode, earlier: MemoryNode) -> bool:
        """Whether the earlier is over once the later holds."""
        ...

    def exacter(self, one: MemoryNode, other: MemoryNode) -> bool:
        """Whether one of two that say the same says more."""
        ...

    def closed_at(self, node: MemoryNode) -> datetime | None:
        """Where a memory ends for a reason that lies outside these claims."""
        ...


@dataclass(frozen=True, slots=True)
class Claim:
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
class Span:
    """One interval: the claims that say the same, and the claim that ends it."""

    claims: list[Claim]
    closer: Claim | None = None
    closed: datetime | None = None
    parts: list[MemoryNode] = field(default_factory=list[MemoryNode])

    @property
    def begins(self) -> datetime:
        """When its first claim holds."""
        return self.claims[0].at

    @property
    def standing(self) -> int:
        """The weight of its weightiest claim."""
        return max(standing(claim.node) for claim in self.claims)

    def ends(self) -> datetime | None:
        """Where it ends, whichever reason comes first."""
        ends = [end for end in (self.closer.at if self.closer else None, self.closed) if end is not None]
        return min(ends, default=None)


def is_claim(node: MemoryNode, thread: Iterable[str]) -> bool:
    """Whether a memory has a say: one that was taken back for a reason of its own has none."""
    if node.store_status is StoreStatus.DELETED:
        return False
    empty = node.store_status is StoreStatus.EXPIRED and node.invalid_at == node.valid_at
    return not empty or node.superseded_by in set(thread) or told_as_over(node)


def told_as_over(node: MemoryNode) -> bool:
    """Whether it was over when it was told: `my old number was …`."""
    empty = node.store_status is StoreStatus.EXPIRED and node.invalid_at == node.valid_at
    born = node.created_at == node.expired_at and node.superseded_by is None
    return empty and born and node.modality is not Modality.NEGATED


def laid_out(nodes: Sequence[MemoryNode], matter: Matter) -> list[Span]:
    """The intervals that follow from what these memories claim."""
    claims = sorted(_standing_plans(list(_claims(nodes)), matter), key=lambda claim: claim.order)
    spans: list[Span] = []
    for claim in claims:
        running = [span for span in spans if span.closer is None]
        home = next((span for span in reversed(running) if _joins(claim, span, matter)), None)
        for span in running:
            if span is not home and matter.excludes(claim.node, _best(span, matter)) and _outweighs(claim, span):
                span.closer = claim
        if home is None:
            home = Span([])
            spans.append(home)
        home.claims.append(claim)
        closed = matter.closed_at(claim.node)
        if closed is not None and (home.closed is None or closed > home.closed):
            home.closed = closed
    return spans


def _claims(nodes: Sequence[MemoryNode]) -> Iterator[Claim]:
    """What each memory says, once for each time it was said; words that a memory took over stay with their giver."""
    given = [item for node in nodes if _taken_over(node) for item in node.evidence]
    for node in nodes:
        own = [item for item in node.evidence if _taken_over(node) or item not in given]
        moments = dict.fromkeys(_moment(item, node) for item in own)
        for at, said in moments or {(node.valid_at, node.valid_at): None}:
            words = tuple(item for item in own if _moment(item, node) == (at, said))
            yield Claim(node, at, said, words)


def _moment(item: Evidence, node: MemoryNode) -> tuple[datetime, datetime]:
    since = item.since or node.valid_at
    return since, item.said_at or since


def _taken_over(node: MemoryNode) -> bool:
    return node.superseded_by is not None and node.invalid_at == node.valid_at


def _standing_plans(claims: list[Claim], matter: Matter) -> Iterator[Claim]:
    """Without the plans that a later plan has replaced before they came true."""
    for claim in claims:
        replaced = claim.planned and any(
            other.planned
            and claim.said < other.said < claim.at
            and (matter.excludes(other.node, claim.node) or matter.joins(other.node, claim.node))
            for other in claims
        )
        if not replaced:
            yield claim


def _joins(claim: Claim, span: Span, matter: Matter) -> bool:
    over = span.closed is not None and span.closed <= claim.at
    return not over and matter.joins(claim.node, _best(span, matter))


def _outweighs(claim: Claim, span: Span) -> bool:
    return standing(claim.node) >= span.standing


def _best(span: Span, matter: Matter) -> MemoryNode:
    return best([claim.node for claim in span.claims], matter)


def best(nodes: Sequence[MemoryNode], matter: Matter) -> MemoryNode:
    """The memory that speaks for all that say the same: the weightiest, of these the most exact, of these the first."""
    chosen = nodes[0]
    for node in nodes[1:]:
        more, less = standing(node), standing(chosen)
        if more > less or (more == less and matter.exacter(node, chosen)):
            chosen = node
    return chosen
