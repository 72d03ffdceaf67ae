"""A local ONNX model through fastembed: by a name it knows, or from a folder with the model's files."""

import asyncio
import importlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from agentmem.adapters.embedder.cached import unit_rows
from agentmem.adapters.models.local import fastembed, folder_name, folder_of, knows, model_file
from agentmem.errors import BackendUnavailable, InvalidInput
from agentmem.ports.embedder import Matrix, Purpose


class _TextEmbedding(Protocol):
    def passage_embed(self, texts: Iterable[str], *, batch_size: int = ...) -> Iterable[NDArray[Any]]: ...

    def query_embed(self, query: Iterable[str], *, batch_size: int = ...) -> Iterable[NDArray[Any]]: ...


class FastembedEmbedder:
    """Opened with `async with`, which loads the model. One text at a time holds the model; the work is in a thread."""

    def __init__(self, model: str | Path, *, batch: int = 32, threads: int | None = None) -> None:
        self._model, self._batch, self._threads = model, batch, threads
        self._loaded: tuple[_TextEmbedding, int] | None = None
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> Self:
        self._loaded = await asyncio.to_thread(self._load)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loaded = None

    @property
    def fingerprint(self) -> str:
        """`fastembed:BAAI/bge-small-zh-v1.5@512`; of a folder, its last name."""
        folder = folder_of(self._model)
        return f"fastembed:{folder.resolve().name if folder else self._model}@{self.size}"

    @property
    def size(self) -> int:
        """Length of each vector, known once the embedder is open."""
        return self._opened[1]

    @property
    def _opened(self) -> tuple[_TextEmbedding, int]:
        if self._loaded is None:
            raise BackendUnavailable(f"the embedder {self._model} is not open", of_the_machine=True)
        return self._loaded

    @property
    def semantic(self) -> bool:
        """Always: it is a model of language."""
        return True

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        """One unit row per text."""
        model, size = self._opened
        if not texts:
            return np.zeros((0, size), dtype=np.float32)
        async with self._lock:
            rows = await asyncio.to_thread(self._run, model, list(texts), purpose)
        return unit_rows(rows, rows=len(texts), size=size, name=str(self._model))

    def _run(self, model: _TextEmbedding, texts: list[str], purpose: Purpose) -> list[NDArray[Any]]:
        run = model.query_embed if purpose == "query" else model.passage_embed
        return list(run(texts, batch_size=self._batch))

    def _load(self) -> tuple[_TextEmbedding, int]:
        library = fastembed()
        name, settings = str(self._model), dict[str, Any](threads=self._threads)
        if (folder := folder_of(self._model)) is not None:
            name = _registered(library, folder)
            settings |= {"specific_model_path": str(folder), "local_files_only": True}
        elif not knows(library.TextEmbedding, name):
            raise InvalidInput(f"embedder {name!r} is neither a folder nor a model that fastembed knows")
        try:
            model: _TextEmbedding = library.TextEmbedding(name, **settings)
        except (ValueError, OSError) as error:
            raise BackendUnavailable(f"embedder {name!r} could not be loaded: {error}", of_the_machine=True) from error
        return model, len(next(iter(model.passage_embed(["size"]))))


def _registered(library: Any, folder: Path) -> str:
    """The name under which fastembed knows the folder: mean pooling, or what the folder's own settings say."""
    name = folder_name(folder)
    if knows(library.TextEmbedding, name):
        return name
    file = model_file(folder)
    description = importlib.import_module("fastembed.common.model_description")
    library.TextEmbedding.add_custom_model(
        model=name,
        pooling=description.PoolingType.CLS if _pools_first_token(folder) else description.PoolingType.MEAN,
        normalization=True,
        sources=description.ModelSource(url="file"),
        dim=_setting(folder / "config.json", "hidden_size"),
        model_file=file,
    )
    return name


def _pools_first_token(folder: Path) -> bool:
    file = folder / "1_Pooling" / "config.json"
    return file.is_file() and bool(_setting(file, "pooling_mode_cls_token"))


def _setting(file: Path, key: str) -> Any:
    try:
        return json.loads(file.read_text("utf-8"))[key]
    except (OSError, ValueError, KeyError) as error:
        raise InvalidInput(f"{file}: needs {key}") from error
