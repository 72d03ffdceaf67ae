"""A circuit breaker: a service that is down is asked now and then, not by every job in the queue."""

import time
from collections.abc import Callable
from typing import Final

from pydantic_ai.exceptions import ModelAPIError
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from agentmem.adapters.provider import translated
from agentmem.errors import BackendUnavailable

FAILURES: Final = 10
PROBE_EVERY: Final = 30.0


class Breaker:
    """Closed until so many failures in a row, then open but for one probe per `probe_every` seconds."""

    def __init__(
        self,
        failures: int = FAILURES,
        *,
        probe_every: float = PROBE_EVERY,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limit, self._probe_every, self._monotonic = failures, probe_every, monotonic
        self._failures = 0
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
                f"the model failed {self._failures} times in a row; asking again later",
                retry_after=self._next_probe - now,
            )
        self._next_probe = now + self._probe_every

    def failed(self, retry_after: float | None = None) -> None:
        """Note a failure; where the service named a wait, no probe goes out before it is over."""
        self._failures += 1
        if not self.closed:
            self._next_probe = max(self._next_probe, self._monotonic() + max(self._probe_every, retry_after or 0.0))

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
            if isinstance(translated(error), BackendUnavailable):
                self._breaker.failed(error.retry_after)
            else:
                self._breaker.succeeded()
            raise
        self._breaker.succeeded()
        return response
