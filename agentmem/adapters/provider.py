"""Providers of hosted models by name, all on one HTTP client that alone sends a request again, and their errors in our
terms.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import httpx2
from openai import AsyncOpenAI
from pydantic import SecretStr
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelRequestRejectedError,
)
from pydantic_ai.models import create_async_httpx2_client
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.retries import AsyncHTTPX2TenacityTransport, RetryConfig
from tenacity import RetryCallState, retry_if_exception_type, retry_if_result, wait_random_exponential

from agentmem.errors import BackendUnavailable, BadAnswer, InvalidInput, Unreachable, wait_asked

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
    """A model string that cannot be used: for want of a key, or as the first sentence of the library says."""
    told = str(error)
    variable = next((part for part in told.split("`") if part.isupper() and part.isidentifier()), None)
    if variable is not None:
        return InvalidInput(f"model {model!r} needs a key: set the environment variable {variable}")
    allowed = "; allowed: PROVIDER:MODEL, such as openai:gpt-5-mini or ollama:llama3" if "Unknown " in told else ""
    return InvalidInput(f"model {model!r}: {told.split('. ', 1)[0]}{allowed}")


def translated(error: ModelAPIError) -> BackendUnavailable | BadAnswer:
    """In our own terms, with the service's status and code but never the text it sent back."""
    status = f"HTTP {error.status_code}" if isinstance(error, ModelHTTPError) else type(error).__name__
    code = f", {error.provider_error_code}" if error.provider_error_code else ""
    if isinstance(error, ModelAuthenticationError | ModelNotFoundError):
        return BackendUnavailable(f"{error.model_name} refuses the key or does not exist ({status}{code})")
    if isinstance(error, ModelRequestRejectedError):
        return BadAnswer(f"{error.model_name} refused this request ({status}{code})")
    if isinstance(error, ModelConnectionError) and error.phase == "connect":
        return Unreachable(f"the model {error.model_name} cannot be reached: nothing answers at its server's address")
    told, asked = f"{error.model_name} does not answer ({status}{code})", wait_asked(error.retry_after)
    return BackendUnavailable(told, retry_after=asked)


TRANSIENT: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})


def _always() -> bool:
    return True


def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Retries:
    """How often and how long. Before each further attempt `on_failure` is told and `may_retry` asked."""

    attempts: int = 3
    max_wait: float = 10.0
    base_wait: float = 0.5
    may_retry: Callable[[], bool] = _always
    on_failure: Callable[[], None] = _nothing


def retrying_client(timeout: float, retries: Retries) -> httpx2.AsyncClient:
    """A client whose transport retries; the caller closes it."""
    sdk = logging.getLogger("openai")
    if sdk.level == logging.NOTSET:
        sdk.setLevel(logging.INFO)  # at DEBUG it logs whole prompts; who wants that sets its level himself
    return create_async_httpx2_client(timeout=timeout, transport=retrying(httpx2.AsyncHTTPTransport(), retries))


def retrying(wrapped: httpx2.AsyncBaseTransport, retries: Retries) -> AsyncHTTPX2TenacityTransport:
    """The last answer is returned as it came, so that status and `Retry-After` reach whoever reads it."""

    def stop(state: RetryCallState) -> bool:
        if state.upcoming_sleep > retries.max_wait or state.attempt_number >= retries.attempts:
            return True
        retries.on_failure()
        return not retries.may_retry()

    async def before_sleep(state: RetryCallState) -> None:
        if (response := _response(state)) is not None:
            await response.aclose()

    fallback = wait_random_exponential(multiplier=retries.base_wait, max=retries.max_wait)

    def wait(state: RetryCallState) -> float:
        asked = _retry_after(_response(state))
        return fallback(state) if asked is None else asked

    config = RetryConfig(
        retry=retry_if_result(_is_transient) | retry_if_exception_type(httpx2.TransportError),
        wait=wait,
        stop=stop,
        before_sleep=before_sleep,
        retry_error_callback=_last_outcome,
    )
    return AsyncHTTPX2TenacityTransport(config, wrapped, _refuse_pages)


def _refuse_pages(response: httpx2.Response) -> None:
    """A page of HTML in place of JSON is a gateway in trouble, whatever status it claims."""
    if response.is_success and response.headers.get("content-type", "").startswith("text/html"):
        raise httpx2.RemoteProtocolError("a page in place of an answer", request=response.request)


def _is_transient(response: httpx2.Response) -> bool:
    return response.status_code in TRANSIENT


def _response(state: RetryCallState) -> httpx2.Response | None:
    if state.outcome is None or state.outcome.failed:
        return None
    return state.outcome.result()


def _last_outcome(state: RetryCallState) -> httpx2.Response:
    assert state.outcome is not None
    return state.outcome.result()


def _retry_after(response: httpx2.Response | None) -> float | None:
    if response is None:
        return None
    return ModelHTTPError(response.status_code, "", headers=response.headers).retry_after
