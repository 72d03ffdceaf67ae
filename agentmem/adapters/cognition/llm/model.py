"""A model string made into a model on our own HTTP client, behind a breaker and a budget."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model

from agentmem.adapters.cognition.llm.breaker import FAILURES, Breaker, BreakerModel
from agentmem.adapters.cognition.llm.budget import BudgetModel, TokenBudget
from agentmem.adapters.cognition.llm.options import LlmOptions
from agentmem.adapters.http import Retries, retrying_client
from agentmem.adapters.provider import Endpoint, missing, provider_factory, unusable


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """A model, and how its connections are closed."""

    model: Model
    close: Callable[[], Awaitable[None]]


def utc_now() -> datetime:
    """The wall clock."""
    return datetime.now(UTC)


class ModelBacked:
    """An adapter with a model behind it. Close it with `async with` or `aclose`."""

    def __init__(self, opened: OpenedModel, options: LlmOptions) -> None:
        self._opened, self._options = opened, options

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections to the service."""
        await self._opened.close()

    @property
    def name(self) -> str:
        """The model string."""
        return self._options.name


async def _nothing_to_close() -> None:
    return None


def open_guarded(
    options: LlmOptions,
    *,
    now: Callable[[], datetime] = utc_now,
    monotonic: Callable[[], float] = time.monotonic,
    spent_today: int = 0,
) -> OpenedModel:
    """As `open_model`, with the options' limits on failures in a row and on tokens."""
    # What is under way when it opens still counts, so it opens that much earlier.
    breaker = Breaker(max(1, FAILURES + 1 - options.concurrency), monotonic=monotonic)
    budget = TokenBudget(
        per_minute=options.tokens_per_minute, per_day=options.tokens_per_day, now=now, spent_today=spent_today
    )
    opened = open_model(options, breaker)
    guarded = BudgetModel(BreakerModel(opened.model, breaker), budget, options.max_output_tokens)
    return OpenedModel(guarded, opened.close)


def open_model(options: LlmOptions, breaker: Breaker) -> OpenedModel:
    """The model behind the options. Connects to nothing yet. Raises `InvalidInput` for an unknown or unusable name."""
    if isinstance(options.model, Model):
        return OpenedModel(options.model, _nothing_to_close)
    retries = Retries(
        attempts=options.retries + 1,
        max_wait=options.max_wait,
        may_retry=lambda: breaker.closed,
        on_failure=breaker.failed,
    )
    client = retrying_client(options.timeout, retries)
    factory = provider_factory(Endpoint(options.base_url, options.api_key), client)
    try:
        return OpenedModel(infer_model(options.model, factory), client.aclose)
    except ImportError as error:
        raise missing(options.model) from error
    except (UserError, ValueError) as error:
        raise unusable(error, options.model) from error
