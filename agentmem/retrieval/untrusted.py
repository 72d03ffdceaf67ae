"""What others wrote, as quoted data inside a prompt: it stays on its line, in its quotation marks, and gives no orders.

Nothing is hidden from the reader of the prompt: what could act is replaced by what looks alike and cannot.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from agentmem import patterns as re
from agentmem.errors import InvalidInput
from agentmem.language.markers import inert, is_role, without_roles
from agentmem.language.normal import Language, is_invisible, nfkc_with_offsets
from agentmem.language.shorten import shortened

_MARKS = {"zh": ("「", "」"), "en": ("“", "”")}
_INNER = {
    "zh": str.maketrans({"「": "『", "」": "』"}),
    "en": str.maketrans({"“": "‘", "”": "’", '"': "'"}),
}
_NAME_LENGTH = 60

LONGEST = 20_000
"""Characters of one text that are looked at; a turn may have a quarter of a million, and no prompt wants them."""

_NONCE = re.compile(r"[0-9A-Za-z]{8,64}")


@dataclass(frozen=True, slots=True)
class Quoting:
    """Quotes text for one prompt, whose fence bears `nonce`: 8 to 64 ASCII letters or digits, new for each call."""

    nonce: str
    language: Language
    _names: dict[str, str] = field(default_factory=dict[str, str], init=False, repr=False, compare=False)

    _mark: re.Pattern = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not _NONCE.fullmatch(self.nonce):
            raise InvalidInput(f"nonce {self.nonce!r} must be 8 to 64 letters or digits")
        object.__setattr__(self, "_mark", re.compile(re.escape(self.nonce), re.IGNORECASE))

    def text(self, text: str) -> str:
        """One line of what can be seen, without the nonce, tags, code fences, role markers and our quotation marks."""
        whole = text if len(text) <= LONGEST else shortened(text[: LONGEST + 1], lambda part: len(part) <= LONGEST)
        seen = whole.translate(_SEEN)
        line = without_roles(self._without_nonce(" ".join(seen.split())).translate(_INNER[self.language]))
        return line[_accents(line) :].lstrip()

    def quoted(self, clean: str) -> str:
        """What `text` gave, in quotation marks."""
        opening, closing = _MARKS[self.language]
        return f"{opening}{clean}{closing}"

    def name(self, name: str) -> str:
        """A name, outside quotation marks unless it is that of a role: no brackets, no colons, not too long."""
        if name not in self._names:  # the same few speak in every line
            self._names[name] = self._name(name)
        return self._names[name]

    def _name(self, name: str) -> str:
        plain = " ".join(re.sub(r"[「」『』“”‘’\"':：∶()（）]+", " ", self.text(name)).split())
        short = shortened(plain, lambda part: len(part) <= _NAME_LENGTH) or "?"
        return self.quoted(short) if is_role(short) else short

    def _without_nonce(self, text: str) -> str:
        if not self._mark.search(text.translate(_PLAIN)):
            return text
        plain, offsets = nfkc_with_offsets(text)
        for found in reversed(list(self._mark.finditer(plain))):
            text = f"{text[: offsets[found.start()]]}…{text[offsets[found.end() - 1] + 1 :]}"
        return text


class _Table(dict[int, str]):
    """What stands for each character, by its code; asked once for every one there is, and then as fast as
    `str.translate`."""

    def __init__(self, stands_for: Callable[[str], str]) -> None:
        super().__init__()
        self._stands_for = stands_for

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, self._stands_for(chr(code)))


def _seen(ch: str) -> str:
    # Brackets make tags, control tokens such as <|im_start|> or [INST], and the lines' own dates; back-ticks make code.
    if is_invisible(ch):
        return ""
    return "\ufffd" if unicodedata.category(ch) == "Cs" else inert(ch)


def _plain(ch: str) -> str:
    return nfkc_with_offsets(ch)[0]


_SEEN: Final = _Table(_seen)
_PLAIN: Final = _Table(_plain)


def _accents(line: str) -> int:
    """How many combining marks a line begins with: they would join the quotation mark before them."""
    return next((at for at, ch in enumerate(line) if not unicodedata.category(ch).startswith("M")), len(line))
