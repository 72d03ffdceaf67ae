"""Files that appear whole or not at all."""

import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from agentmem.errors import BackendUnavailable, InvalidInput
from agentmem.private_files import open_private


@contextmanager
def draft(path: Path, *, force: bool) -> Generator[BinaryIO]:
    """A file to write that becomes `path` when the body is through, durably, and nothing where it raises.

    Raises `InvalidInput` where `path` is there and `force` is not given, `BackendUnavailable` where nothing can be
    written.
    """
    _refuse_existing(path, force=force)
    sketch = path.with_name(f".{path.name}.{secrets.token_hex(4)}.draft")
    try:
        with os.fdopen(open_private(sketch, os.O_RDWR | os.O_CREAT | os.O_EXCL), "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _refuse_existing(path, force=force)
        sketch.replace(path)
    except OSError as error:
        raise BackendUnavailable(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        sketch.unlink(missing_ok=True)


def _refuse_existing(path: Path, *, force: bool) -> None:
    if path.is_dir():
        raise InvalidInput(f"{path}: is a directory; name a file")
    if path.exists() and not force:
        raise InvalidInput(f"{path}: is there already; --force writes over it")
