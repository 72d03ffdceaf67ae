"""A local cross-encoder: what is missing or broken is one clear line, and a call given up stops its thread."""

import asyncio
import importlib
import importlib.util
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agentmem.adapters.models.local import FastembedReranker
from agentmem.errors import BackendUnavailable, InvalidInput
from agentmem.ports.models import Inquiry
from tests.fixtures.cross_encoder import cross_encoder
from tests.support.ranking import found

NEEDS_FASTEMBED = pytest.mark.skipif(importlib.util.find_spec("fastembed") is None, reason="left out: needs fastembed")
ASKED = Inquiry("怎么联系小东")


class Encoder:
    """As much of a cross-encoder as the adapter needs; `held` keeps it in its first batch."""

    batches: list[Sequence[str]]
    begun: threading.Event
    held: threading.Event

    def __init__(self, name: str, **settings: Any) -> None:
        self.name = name

    @staticmethod
    def list_supported_models() -> list[dict[str, Any]]:
        return [{"model": "known"}]

    def rerank(self, query: str, documents: Iterable[str], batch_size: int = 0) -> Iterable[float]:
        type(self).batches.append(list(documents))
        self.begun.set()
        if not self.held.wait(30):
            raise RuntimeError("nobody let go")
        return [float(len(text)) for text in documents]


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> type[Encoder]:
    """A library whose only cross-encoder is the one above, not held."""
    Encoder.batches, Encoder.begun, Encoder.held = [], threading.Event(), threading.Event()
    Encoder.held.set()
    module = ModuleType("fastembed")
    module.__dict__["TextCrossEncoder"] = Encoder

    def imported(name: str) -> ModuleType:
        return module

    monkeypatch.setattr(importlib, "import_module", imported)
    return Encoder


async def test_without_the_extra_the_message_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> ModuleType:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(InvalidInput, match=r'pip install "agentmem-framework\[local\]"'):
        async with FastembedReranker("known"):
            pass


async def test_a_model_that_nobody_knows_is_named(encoder: type[Encoder]) -> None:
    with pytest.raises(InvalidInput, match="'nobody/nothing' is neither a folder nor a cross-encoder"):
        async with FastembedReranker("nobody/nothing"):
            pass


async def test_a_reranker_that_is_not_open_says_so() -> None:
    with pytest.raises(BackendUnavailable, match="not open"):
        await FastembedReranker("known").rerank(ASKED, found("a"))


async def test_passages_go_through_in_batches(encoder: type[Encoder]) -> None:
    async with FastembedReranker("known", batch=2) as reranker:
        assert await reranker.rerank(ASKED, found("a", "bb", "ccc")) == [1, 2, 3]

    assert encoder.batches == [["a", "bb"], ["ccc"]]


async def test_a_model_that_is_too_slow_is_given_up_after_its_batch(encoder: type[Encoder]) -> None:
    encoder.held.clear()
    async with FastembedReranker("known", batch=1, timeout=0.05) as reranker:
        with pytest.raises(BackendUnavailable, match=r"did not answer within 0\.05 s"):
            await reranker.rerank(ASKED, found("a", "b", "c"))
        encoder.held.set()

    assert encoder.batches == [["a"]]


async def test_a_caller_who_leaves_stops_the_work_and_the_next_is_served(encoder: type[Encoder]) -> None:
    encoder.held.clear()
    async with FastembedReranker("known", batch=1) as reranker:
        async with asyncio.timeout(30), asyncio.TaskGroup() as group:
            left = group.create_task(reranker.rerank(ASKED, found("a", "b")))
            await asyncio.to_thread(encoder.begun.wait, 20)
            left.cancel()
        encoder.held.set()

        assert await reranker.rerank(ASKED, found("later")) == [5]

    assert encoder.batches == [["a"], ["later"]]


async def test_whatever_the_model_raises_is_an_outage(encoder: type[Encoder], monkeypatch: pytest.MonkeyPatch) -> None:
    class Odd(Exception):
        """Derived from nothing in particular, as those of the runtime are."""

    def broken(self: Encoder, query: str, documents: Iterable[str], batch_size: int = 0) -> Iterable[float]:
        raise Odd("bad tensor")

    async with FastembedReranker("known") as reranker:
        monkeypatch.setattr(encoder, "rerank", broken)
        with pytest.raises(BackendUnavailable, match="known failed: bad tensor"):
            await reranker.rerank(ASKED, found("a"))


@NEEDS_FASTEMBED
async def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"none of onnx/model\.onnx"):
        async with FastembedReranker(tmp_path):
            pass


@NEEDS_FASTEMBED
async def test_a_damaged_model_is_an_outage(tmp_path: Path) -> None:
    folder = cross_encoder(tmp_path, ["a"])
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(BackendUnavailable, match="could not be loaded"):
        async with FastembedReranker(folder):
            pass


@NEEDS_FASTEMBED
async def test_a_folder_counts_the_words_in_common_as_its_model_does(tmp_path: Path) -> None:
    folder = cross_encoder(tmp_path, [*"怎么联系小东", "call"])
    items = found("小东的电话", "call him, then call", "无关", "联系小东")

    async with FastembedReranker(folder, batch=3) as reranker:
        assert await reranker.rerank(Inquiry("怎么联系小东 call"), items) == [2, 2, 0, 4]


@NEEDS_FASTEMBED
async def test_the_same_folder_can_be_opened_again(tmp_path: Path) -> None:
    folder = cross_encoder(tmp_path, [*"小东"])
    for _ in range(2):
        async with FastembedReranker(folder) as reranker:
            assert await reranker.rerank(Inquiry("小东"), found("小东")) == [2]
