"""What the rules pass to one another: clauses, who they speak of, what was found."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from agentmem.adapters.cognition.rules.text import Lang, Span
from agentmem.domain.event import Person
from agentmem.domain.memory import Modality
from agentmem.domain.statement import Turn


class Act(StrEnum):
    """What a clause does."""

    ASSERT = "assert"
    QUESTION = "question"
    REQUEST = "request"
    CONDITIONAL = "conditional"
    UNCERTAIN = "uncertain"
    POLITE = "polite"
    REPORTED = "reported"
    IDLE = "idle"


class Who(StrEnum):
    """Whom or what a clause speaks of."""

    FIRST = "first"
    OWN = "own"
    OFFER = "offer"
    SECOND = "second"
    THIRD = "third"
    WORLD = "world"
    THING = "thing"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause: its kind, its words, and for a third person the name he is remembered by."""

    who: Who
    words: str = ""
    person: str | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of one turn that says one thing. `text` is normalised, without its connectives."""

    span: Span
    text: str
    lang: Lang
    act: Act
    subject: Subject
    predicate: str
    opens_sentence: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found; the engine makes it a statement. `spans` lie in the turn it was found in."""

    content: str
    kind: str
    importance: int
    lang: Lang
    spans: tuple[Span, ...]
    attribute: str | None = None
    value: str | None = None
    about: str | None = None
    modality: Modality = Modality.STATED
    layer: Literal["observation", "insight"] = "observation"
    key: tuple[str, ...] = ()
    ended: bool = False
    cited: tuple[tuple[str, Span], ...] = ()


@dataclass(slots=True)
class Discourse:
    """What a rule may know beyond its clause. Lives for one reading; `topic` and `subject` move with the talk."""

    person: Person
    agent_name: str
    turn: Turn
    asked: str = ""
    topic: str = ""
    third: str | None = None
    subject: Subject = field(default_factory=lambda: Subject(Who.NONE))
    claimed: list[Span] = field(default_factory=list[Span])

    @property
    def label(self) -> str:
        """How contents name the person."""
        return self.person.label

    def is_claimed(self, span: Span) -> bool:
        """Whether another rule has taken words inside the span."""
        return any(taken.start < span.end and span.start < taken.end for taken in self.claimed)


Rule = Callable[[Clause, Discourse], Iterable[Finding]]
"""One small reader: nothing, or what it found in the clause."""
