"""What is counted and logged: the cost of cognition, and structured events without anybody's words in them."""

import logging
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property

import structlog
from structlog.typing import EventDict

from agentmem.domain.document import Extract
from agentmem.domain.statement import Pair, Usage, Window
from agentmem.language.safe_text import safe_line
from agentmem.ports.cognition import (
    Cognition,
    Doubt,
    Extracted,
    Extractor,
    Judged,
    Read,
    Reflected,
    ReflectionInput,
    Resolved,
    Resolver,
    Silence,
    UnreadPassage,
    compares,
    why_nothing,
)
from agentmem.ports.models import Summariser, Summary


class MeteredCognition:
    """Delegates to another engine, which is loaded at its first use, and adds up what its calls cost."""

    def __init__(self, load: Callable[[], Cognition]) -> None:
        self._load = load
        self.usage = Usage()

    @cached_property
    def _inner(self) -> Cognition:
        return self._load()

    def ready(self) -> None:
        """Load the engine now. Raises `InvalidInput` where it is configured wrongly, such as for want of a key."""
        _ = self._inner

    def counting(self, load: Callable[[], Awaitable[Summariser | None]]) -> Callable[[], Awaitable[Summariser | None]]:
        """The same summariser, of which what it costs counts here too."""

        async def loaded() -> Summariser | None:
            inner = await load()
            return None if inner is None else MeteredSummariser(inner, self)

        return loaded

    async def aclose(self) -> None:
        """Close the engine, if it was loaded and holds anything open."""
        if "_inner" in vars(self) and isinstance(self._inner, AbstractAsyncContextManager):
            await self._inner.__aexit__(None, None, None)

    @property
    def name(self) -> str:
        """The inner engine's name."""
        return self._inner.name

    @property
    def compares(self) -> bool:
        """See `Comparing`."""
        return compares(self._inner)

    def why_nothing(self, text: str) -> Silence | None:
        """See `Explaining`."""
        return why_nothing(self._inner, text)

    async def read(self, window: Window) -> Read:
        """See `Cognition.read`."""
        read = await self._inner.read(window)
        self.usage = self.usage.plus(read.usage)
        return read

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        """See `Cognition.judge`."""
        judged = await self._inner.judge(pairs)
        self.usage = self.usage.plus(judged.usage)
        return judged

    async def reflect(self, request: ReflectionInput) -> Reflected:
        """See `Cognition.reflect`."""
        reflected = await self._inner.reflect(request)
        self.usage = self.usage.plus(reflected.usage)
        return reflected

    async def resolve(self, doubts: Sequence[Doubt]) -> Resolved:
        """See `Resolver.resolve`; an engine that cannot tell leaves every name new."""
        if not doubts or not isinstance(self._inner, Resolver):
            return Resolved({})
        resolved = await self._inner.resolve(doubts)
        self.usage = self.usage.plus(resolved.usage)
        return resolved

    @property
    def extracts(self) -> bool:
        """Whether the inner engine is one that reads documents."""
        return isinstance(self._inner, Extractor) and self._inner.extracts

    async def extract(self, passage: UnreadPassage) -> Extracted:
        """See `Extractor.extract`; nothing where the inner engine has not learned it."""
        if not isinstance(self._inner, Extractor):
            return Extracted(Extract())
        extracted = await self._inner.extract(passage)
        self.usage = self.usage.plus(extracted.usage)
        return extracted


class MeteredSummariser:
    """Delegates to another and adds what its calls cost to what thinking costs."""

    def __init__(self, inner: Summariser, metered: MeteredCognition) -> None:
        self._inner, self._metered = inner, metered

    async def summarise(self, question: str, facts: Sequence[str]) -> Summary:
        """See `Summariser.summarise`."""
        summary = await self._inner.summarise(question, facts)
        self._metered.usage = self._metered.usage.plus(summary.usage)
        return summary


def _harmless(_logger: object, _method: str, event: EventDict) -> EventDict:
    return {name: safe_line(value) if isinstance(value, str) else value for name, value in event.items()}


def configure_logging(level: str, *, as_json: bool = False) -> None:
    """Send structured logs to stderr, from `level` on."""
    plain = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    renderer = structlog.processors.JSONRenderer(ensure_ascii=True) if as_json else plain
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _harmless,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=False,
    )
