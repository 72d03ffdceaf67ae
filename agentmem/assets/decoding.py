"""From bytes to text that is safe to parse: UTF-8, UTF-16 and UTF-32 with a byte order mark, or GB18030, never a guess
that could be wrong; JSON that would take far more memory than its bytes and HTML that nests too deeply are refused.
"""

import codecs
from collections import Counter

from agentmem import patterns as re
from agentmem.errors import InvalidInput

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SURELY = 0.9
"""Of the characters beyond ASCII so many must be ordinary Chinese for bytes to be taken as GB18030."""


def decoded(raw: bytes) -> str:
    """The text, with `\\n` at the ends of its lines. Raises `InvalidInput` saying what the bytes are not."""
    text = _decoded(raw).replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise InvalidInput("is binary, not text")
    return text


def _decoded(raw: bytes) -> str:
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            try:
                return raw[len(mark) :].decode(encoding)
            except UnicodeDecodeError as error:
                raise InvalidInput(f"begins as {encoding} and is not: {error.reason}") from error
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return _chinese(raw)


def _chinese(raw: bytes) -> str:
    """Nearly any bytes are some GB18030; only ordinary Chinese shows that they were meant to be."""
    complaint = "is neither UTF-8, UTF-16 with a byte order mark nor GB18030; save it as UTF-8"
    try:
        text = raw.decode("gb18030")
    except UnicodeDecodeError as error:
        raise InvalidInput("is binary, not text" if b"\0" in raw else complaint) from error
    foreign = [ch for ch in text if not ch.isascii()]
    ordinary = len("".join(foreign).encode("gb2312", errors="ignore")) / 2
    if b"\0" not in raw and ordinary < _SURELY * len(foreign):
        raise InvalidInput(complaint)
    return text


MAX_CONTAINERS = 500_000
MAX_VALUES = 2_000_000
"""Measured: 15 MB of `[[],[],…]` took 442 MB; text written by people has a comma in fifty characters."""


def check_bulk(content: bytes) -> None:
    """Raises `InvalidInput` for more lists, objects or values than a file that is read has. What stands in texts is
    counted as well."""
    if content.count(b"[") + content.count(b"{") > MAX_CONTAINERS:
        raise InvalidInput(f"holds more than {MAX_CONTAINERS:,} lists and objects")
    if content.count(b",") > MAX_VALUES:
        raise InvalidInput(f"holds more than {MAX_VALUES:,} values")


def _tags(names: str) -> frozenset[str]:
    return frozenset(names.split())


MAX_DEPTH = 512
"""Elements within one another that are not closed; a browser goes no deeper either."""

MAX_REPEATED = 5_000_000
"""Elements that a parser would make once more because a `b` or `font` was left open before a paragraph."""

_TAG = re.compile(r"<(?:(!--)|(/?)([a-zA-Z][^\s/>]{0,60}))")
_OVER = {"!--": "-->", "script": "</script", "style": "</style"}
"""What ends a stretch in which nothing is a tag."""
_EMPTY = _tags("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr")
_CLOSED_BY_THE_NEXT = _tags(
    "html head body p li dt dd tr td th thead tbody tfoot caption colgroup option optgroup rb rp rt rtc"
)
_FORMATTING = _tags("a b big code em font i nobr s small strike strong tt u")


def check_nesting(text: str) -> None:
    """Raises `InvalidInput` for a page that nests deeper than any that people write."""
    opened = Counter[str]()
    depth = formatting = repeated = place = 0
    while (tag := _TAG.search(text, place)) is not None:
        place = tag.end()
        name = (tag[1] or tag[3]).casefold()
        if not tag[2] and name in _OVER:
            place = text.find(_OVER[name], place)
            if place < 0:
                return
        elif name not in _EMPTY and name not in _CLOSED_BY_THE_NEXT:
            step = 1 if not tag[2] else -1 if opened[name] else 0
            opened[name] += step
            depth += step
            formatting += step * (name in _FORMATTING)
        repeated += formatting
        if depth > MAX_DEPTH or repeated > MAX_REPEATED:
            raise InvalidInput(f"nests deeper than {MAX_DEPTH} elements")
