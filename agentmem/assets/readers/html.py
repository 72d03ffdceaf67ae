"""HTML: headings, paragraphs, items of lists and rows of tables, as a reader of the page would see them."""

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from agentmem import patterns as re
from agentmem.assets.decoding import check_nesting, decoded
from agentmem.assets.file_reading import Document, document, fenced, heading, paragraph


def _tags(names: str) -> frozenset[str]:
    return frozenset(names.split())


_UNSEEN = _tags(
    "script style noscript template head svg math iframe object canvas audio video select button nav dialog"
)
_BLOCKS = _tags(
    "address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form header "
    "hr h1 h2 h3 h4 h5 h6 html legend li main ol p pre section summary table tbody tfoot thead tr ul"
)
_CELLS = frozenset(("td", "th"))
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CHARSET = re.compile(r"<meta[^>]{0,200}charset\s*=\s*['\"]?\s*([A-Za-z0-9_-]{1,40})", re.IGNORECASE)
_DECLARED = frozenset(("iso-8859-1", "latin1", "windows-1252", "big5", "shift_jis", "euc-jp", "euc-kr"))


def read_html(raw: bytes, name: str) -> Document:
    """What is shown of the page; what is hidden from its readers is not read. Raises `InvalidInput` for a page that
    nests deeper than any that people write."""
    text = _text(raw)
    check_nesting(text)
    page = LexborHTMLParser(text)
    titled = page.css_first("title")
    body = page.body
    paragraphs = _paragraphs(body) if body is not None else ()
    return document(name, titled.text() if titled else None, "\n\n".join(paragraphs))


def _text(raw: bytes) -> str:
    """In the encoding the page declares, where that is one which cannot be told by looking; else as any text."""
    declared = _CHARSET.search(raw[:4_096].decode("latin-1"))
    if declared and declared[1].lower() in _DECLARED:
        return raw.decode(declared[1], errors="replace").replace("\0", "")
    return decoded(raw)


def _paragraphs(body: LexborNode) -> Iterator[str]:
    """Each block of the page by itself; a cell of a table is part of its row, whatever is in it."""
    words, blocks, cells, kept = list[str](), list[str](), 0, 0
    for node, leaving in _walked(body):
        tag = str(node.tag)
        if tag == "-text":
            text = node.text_content or ""
            words.append(text if kept else re.sub(r"\s+", " ", text))
        elif tag == "br" and not leaving:
            words.append("\n")
        elif tag in _CELLS:
            cells += -1 if leaving else 1
            words += [" | "] if words and not leaving else []
        elif tag in _BLOCKS and not cells:
            if text := _block(blocks[-1] if blocks else "", "".join(words)):
                yield text
            words.clear()
            kept += (tag == "pre") * (-1 if leaving else 1)
            if leaving:
                blocks.pop()
            else:
                blocks.append(tag)


def _walked(root: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """What is seen of a page, each element when it begins and when it ends; pages nest as deep as they like."""
    todo: list[tuple[LexborNode, bool]] = [(root, False)]
    while todo:
        node, leaving = todo.pop()
        if not _is_seen(node):
            continue
        yield node, leaving
        if not leaving and node.tag != "-text":
            todo.append((node, True))
            child, children = node.child, list[tuple[LexborNode, bool]]()
            while child is not None:
                children.append((child, False))
                child = child.next
            todo += reversed(children)


def _is_seen(node: LexborNode) -> bool:
    tag = str(node.tag)
    if tag.startswith("-"):
        return tag == "-text"
    attributes = node.attributes
    hidden = "hidden" in attributes or attributes.get("aria-hidden") == "true"
    return not (hidden or tag in _UNSEEN or _HIDDEN.search(attributes.get("style") or ""))


def _block(tag: str, text: str) -> str:
    """The words of a block as Markdown; empty where there are none."""
    if not text.strip():
        return ""
    if re.fullmatch(r"h[1-6]", tag):
        return heading(int(tag[1]), text)
    if tag == "pre":
        return fenced(text)
    return f"- {paragraph(text)}" if tag == "li" else paragraph(text)
