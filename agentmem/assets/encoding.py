"""Bytes as text: UTF-8, UTF-16 and UTF-32 with a byte order mark, GB18030; nothing is guessed that could be wrong."""

import codecs

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
