"""The model that speaks for an agent, as a port."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from agentmem.domain.statement import Usage
from agentmem.domain.value import JsonValue

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
