"""Reading a piece of a document for what it relates, as a port: what rules alone do not find."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from agentmem.domain.document import Extract
from agentmem.domain.statement import Usage


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
