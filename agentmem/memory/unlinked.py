"""A memory that stays, without a way to those that are erased."""

from collections.abc import Collection

from agentmem.domain.memory import MemoryNode
from agentmem.domain.value import JsonValue


def unlinked(node: MemoryNode, gone: Collection[str]) -> dict[str, object]:
    """Every other way in which a memory names another, without those that are gone; and no earlier wording."""
    return {
        "supersedes": tuple(key for key in node.supersedes if key not in gone),
        "superseded_by": None if node.superseded_by in gone else node.superseded_by,
        "conflicts_with": tuple(key for key in node.conflicts_with if key not in gone),
        "needs_review": tuple(key for key in node.needs_review or () if key not in gone) or None,
        "meta_data": {
            name: _without(value, gone)
            for name, value in node.meta_data.items()
            if name != "history" and not (isinstance(value, str) and value in gone)
        },
    }


def _without(value: JsonValue, gone: Collection[str]) -> JsonValue:
    """A list of ids without those that are gone; every other value as it is."""
    if not isinstance(value, list):
        return value
    return [item for item in value if not (isinstance(item, str) and item in gone)]
