"""What a document is remembered as: its pieces, and the things and statements that were found in them."""

from typing import Annotated, Final

from pydantic import Field

from agentmem.domain.entity import Mention
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.value import Value

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


MAX_FOUND = 40
"""Entities, and statements, taken from one piece."""


class Quoted(Value):
    """Characters `start` to `end` of the piece, which say it."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Described(Value):
    """A thing with what the piece tells of it, in one sentence of the model's own."""

    mention: Mention
    summary: str = Field(min_length=1, max_length=600)
    quote: Quoted


class Stated(Value):
    """A statement: how the first name is related to the second, and whom else it names."""

    names: tuple[Mention, ...] = Field(min_length=2)
    relation: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$", max_length=60)]
    quote: Quoted


class Extract(Value):
    """All of it; empty where nothing was found."""

    entities: tuple[Described, ...] = ()
    relations: tuple[Stated, ...] = ()
