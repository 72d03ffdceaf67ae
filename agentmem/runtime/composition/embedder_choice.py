"""Which embedder a store gets whose configuration names none: one that knows meaning, wherever one can be had.

A store keeps the embedder it was filled with; `agentmem embedder migrate` gives it what a new one would get.
"""

import importlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from agentmem.runtime.configuration.settings import AUTO, LlmSettings, Settings

HASHED: Final = "hash"

_OPENAI: Final = ("openai:text-embedding-3-small", ("OPENAI_API_KEY",))
_OF_PROVIDERS: Final = {
    "openai": _OPENAI,
    "openai-chat": _OPENAI,
    "openai-responses": _OPENAI,
    "google": ("google:gemini-embedding-001", ("GOOGLE_API_KEY", "GEMINI_API_KEY")),
    "cohere": ("cohere:embed-v4.0", ("CO_API_KEY",)),
}
"""By the provider of a chat model: its embedding model, and the variables of which one must hold the key."""

_LOCAL: Final = (
    "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    "intfloat/multilingual-e5-large",
    "BAAI/bge-small-zh-v1.5",
    "sentence-transformers/all-MiniLM-L6-v2",
    "BAAI/bge-small-en-v1.5",
)
"""Models of fastembed, those of many languages first. None is fetched: one whose files are there is used."""


@dataclass(frozen=True, slots=True)
class EmbedderChoice:
    """An embedder by its name in a configuration, and why it is this one."""

    name: str
    why: str


def chosen_embedder(settings: Settings, held: str | None = None) -> EmbedderChoice:
    """What is configured; else what made the vectors that the store holds, by its fingerprint; else the provider's of a
    configured model that has a key; else a local one whose files are there; else the hashed one."""
    if settings.embedder != AUTO:
        return EmbedderChoice(settings.embedder, "configured")
    if held is not None:
        name = held if held.startswith("hash-") else held.rpartition("@")[0]
        return EmbedderChoice(name, "the store was filled with it")
    hashed = EmbedderChoice(HASHED, "knows spelling alone, and finds nothing said in other words")
    return _of_provider(settings) or _local() or hashed


def _of_provider(settings: Settings) -> EmbedderChoice | None:
    for model in _models(settings):
        name, variables = _OF_PROVIDERS.get(model.partition(":")[0], ("", ()))
        if any(os.environ.get(variable) for variable in variables):
            return EmbedderChoice(name, f"of the provider of {model}, which is sent every text, at its price")
    return None


def _models(settings: Settings) -> Iterator[str]:
    """The configured models of providers' own services; what another server has is not known."""
    if isinstance(settings.cognition, LlmSettings) and settings.cognition.base_url is None:
        yield settings.cognition.model
    if settings.chat_model is not None and settings.chat.base_url is None:
        yield settings.chat_model


def _local() -> EmbedderChoice | None:
    folder = Path(os.environ.get("FASTEMBED_CACHE_PATH") or Path(tempfile.gettempdir()) / "fastembed_cache")
    if not folder.is_dir() or find_spec("fastembed") is None:
        return None
    known = importlib.import_module("fastembed").TextEmbedding.list_supported_models()
    sources = {each["model"]: each["sources"].get("hf") for each in known}
    for name in _LOCAL:
        source = sources.get(name)
        if source and any(folder.glob(f"models--{source.replace('/', '--')}/snapshots/*")):
            return EmbedderChoice(f"fastembed:{name}", f"local, its files are in {folder}")
    return None
