"""Markdown: the text as it is."""

from agentmem import patterns as re
from agentmem.assets.document import Document, document
from agentmem.assets.encoding import decoded

_FRONT_MATTER = re.compile(r"\A---\n(.*?\n)?(---|\.\.\.)\n", re.DOTALL)
_TITLE = re.compile(r"^title:(.*)$", re.MULTILINE)


def read(raw: bytes, name: str) -> Document:
    """The text without what stands between two lines of dashes at its very beginning; that may name its title."""
    text = decoded(raw)
    front = _FRONT_MATTER.match(text)
    title = _TITLE.search(front[0]) if front else None
    return document(name, title and _unquoted(title[1].strip(" \t")), text[front.end() :] if front else text)


def _unquoted(title: str) -> str:
    """What stands between two quotation marks of a kind, if the title does."""
    quoted = len(title) > 2 and title[0] in "'\"" and title[-1] == title[0]
    return title[1:-1] if quoted else title
