"""Entities: their kind, their summary, where a name leads, and how two become one and two again.

The kind is what most memories say, weighed by their trust; a company's legal form or somebody who speaks settles it.
The summary is the names, then the weightiest of what memories say. An entity that was merged into another keeps its id,
its names and its count and redirects to it, so a merge rewrites no memory and can be undone. What was parted by hand
stays parted: each of the two names the other, and no rule and no model joins them again.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from agentmem.domain.entity import APART, mentions_any
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus, Trust
from agentmem.domain.naming import PLACEHOLDERS, canonical_name
from agentmem.domain.value import JsonValue
from agentmem.language.same_names import has_legal_form, short_form
from agentmem.ports.ledger import Ledger

KINDS: Final = "kinds"
"""In the `meta_data` of an entity: by kind, the weight of the memories that say so. `thing` says nothing."""

_TRUSTED: Final = 3
"""What a memory weighs beside one that somebody tells of others, which weighs one."""


SPOKE: Final = "spoke"
"""Set in the `meta_data` of an entity that said something itself: a person, whatever others take his name for."""


def voted(
    meta: Mapping[str, JsonValue], kind: str, memory: MemoryNode, *, held: str | None = None
) -> dict[str, JsonValue]:
    """The `meta_data` of an entity of which this memory says that it is of this kind. `held` is the kind of one that
    was kept before votes were."""
    if held not in (None, "thing") and not votes_of(meta):
        meta = with_votes(meta, {str(held): _TRUSTED})
    if kind == "thing":
        return dict(meta)
    weight = 1 if memory.trust is Trust.UNTRUSTED else _TRUSTED
    return with_votes(meta, {kind: weight})


def with_votes(meta: Mapping[str, JsonValue], votes: Mapping[str, int], *, sign: int = 1) -> dict[str, JsonValue]:
    """The same with these votes as well, or without them."""
    held = votes_of(meta)
    summed = {kind: held.get(kind, 0) + sign * votes.get(kind, 0) for kind in (*held, *votes)}
    kept: dict[str, JsonValue] = {kind: weight for kind, weight in summed.items() if weight > 0}
    rest = {name: value for name, value in meta.items() if name != KINDS}
    return {**rest, KINDS: kept} if kept else rest


def votes_of(meta: Mapping[str, JsonValue]) -> dict[str, int]:
    """By kind, the weight of the memories that say so."""
    held = meta.get(KINDS)
    if not isinstance(held, dict):
        return {}
    return {kind: weight for kind, weight in held.items() if isinstance(weight, int)}


def settled(known: str | None, meta: Mapping[str, JsonValue], names: Iterable[str]) -> str | None:
    """The kind of an entity; the one that is known where as much speaks for it as for another."""
    if any(map(has_legal_form, names)):
        return "organisation"
    if SPOKE in meta:
        return "person"
    votes = votes_of(meta)
    return max(votes, key=lambda kind: (votes[kind], kind == known), default=known)


SUMMARY: Final = 1_000
"""Characters of a summary."""

NAMED: Final = 200
"""Characters of the other names before it."""

SUMMARISED: Final = 20
"""Memories a summary is made of, the weightiest first."""

TOLD: Final = (Modality.STATED, Modality.INFERRED, Modality.ASSERTED_BY_AGENT)


def told_of(entity: MemoryNode, said: Iterable[MemoryNode]) -> MemoryNode:
    """The entity with what these memories say of it."""
    sources = _weightiest(said)
    return entity.revised(content=_content(entity, sources), source_ids=tuple(node.memory_id for node in sources))


def _weightiest(memories: Iterable[MemoryNode]) -> list[MemoryNode]:
    """What is held to be true now, at most twenty: the important first, then the newest."""
    held = [node for node in memories if node.store_status is StoreStatus.VALID and node.modality in TOLD]
    return sorted(held, key=lambda node: (-node.importance, -node.timestamp, node.memory_id))[:SUMMARISED]


def _content(entity: MemoryNode, sources: Iterable[MemoryNode]) -> str:
    """The name, the other names, and what is said, whole statements as far as there is room."""
    names = list(_as_far_as(NAMED, (name for name in entity.key if name != entity.value)))
    head = f"{entity.value} ({', '.join(names)})" if names else str(entity.value)
    said = list(_as_far_as(SUMMARY, dict.fromkeys(" ".join(source.content.split()) for source in sources)))
    return f"{head}: {' '.join(said)}" if said else head


def _as_far_as(room: int, texts: Iterable[str]) -> Iterator[str]:
    """Whole texts, one after the other, without those there is no room for."""
    for text in texts:
        if len(text) <= room:
            room -= len(text)
            yield text


TALKED_TO: Final = "talkedTo"
"""Set in the `meta_data` of an entity that memories are about: somebody with a lane of his own."""

MERGED_BY: Final = "mergedBy"
"""In the `meta_data` of an entity that was taken in: the memory that said it is another one's name, or what else
decided it, such as `rule`, `model` and `hand`."""

COUNT: Final = "mentions"
"""In the `meta_data` of an entity: how many memories mention it, those that ended included."""

COUNTED: Final = "counted"
"""Beside it: the timestamps of the memories counted last, so that one that is looked at again is not counted again."""

REMEMBERED: Final = 16

MAX_NAMES: Final = 32
"""Names an entity has, those that were known first. One more still leads on to it, and is looked up by itself."""

TOLD_BY: Final = "toldBy"
"""In the `meta_data` of an entity: marks of the people in whose talks, and of the documents in which, it was mentioned;
two of them, since more tell nothing else."""

_MARK: Final = 8
"""Characters of a mark: enough to tell two apart, too few to lead back to somebody who was erased."""

DECIDED: Final = ("rule", "model", "hand")
"""What `MERGED_BY` holds where no single memory said that the one is a name of the other."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Both as a merge leaves them."""

    whole: MemoryNode
    taken: MemoryNode


def counted(meta: Mapping[str, JsonValue], timestamp: int) -> dict[str, JsonValue]:
    """The `meta_data` of an entity that a memory of this timestamp mentions. Memories come nearly in the order of their
    timestamps: one from before all that are remembered was counted."""
    seen = _counted(meta)
    if timestamp in seen or (len(seen) == REMEMBERED and timestamp < seen[0]):
        return dict(meta)
    return {**meta, COUNT: mentions(meta) + 1, COUNTED: list[JsonValue](sorted((*seen, timestamp))[-REMEMBERED:])}


def mentions(meta: Mapping[str, JsonValue]) -> int:
    """How many memories mention the entity with this `meta_data`."""
    count = meta.get(COUNT)
    return count if isinstance(count, int) else 0


def told_by(meta: Mapping[str, JsonValue], origin: str) -> dict[str, JsonValue]:
    """The `meta_data` of an entity that is mentioned in what comes from there."""
    return _marked(meta, [_mark(origin)])


def told_elsewhere(node: MemoryNode, origin: str) -> bool:
    """Whether an entity was mentioned in anything that does not come from there, or that is not known."""
    known = _tellers(node.meta_data)
    return any(mark != _mark(origin) for mark in known) or (not known and mentions(node.meta_data) > 0)


def are_apart(one: MemoryNode, other: MemoryNode) -> bool:
    """Whether somebody said that these are two."""
    return other.memory_id in _ids(one) or one.memory_id in _ids(other)


def joined(one: MemoryNode, other: MemoryNode, *, by: str, now: datetime) -> Joined:
    """`other` taken into `one`: all names, the most complete first, the kind that is known, what is said of both, and
    the sum of the mentions."""
    names = tuple(dict.fromkeys((*one.key, *other.key)))[:MAX_NAMES]
    full = fullest(one.value or names[0], names)
    meta: dict[str, JsonValue] = {**one.meta_data, COUNT: mentions(one.meta_data) + mentions(other.meta_data)}
    seen = sorted({*_counted(one.meta_data), *_counted(other.meta_data)})[-REMEMBERED:]
    meta |= {COUNTED: list[JsonValue](seen)} if seen else {}
    meta = _marked(meta, _tellers(other.meta_data))
    meta = with_votes(meta, votes_of(other.meta_data))
    not_it = [key for key in dict.fromkeys((*_ids(one), *_ids(other))) if key not in (one.memory_id, other.memory_id)]
    meta = _with_apart(meta, not_it)
    whole = one.revised(
        key=names,
        value=full,
        kind=_kind(one, other, full),
        source_ids=tuple(dict.fromkeys((*one.source_ids, *other.source_ids))),
        meta_data=meta,
    )
    taken = other.ended(at=now, now=now, by=one.memory_id)
    return Joined(whole, taken.revised(meta_data={**other.meta_data, MERGED_BY: by}))


def freed(taken: MemoryNode) -> MemoryNode:
    """An entity that was taken in, by itself again."""
    meta = {name: value for name, value in taken.meta_data.items() if name != MERGED_BY}
    return taken.revised(
        store_status=StoreStatus.VALID,
        ending=None,
        invalid_at=None,
        expired_at=None,
        superseded_by=None,
        meta_data=meta,
    )


def without(whole: MemoryNode, taken: MemoryNode) -> MemoryNode:
    """The entity without the names and the mentions of one that it had taken in."""
    names = tuple(name for name in whole.key if name not in taken.key) or whole.key[:1]
    left = max(0, mentions(whole.meta_data) - mentions(taken.meta_data))
    own = whole.value if whole.value in names else names[0]
    meta: dict[str, JsonValue] = {**whole.meta_data, COUNT: left} if COUNT in whole.meta_data else {**whole.meta_data}
    meta = with_votes(meta, votes_of(taken.meta_data), sign=-1)
    return whole.revised(key=names, value=fullest(own or names[0], names), meta_data=meta)


def divided(whole: MemoryNode, taken: MemoryNode, said: Iterable[MemoryNode]) -> Joined:
    """Both by themselves again, each with what is said of it."""
    free, rest = freed(taken), without(whole, taken)
    memories = list(said)
    told = [node for node in memories if mentions_any(node, free.key)]
    kept = [node for node in memories if node not in told or mentions_any(node, rest.key)]
    return Joined(told_of(rest, kept), told_of(free, told))


def set_apart(higher: Sequence[MemoryNode], taken: MemoryNode, both: Joined) -> Iterator[MemoryNode]:
    """All that changes where an entity is by itself again: what it led on to, `higher`, without it, and both."""
    yield from (without(between, taken) for between in higher[:-1])
    yield from (both.taken, both.whole)


def parted(whole: MemoryNode, taken: MemoryNode, said: Iterable[MemoryNode]) -> Joined:
    """Both by themselves again, each with what is said of it, and not to be joined again."""
    both = divided(whole, taken, said)
    free, rest = both.taken, both.whole
    free = free.revised(meta_data=_with_apart(free.meta_data, (*_ids(free), rest.memory_id)))
    rest = rest.revised(meta_data=_with_apart(rest.meta_data, (*_ids(rest), free.memory_id)))
    return Joined(rest, free)


def together(one: MemoryNode, other: MemoryNode) -> tuple[MemoryNode, MemoryNode]:
    """Both without the word that they are two."""
    first, second = (
        node.revised(meta_data=_with_apart(node.meta_data, [key for key in _ids(node) if key != beside.memory_id]))
        for node, beside in ((one, other), (other, one))
    )
    return first, second


def fullest(name: str, names: Iterable[str]) -> str:
    """The most complete of the names that contain the one that is known, or that it is short for."""
    if name in PLACEHOLDERS:
        name = next((each for each in names if each not in PLACEHOLDERS), name)
    wanted = canonical_name(name)
    fuller = [each for each in names if wanted in canonical_name(each) or short_form(name, each)]
    return max(fuller, key=len, default=name)


def _kind(one: MemoryNode, other: MemoryNode, full: str) -> str | None:
    """The kind that is known; of two that differ that of the full name, which tells it best."""
    if "thing" in (one.kind, other.kind):
        return other.kind if one.kind == "thing" else one.kind
    return one.kind if full in one.key else other.kind


def _counted(meta: Mapping[str, JsonValue]) -> list[int]:
    held = meta.get(COUNTED)
    return [item for item in held if isinstance(item, int)] if isinstance(held, list) else []


def _mark(origin: str) -> str:
    return derived_id("origin", origin)[:_MARK]


def _marked(meta: Mapping[str, JsonValue], marks: Iterable[str]) -> dict[str, JsonValue]:
    both = list(dict.fromkeys((*_tellers(meta), *marks)))[:2]
    return {**meta, TOLD_BY: list[JsonValue](both)} if both else dict(meta)


def _tellers(meta: Mapping[str, JsonValue]) -> list[str]:
    held = meta.get(TOLD_BY)
    return [str(item) for item in held] if isinstance(held, list) else []


def _ids(node: MemoryNode) -> list[str]:
    held = node.meta_data.get(APART)
    return [str(item) for item in held] if isinstance(held, list) else []


def _with_apart(meta: Mapping[str, JsonValue], ids: Iterable[str]) -> dict[str, JsonValue]:
    rest = {name: value for name, value in meta.items() if name != APART}
    held = list[JsonValue](dict.fromkeys(ids))
    return {**rest, APART: held} if held else rest


LONGEST_CHAIN: Final = 32
"""Merges one behind the other that are followed; a chain is short, and a ring would have no end."""


async def load(ledger: Ledger, tenant: str, ids: Collection[str]) -> dict[str, MemoryNode]:
    """The entities of these ids and those they lead on to, by id; one look-up for each step."""
    found: dict[str, MemoryNode] = {}
    wanted = set(ids)
    for _ in range(LONGEST_CHAIN):
        if not wanted:
            break
        nodes = await ledger.get(tenant, wanted)
        new = {key: node for key, node in nodes.items() if node.memory_type is MemoryType.ENTITY}
        found |= new
        wanted = {node.superseded_by for node in new.values() if node.superseded_by} - found.keys()
    return found


class Entities(Protocol):
    """Entities by id, such as a mapping of them or a plan."""

    def get(self, key: str, /) -> MemoryNode | None:
        """The entity with this id, if it is there."""
        ...


def root(entities: Entities, entity: str) -> str:
    """The id of the entity that this one leads on to; its own where it leads nowhere, the least in a ring."""
    seen: set[str] = set()
    while entity not in seen:
        seen.add(entity)
        node = entities.get(entity)
        if node is None or node.superseded_by is None:
            return entity
        entity = node.superseded_by
    return min(seen)


def above(entities: Entities, taken: MemoryNode) -> Iterator[MemoryNode]:
    """What an entity leads on to, step by step."""
    seen = {taken.memory_id}
    node = entities.get(taken.superseded_by or "")
    while node is not None and node.memory_id not in seen:
        yield node
        seen.add(node.memory_id)
        node = entities.get(node.superseded_by or "")
