"""What others wrote, as quoted data inside a prompt: it stays on its line, in its quotation marks, and gives no orders.

Nothing is hidden from the reader of the prompt: what could act is replaced by what looks alike and cannot.
"""

import re
import unicodedata
from dataclasses import dataclass

from agentmem.errors import InvalidInput
from agentmem.language.normal import Language, is_invisible, nfkc_with_offsets
from agentmem.language.shorten import shortened

# Brackets make tags, control tokens such as <|im_start|> or [INST], and the lines' own dates; back-ticks make code.
_LOOKALIKES = str.maketrans({"<": "‹", ">": "›", "＜": "‹", "＞": "›", "[": "［", "]": "］", "`": "'"})
_MARKS = {"zh": ("「", "」"), "en": ("“", "”")}
_INNER = {
    "zh": str.maketrans({"「": "『", "」": "』"}),
    "en": str.maketrans({"“": "‘", "”": "’", '"': "'"}),
}
_ROLE = re.compile(
    r"(?<![^\W_])(system|assistant|user|developer|human|ai|tool|function|系统|助手|用户|开发者)(\W{0,3}?)[:：]",
    re.IGNORECASE,
)
_NAME_LENGTH = 60

LONGEST = 20_000
"""Characters of one text that are looked at; a turn may have a quarter of a million, and no prompt wants them."""

_NONCE = re.compile(r"[0-9A-Za-z]{8,64}")


@dataclass(frozen=True, slots=True)
class Quoting:
    """Quotes text for one prompt, whose fence bears `nonce`: 8 to 64 ASCII letters or digits, new for each call."""

    nonce: str
    language: Language

    def __post_init__(self) -> None:
        if not _NONCE.fullmatch(self.nonce):
            raise InvalidInput(f"nonce {self.nonce!r} must be 8 to 64 letters or digits")

    def text(self, text: str) -> str:
        """One line of what can be seen, without the nonce, tags, code fences, role markers and our quotation marks."""
        whole = text if len(text) <= LONGEST else shortened(text[: LONGEST + 1], lambda part: len(part) <= LONGEST)
        seen = "".join(_seen(ch) for ch in whole)
        line = self._without_nonce(" ".join(seen.split())).translate(_LOOKALIKES).translate(_INNER[self.language])
        line = _ROLE.sub(r"\1\2∶", line)  # a ratio sign: reads as a colon and marks no role
        return line[_accents(line) :].lstrip()

    def quoted(self, clean: str) -> str:
        """What `text` gave, in quotation marks."""
        opening, closing = _MARKS[self.language]
        return f"{opening}{clean}{closing}"

    def name(self, name: str) -> str:
        """A name, outside quotation marks unless it is that of a role: no brackets, no colons, not too long."""
        plain = " ".join(re.sub(r"[「」『』“”‘’\"':：∶()（）]+", " ", self.text(name)).split())
        short = shortened(plain, lambda part: len(part) <= _NAME_LENGTH) or "?"
        return self.quoted(short) if _ROLE.search(f"{short}:") else short

    def _without_nonce(self, text: str) -> str:
        plain, offsets = nfkc_with_offsets(text)
        for found in reversed(list(re.finditer(re.escape(self.nonce), plain, re.IGNORECASE))):
            text = f"{text[: offsets[found.start()]]}…{text[offsets[found.end() - 1] + 1 :]}"
        return text


def _seen(ch: str) -> str:
    if is_invisible(ch):
        return ""
    return "\ufffd" if unicodedata.category(ch) == "Cs" else ch


def _accents(line: str) -> int:
    """How many combining marks a line begins with: they would join the quotation mark before them."""
    return next((at for at, ch in enumerate(line) if not unicodedata.category(ch).startswith("M")), len(line))
