"""Whether a question is about somebody of whom nothing was found, though another one's slot would answer it."""

import re
from collections.abc import Sequence
from typing import Final

from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryNode
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.graph.walk import Known
from agentmem.language.names import names_of
from agentmem.ports.memory_index import MemoryIndex, Where
from agentmem.retrieval.asked import asked_for

_OF_THE_ASKER: Final = re.compile(r"[我咱俺]|\b(?:i|my|mine|me|our|ours|us|we)\b", re.IGNORECASE)


async def asks_of_a_stranger(index: MemoryIndex, where: Where, question: str, nodes: Sequence[MemoryNode]) -> bool:
    """Whether it names others than those whose slots are filled, and none of the memories says one of these names.

    A name that leads on to the owner of such a slot is his, and whoever asks of himself may name others. Raises
    `BackendUnavailable`.
    """
    if _OF_THE_ASKER.search(question):
        return False
    slots = asked_for(question)
    filled = [node for node in nodes if node.attribute in slots]
    own = {canonical_name(node.user_name) for node in filled}
    names = [name for mention in names_of(question) if (name := canonical_name(mention.name)) not in own]
    if not filled or not names or any(_says(node, name) for node in nodes for name in names):
        return False
    known = Known(Where(Scope(where.scope.tenant, where.scope.agent)))
    ids = [named(where.scope.tenant, where.scope.agent, name) for name in names]
    await known.learn(index, ids)
    return {known.root(each) for each in ids}.isdisjoint(node.target_id for node in filled)


def _says(node: MemoryNode, name: str) -> bool:
    told = (node.content, node.target_name, *node.key, *filter(None, (node.speaker,)))
    return any(name in canonical_name(text) or canonical_name(text) in name for text in told)
