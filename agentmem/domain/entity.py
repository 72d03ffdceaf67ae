"""Whom and what memories are about: entities, as the nodes between memories, and what others say of a person."""

from collections.abc import Collection
from functools import lru_cache
from typing import Final, Literal

from pydantic import ValidationError

from agentmem.domain.filter import AllOf, AnyOf, Compare, Filter, NotAny
from agentmem.domain.filter_fields import META
from agentmem.domain.ids import Name, derived_id, entity_id
from agentmem.domain.memory import MemoryNode, MemoryType, Trust
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Lane
from agentmem.domain.value import JsonValue, Value

EntityKind = Literal["person", "organisation", "product", "place", "project", "thing"]

MENTIONS: Final = "mentions"
"""The field of `meta_data` in which a memory keeps the names and kinds behind its `entity_ids`."""


TOLD_IN: Final = "toldIn"
"""In `meta_data` of a memory about somebody else: the id of the person in whose conversation it was told."""

APART: Final = "apart"
"""In the `meta_data` of two entities that were parted by hand: the ids of those they are not."""


class Mention(Value):
    """A name in a text, and what kind of thing it names; `thing` where that is not said."""

    name: Name
    kind: EntityKind = "thing"


@lru_cache(maxsize=16_384)  # the names in one batch of work come again and again
def named(tenant: str, agent: str, name: str) -> str:
    """The id of the entity of that name."""
    return entity_id(tenant, agent, canonical_name(name))


def graph_lane(tenant: str, agent: str) -> Lane:
    """The lane in which an agent's entities and communities are written, one writer at a time."""
    return Lane(tenant, agent, derived_id("graph", tenant, agent))


def with_mentions(mentions: tuple[Mention, ...]) -> dict[str, JsonValue]:
    """The mentions as `meta_data` holds them; empty for none."""
    return {MENTIONS: [mention.model_dump(mode="json") for mention in mentions]} if mentions else {}


def mentions_of(node: MemoryNode) -> list[Mention]:
    """The names a memory mentions, in the order of its text; what is no mention is passed over."""
    held = node.meta_data.get(MENTIONS)
    return [one for item in held if (one := _read(item)) is not None] if isinstance(held, list) else []


def _read(item: JsonValue) -> Mention | None:
    try:
        if isinstance(item, dict) and len(item) == 2:
            name, kind = item.get("name"), item.get("kind")
            if isinstance(name, str) and isinstance(kind, str):
                return _mention(name, kind)
        return Mention.model_validate(item)
    except ValidationError:
        return None


@lru_cache(maxsize=16_384)
def _mention(name: str, kind: str) -> Mention:
    return Mention.model_validate({"name": name, "kind": kind})


def mentions_any(node: MemoryNode, names: Collection[str]) -> bool:
    """Whether a memory is about, or mentions, what bears one of these names."""
    wanted = set(map(canonical_name, names))
    said = (node.target_name, *(mention.name for mention in mentions_of(node)))
    return not wanted.isdisjoint(map(canonical_name, said))


_CONCLUDED = (MemoryType.INSIGHT.value, MemoryType.LONGTERM.value)


def told_by(target: str) -> Filter:
    """What is about the person `target`, and what was made of his talks about others."""
    return AnyOf((Compare("targetId", "eq", target), Compare(META + TOLD_IN, "eq", target)))


def without_hearsay(target: str) -> Filter:
    """What is no hearsay about the person `target`: nothing told in somebody else's conversation, and nothing that was
    concluded from such words. What he said himself as well is his own."""
    told_elsewhere = AllOf((Compare(META + TOLD_IN, "exists"), Compare(META + TOLD_IN, "ne", target)))
    concluded = AllOf((Compare("memoryType", "in", _CONCLUDED), Compare("trust", "eq", Trust.UNTRUSTED.value)))
    about_him = Compare("targetId", "eq", target)
    return NotAny((AllOf((about_him, AnyOf((told_elsewhere, concluded)))),))


def heard_from(node: MemoryNode) -> str | None:
    """Who told it, where that is not the person it is about."""
    if TOLD_IN not in node.meta_data or not node.speaker:
        return None
    return None if canonical_name(node.speaker) == canonical_name(node.target_name) else node.speaker
