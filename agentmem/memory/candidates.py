"""Which held memories may concern the matter of a new one: found before anything is judged, few and good."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from heapq import nlargest
from typing import Final

from agentmem.domain.attributes import own_slot
from agentmem.domain.memory import MemoryNode, StoreStatus
from agentmem.domain.statement import Pair
from agentmem.language.gists import gist_without_names, without_names
from agentmem.language.normal import trigram_similarity
from agentmem.memory.relation import Relations, told_apart
from agentmem.ports.embedder import Embedder

MAX_PAIRS: Final = 24
"""Pairs put before cognition in one call; those likeliest to concern one matter come first."""

MAX_CANDIDATES: Final = 5
"""Pairs of one call in which a memory stands at most."""

LOOKED_AT: Final = 100
"""So many of the latest, and so many of those most like a new memory in spelling, are looked at more closely."""

LIKELY: Final = 0.6
"""Likelihood from which a pair is worth a judgement: see `likelihood`."""

BAND: Final = 0.35
"""Cosine below which two statements are not worth a judgement, though they share words."""

CLOSE: Final = 0.7
"""Cosine from which two statements are, though they share few."""

COMPARED: Final = 64
"""Pairs of one window that are embedded; the likeliest come first."""

Nearness = Mapping[tuple[str, str], float]
"""Cosine by (newer id, older id)."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """A newer and an older memory of which words do not say how they concern each other; see `likelihood`."""

    new: MemoryNode
    old: MemoryNode
    likelihood: float


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
        others = (*held, *drafts[:place])
        theirs = [
            node for node in others if node.target_id == draft.target_id and node.memory_type is draft.memory_type
        ]
        for other in _looked_at(draft, theirs):
            yield (draft, other) if _order(draft) >= _order(other) else (other, draft)


def _looked_at(draft: MemoryNode, others: Sequence[MemoryNode]) -> Iterable[MemoryNode]:
    """Reading what a memory is about takes a millisecond, so of many not each is read."""
    if len(others) <= LOOKED_AT:
        return others
    alike = nlargest(LOOKED_AT, others, key=lambda node: trigram_similarity(draft.content, node.content))
    latest = nlargest(LOOKED_AT, others, key=_order)
    return {node.memory_id: node for node in (*latest, *alike)}.values()


def _order(node: MemoryNode) -> tuple[datetime, int]:
    return node.valid_at, node.timestamp


def undecided_pairs(pairs: Iterable[tuple[MemoryNode, MemoryNode]], relations: Relations) -> list[Undecided]:
    """Of these (newer, older) pairs those that words left open, in order. What was said in one breath stands together,
    and is left out, as is what was decided before, and what time had ended before the newer held."""
    return [
        Undecided(new, old, likelihood(new, old, relations))
        for new, old in pairs
        if not (_in_one_turn(new, old) or _decided(new, old) or _ended_before(new, old))
        and relations.of(new, old) == "undecided"
    ]


def nested_pairs(
    pairs: Iterable[tuple[MemoryNode, MemoryNode]], fresh: Set[str], relations: Relations
) -> list[tuple[str, str]]:
    """Of these (newer, older) pairs of a `fresh` memory and a held one, by their ids, those of which by its value one
    says the other and more: what stands around the values may be another matter."""
    held = (pair for pair in pairs if not {node.memory_id for node in pair} <= fresh)
    return [(new.memory_id, old.memory_id) for new, old in held if relations.of(new, old) in ("adds", "says_less")]


def open_pairs(undecided: Iterable[Undecided], near: Nearness | None = None) -> list[Open]:
    """Of these pairs the ones to put before cognition: likely to concern one matter, the likeliest first, no memory in
    more than `MAX_CANDIDATES`.

    Where `near` tells how near they are in meaning, what is far is left out and what is near is put, however worded.
    """
    found: list[tuple[bool, float, MemoryNode, MemoryNode]] = []
    for item in undecided:
        new, old, likely = item.new, item.old, item.likelihood
        cosine = near.get((new.memory_id, old.memory_id)) if near is not None else None
        if likely >= LIKELY if cosine is None else cosine >= (BAND if likely >= LIKELY else CLOSE):
            found.append((_over(new, old), -max(likely, cosine or 0), new, old))
    found.sort(key=lambda item: item[:2])
    taken = Counter[str]()
    chosen: list[Open] = []
    for *_, new, old in found:
        if len(chosen) < MAX_PAIRS and max(taken[new.memory_id], taken[old.memory_id]) < MAX_CANDIDATES:
            taken.update((new.memory_id, old.memory_id))
            linked = new.memory_id in old.conflicts_with
            pair = Pair(number=len(chosen) + 1, new=new.content, old=old.content, names=_names(old), linked=linked)
            chosen.append(Open(pair, new.memory_id, old.memory_id))
    return chosen


def _decided(new: MemoryNode, old: MemoryNode) -> bool:
    """Whether the two were told apart before, or one took the place of the other."""
    replaced = new.memory_id == old.superseded_by or old.memory_id == new.superseded_by
    return replaced or told_apart(new, old)


def _ended_before(new: MemoryNode, old: MemoryNode) -> bool:
    over = old.invalid_at is not None and old.invalid_at <= new.valid_at
    return over and old.store_status is StoreStatus.VALID


def _in_one_turn(new: MemoryNode, old: MemoryNode) -> bool:
    turns = {part.memory_id for part in new.evidence}
    return not turns.isdisjoint(part.memory_id for part in old.evidence)


def _over(*nodes: MemoryNode) -> bool:
    return any(node.store_status is not StoreStatus.VALID for node in nodes)


def likelihood(new: MemoryNode, old: MemoryNode, relations: Relations) -> float:
    """How likely two memories of one target concern one matter, from 0. What counts: topic words, keys, the attribute,
    and values of one type they have in common, wording without the target's name, that the newer says that something
    has changed, and that it names what the older says as over."""
    names = _names(old)
    ours, theirs = without_names(new.content, names), without_names(old.content, names)
    one, other = gist_without_names(ours), gist_without_names(theirs)
    shared = len(one.words & other.words) / max(1, min(len(one.words), len(other.words)))
    typed = not one.values.keys().isdisjoint(other.values)
    attribute = _slot(new, relations) is not None and _slot(new, relations) == _slot(old, relations)
    keys = not set(new.key).isdisjoint(old.key)
    named = any(words & (other.words | other.said) for words in one.over)
    alike = trigram_similarity(ours, theirs)
    met = shared + 0.4 * typed + 0.3 * attribute + 0.2 * keys + alike
    return met and met + 0.3 * one.changes + 0.5 * named


def _slot(node: MemoryNode, relations: Relations) -> str | None:
    return None if node.attribute is None else own_slot(node.attribute, relations.own)


def _names(node: MemoryNode) -> tuple[str, ...]:
    title = node.meta_data.get("title")
    return (node.target_name, title) if isinstance(title, str) else (node.target_name,)


async def nearness(undecided: Iterable[Undecided], embedder: Embedder | None) -> Nearness | None:
    """The cosines of the likeliest of these pairs, `COMPARED` at most; None without an embedder that is semantic."""
    if embedder is None or not embedder.semantic:
        return None
    left = nlargest(COMPARED, undecided, key=lambda item: item.likelihood)
    if not left:
        return {}
    texts = list(dict.fromkeys(node.content for item in left for node in (item.new, item.old)))
    rows = dict(zip(texts, await embedder.embed(texts, purpose="document"), strict=True))
    return {
        (item.new.memory_id, item.old.memory_id): float(rows[item.new.content] @ rows[item.old.content])
        for item in left
    }
