"""The HTTP client under every hosted model: the one place where a request is sent again.

SDKs are told not to retry by themselves, or their retries would multiply with these. A wait that the service names
(`Retry-After`) is kept when it is short and handed to the caller when it is long.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import httpx2
from pydantic_ai import ModelHTTPError
from pydantic_ai.models import create_async_httpx2_client
from pydantic_ai.retries import AsyncHTTPX2TenacityTransport, RetryConfig
from tenacity import RetryCallState, retry_if_exception_type, retry_if_result, wait_random_exponential

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
