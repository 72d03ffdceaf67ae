"""What finds an original finds its copy: vectors and terms of a copied memory are taken over, not made again."""

from collections.abc import Sequence

from pydantic_core import to_jsonable_python

from agentmem.domain.lineage import origin_of
from agentmem.domain.memory import MemoryNode
from agentmem.domain.value import JsonValue
from agentmem.ports.memory_index import CUES, Held, Point, PointSource

_FIELDS = ("content", "key", "attribute", "validAt", "metaData", CUES)
"""Everything that vectors, terms and cues are made from, and the cues themselves."""


async def inherited(nodes: Sequence[MemoryNode], index: PointSource) -> dict[str, Point]:
    """Points of those memories that are copies of others which the index has in the same words, by memory id."""
    origins = {node.memory_id: origin for node in nodes if (origin := origin_of(node)) is not None}
    if not origins:
        return {}
    held = await index.held(list(dict.fromkeys(origins.values())), _FIELDS)
    sources = ((node, held.get(origins.get(node.memory_id, ""))) for node in nodes)
    return {node.memory_id: _point(node, source) for node, source in sources if source and _same(node, source)}


def _point(node: MemoryNode, held: Held) -> Point:
    cues = held.fields.get(CUES)
    return Point(node, held.content, held.keys, held.lexical, cues if isinstance(cues, dict) else {})


def _same(node: MemoryNode, held: Held) -> bool:
    fields = held.fields
    meta = fields.get("metaData")
    caption = meta.get("caption") if isinstance(meta, dict) else None
    return (
        len(held.content) == 1
        and fields.get("content") == node.content
        and fields.get("key", []) == list(node.key)
        and fields.get("attribute") == node.attribute
        and fields.get("validAt") == to_jsonable_python(node.valid_at)
        and _text(caption) == _text(node.meta_data.get("caption"))
    )


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) else None
