"""Markdown: the text as it is."""

import re

from agentmem.assets.document import Document, document
from agentmem.assets.encoding import decoded

_FRONT_MATTER = re.compile(r"\A---\n(.*?\n)?(---|\.\.\.)\n", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(['\"]?)(.+?)\1[ \t]*$", re.MULTILINE)


def read(raw: bytes, name: str) -> Document:
    """The text without what stands between two lines of dashes at its very beginning; that may name its title."""
    text = decoded(raw)
    front = _FRONT_MATTER.match(text)
    title = _TITLE.search(front[0]) if front else None
    return document(name, title and title[2], text[front.end() :] if front else text)
