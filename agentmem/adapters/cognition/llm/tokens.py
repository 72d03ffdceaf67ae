"""How many tokens a text will be, by estimate: the tokenizers themselves are not at hand everywhere.

One per Han character or full-width sign, one per four other characters. That is above what current tokenizers make
of Chinese (0.6 to 1.0) and close to what they make of English (3.5 to 4.5 characters each).
"""

import json
import math
from collections.abc import Sequence
from typing import Final

from pydantic_ai.messages import ModelMessage, ModelRequest, UserPromptPart

from agentmem import patterns as re

_WIDE: Final = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003fffd]")


def estimated(text: str) -> int:
    """Tokens of one text."""
    wide = len(_WIDE.findall(text))
    return wide + math.ceil((len(text) - wide) / 4)


def estimated_request(messages: Sequence[ModelMessage], tools: Sequence[object]) -> int:
    """Tokens of a prompt with its instructions and the schemas sent along."""
    total = sum(estimated(json.dumps(tool, ensure_ascii=False)) for tool in tools)
    for message in messages:
        if isinstance(message, ModelRequest):
            total += estimated(message.instructions or "")
            total += sum(
                estimated(part.content)
                for part in message.parts
                if isinstance(part, UserPromptPart) and isinstance(part.content, str)
            )
    return total


def shortened(text: str, tokens: int) -> str:
    """The beginning of a text within so many tokens, marked where it was cut."""
    if estimated(text) <= tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimated(text[:middle]) < tokens else (low, middle - 1)
    return text[:low] + "…"
