"""What a request to forget may have meant where it took nothing: the memories nearest to its words, for the person to
choose from by id."""

from collections.abc import Iterable
from typing import Final

from agentmem.domain.memory import MemoryNode
from agentmem.language.details import details_named, tells, values_of
from agentmem.language.lookalikes import simplified
from agentmem.language.tokens import tokens
from agentmem.memory.matters import is_related
from agentmem.memory.sought import Sought

MAX_NEAR: Final = 5


def near(sought: Sought, nodes: Iterable[MemoryNode]) -> list[MemoryNode]:
    """At most `MAX_NEAR` of these memories, nearest first: such as say most of what is named, and of those that say the
    same the newest. A turn is left out where a memory made of it is among them."""
    found = [(_nearness(sought, node), node) for node in nodes]
    found = [(much, node) for much, node in found if much]
    found.sort(key=lambda each: (-each[0], -each[1].valid_at.timestamp(), each[1].memory_id))
    told = {part.memory_id for _, node in found for part in node.evidence}
    return [node for _, node in found if node.memory_id not in told][:MAX_NEAR]


def _nearness(sought: Sought, node: MemoryNode) -> int:
    plain = simplified(node.content)
    said = frozenset(tokens(plain))
    words = sum(is_related(word, plain, said) for word in sought.words)
    named = details_named(plain)
    details = sum(each in named or tells(plain, each) or bool(values_of(plain, each)) for each in sought.details)
    return words + details + 2 * (node.attribute in sought.attributes)
