"""A question put to what an agent remembers, and its answer, as values."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Scope
from agentmem.domain.statement import Usage
from agentmem.errors import InvalidInput
from agentmem.retrieval.query import Words

Mode = Literal["auto", "vector"]
"""How an answer is looked for: `vector` recalls once; `auto` chooses by the question."""

MOST_SOURCES = 50


@dataclass(frozen=True, slots=True)
class AskQuery:
    """What to answer, from what is in `scope`. `k` memories at most are looked at. `as_of` and `known_at` as in
    `RecallQuery`. Raises `InvalidInput`."""

    scope: Scope
    text: str
    mode: Mode = "auto"
    k: int = 8
    as_of: datetime | None = None
    known_at: datetime | None = None

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise InvalidInput("ask needs a question, this one is empty")
        if not 1 <= self.k <= MOST_SOURCES:
            raise InvalidInput(f"k is {self.k}, allowed: 1 to {MOST_SOURCES}")


@dataclass(frozen=True, slots=True)
class Source:
    """A memory the answer rests on, under its `number` in the answer's text, with the words it rests on itself."""

    number: int
    memory: MemoryNode
    words: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step on the way to an answer: `kind` of step, what went in, and the memories that came out, best first."""

    kind: Literal["recall", "extract", "narrate"]
    given: str
    memory_ids: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. `text` is None where nothing that is remembered answers the question. `extractive`: it is made of the
    sources' own sentences, not of a model's words. `confidence` runs from 0 to 1. `looked_at` are the ids of the
    memories it was told from, best first, also of those it then did not need."""

    question: str
    mode: Literal["vector"]
    text: str | None
    extractive: bool
    confidence: float
    sources: tuple[Source, ...] = ()
    trace: tuple[Step, ...] = ()
    usage: Usage = Usage()
    looked_at: tuple[str, ...] = ()
