"""Thinking, as a port: two engines behind it, `rules` (no model) and `llm`; and what engines with one can besides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol, runtime_checkable

from agentmem.domain.document import Extract
from agentmem.domain.event import Person
from agentmem.domain.memory import MemoryNode
from agentmem.domain.statement import Insight, Pair, Reading, Review, Usage, Verdict, Window


@dataclass(frozen=True, slots=True)
class Read:
    """The outcome of reading one window, and what it cost."""

    reading: Reading
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Judged:
    """Verdicts on pairs, and what they cost. A pair without a verdict stays undecided."""

    verdicts: tuple[Verdict, ...]
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Reflected:
    """Insights drawn from observations, decisions about what was in doubt, the ids of what holds no more, and what they
    cost: insights held that are borne out no more, and observations that are over. What is in doubt and not decided
    stays so."""

    insights: tuple[Insight, ...]
    usage: Usage = Usage()
    reviews: tuple[Review, ...] = ()
    withdrawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReflectionInput:
    """What one reflection looks at: what is known about one person, the insights held so far, and memories `doubtful`
    because something they rested on ended or changed; what is left of that is among the observations."""

    agent_name: str
    person: Person
    language: str
    observations: tuple[MemoryNode, ...]
    insights: tuple[MemoryNode, ...]
    new_attributes: int = 3
    refreshed: int = 5
    doubtful: tuple[MemoryNode, ...] = ()
    today: date | None = None


@dataclass(frozen=True, slots=True)
class Likeness:
    """A known entity that a name may mean, under its number: its names, its kind, and what is said of it."""

    number: int
    names: tuple[str, ...]
    kind: str
    said: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """A new name, under its number, that may mean one of the known entities, or none of them."""

    number: int
    name: str
    kind: str
    said: str
    candidates: tuple[Likeness, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """By the number of a name the number of the entity it means, and what it cost. A name that is not there is new."""

    same: Mapping[int, int]
    usage: Usage = Usage()


class Cognition(Protocol):
    """Reads windows, judges pairs, reflects. Holds no state between calls and writes nothing.

    Every method raises `BadAnswer` when what came back cannot be used, after at most one repair, and
    `BackendUnavailable` (with `retry_after` where the service named one) when the service does not answer.
    Quotes lie inside the offered turns, verdicts carry offered numbers, source ids are offered ids.
    """

    @property
    def name(self) -> str:
        """`rules`, or the model string."""
        ...

    async def read(self, window: Window) -> Read:
        """Statements of `window.turns`, at most `MAX_STATEMENTS`, in the order they were said."""
        ...

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        """Decide what the cheap tests left open, all pairs in one call; none for no pairs."""
        ...

    async def reflect(self, request: ReflectionInput) -> Reflected:
        """At most `new_attributes` insights on attributes not held yet and `refreshed` renewed ones.

        Of the doubtful memories each that can be decided on, once; one that stands does so on offered observations.
        Withdrawn are insights that reflection drew, and observations, of those offered.
        """
        ...


@runtime_checkable
class Comparing(Protocol):
    """Cognition that compares what it reads with what it is shown of what is held, so that no pair of these has to be
    judged afterwards."""

    @property
    def compares(self) -> bool:
        """Whether `read` fills `Statement.compared` and `Reading.looked_at`, and what it leaves out it has told apart,
        its own statements from each other included."""
        ...


def compares(cognition: Cognition) -> bool:
    """Whether it is one that compares while it reads."""
    return isinstance(cognition, Comparing) and cognition.compares


Silence = Literal["question", "request", "conditional", "uncertain", "polite", "reported", "idle"]
"""What a turn does in place of stating something that is to be kept."""


@runtime_checkable
class Explaining(Protocol):
    """Cognition that can say why it makes nothing of a turn, from its words alone and at no cost."""

    def why_nothing(self, text: str) -> Silence | None:
        """What the turn does; None where some of it states something, or it is not clear."""
        ...


def why_nothing(cognition: Cognition, text: str) -> Silence | None:
    """Why that engine makes nothing of a turn, as far as it can say."""
    return cognition.why_nothing(text) if isinstance(cognition, Explaining) else None


@runtime_checkable
class Resolver(Protocol):
    """Cognition that can tell whether a new name means a known entity where rules cannot."""

    async def resolve(self, doubts: Sequence[Doubt]) -> Resolved:
        """All names in one call; offered numbers alone come back. Raises as the methods of `Cognition` do."""
        ...


@dataclass(frozen=True, slots=True)
class UnreadPassage:
    """A piece to read. `earlier` are similar pieces that were read before: they help to understand it, and nothing
    is taken from them."""

    text: str
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extracted:
    """What was found in one piece, and what it cost."""

    extract: Extract
    usage: Usage = Usage()


@runtime_checkable
class Extractor(Protocol):
    """An ability that engines of cognition with a model have besides."""

    @property
    def extracts(self) -> bool:
        """Whether asking leads to anything at all."""
        ...

    async def extract(self, passage: UnreadPassage) -> Extracted:
        """What the piece says, in one call; quotes lie inside it. Raises `BadAnswer` and `BackendUnavailable` as
        `Cognition` does."""
        ...
