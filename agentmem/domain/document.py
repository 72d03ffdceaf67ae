"""What a document is remembered as: pieces in its own words, and the facts in them that relate one thing to another.

A fact says again what its piece says. It is there for the graph, so that what is related is known by name; whoever
searches finds the piece.
"""

from typing import Final

from agentmem.domain.memory import MemoryNode, MemoryType

CHUNK: Final = "chunk"
FACT: Final = "fact"

_PLACE: Final = "heading"
"""What everything out of a document keeps in its `meta_data`, wherever it goes."""


def is_of_document(node: MemoryNode) -> bool:
    """Whether a memory is a piece of a document or a fact in one."""
    return node.memory_type is MemoryType.LONGTERM and node.kind in (CHUNK, FACT) and _PLACE in node.meta_data


def is_document_fact(node: MemoryNode) -> bool:
    """Whether a memory relates names as a piece of a document does."""
    return node.kind == FACT and is_of_document(node)
