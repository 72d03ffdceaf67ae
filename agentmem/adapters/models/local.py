"""Models that run on this machine through fastembed, by a name it knows or from a folder with the model's files: what
they have in common, and the cross-encoder. fastembed is an extra and heavy, so it is imported when one is opened."""

import asyncio
import importlib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Any, Final, Protocol, Self

from agentmem.errors import BackendUnavailable, InvalidInput
from agentmem.ports.models import Inquiry, Rankable


class _TextCrossEncoder(Protocol):
    def rerank(self, query: str, documents: Iterable[str], batch_size: int = ...) -> Iterable[float]: ...


class FastembedReranker:
    """Opened with `async with`, which loads the model.

    One thread does the work, question after question. A call that is given up, by its caller or after `timeout`
    seconds, stops at the end of its batch, so that calls nobody waits for do not pile up.
    """

    def __init__(self, model: str | Path, *, batch: int = 8, threads: int | None = None, timeout: float = 30.0) -> None:
        self._model, self._batch, self._threads, self._timeout = model, batch, threads, timeout
        self._opened: tuple[_TextCrossEncoder, ThreadPoolExecutor] | None = None

    async def __aenter__(self) -> Self:
        encoder = await asyncio.to_thread(self._load)
        self._opened = encoder, ThreadPoolExecutor(max_workers=1, thread_name_prefix="rerank")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            await asyncio.to_thread(opened[1].shutdown, cancel_futures=True)

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """What the model says of question and content, on its own scale. See `Reranker.rerank`."""
        if self._opened is None:
            raise BackendUnavailable(f"the reranker {self._model} is not open", of_the_machine=True)
        encoder, thread = self._opened
        contents, given_up = [item.memory.content for item in items], Event()
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._timeout):
                return await loop.run_in_executor(thread, self._run, encoder, inquiry.text, contents, given_up)
        except TimeoutError as error:
            raise BackendUnavailable(
                f"{self._model} did not answer within {self._timeout:g} s", of_the_machine=True
            ) from error
        finally:
            given_up.set()

    def _run(
        self, encoder: _TextCrossEncoder, question: str, contents: Sequence[str], given_up: Event
    ) -> Sequence[float]:
        relevance: list[float] = []
        try:
            for start in range(0, len(contents), self._batch):
                if given_up.is_set():
                    break
                relevance += encoder.rerank(question, contents[start : start + self._batch], batch_size=self._batch)
        except Exception as error:  # those of onnxruntime and tokenizers have no other base
            raise BackendUnavailable(f"{self._model} failed: {error}", of_the_machine=True) from error
        return relevance

    def _load(self) -> _TextCrossEncoder:
        fastembed()
        kind = importlib.import_module("fastembed.rerank.cross_encoder").TextCrossEncoder
        name, settings = str(self._model), dict[str, Any](threads=self._threads)
        if (folder := folder_of(self._model)) is not None:
            name = _registered(kind, folder)
            settings |= {"specific_model_path": str(folder), "local_files_only": True}
        elif not knows(kind, name):
            raise InvalidInput(f"reranker {name!r} is neither a folder nor a cross-encoder that fastembed knows")
        try:
            return kind(name, **settings)
        except Exception as error:  # those of onnxruntime and tokenizers have no other base
            raise BackendUnavailable(f"reranker {name!r} could not be loaded: {error}", of_the_machine=True) from error


def _registered(kind: Any, folder: Path) -> str:
    name = folder_name(folder)
    if not knows(kind, name):
        description = importlib.import_module("fastembed.common.model_description")
        kind.add_custom_model(model=name, sources=description.ModelSource(url="file"), model_file=model_file(folder))
    return name


EXTRA: Final = 'local models need: pip install "agentmem-framework[local]"'
_MODEL_FILES: Final = ("onnx/model.onnx", "model.onnx", "onnx/model_quantized.onnx", "model_optimized.onnx")


def fastembed() -> Any:
    """The library, or the line that installs it."""
    try:
        return importlib.import_module("fastembed")
    except ImportError as error:
        raise InvalidInput(EXTRA) from error


def folder_of(model: str | Path) -> Path | None:
    """The folder with the model's files, where the model is one."""
    path = Path(model)
    return path if path.is_dir() else None


def folder_name(folder: Path) -> str:
    """What fastembed is to call the model in a folder."""
    return f"folder:{folder.resolve()}".lower()


def model_file(folder: Path) -> str:
    """The ONNX file in a folder."""
    file = next((file for file in _MODEL_FILES if (folder / file).is_file()), None)
    if file is None:
        raise InvalidInput(f"{folder}: none of {', '.join(_MODEL_FILES)} is there")
    return file


def knows(kind: Any, name: str) -> bool:
    """Whether a class of fastembed has a model of that name."""
    return any(known["model"].lower() == name.lower() for known in kind.list_supported_models())
