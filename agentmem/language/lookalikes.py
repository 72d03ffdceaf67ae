"""What a text looks like to whoever reads it: letters of other scripts and styles as the plain ones they pass for.

Case, width, accents, hidden characters, traditional characters and letters that look the same do not count. Every
character of the result leads back to the one it came from, so that what is found in it can be changed in the text.
"""

import unicodedata
from functools import lru_cache
from typing import Final

from agentmem import patterns as re
from agentmem.characters import is_invisible
from agentmem.language.word_lists import word_list

_TABLE: Final = str.maketrans({pair[0]: pair[1] for pair in word_list("traditional_zh", "pairs")})


def simplified(text: str) -> str:
    """The text with every traditional character that is known as its simplified one; as long as it was."""
    return text.translate(_TABLE)


_STYLED: Final = re.compile(
    r"(?:.*LATIN (?:SMALL |CAPITAL )?LETTER (?:SMALL CAPITAL )?(?:INSULAR |SCRIPT |OPEN )?"
    r"|REGIONAL INDICATOR SYMBOL LETTER |TAG LATIN \w+ LETTER )([A-Z])(?: .*)?"
)
"""Names in Unicode of what is a Latin letter with a stroke, a hook, a box, or in small capitals."""

_SHAPES: Final = {
    # By number, as they cannot be told apart by eye: Cyrillic, Greek and Coptic, Armenian, Cherokee, Lisu, and others.
    "a": "\u0430\u03b1\u0251\u13aa\u13da\ua4ee\u2c81\uab7a",
    "b": "\u0432\u03b2\u13f4\ua4d0\u2c83\u0184",
    "c": "\u0441\u03f2\u13df\ua4da\u2ca5\u217d",
    "d": "\u0501\u13a0\ua4d3\u0257\u056a",
    "e": "\u0435\u0454\u03b5\u13ac\ua4f0\u212e\u04bd\u2c89\uab32",
    "f": "\u0192\ua4dd\u03dd\u0584",
    "g": "\u0261\u0581\u050d\u13c0\ua4d6",
    "h": "\u04bb\u043d\u0570\u13bb\ua4e7\u2c8f\u13c2\u029c",
    "i": "\u0456\u03b9\u0131\u0269\u13a5\ua4f2\u04cf\u2c93\u2170\u03af",
    "j": "\u0458\u03f3\u13ab\ua4d9\u0575",
    "k": "\u043a\u03ba\u13e6\ua4d7\u2c95",
    "l": "\u217c\u13de\ua4e1\u2113\u05c0\u01c0\u2223\u04c0",
    "m": "\u043c\u03bc\u13b7\ua4df\u2c99\u028d",
    "n": "\u0578\u057c\ua4e0\u2c9b\u043f\u0438\u0274\u03b7",
    "o": "\u043e\u03bf\u0585\ua4f3\u2c9f\u0d20\u101d\u0275\u1d11",
    "p": "\u0440\u03c1\u13e2\ua4d1\u2ca3\u03f8\u00fe",
    "r": "\u0433\u13a1\u13d2\ua4e3\u0280\u0491",
    "s": "\u0455\u054f\u13da\u13d5\ua4e2\u01bd\uabaa",
    "t": "\u0442\u03c4\u13a2\ua4d4\u2ca7",
    "u": "\u057d\u03c5\ua4f4\u0446\u1200",
    "v": "\u0475\u03bd\u13d9\ua4e6\u2174\u05d8\u2228\u22c1",
    "x": "\u0445\u03c7\ua4eb\u00d7\u2cad\u2179",
    "y": "\u0443\u03b3\u04af\u13bd\ua4ec\u2ca9\u0263\u13a9",
    "z": "\u03b6\u13c3\ua4dc",
    ":": "\u02d0\u02d1\u02f8\ua789\u0589\u05c3\u0703\u0704\u2236\u205a\u2982\u2af6\u16ec"
    "\u1361\u1365\ufe30\ufe55\u0f14\u1804\ua4fd\u1803",
    "|": "\u2502\u01c1\u2758\u23d0\uffe8",
}
_SHAPE_OF: Final = {ord(shape): plain for plain, shapes in _SHAPES.items() for shape in shapes}


def seen_as(text: str) -> tuple[str, list[int]]:
    """The text in plain small letters, and for each of its characters the index in `text` it came from."""
    if text.isascii() and text.isprintable():
        return text.lower(), list(range(len(text)))
    forms = {ch: ch.lower() if " " <= ch <= "~" else plain_form(ch) for ch in set(text)}
    places = range(len(text))
    if any(len(form) != 1 for form in forms.values()):
        return "".join(map(forms.__getitem__, text)), [place for place in places for _ in forms[text[place]]]
    return "".join(map(forms.__getitem__, text)), list(places)


@lru_cache(16_384)
def plain_form(ch: str) -> str:
    """What one character is taken for: nothing for one that is not seen or only adds to the one before it."""
    if is_invisible(ch):
        return ""
    if (shape := _SHAPE_OF.get(ord(ch))) is not None:
        return shape
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", ch).casefold())
    bare = "".join(part for part in folded if unicodedata.category(part) not in ("Mn", "Me"))
    return simplified("".join(map(_letter, bare)))


def _letter(ch: str) -> str:
    if ch.isascii():
        return ch
    if (shape := _SHAPE_OF.get(ord(ch))) is not None:
        return shape
    name = unicodedata.name(ch, "")
    found = _STYLED.fullmatch(name)
    return found[1].lower() if found else ch
