"""Plain text: paragraphs, parted by blank lines."""

from agentmem.assets.document import Document, document
from agentmem.assets.encoding import decoded


def read(raw: bytes, name: str) -> Document:
    """The text as it is; a `#` at the beginning of a line is no heading."""
    return document(name, None, decoded(raw), plain=True)
