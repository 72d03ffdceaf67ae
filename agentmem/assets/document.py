"""What a reader makes of a file: its title and its text, as Markdown or plain."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from agentmem import patterns as re
from agentmem.assets.headings import first_heading
from agentmem.domain.bounds import MAX_DOCUMENT
from agentmem.errors import InvalidInput

MAX_TEXT = MAX_DOCUMENT
"""Characters a document may have."""

TITLE = 200
"""Characters of a title that are kept."""

BREAK = "\n\n---\n\n"
"""Parts what does not belong together: no piece of a document reaches over it."""

_LIKE_MARKUP = re.compile(r"^(#{1,6}[ \t]|```|~~~|---$)", re.MULTILINE)
_BLANKS = re.compile(r"[^\S\n]+")


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read. `text` holds what is to be remembered, word for word, with headings as Markdown has them
    where `media_type` says so."""

    title: str
    text: str
    media_type: Literal["text/plain", "text/markdown"] = "text/markdown"


def document(name: str, title: str | None, text: str, *, plain: bool = False) -> Document:
    """A document with a title fit to be shown: the one given, else its first heading, else `name`, what the file is
    called. Raises `InvalidInput` for a text beyond the limit."""
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"holds {len(text):,} characters; allowed: {MAX_TEXT:,}")
    heading = None if plain else first_heading(text)
    shown = (one_line(found) for found in (title, heading, name) if found)
    return Document(next(filter(None, shown), "document"), text, "text/plain" if plain else "text/markdown")


def parted(parts: Iterable[str]) -> str:
    """Parts that do not belong together as one text, which is refused as soon as it is too long."""
    kept: list[str] = []
    room = MAX_TEXT
    for part in filter(None, parts):
        room -= len(part) + len(BREAK)
        if room < -len(BREAK):
            raise InvalidInput(f"holds more characters than are allowed: {MAX_TEXT:,}")
        kept.append(part)
    return BREAK.join(kept)


def one_line(text: str) -> str:
    """Text as a title: printable, on one line, of bounded length."""
    printable = "".join(ch if ch.isprintable() else " " for ch in text)
    return " ".join(printable.split())[:TITLE].strip()


def paragraph(text: str) -> str:
    """Text as a paragraph of Markdown that begins no heading, no fence and no break of its own."""
    tidy = "\n".join(line.strip() for line in _BLANKS.sub(" ", text).splitlines() if line.strip())
    return _LIKE_MARKUP.sub(r"\\\1", tidy)


def heading(level: int, text: str) -> str:
    """Text as a heading of Markdown; empty where there is none."""
    title = one_line(text)
    return f"{'#' * min(max(level, 1), 6)} {title}" if title else ""


def fenced(text: str) -> str:
    """Text that keeps its blanks and lines."""
    fence = "~~~" if "```" in text else "```"
    code = text.strip("\n")
    return f"{fence}\n{code}\n{fence}"
