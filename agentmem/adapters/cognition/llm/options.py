"""How the model is reached and what it may cost."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import SecretStr
from pydantic_ai.models import Model

from agentmem.errors import InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmOptions:
    """`model` is a pydantic-ai model string, or a model of your own.

    `openai:` speaks the Responses API; compatible servers want `openai-chat:` and a `base_url`. Without `api_key` the
    service's own environment variable counts. `timeout` covers one call with its `retries`, in seconds. Prompts are
    cut to `max_tokens_per_window`; a call that would pass a cap per minute or per day waits for the next one.
    `structured` is `text` for servers that know no tools. The model's key never shows in `repr`.
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
    structured: Literal["tool", "text"] = "tool"

    def __post_init__(self) -> None:
        if self.timeout <= 0 or self.concurrency < 1 or self.retries < 0:
            raise InvalidInput("timeout and concurrency must be positive, retries not negative")
        if self.max_tokens_per_window < 1_000:
            raise InvalidInput(f"max_tokens_per_window {self.max_tokens_per_window} must be at least 1000")

    @property
    def name(self) -> str:
        """The model string, or the name the model gives itself."""
        return self.model if isinstance(self.model, str) else self.model.model_name
