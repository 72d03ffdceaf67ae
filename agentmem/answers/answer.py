"""A question put to what an agent remembers, and its answer, as values."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agentmem.domain.bounds import MAX_TEXT, check_fields, check_text
from agentmem.domain.memory import MemoryNode
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.domain.statement import Usage
from agentmem.errors import InvalidInput
from agentmem.questions.form import AnswerMode
from agentmem.retrieval.query import MAX_HOPS, Words

AskMode = Literal["auto", "vector", "local", "global", "hybrid", "traverse", "temporal"]
"""An answer mode, or `auto`, which chooses one by the form of the question."""

UNANSWERED = "(nothing that is remembered answers this)"
"""What a reply without an answer prints."""

MAX_SOURCES = 50
MAX_CHOICES = 20


@dataclass(frozen=True, slots=True)
class AskQuery:
    """What to answer, from what is in `scope`. `k` memories at most are looked at, and walks go `depth` steps far.
    `as_of` and `known_at` as in `RecallQuery`. With `choices`, which differ, the reply says which of them is right.
    Raises `InvalidInput`."""

    scope: Scope
    text: str
    mode: AskMode = "auto"
    k: int = 8
    as_of: datetime | None = None
    known_at: datetime | None = None
    depth: int = 2
    choices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)
        check_text("ask", self.text, MAX_TEXT)
        if not self.text.strip():
            raise InvalidInput("ask needs a question, this one is empty")
        if not 1 <= self.k <= MAX_SOURCES:
            raise InvalidInput(f"k is {self.k}, allowed: 1 to {MAX_SOURCES}")
        if not 1 <= self.depth <= MAX_HOPS:
            raise InvalidInput(f"depth is {self.depth}, allowed: 1 to {MAX_HOPS}")
        differing = {canonical_name(choice) for choice in self.choices if choice.strip()}
        if self.choices and not (1 < len(differing) == len(self.choices) <= MAX_CHOICES):
            raise InvalidInput(f"choices: {len(differing)} that differ, allowed: 2 to {MAX_CHOICES}, each once")


@dataclass(frozen=True, slots=True)
class Source:
    """A memory the answer rests on, under its `number` in the answer's text, with the words it rests on itself."""

    number: int
    memory: MemoryNode
    words: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step on the way to an answer: `kind` of step, what went in, and the memories that came out, best first. The
    last step, `extract` or `narrate`, names the sources, with their `numbers` in the answer."""

    kind: Literal["recall", "walk", "overview", "split", "search", "fuse", "extract", "narrate"]
    given: str
    memory_ids: tuple[str, ...] = ()
    note: str = ""
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AskReply:
    """An answer. `text` is None where nothing that is remembered answers the question. `extractive`: it is made of the
    sources' own sentences, not of a model's words. `confidence` runs from 0 to 1.

    `trace` is replayed by `answers.replay`, with `asked_at`. `graph` are the entities and links that were walked over,
    as `(name:description)` and `(a)-[RELATION:description]->(b)`. `looked_at` are the ids of the memories that the
    answer was told from, the best of each part of the question first, also of those that were then not needed. `choice`
    is the number, from 1, of the choice that is right; None where there is no answer, or it tells none of them apart.
    """

    question: str
    mode: AnswerMode
    text: str | None
    extractive: bool
    confidence: float
    asked_at: datetime
    sources: tuple[Source, ...] = ()
    trace: tuple[Step, ...] = ()
    usage: Usage = Usage()
    graph: tuple[str, ...] = ()
    looked_at: tuple[str, ...] = ()
    choice: int | None = None

    def __str__(self) -> str:
        """The answer, or that there is none, and below it a line for each source under its number."""
        sources = [f"[{each.number}] {each.memory.content}" for each in self.sources]
        return "\n".join([UNANSWERED if self.text is None else self.text, *sources])

    def __repr__(self) -> str:
        said = f"{self.text!r}, confidence={self.confidence:.2f}, sources={len(self.sources)}"
        return f"{type(self).__name__}({said})"
