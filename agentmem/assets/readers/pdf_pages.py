"""The process that reads a PDF: bytes on its standard input, title and text or a refusal as JSON on its output."""

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from typing import cast

from pypdf import PdfReader
from pypdf.errors import PdfReadError
from pypdf.generic import Destination

from agentmem.assets.file_reading import MAX_TEXT, heading, paragraph
from agentmem.errors import InvalidInput

if sys.platform != "win32":
    import resource

MAX_PAGES = 5_000


def main() -> None:
    """Read within the limits given as arguments: seconds of a processor, bytes of memory."""
    _limit(int(sys.argv[1]), int(sys.argv[2]))
    try:
        title, text = pages(sys.stdin.buffer.read())
        told: dict[str, str | None] = {"title": title, "text": text}
    except InvalidInput as error:
        told = {"refused": str(error)}
    sys.stdout.write(json.dumps(told))


def pages(raw: bytes) -> tuple[str | None, str]:
    """Title and text under the headings of the table of contents. Raises `InvalidInput`."""
    try:
        pdf = PdfReader(BytesIO(raw))
        if pdf.is_encrypted and not pdf.decrypt(""):
            raise InvalidInput("is encrypted; save it without a password")
        if len(pdf.pages) > MAX_PAGES:
            raise InvalidInput(f"has {len(pdf.pages):,} pages; allowed: {MAX_PAGES:,}")
        title = pdf.metadata.title if pdf.metadata else None
        text = _text(pdf)
    except PdfReadError as error:
        raise InvalidInput(f"is damaged: {error}") from error
    if not text.strip():
        raise InvalidInput("holds no text; scanned pages are not read")
    return title, text


def _limit(seconds: int, memory: int) -> None:
    if sys.platform == "win32":
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    with suppress(ValueError, OSError):  # macOS knows this limit and does not keep it
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _text(pdf: PdfReader) -> str:
    headings = _headings(pdf)
    found: list[str] = []
    length = 0
    for number, page in enumerate(pdf.pages):
        found += headings.get(number, [])
        found.append("\n\n".join(paragraph(part) for part in page.extract_text().split("\n\n")))
        length += len(found[-1])
        if length > MAX_TEXT:
            raise InvalidInput(f"holds more than {MAX_TEXT:,} characters")
    return "\n\n".join(filter(None, found))


def _headings(pdf: PdfReader) -> dict[int, list[str]]:
    """The entries of the table of contents by the page they lead to."""
    found: dict[int, list[str]] = {}
    for level, entry in _entries(cast("list[object]", pdf.outline)):
        page = pdf.get_destination_page_number(entry)
        if page is not None and (line := heading(level, entry.title or "")):
            found.setdefault(page, []).append(line)
    return found


def _entries(outline: list[object]) -> Iterator[tuple[int, Destination]]:
    """Every entry with its depth; what is below an entry follows it as a list."""
    todo = [(1, iter(outline))]
    while todo:
        level, entries = todo[-1]
        entry = next(entries, None)
        if entry is None:
            todo.pop()
        elif isinstance(entry, Destination):
            yield level, entry
        elif isinstance(entry, list):
            todo.append((level + 1, iter(cast("list[object]", entry))))
