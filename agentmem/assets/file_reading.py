"""From a file's bytes to a document, by what its name says it is; whatever goes wrong is one line that names the file.

A reader is a function `(raw, name) -> Document` in a module of `readers`. It is imported when a file asks for it, so
that a format whose library is not installed costs nothing and says what is missing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import PurePath
from typing import Literal

from agentmem import patterns as re
from agentmem.domain.bounds import MAX_DOCUMENT
from agentmem.errors import InvalidInput

LONGEST = 300
"""Characters a heading may have. It stands before every piece below it, so a longer line is a paragraph."""

_MARKED = re.compile(r"(#{1,6})[ \t]+(?=\S)")


def heading_in(line: str) -> tuple[int, str] | None:
    """Level and words of the heading that a line is, without the marks that close it; None where it is none."""
    marked = _MARKED.match(line)
    if marked is None:
        return None
    rest = line[marked.end() :]
    bare = rest.rstrip(" \t")
    words = bare.rstrip("#").rstrip(" \t") if bare == rest else bare
    return (len(marked[1]), words or "#") if len(words) <= LONGEST else None


def first_heading(text: str) -> str | None:
    """The words of the first line that is a heading."""
    begin = 0
    while begin >= 0:
        if text.startswith("#", begin):
            end = text.find("\n", begin)
            found = heading_in(text[begin : end if end >= 0 else len(text)])
            if found is not None:
                return found[1]
        begin = text.find("\n#", begin)
        begin += begin >= 0
    return None


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
    return _LIKE_MARKUP.sub(re.filled(r"\\\1"), tidy)


def heading(level: int, text: str) -> str:
    """Text as a heading of Markdown; empty where there is none."""
    title = one_line(text)
    return f"{'#' * min(max(level, 1), 6)} {title}" if title else ""


def fenced(text: str) -> str:
    """Text that keeps its blanks and lines."""
    fence = "~~~" if "```" in text else "```"
    code = text.strip("\n")
    return f"{fence}\n{code}\n{fence}"


MAX_BYTES = 33_554_432
"""Size a file may have."""

FORMATS = {
    ".md": "plain_text.read_markdown",
    ".markdown": "plain_text.read_markdown",
    ".txt": "plain_text.read_plain",
    ".text": "plain_text.read_plain",
    ".html": "html.read_html",
    ".htm": "html.read_html",
    ".pdf": "pdf.read_pdf",
    ".docx": "docx.read_docx",
    ".csv": "plain_text.read_table",
    ".tsv": "plain_text.read_table",
    ".json": "plain_text.read_records",
    ".jsonl": "plain_text.read_records",
}
"""The reader of each kind of file."""

INSTALLS = 'pip install "agentmem-framework[documents]"'
"""What installs the libraries of `_LIBRARIES`."""

_LIBRARIES = {"html": "selectolax", "pdf": "pypdf", "docx": "docx"}
"""What a module of `readers` is made with, where it needs more than Python."""


def is_readable(path: PurePath) -> bool:
    """Whether there is a reader for files called so."""
    return path.suffix.lower() in FORMATS


def is_installed(suffix: str) -> bool:
    """Whether the reader of this one of `FORMATS` has the library that it needs."""
    library = _LIBRARIES.get(FORMATS[suffix].partition(".")[0])
    return library is None or find_spec(library) is not None


def read_document(path: PurePath, raw: bytes) -> Document:
    """What the file at `path`, whose bytes these are, says. Raises `InvalidInput`, one line that begins with the path:
    for a format without a reader, a library that is missing, a file that is no such file, is too large or says
    nothing."""
    reader = FORMATS.get(path.suffix.lower())
    if reader is None:
        raise InvalidInput(f"{path}: no reader for {path.suffix or 'files without a suffix'}; {_allowed()}")
    if len(raw) > MAX_BYTES:
        raise InvalidInput(f"{path}: larger than {MAX_BYTES:,} bytes")
    try:
        module, _, function = reader.partition(".")
        found: Document = getattr(import_module(f"agentmem.assets.readers.{module}"), function)(raw, path.stem)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from error
    except ImportError as error:
        raise InvalidInput(f"{path}: {path.suffix} files need {error.name}: {INSTALLS}") from error
    except Exception as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise InvalidInput(f"{path}: cannot be read as {path.suffix}: {reason}") from error
    if not found.text.strip():
        raise InvalidInput(f"{path}: holds no text")
    return found


def _allowed() -> str:
    return f"allowed: {', '.join(FORMATS)}"
