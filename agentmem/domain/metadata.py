"""The names under which agentmem itself keeps something with turns and memories: nobody else sets them."""

from collections.abc import Iterable
from typing import Final

from agentmem.errors import InvalidInput

_WHOSE: Final = ("user_id", "agent_id", "run_id", "tenant", "userId", "title")
_OF_TURNS: Final = ("role", "turnIndex", "claimedAt", "note")
_OF_MEMORIES: Final = ("mentions", "toldIn", "judged", "history", "lineage", "people")
_OF_DOCUMENTS: Final = ("assetId", "assetVersion", "heading")
_OF_ENTITIES: Final = ("kinds", "spoke", "talkedTo", "mergedBy", "counted", "toldBy", "apart")

RESERVED: Final = frozenset({*_WHOSE, *_OF_TURNS, *_OF_MEMORIES, *_OF_DOCUMENTS, *_OF_ENTITIES})
"""Names in `meta` and `meta_data` that our own code reads as what it wrote itself. The stretches of a turn in which an
agent only repeats (`echoes`) a framework may tell too: they make nothing."""


def check_unreserved(field: str, names: Iterable[str]) -> None:
    """Raise `InvalidInput` for a name that is ours."""
    for name in names:
        if name in RESERVED:
            raise InvalidInput(f"{field}.{name}: is set by agentmem and cannot be given")
