"""Any embedding model that pydantic-ai knows by name: `openai:text-embedding-3-small`, `ollama:…`, `cohere:…`."""

import asyncio
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

import numpy as np
from pydantic import SecretStr
from pydantic_ai.embeddings import EmbeddingModel, EmbeddingSettings, infer_embedding_model
from pydantic_ai.exceptions import ModelAPIError, UserError
from pydantic_ai.providers import Provider

from agentmem.adapters.embedder.cached import unit_rows
from agentmem.adapters.provider import (
    Endpoint,
    Retries,
    missing,
    provider_factory,
    retrying_client,
    translated,
    unusable,
)
from agentmem.errors import BackendUnavailable
from agentmem.ports.embedder import Matrix, Purpose
from agentmem.tracing import span


class PydanticAIEmbedder:
    """Opened with `async with`, which asks for one vector to learn the size, unless `size` says which to ask for."""

    def __init__(
        self,
        model: EmbeddingModel | str,
        *,
        size: int | None = None,
        base_url: str | None = None,
        api_key: SecretStr | None = None,
        batch: int = 64,
        timeout: float = 30.0,
        retries: int = 2,
    ) -> None:
        self._client = retrying_client(timeout, Retries(attempts=retries + 1))
        self._model = _model(model, provider_factory(Endpoint(base_url, api_key), self._client))
        self._name = model if isinstance(model, str) else f"{model.system}:{model.model_name}"
        self._settings = EmbeddingSettings(dimensions=size) if size is not None else None
        self._size, self._batch, self._timeout = size, batch, timeout

    async def __aenter__(self) -> Self:
        if self._size is None:
            try:
                self._size = (await self._ask(("size",), "document")).shape[1]
            except BaseException:
                await self._client.aclose()
                raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    @property
    def fingerprint(self) -> str:
        """`openai:text-embedding-3-small@1536`."""
        return f"{self._name}@{self.size}"

    @property
    def size(self) -> int:
        """Length of each vector, known once the embedder is open."""
        if self._size is None:
            raise BackendUnavailable(f"the size of {self._name} is known only once it is open")
        return self._size

    @property
    def semantic(self) -> bool:
        """Always: it is a model of language."""
        return True

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        """One unit row per text, asked for in batches one after the other."""
        if not texts:
            return np.zeros((0, self.size), dtype=np.float32)
        starts = range(0, len(texts), self._batch)
        parts = [await self._ask(texts[start : start + self._batch], purpose) for start in starts]
        return np.concatenate(parts)

    async def _ask(self, texts: Sequence[str], purpose: Purpose) -> Matrix:
        # Services refuse empty strings; a blank has no meaning either way.
        spoken = [text if text.strip() else "." for text in texts]
        try:
            async with asyncio.timeout(self._timeout):
                with span("model embed", "CLIENT", gen_ai__request__model=self._name, texts=len(texts)):
                    answer = await self._model.embed(spoken, input_type=purpose, settings=self._settings)
        except ModelAPIError as error:
            raise translated(error) from error
        except TimeoutError as error:
            raise BackendUnavailable(f"{self._name} did not answer within {self._timeout:g} s") from error
        return unit_rows(answer.embeddings, rows=len(texts), size=self._size, name=self._name)


def _model(model: EmbeddingModel | str, factory: Callable[[str], Provider[Any]]) -> EmbeddingModel:
    if isinstance(model, EmbeddingModel):
        return model
    try:
        return infer_embedding_model(model, provider_factory=factory)
    except ImportError as error:
        raise missing(model) from error
    except (UserError, ValueError) as error:
        raise unusable(error, model) from error
