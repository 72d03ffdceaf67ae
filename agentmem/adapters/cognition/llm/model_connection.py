"""How a model is reached: a model string made into a model on our own HTTP client, behind a breaker and a budget."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Literal, Self

from pydantic import SecretStr
from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model

from agentmem.adapters.cognition.llm.limits import FAILURES, Breaker, BreakerModel, BudgetModel, TokenBudget
from agentmem.adapters.provider import Endpoint, Retries, missing, provider_factory, retrying_client, unusable
from agentmem.errors import InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmOptions:
    """`model` is a pydantic-ai model string, or a model of your own.

    `openai:` speaks the Responses API; compatible servers want `openai-chat:` and a `base_url`. Without `api_key` the
    service's own environment variable counts. `timeout` covers one call with its `retries`, in seconds. Prompts are
    cut to `max_tokens_per_window`; a call that would pass a cap per minute or per day waits for the next one.
    `structured` is `tool` for models that keep to a form only where they are given a schema, which a call pays for in
    tokens. The model's key never shows in `repr`.
    """

    model: Model | str
    base_url: str | None = None
    api_key: SecretStr | None = field(default=None, repr=False)
    timeout: float = 60.0
    concurrency: int = 8
    retries: int = 2
    max_wait: float = 10.0
    max_output_tokens: int = 4_096
    max_tokens_per_window: int = 6_000
    tokens_per_minute: int | None = None
    tokens_per_day: int | None = None
    structured: Literal["tool", "text"] = "text"

    def __post_init__(self) -> None:
        if self.timeout <= 0 or self.concurrency < 1 or self.retries < 0:
            raise InvalidInput("timeout and concurrency must be positive, retries not negative")
        if self.max_tokens_per_window < 1_000:
            raise InvalidInput(f"max_tokens_per_window {self.max_tokens_per_window} must be at least 1000")

    @property
    def name(self) -> str:
        """The model string, or the name the model gives itself."""
        return self.model if isinstance(self.model, str) else self.model.model_name


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
