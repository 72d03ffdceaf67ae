"""What others wrote, made harmless for whatever shows it, a terminal or a drawing program: no escape sequences, no
reversed text, no hidden characters."""

import unicodedata

# Joiners hold emoji and Indic letters together and move nothing.
_KEPT = {"\n", "\t", "\u200c", "\u200d"}
_TAGS = range(0xE0000, 0xE0080)


def safe_text(text: str) -> str:
    """The text with every control, direction mark and stray surrogate shown as its code, such as `\\x1b`."""
    return text if text.isprintable() else "".join(ch if _harmless(ch) else _code(ch) for ch in text)


def safe_json(text: str) -> str:
    """JSON with the same characters escaped in JSON's own way, so that its value stays what it was."""
    return text if text.isprintable() else "".join(ch if _harmless(ch) else _escape(ch) for ch in text)


def safe_line(text: str) -> str:
    """The same on one line."""
    return " ".join(safe_text(text).split())


def _harmless(ch: str) -> bool:
    if ch in _KEPT:
        return True
    return unicodedata.category(ch) not in ("Cc", "Cf", "Cs", "Zl", "Zp") and ord(ch) not in _TAGS


def _code(ch: str) -> str:
    number = ord(ch)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _escape(ch: str) -> str:
    number = ord(ch)
    if number < 0x10000:
        return f"\\u{number:04x}"
    offset = number - 0x10000
    return f"\\u{0xD800 + (offset >> 10):04x}\\u{0xDC00 + (offset & 0x3FF):04x}"
