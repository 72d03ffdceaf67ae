"""What somebody asks of the memory itself in the middle of a talk: that it forget something of his.

Only what is plainly asked counts. "I always forget my keys", "don't forget my birthday", 你忘了我的生日 and "forget it"
ask for nothing, and neither does a text to be edited ("delete my second paragraph"). What asks is not kept: it names
what is not to be told.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from agentmem.domain.blots import blotted
from agentmem.language.clauses import sentences
from agentmem.language.normal import is_han
from agentmem.memory import request_en, request_zh

LONGEST: Final = 400
"""Characters of a sentence that may ask; who writes more tells a story."""

APOSTROPHES: Final = str.maketrans({"\u2019": "'", "\u2018": "'"})


@dataclass(frozen=True, slots=True)
class Request:
    """Characters `start` to `end` of a text ask that what `wish` names be forgotten; fit for `read_wish`."""

    start: int
    end: int
    wish: str


def requests_in(text: str) -> list[Request]:
    """Everything that a text asks to be forgotten, in order."""
    return list(_requests(text))


def forget_request(text: str) -> str | None:
    """The first of it, as `read_wish` reads it; None where nothing is asked."""
    return next((request.wish for request in _requests(text)), None)


def without_requests(text: str) -> str:
    """The text with every such request blotted out."""
    return blotted(text, [(request.start, request.end) for request in _requests(text)])


def _requests(text: str) -> Iterator[Request]:
    for sentence in sentences(text):
        if len(sentence.text) <= LONGEST:
            said = sentence.text.translate(APOSTROPHES) + ("?" if sentence.is_question else "")
            wish = (request_zh if any(map(is_han, said)) else request_en).wish_in(said)
            if wish is not None:
                yield Request(sentence.start, sentence.end, f"forget {wish}")
