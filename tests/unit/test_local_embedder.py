"""A local model without its extra, and one that does not exist, each end in one clear line."""

import importlib
import types
from typing import Any

import pytest

from agentmem.adapters.embedder.fastembed import FastembedEmbedder
from agentmem.errors import BackendUnavailable, InvalidInput


class FakeTextEmbedding:
    """As much of fastembed as loading needs."""

    def __init__(self, name: str, **settings: Any) -> None:
        raise ValueError("could not download")

    @staticmethod
    def list_supported_models() -> list[dict[str, Any]]:
        return [{"model": "BAAI/bge-small-zh-v1.5"}]


def library(monkeypatch: pytest.MonkeyPatch, module: types.ModuleType | None) -> None:
    def imported(name: str) -> types.ModuleType:
        if module is None:
            raise ImportError(name)
        return module

    monkeypatch.setattr(importlib, "import_module", imported)


async def test_without_the_extra_the_message_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    library(monkeypatch, None)
    with pytest.raises(InvalidInput, match=r'pip install "agentmem-framework\[local\]"'):
        async with FastembedEmbedder("BAAI/bge-small-zh-v1.5"):
            pass


async def test_an_unknown_model_and_one_that_cannot_be_fetched_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = types.ModuleType("fastembed")
    fake.__dict__["TextEmbedding"] = FakeTextEmbedding
    library(monkeypatch, fake)
    with pytest.raises(InvalidInput, match="neither a folder nor a model"):
        async with FastembedEmbedder("nobody/nothing"):
            pass
    with pytest.raises(BackendUnavailable, match="could not be loaded"):
        async with FastembedEmbedder("BAAI/bge-small-zh-v1.5"):
            pass


def test_an_embedder_that_is_not_open_has_no_size() -> None:
    with pytest.raises(BackendUnavailable, match="not open"):
        _ = FastembedEmbedder("x").fingerprint
