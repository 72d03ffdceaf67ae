"""Finding the words a model quotes: as they stand, or but for width, case, white space and the marks around them."""

from typing import Final

from agentmem.bounded_cache import bounded_cache
from agentmem.language.markers import LOOKALIKES
from agentmem.language.normal import nfkc_with_offsets

MAX_QUOTE: Final = 2_000
_EDGES: Final = " \t\r\n\"'“”‘’「」『』《》….。,;:!?\uff0c\uff1b\uff1a\uff01\uff1f"

_AS_SAID: Final = {ord(shown): said for said, shown in LOOKALIKES.items()}
"""A prompt shows these in place of what was said, and a model quotes what it was shown."""


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Where in `text` the quoted words stand, as start and end; None where they do not.

    One character proves nothing unless it is all that was said.
    """
    if len(quote) > MAX_QUOTE:
        return None
    wanted, _ = _folded(quote.strip(_EDGES))
    if not wanted:
        return None
    said, offsets = _folded(text)
    if len(wanted) < 2 and said.strip(_EDGES) != wanted:
        return None
    if quote.strip() in text:
        start = text.index(quote.strip())
        return start, start + len(quote.strip())
    place = said.find(wanted)
    if place < 0:
        return None
    return offsets[place], offsets[place + len(wanted) - 1] + 1


@bounded_cache(256)  # the turns of a window are looked through once per statement
def _folded(text: str) -> tuple[str, tuple[int, ...]]:
    """The text without case, width and white space, and the index each of its characters came from."""
    plain, offsets = nfkc_with_offsets(text)
    plain = plain.translate(_AS_SAID)
    letters: list[str] = []
    places: list[int] = []
    for character, offset in zip(plain, offsets, strict=True):
        if character.isspace():
            continue
        folded = character.casefold()
        letters.append(folded)
        places.extend([offset] * len(folded))
    return "".join(letters), tuple(places)


def folded(text: str) -> str:
    """The form in which quotes are compared."""
    return _folded(text)[0]


def sentence_at(text: str, end: int) -> str:
    """What follows the quote, up to and with the mark that ends its sentence."""
    for place in range(max(0, end - 1), len(text)):
        if text[place] in "。!?\uff01\uff1f\n" or (text[place] == "." and text[place + 1 : place + 2] in ("", " ")):
            return text[end - 1 : place + 1]
    return text[end - 1 :]
