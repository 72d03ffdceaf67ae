"""Caps on tokens per minute and per day: over the cap a call is put off, never lost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from agentmem.adapters.cognition.llm.tokens import estimated_request
from agentmem.errors import BackendUnavailable


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
        reserved = prompt + self._max_output
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
