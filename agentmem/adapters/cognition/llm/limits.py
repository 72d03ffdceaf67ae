"""What a model may cost and how often it may fail: tokens per minute and per day, estimated before a call; and a
circuit breaker, so that a service that is down is asked now and then, not by every job in the queue.
"""

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pydantic_ai.exceptions import ModelAPIError
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from agentmem import patterns as re
from agentmem.adapters.provider import translated
from agentmem.errors import BackendUnavailable

_WIDE: Final = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003fffd]")


def estimated(text: str) -> int:
    """Tokens of one text."""
    wide = len(_WIDE.findall(text))
    return wide + math.ceil((len(text) - wide) / 4)


def estimated_request(messages: Sequence[ModelMessage], tools: Sequence[object]) -> int:
    """Tokens of a prompt with its instructions and the schemas sent along."""
    total = sum(estimated(json.dumps(tool, ensure_ascii=False)) for tool in tools)
    for message in messages:
        if isinstance(message, ModelRequest):
            total += estimated(message.instructions or "")
            total += sum(
                estimated(part.content)
                for part in message.parts
                if isinstance(part, UserPromptPart) and isinstance(part.content, str)
            )
    return total


def shortened(text: str, tokens: int) -> str:
    """The beginning of a text within so many tokens, marked where it was cut."""
    if estimated(text) <= tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimated(text[:middle]) < tokens else (low, middle - 1)
    return text[:low] + "…"


FAILURES: Final = 10
PROBE_EVERY: Final = 30.0


class Breaker:
    """Closed until so many failures in a row, then open but for one probe per `PROBE_EVERY` seconds."""

    def __init__(
        self,
        failures: int = FAILURES,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limit, self._monotonic = failures, monotonic
        self._failures = 0
        self._why = "the model does not answer"
        self._next_probe = 0.0

    @property
    def closed(self) -> bool:
        """Whether calls pass freely."""
        return self._failures < self._limit

    def admit(self) -> None:
        """Let a call pass, or raise `BackendUnavailable` with the seconds to the next probe."""
        if self.closed:
            return
        now = self._monotonic()
        if now < self._next_probe:
            raise BackendUnavailable(
                f"{self._why}; it failed {self._failures} times in a row and is asked again later",
                retry_after=self._next_probe - now,
            )
        self._next_probe = now + PROBE_EVERY

    def failed(self, outage: BackendUnavailable | None = None) -> None:
        """Note a failure, and what is told of it; where the service named a wait, no probe goes out before it is
        over."""
        retry_after = None
        if outage is not None:
            self._why, retry_after = str(outage), outage.retry_after
        self._failures += 1
        if not self.closed:
            self._next_probe = max(self._next_probe, self._monotonic() + max(PROBE_EVERY, retry_after or 0.0))

    def succeeded(self) -> None:
        """Note an answer of any kind."""
        self._failures = 0


class BreakerModel(WrapperModel):
    """A model behind a breaker. A request the service read and refused is an answer, not an outage."""

    def __init__(self, wrapped: Model, breaker: Breaker) -> None:
        super().__init__(wrapped)
        self._breaker = breaker

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """See `Model.request`."""
        self._breaker.admit()
        try:
            response = await super().request(messages, model_settings, model_request_parameters)
        except ModelAPIError as error:
            told = translated(error)
            if isinstance(told, BackendUnavailable):
                self._breaker.failed(told)
            else:
                self._breaker.succeeded()
            raise
        self._breaker.succeeded()
        return response


@dataclass(slots=True)
class _Meter:
    limit: int
    period: timedelta
    name: str
    start: datetime | None = None
    spent: int = 0

    def begin(self, now: datetime) -> None:
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        start = midnight + (now - midnight) // self.period * self.period
        if start != self.start:
            self.start, self.spent = start, 0

    def check(self, tokens: int, now: datetime) -> None:
        self.begin(now)
        assert self.start is not None
        # The first call of a period always passes, or a cap below one call would stop everything for ever.
        if self.spent and self.spent + tokens > self.limit:
            raise BackendUnavailable(
                f"the model's budget of {self.limit} tokens per {self.name} is used up",
                retry_after=(self.start + self.period - now).total_seconds(),
            )


class TokenBudget:
    """Counts in this process. `spent_today` carries over what was used before a restart."""

    def __init__(
        self,
        *,
        per_minute: int | None = None,
        per_day: int | None = None,
        now: Callable[[], datetime],
        spent_today: int = 0,
    ) -> None:
        self._now = now
        self._meters: list[_Meter] = []
        if per_minute is not None:
            self._meters.append(_Meter(per_minute, timedelta(minutes=1), "minute"))
        if per_day is not None:
            day = _Meter(per_day, timedelta(days=1), "day")
            day.begin(now())
            day.spent = spent_today
            self._meters.append(day)

    def reserve(self, tokens: int) -> None:
        """Set tokens aside, or raise `BackendUnavailable` with the seconds to the next minute or day."""
        now = self._now()
        for meter in self._meters:
            meter.check(tokens, now)
        self._add(tokens)

    def settle(self, reserved: int, used: int) -> None:
        """Replace what was set aside by what was used."""
        self._add(used - reserved)

    def _add(self, tokens: int) -> None:
        for meter in self._meters:
            meter.spent = max(0, meter.spent + tokens)


class BudgetModel(WrapperModel):
    """A model with a budget. The longest answer allowed is set aside before the call, so the cap is a hard one."""

    def __init__(self, wrapped: Model, budget: TokenBudget, max_output_tokens: int) -> None:
        super().__init__(wrapped)
        self._budget, self._max_output = budget, max_output_tokens

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """See `Model.request`."""
        prompt = estimated_request(messages, _tools(model_request_parameters))
        reserved = prompt + ((model_settings or {}).get("max_tokens") or self._max_output)
        self._budget.reserve(reserved)
        used = 0
        try:
            response = await super().request(messages, model_settings, model_request_parameters)
            used = response.usage.total_tokens or prompt
        finally:
            self._budget.settle(reserved, used)
        return response


def _tools(parameters: ModelRequestParameters) -> Sequence[object]:
    return [tool.parameters_json_schema for tool in parameters.output_tools]
