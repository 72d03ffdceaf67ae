"""What a bundle's ledger holds, seen once from end to end before a row of it is written.

A ledger that this accepts hangs together: every row continues the one before it of the same memory, every memory is
the named agent's, and no memory names one that did not come along.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from agentmem.agents.bundle.form import Manifest, Row
from agentmem.domain.entity import named as named_id
from agentmem.domain.lineage import origin_of
from agentmem.domain.memory import MemoryNode, MemoryType, microseconds
from agentmem.errors import InvalidInput

_AHEAD = timedelta(days=1)
"""How far the clock of whoever made the bundle may be ahead of ours."""

_MOST_REVISIONS = 2**31 - 1


@dataclass(slots=True)
class Survey:
    """The memories of a bundle: by id whom they name in any state they ever had, and the ids they had in the agents
    that theirs was made from; and the names of all they are about. `entities`: what was decided about who is who."""

    entities: list[MemoryNode] = field(default_factory=list[MemoryNode])
    names: set[str] = field(default_factory=set[str])
    named: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    origins: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    rows: int = 0

    def resting_on(self, gone: Collection[str]) -> set[str]:
        """These memories and, at any remove, all that name one of them."""
        naming: dict[str, list[str]] = {}
        for memory_id, others in self.named.items():
            for other in others:
                naming.setdefault(other, []).append(memory_id)
        found, todo = set(gone), list(gone)
        while todo:
            more = [each for each in naming.get(todo.pop(), ()) if each not in found]
            found.update(more)
            todo += more
        return found


def survey(rows: Iterable[Row], manifest: Manifest, now: datetime) -> Survey:
    """Look at every row. Raises `InvalidInput`, without the file's name, where they do not hang together."""
    seen, before = Survey(), 0
    latest = now + _AHEAD
    if manifest.made_at > latest:
        raise InvalidInput(f"made at {manifest.made_at.isoformat()}, which is still to come")
    for row in rows:
        if not before < row.seq <= manifest.head:
            raise InvalidInput(f"ledger row {row.seq} is out of order")
        before = row.seq
        _take(seen, row, manifest, latest)
    _check_links(seen)
    if (seen.rows, len(seen.named)) != (manifest.rows, manifest.memories):
        raise InvalidInput("the ledger does not have as many rows and memories as the manifest says")
    return seen


def _take(seen: Survey, row: Row, manifest: Manifest, latest: datetime) -> None:
    if row.first == (row.memory_id in seen.named):
        raise InvalidInput(f"ledger row {row.seq} does not continue memory {row.memory_id}")
    seen.rows += 1
    named = seen.named.setdefault(row.memory_id, set())
    if row.at > latest:
        raise InvalidInput(f"ledger row {row.seq} was written at a time still to come")
    if row.after is None:
        return
    problem = _problem(row.after, row, manifest, latest)
    if problem is not None:
        raise InvalidInput(f"ledger row {row.seq}: {problem}")
    named.update(names_of(row.after))
    if row.after.memory_type is MemoryType.ENTITY:
        seen.entities.append(row.after)
    seen.names.add(row.after.target_name)
    if (origin := origin_of(row.after)) is not None:
        seen.origins.setdefault(row.memory_id, set()).add(origin)


def _problem(node: MemoryNode, row: Row, manifest: Manifest, latest: datetime) -> str | None:
    if (node.memory_id, node.target_id) != (row.memory_id, row.target_id):
        return "its memory has another id or is about somebody else"
    if (node.tenant, node.agent_id) != (manifest.tenant, manifest.agent_id):
        return "its memory is not of this agent"
    ids = (named_id(node.tenant, node.agent_id, name) for name in node.key)
    if node.memory_type is MemoryType.ENTITY and node.memory_id not in ids:
        return "its entity has an id that is of none of its names"
    if node.stored() != node:
        return "its memory holds what is never stored: vectors, scores or an intent"
    known = [node.created_at, *filter(None, (node.expired_at,))]
    if node.timestamp > microseconds(latest) or max(known) > latest:
        return "its memory was made at a time still to come"
    if max(node.revision, node.obs_reflected, node.obs_updated) > _MOST_REVISIONS:
        return "its memory was revised more often than can be counted"
    return None


def _check_links(seen: Survey) -> None:
    for memory_id, others in seen.named.items():
        outside = next((other for other in others if other not in seen.named), None)
        if outside is not None:
            raise InvalidInput(f"memory {memory_id} names {outside}, which is not in the bundle")


def names_of(node: MemoryNode) -> Iterator[str]:
    """The memories that this one names."""
    yield from node.source_ids
    yield from (part.memory_id for part in node.evidence)
    yield from node.depends_on
    yield from node.supersedes
    yield from node.conflicts_with
    yield from node.needs_review or ()
    if node.superseded_by is not None:
        yield node.superseded_by
