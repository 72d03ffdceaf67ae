"""From a file's bytes to a document, by what its name says it is; whatever goes wrong is one line that names the file.

A reader is a module of `readers` with a function `read(raw, name)`. It is loaded when a file asks for it, so that a
format whose library is not installed costs nothing and says what is missing.
"""

from importlib import import_module
from pathlib import PurePath

from agentmem.assets.document import Document
from agentmem.errors import InvalidInput

MAX_BYTES = 33_554_432
"""Size a file may have."""

FORMATS = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "plain",
    ".text": "plain",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
    ".docx": "docx",
    ".csv": "table",
    ".tsv": "table",
    ".json": "records",
    ".jsonl": "records",
}
"""The reader of each kind of file."""


def is_readable(path: PurePath) -> bool:
    """Whether there is a reader for files called so."""
    return path.suffix.lower() in FORMATS


def read_document(path: PurePath, raw: bytes) -> Document:
    """What the file at `path`, whose bytes these are, says. Raises `InvalidInput`, one line that begins with the path:
    for a format without a reader, a library that is missing, a file that is no such file, or is too large."""
    reader = FORMATS.get(path.suffix.lower())
    if reader is None:
        raise InvalidInput(f"{path}: no reader for {path.suffix or 'files without a suffix'}; {_allowed()}")
    if len(raw) > MAX_BYTES:
        raise InvalidInput(f"{path}: larger than {MAX_BYTES:,} bytes")
    try:
        return import_module(f"agentmem.assets.readers.{reader}").read(raw, path.stem)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from error
    except ImportError as error:
        missing = 'pip install "agentmem-framework[documents]"'
        raise InvalidInput(f"{path}: {path.suffix} files need {error.name}: {missing}") from error
    except Exception as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise InvalidInput(f"{path}: cannot be read as {path.suffix}: {reason}") from error


def _allowed() -> str:
    return f"allowed: {', '.join(FORMATS)}"
