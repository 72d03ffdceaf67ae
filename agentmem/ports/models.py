"""What language models do for the core, as ports: speak, narrate, sum up, rerank; and how long a text is for them."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from agentmem.domain.memory import MemoryNode
from agentmem.domain.statement import Usage
from agentmem.domain.value import JsonValue
from agentmem.ports.embedder import Matrix

Arguments = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Tool:
    """Something the model may do. `parameters` is the JSON schema of an object; `call` takes one that fits, or not:
    what the model sends is checked there. Its answer is text for the model; `InvalidInput` tells it what was wrong."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]
    call: Callable[[Arguments], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Message:
    """What one of the two said."""

    by_agent: bool
    text: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What one reply may take: `requests` to the model, of which the last offers no tools; `tool_calls` carried out;
    `tokens` in and out together, counted after each request; `characters` said, beyond which it is cut."""

    requests: int = 6
    tool_calls: int = 12
    tokens: int = 60_000
    characters: int = 20_000


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is to be replied to: `messages`, oldest first, ending with one by the person."""

    instructions: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    limits: Limits = Limits()


class ChatModel(Protocol):
    """Speaks. Holds no state between replies."""

    @property
    def name(self) -> str:
        """The model string."""
        ...

    def reply(self, request: ChatRequest) -> AsyncGenerator[str | Usage]:
        """Pieces of what is said as they come, none of them empty, and what each request cost when it is known.

        Tools that the model calls are carried out in between, one after the other. To be closed by whoever does not
        read it to its end. Raises `BadAnswer` where nothing was said, the service refused, or a limit was reached
        before anything was said; `BackendUnavailable` where the service does not answer, or broke off.
        """
        ...


@dataclass(frozen=True, slots=True)
class Narrated:
    """An answer in words of its own. `cited` are numbers of offered passages, from 1, in rising order; with `text` None
    the passages do not answer the question. `choice` is the number, from 1, of the offered choice that it is."""

    text: str | None
    cited: tuple[int, ...] = ()
    usage: Usage = Usage()
    choice: int | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """A question taken apart: at least one, each to be understood by itself."""

    questions: tuple[str, ...]
    usage: Usage = Usage()


@dataclass(frozen=True, slots=True)
class Summary:
    """What facts tell about a question; empty where they tell nothing about it."""

    text: str
    usage: Usage = Usage()


class Narrator(Protocol):
    """Answers from passages and from nothing else. Holds no state between calls and writes nothing.

    Every method raises `BadAnswer` when what came back cannot be used, after at most one repair, and
    `BackendUnavailable` when the service does not answer.
    """

    @property
    def name(self) -> str:
        """The model string."""
        ...

    async def answer(
        self,
        question: str,
        passages: Sequence[str],
        graph: Sequence[str] = (),
        *,
        choices: Sequence[str] = (),
        today: str | None = None,
    ) -> Narrated:
        """The answer that the passages give, with the passages it rests on: at least one where there is an answer.

        `graph` tells how things hang together, as `(name:description)` and `(a)-[RELATION:description]->(b)`.
        Where there are `choices`, the answer is one of them or none. `today` is the day that is asked about.
        """
        ...

    async def split(self, question: str, *, most: int) -> Split:
        """At most `most` questions that together ask what the whole asks, what has to be known first before it."""
        ...

    async def summarise(self, question: str, facts: Sequence[str]) -> Summary:
        """What the facts tell that bears on the question, in a few sentences."""
        ...


class Summariser(Protocol):
    """Sums up what it is given and nothing else; every narrator is one. Holds no state and writes nothing."""

    async def summarise(self, question: str, facts: Sequence[str]) -> Summary:
        """What the facts tell that bears on the question, in a few sentences; empty where they tell nothing about it.

        Raises `BadAnswer` when what came back cannot be used, after at most one repair, and `BackendUnavailable` when
        the service does not answer.
        """
        ...


TokenCounter = Callable[[str], int]
"""Tokens of one text: 0 for an empty one, the same number for the same text, and at once, without any wait outside."""


@dataclass(frozen=True, slots=True, eq=False)
class Inquiry:
    """What was asked. `vector` is one row; `centres`, what it revolves around: ids of memories or entities, or keys."""

    text: str
    vector: Matrix | None = None
    centres: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Rankable:
    """A found memory with the score it has so far, what each channel gave it, and its vector as one row.

    A channel that did not find the memory is absent from `channels`; higher is better in each.
    """

    memory: MemoryNode
    score: float = 0.0
    channels: Mapping[str, float] = field(default_factory=dict[str, float])
    vector: Matrix | None = None


class Reranker(Protocol):
    """Judges how well memories answer a question. Holds no state between calls; the same call gives the same answer,
    as far as the model behind it does."""

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """One finite relevance per item, in the order given, on a scale of its own; higher is better.

        Items come best first, so equal relevance leaves their order alone. None for no items. Raises
        `BackendUnavailable`, and `BadAnswer` where a model's answer cannot be used.
        """
        ...
