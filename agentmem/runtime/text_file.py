"""Files that come from outside, as text."""

from pathlib import Path

from agentmem.errors import InvalidInput


def read_text(path: Path, most: int) -> str:
    """A file's text. Raises `InvalidInput` where it cannot be read, is larger than `most` bytes or is not UTF-8."""
    try:
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(raw) > most:
        raise InvalidInput(f"{path}: larger than {most:,} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InvalidInput(f"{path}:{line}: not UTF-8; save the file as UTF-8") from error
