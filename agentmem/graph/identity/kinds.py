"""What kind of thing an entity is, where memories guess it differently: what most of them say, by their trust.

A company's legal form settles it, and so does somebody who speaks: the one is an organisation, the other a person.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from agentmem.domain.memory import MemoryNode, Trust
from agentmem.domain.value import JsonValue
from agentmem.language.same_names import has_legal_form

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
