"""The places in a text, as bits of whole numbers: bit n is the place where n characters are left."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from agentmem.patterns.classes import Chars, a_class
from agentmem.patterns.syntax import Edge

_WORD, _WORD_ASCII, _BREAK = a_class(r"\w"), a_class(r"\w", ascii_only=True), a_class(r"\n")
_SHORT = 64


@dataclass
class Text:
    """A text, and the places in it that patterns ask for."""

    text: str
    known: dict[object, int] = field(default_factory=dict[object, int])

    @property
    def length(self) -> int:
        """Its characters."""
        return len(self.text)

    def letter(self, left: int) -> str:
        """The character in front of which so many are left; none at the end."""
        return self.text[len(self.text) - left] if left else ""

    @cached_property
    def letters(self) -> frozenset[str]:
        """The characters that occur."""
        return frozenset(self.text)

    @cached_property
    def folded(self) -> str:
        """See `folded`."""
        return folded(self.text)

    def of_class(self, chars: Chars) -> int:
        """The places in front of a character of a class."""
        key = (chars.source, chars.fold, chars.ascii)
        if key not in self.known:
            self.known[key] = self._spread(chars) if len(self.text) > _SHORT else self._mask(chars)
        return self.known[key]

    def of_word(self, word: str, fold: bool) -> int:
        """The places in front of a word."""
        key = (word, fold)
        if key not in self.known:
            self.known[key] = self._at_all(_places(self.folded if fold else self.text, word))
        return self.known[key]

    def at(self, edge: Edge) -> int:
        """The places that are such an edge."""
        match edge:
            case Edge.BEGIN:
                return 1 << len(self.text)
            case Edge.END:
                return 3 if self.text.endswith("\n") else 1
            case Edge.VERY_END:
                return 1
            case Edge.LINE_BEGIN:
                return 1 << len(self.text) | self.of_class(_BREAK) >> 1
            case Edge.LINE_END:
                return 1 | self.of_class(_BREAK)
            case Edge.NEVER:
                return 0
            case _:
                words = self.of_class(_WORD_ASCII if edge in (Edge.WORD_ASCII, Edge.NO_WORD_ASCII) else _WORD)
                edges = words ^ (words >> 1)
                inner = (2 << len(self.text)) - 1 & ~edges if self.text else 0
                return edges if edge in (Edge.WORD, Edge.WORD_ASCII) else inner

    def _mask(self, chars: Chars) -> int:
        return self._at_all(match.start() for match in chars.compiled.finditer(self.text))

    def _spread(self, chars: Chars) -> int:
        """The same for a long text: each character is looked up once, and the digits of a binary number written."""
        digits = {ord(letter): "1" if chars.compiled.match(letter) else "0" for letter in self.letters}
        return int(self.text.translate(digits), 2) << 1

    def _at_all(self, places: Iterable[int]) -> int:
        length = len(self.text)
        bits: bytearray | None = None
        for place in places:
            if bits is None:
                bits = bytearray(length // 8 + 1)
            left = length - place
            bits[left >> 3] |= 1 << (left & 7)
        return 0 if bits is None else int.from_bytes(bits, "little")


class TextPart:
    """A part of a text, with the places of the whole that are in it; in front of its end stands no character."""

    def __init__(self, whole: Text, begin: int, size: int) -> None:
        self.length = size
        self._whole, self._begin = whole, begin
        self._left = whole.length - begin - size
        self._known: dict[object, int] = {}

    @property
    def letters(self) -> frozenset[str]:
        """The characters that occur in the whole."""
        return self._whole.letters

    def cut(self, places: int) -> int:
        """Those of the whole's places that are in the part."""
        return (places >> self._left) & ((2 << self.length) - 1)

    def letter(self, left: int) -> str:
        """The character in front of which so many are left; none at the end."""
        return self._whole.text[self._begin + self.length - left] if left else ""

    def of_class(self, chars: Chars) -> int:
        """The places in front of a character of a class."""
        key = (chars.source, chars.fold, chars.ascii)
        if key not in self._known:
            self._known[key] = self.cut(self._whole.of_class(chars)) & ~1
        return self._known[key]

    def of_word(self, word: str, fold: bool) -> int:
        """The places in front of a word, which may end behind the part."""
        key = (word, fold)
        if key not in self._known:
            self._known[key] = self.cut(self._whole.of_word(word, fold)) & ~1
        return self._known[key]

    def at(self, edge: Edge) -> int:
        """The places that are such an edge."""
        if edge not in self._known:
            self._known[edge] = self.cut(self._whole.at(edge))
        return self._known[edge]


def folded(text: str) -> str:
    """A text in lower case, character for character."""
    lower = text.replace("Σ", "σ").lower()  # at the end of a word it would be another letter
    return one_case(lower if len(lower) == len(text) else "".join(each.lower()[:1] for each in text))


def one_case(lower: str) -> str:
    """Lower case with one form of each letter that Python takes for the same where case does not count."""
    return lower.replace("ſ", "s").replace("ı", "i")


def _places(text: str, word: str) -> Iterable[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


@lru_cache(maxsize=4)  # one text meets many patterns
def read(text: str) -> Text:
    """What is known of a text."""
    return Text(text)


def holds_one(text: str, strings: Iterable[str]) -> bool:
    """Whether one of some strings, all in one case, stands in a text, whatever its case."""
    held = _folded(text) if len(text) <= _REMEMBERED else read(text).folded
    return any(map(held.__contains__, strings))


_folded = lru_cache(maxsize=64)(folded)  # one text meets many patterns
_REMEMBERED = 4_000
"""Characters of a text up to which its lower case is remembered beside that of others."""
