"""A memory corrected by hand: other words under the same id, with its history behind it."""

from collections.abc import Mapping

from agentmem.domain.memory import MemoryNode
from agentmem.domain.value import JsonValue
from agentmem.language.tokens import tokens


def edited(node: MemoryNode, text: str, meta: Mapping[str, JsonValue] | None = None) -> MemoryNode:
    """The memory with this content and, where given, this metadata added.

    It keeps whom it is about, when it is true and what it was made from. Nobody spoke the new words, so its evidence
    goes. It fills its slot with the old value where the text still says it, with what stands in its place where nothing
    else was changed, and else with none.
    """
    said = frozenset(tokens(text))
    value = _value(node, text)
    return node.revised(
        content=text,
        key=tuple(key for key in node.key if said.issuperset(tokens(key))),
        attribute=node.attribute if value is not None else None,
        value=value,
        relation=node.relation if text == node.content else None,
        evidence=node.evidence if text == node.content else (),
        needs_review=None,
        obs_reflected=0,
        obs_updated=node.obs_updated + 1,
        revision=node.revision + 1,
        meta_data={**node.meta_data, **(meta or {})},
    )


def _value(node: MemoryNode, text: str) -> str | None:
    """What the new text says in the place of the old value."""
    if node.attribute is None or node.value is None or node.value in text:
        return node.value
    before, found, after = node.content.partition(node.value)
    bare = text[len(before) : len(text) - len(after)].strip()
    kept = found and text.startswith(before) and text.endswith(after) and len(text) > len(before) + len(after)
    return bare if kept and bare else None
