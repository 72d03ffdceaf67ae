"""pydantic-ai providers by name, all on one HTTP client, and their errors in our own terms."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import httpx2
from openai import AsyncOpenAI
from pydantic import SecretStr
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelRequestRejectedError,
)
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider

from agentmem.errors import BackendUnavailable, BadAnswer, InvalidInput

OLLAMA_URL: Final = "http://localhost:11434/v1"
_OPENAI: Final = frozenset({"openai", "openai-chat", "openai-responses"})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a service is and the key for it; None means what the service's own environment variables say."""

    base_url: str | None = None
    api_key: SecretStr | None = None

    @property
    def key(self) -> str | None:
        """The key in clear text."""
        return self.api_key.get_secret_value() if self.api_key is not None else None


def provider_factory(endpoint: Endpoint, client: httpx2.AsyncClient) -> Callable[[str], Provider[Any]]:
    """What pydantic-ai calls with the part of a model string before the colon. SDK retries are off."""

    def build(name: str) -> Provider[Any]:
        if name in _OPENAI:
            return _openai(endpoint, client)
        if name == "ollama":
            return _ollama(endpoint, client)
        return _other(name, endpoint, client)

    return build


def _openai(endpoint: Endpoint, client: httpx2.AsyncClient) -> Provider[Any]:
    plain = OpenAIProvider(base_url=endpoint.base_url, api_key=endpoint.key, http_client=client)
    return OpenAIProvider(openai_client=plain.client.with_options(max_retries=0))


def _ollama(endpoint: Endpoint, client: httpx2.AsyncClient) -> Provider[Any]:
    sdk = AsyncOpenAI(
        base_url=endpoint.base_url or OLLAMA_URL, api_key=endpoint.key or "none", http_client=client, max_retries=0
    )
    return OllamaProvider(openai_client=sdk)


def _other(name: str, endpoint: Endpoint, client: httpx2.AsyncClient) -> Provider[Any]:
    if endpoint == Endpoint() and name != "anthropic":
        return infer_provider(name)
    given = {"base_url": endpoint.base_url, "api_key": endpoint.key}
    settings = {key: value for key, value in given.items() if value is not None}
    if name == "anthropic":
        settings |= {"http_client": client}
    try:
        return infer_provider_class(name)(**settings)
    except TypeError as error:
        wanted = ", ".join(key for key in settings if key != "http_client")
        raise InvalidInput(f"{name!r} models take no {wanted}; use 'openai-chat:' for a compatible server") from error


def missing(model: str) -> InvalidInput:
    """A missing package, as the line that installs it."""
    family = model.split(":", 1)[0]
    extra = "agentmem-framework[anthropic]" if family == "anthropic" else f"pydantic-ai-slim[{family}]"
    return InvalidInput(f'model {model!r} needs: pip install "{extra}"')


def unusable(error: Exception, model: str) -> InvalidInput:
    """A model string that cannot be used, in the first sentence of what the library says about it."""
    return InvalidInput(f"model {model!r}: {str(error).split('. ', 1)[0]}")


def translated(error: ModelAPIError) -> BackendUnavailable | BadAnswer:
    """In our own terms, with the service's status and code but never the text it sent back."""
    status = f"HTTP {error.status_code}" if isinstance(error, ModelHTTPError) else type(error).__name__
    code = f", {error.provider_error_code}" if error.provider_error_code else ""
    if isinstance(error, ModelAuthenticationError | ModelNotFoundError):
        return BackendUnavailable(f"{error.model_name} refuses the key or does not exist ({status}{code})")
    if isinstance(error, ModelRequestRejectedError):
        return BadAnswer(f"{error.model_name} refused this request ({status}{code})")
    return BackendUnavailable(f"{error.model_name} does not answer ({status}{code})", retry_after=error.retry_after)
