"""Whether what remains still carries a memory, after some of what it rested on was forgotten.

The ledger does not say which of a memory's sources said it together and which said it again, so the words decide: a
fact stays where the one who vouches for it still says its value, or most of what it says.
"""

from collections.abc import Collection, Mapping, Sequence

from agentmem.domain.memory import Evidence, MemoryNode, MemoryType
from agentmem.language.normal import digits
from agentmem.language.tokens import tokens

MOST = 0.6
"""Share of what all its evidence said of a memory that the rest must say of it; of a value, half must be said."""


def rests_on(node: MemoryNode) -> frozenset[str]:
    """Everything a memory was made from."""
    return frozenset((*node.source_ids, *(part.memory_id for part in node.evidence), *node.depends_on))


def still_said(
    node: MemoryNode,
    before: Sequence[Evidence],
    rest: Sequence[Evidence],
    was: Mapping[str, MemoryNode],
    now: Mapping[str, MemoryNode],
) -> bool:
    """Whether a memory made of words is still said by the rest of its evidence. `was` and `now` are the turns before
    and after they were edited."""
    if node.speaker is not None and all(now[part.memory_id].speaker != node.speaker for part in rest):
        return False
    words = " \n".join(now[part.memory_id].content[part.start : part.end] for part in rest)
    if node.attribute and node.value:
        said = frozenset(tokens(words))
        value = frozenset(tokens(node.value))
        return set(digits(node.value)) <= set(digits(words)) and len(value & said) * 2 >= len(value)
    everything = " \n".join(was[part.memory_id].content[part.start : part.end] for part in before)
    return _covered(node, words) >= MOST * _covered(node, everything)


def tells_of(node: MemoryNode, gone: Collection[MemoryNode], rest: Collection[MemoryNode]) -> bool:
    """Whether a memory made of memories says something that only those among them said which are gone."""
    own = _all_words([node]) - frozenset(tokens(node.target_name))
    return bool(own & (_all_words(gone) - _all_words(rest)))


def is_of_words(node: MemoryNode) -> bool:
    """Whether a memory rests on what was spoken, and not on other memories alone."""
    return bool(node.evidence) and node.memory_type is not MemoryType.CONVERSATION


def _covered(node: MemoryNode, words: str) -> int:
    said = frozenset(tokens(words))
    return sum(token in said for token in set(tokens(node.content)) - set(tokens(node.target_name)))


def _all_words(nodes: Collection[MemoryNode]) -> frozenset[str]:
    texts = (text for node in nodes for text in (node.content, node.value or "", *node.key))
    return frozenset(token for text in texts for token in tokens(text))
