"""The names under which agentmem itself keeps something with turns and memories: nobody else sets them."""

from collections.abc import Iterable, Mapping
from typing import Final

from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput

ASKED_WITH: Final = "askedWith"
"""Under which name a memory has the words that somebody would ask for it with."""

CORRECTED: Final = "corrected"
"""Under which name a memory has that somebody gave it other words by hand."""

_WHOSE: Final = ("user_id", "agent_id", "run_id", "tenant", "userId", "title")
_OF_TURNS: Final = ("role", "turnIndex", "claimedAt", "note")
_OF_MEMORIES: Final = ("mentions", "toldIn", "judged", "history", "lineage", "people", ASKED_WITH, CORRECTED)
_OF_DOCUMENTS: Final = ("assetId", "assetVersion", "heading")
_OF_ENTITIES: Final = ("kinds", "spoke", "talkedTo", "mergedBy", "counted", "toldBy", "apart")

RESERVED: Final = frozenset({*_WHOSE, *_OF_TURNS, *_OF_MEMORIES, *_OF_DOCUMENTS, *_OF_ENTITIES})
"""Names in `meta` and `meta_data` that our own code reads as what it wrote itself. The stretches of a turn in which an
agent only repeats (`echoes`) a framework may tell too: they make nothing."""


def asked_with(meta: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """The words that somebody would ask with for a memory which has these metadata."""
    words = meta.get(ASKED_WITH)
    return tuple(word for word in words if isinstance(word, str)) if isinstance(words, list) else ()


def check_unreserved(field: str, names: Iterable[str]) -> None:
    """Raise `InvalidInput` for a name that is ours."""
    for name in names:
        if name in RESERVED:
            raise InvalidInput(f"{field}.{name}: is set by agentmem and cannot be given")
