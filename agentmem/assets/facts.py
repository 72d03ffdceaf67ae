"""What becomes of the facts of a document when its pieces change: those still said stay, the others go with them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from agentmem.assets.descent import known_as
from agentmem.domain.memory import MemoryNode, StoreStatus
from agentmem.ledger.plan import Plan
from agentmem.ports.ledger import Ledger


async def begun(
    ledger: Ledger, stored: Mapping[str, MemoryNode], drafts: Sequence[MemoryNode], ids: Sequence[Sequence[str]]
) -> tuple[Plan, list[MemoryNode]]:
    """The plan to begin with, and the drafted facts that nobody asked to forget, under the one of their `ids` by which
    they are known."""
    unknown = {key for each in ids for key in each} - stored.keys()
    known = await ledger.get(drafts[0].tenant, unknown, forgotten=True) if unknown else {}
    held = {**stored, **known}
    drafts = [draft.revised(memory_id=known_as(each, held)) for draft, each in zip(drafts, ids, strict=True)]
    gone = await forgotten(ledger, (held[draft.memory_id] for draft in drafts if draft.memory_id in held))
    return Plan(held.values()), [draft for draft in drafts if draft.memory_id not in gone]


async def forgotten(ledger: Ledger, known: Iterable[MemoryNode]) -> set[str]:
    """Those of them that somebody asked to forget: they do not come back with their document."""
    found: set[str] = set()
    for node in known:
        if node.is_forgotten:
            found.add(node.memory_id)
        elif not holds(node):
            *_, last = await ledger.history(node.tenant, node.memory_id)
            found |= {node.memory_id} if last.change.act == "forget" else set()
    return found


def settle(
    plan: Plan, before: Sequence[str], drafts: Iterable[MemoryNode], heirs: Mapping[str, str], now: datetime
) -> None:
    """Bring the facts known `before` up to date, the pieces being settled in the plan already, and add what `drafts`
    say besides. `heirs` names for each piece that was taken over the one that did so.

    A fact that several pieces say is one, and rests on all of them; it ends with the last.
    """
    new = _merged(drafts)
    gone: list[MemoryNode] = []
    for node in [plan[key] for key in before if holds(plan.get(key))]:
        said_by = [key for key in node.source_ids if holds(plan.get(key))]
        again = new.pop(node.memory_id, None)
        if again is None and not said_by:
            gone.append(node)
        else:
            _carry_on(plan, node, said_by, again)
    for node in gone:
        _end(plan, node, new.values(), heirs, now)
    for node in new.values():
        taken_over = tuple(old.memory_id for old in gone if plan[old.memory_id].superseded_by == node.memory_id)
        plan.put(returned(node, plan.get(node.memory_id)).revised(supersedes=taken_over), "refresh", "said again")


def holds(node: MemoryNode | None) -> bool:
    """Whether a memory is there and has not ended."""
    return node is not None and node.store_status is StoreStatus.VALID


def returned(node: MemoryNode, before: MemoryNode | None) -> MemoryNode:
    """What is in the document again is the memory it was: when it was known first is not forgotten."""
    return node if before is None else node.revised(timestamp=before.timestamp, created_at=before.created_at)


def _merged(drafts: Iterable[MemoryNode]) -> dict[str, MemoryNode]:
    """Facts by id; of one that several pieces say, the first with the evidence of all."""
    merged: dict[str, MemoryNode] = {}
    for node in drafts:
        known = merged.get(node.memory_id)
        merged[node.memory_id] = node if known is None else _with(known, known.source_ids, node)
    return merged


def _with(node: MemoryNode, said_by: Collection[str], again: MemoryNode | None) -> MemoryNode:
    """The fact as these pieces say it, and another one besides."""
    evidence = [part for part in node.evidence if part.memory_id in said_by]
    return node.revised(
        source_ids=tuple(dict.fromkeys((*said_by, *(again.source_ids if again else ())))),
        evidence=tuple(dict.fromkeys((*evidence, *(again.evidence if again else ())))),
    )


def _carry_on(plan: Plan, node: MemoryNode, said_by: Collection[str], again: MemoryNode | None) -> None:
    kept = _with(node, said_by, again)
    if kept != node:
        plan.put(kept, "refresh", "other pieces say it")


def _end(plan: Plan, node: MemoryNode, new: Iterable[MemoryNode], heirs: Mapping[str, str], now: datetime) -> None:
    """End a fact that no piece says any more; what the piece in its place says of the same takes it over."""
    pieces = {heirs[key] for key in node.source_ids if key in heirs}
    alike = (each for each in new if pieces & set(each.source_ids) and _same_side(each, node))
    heir = next(alike, None)
    if heir is not None:
        plan.put(node.ended(at=now, now=now, by=heir.memory_id), "supersede", "the document changed")
    else:
        plan.put(node.ended(at=now, now=now), "end", "no longer in the document")


def _same_side(new: MemoryNode, old: MemoryNode) -> bool:
    return new.relation == old.relation and new.entity_ids[:1] == old.entity_ids[:1]
