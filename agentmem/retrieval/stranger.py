"""Whether a question is about somebody of whom nothing was found, though another one's slot would answer it."""

from collections.abc import Sequence
from typing import Final

from agentmem import patterns as re
from agentmem.domain.memory import MemoryNode
from agentmem.language.records import prices
from agentmem.ports.memory_index import MemoryIndex, Where
from agentmem.retrieval.about import Whom, asked_about
from agentmem.retrieval.asked import asked_for

_STEP: Final = re.compile(r"的|['’]s?\s|\b(?:of|by|behind|who|whom|whose|that|which|where)\b", re.IGNORECASE)
"""What leads from one thing to another."""


async def asks_of_a_stranger(index: MemoryIndex, where: Where, question: str, nodes: Sequence[MemoryNode]) -> bool:
    """Whether it names others than those whose slots are filled, and none of the memories fills it for them.

    A name that leads on to the owner of such a slot is his, and whoever asks of himself may name others. Where more
    than one step leads to whom it is asked of, it is enough that a memory says the name. Raises `BackendUnavailable`.
    """
    slots = asked_for(question)
    filled = [node for node in nodes if node.attribute in slots]
    if not filled or any(prices(node.content, question) for node in nodes):
        return False
    whom = (await asked_about(index, where, question)).known_by(nodes)
    if not whom or any(whom.has(node, node.content, question) for node in filled):
        return False
    if _is_their_own(question, whom):
        told = (node for node in nodes if whom.has(node, node.content, question))
        return not any(asked_for(node.content) & slots for node in told)
    return not any(whom.named_in(_told(node)) for node in nodes)


def _is_their_own(question: str, whom: Whom) -> bool:
    """Whether one step at the most leads from a name to what is asked for."""
    return len(_STEP.findall(whom.bare(question))) + len(_STEP.findall(question)) <= 1


def _told(node: MemoryNode) -> str:
    return " ".join((node.content, node.target_name, *node.key, *filter(None, (node.speaker,))))
