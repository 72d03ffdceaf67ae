"""Models that run on this machine through fastembed: an extra and heavy, so it is imported when one is opened."""

import importlib
from pathlib import Path
from typing import Any, Final

from agentmem.errors import InvalidInput

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
