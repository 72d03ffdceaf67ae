"""What a model finds in one piece of a document: things it describes, and statements that relate them."""

from typing import Annotated

from pydantic import Field

from agentmem.domain.entity import Mention
from agentmem.domain.value import Value

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
