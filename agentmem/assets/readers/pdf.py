"""PDF: read in a process of its own, which is stopped when it takes too long or too much memory.

A page of a few kilobytes can draw for minutes, and four pages can share it; nothing in a file tells how long.
Neighbour: `pdf_pages`, what that process does.
"""

import json
import subprocess
from importlib.util import find_spec
from typing import cast

from agentmem.assets.file_reading import Document, document
from agentmem.errors import InvalidInput
from agentmem.system import last_line, run_apart

SECONDS = 120
"""Of a processor; and, with as much again for a busy machine, of a clock."""
MEMORY = 1_073_741_824
"""Bytes of address space."""

_READING = "agentmem.assets.readers.pdf_pages"


def read_pdf(raw: bytes, name: str) -> Document:
    """Page after page. Raises `InvalidInput` for what is encrypted, holds no text, is no PDF, or takes too much."""
    if b"%PDF-" not in raw[:1_024]:
        raise InvalidInput("is no PDF")
    if find_spec("pypdf") is None:
        raise ModuleNotFoundError("no pypdf", name="pypdf")
    told = _told(raw)
    if "refused" in told:
        raise InvalidInput(told["refused"] or "is damaged")
    return document(name, told["title"] or None, told["text"] or "")


def _told(raw: bytes) -> dict[str, str | None]:
    """What the other process says of the file."""
    try:
        done = run_apart(_READING, str(SECONDS), str(MEMORY), given=raw, seconds=2 * SECONDS)
    except subprocess.TimeoutExpired as error:
        raise InvalidInput(_TOO_LONG.format(SECONDS)) from error
    if done.returncode == 0:
        return cast("dict[str, str | None]", json.loads(done.stdout))
    last = last_line(done)
    if last.startswith("MemoryError"):
        raise InvalidInput(f"takes more than {MEMORY:,} bytes of memory to read")
    if done.returncode < 0:
        raise InvalidInput(_TOO_LONG.format(SECONDS))
    raise ValueError(last)


_TOO_LONG = "takes longer than {} seconds to read"
