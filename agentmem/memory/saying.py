"""Which words of a turn say a memory that was made of it."""

from collections.abc import Collection, Iterable

from agentmem.domain.memory import Evidence, MemoryNode
from agentmem.language.tokens import tokens
from agentmem.memory.cuts import Cut, pieces


def saying(node: MemoryNode, text: str, part: Evidence, beside: Iterable[MemoryNode]) -> list[Cut]:
    """The clauses within a piece of evidence that say the memory: those with its value, else those most like it. Of a
    clause that has the value of another fact as well only the value goes."""
    within = [cut for cut in pieces(text) if cut[0] < part.end and part.start < cut[1]]
    valued = [cut for cut in within if node.value and node.value in text[slice(*cut)]]
    if valued and node.value:
        shared_with = {other.value for other in beside if other.value and other.value != node.value}
        return [_value_in(text, cut, node.value, shared_with) for cut in valued]
    words = set(tokens(node.content)) - set(tokens(node.target_name))
    shared = {cut: len(words & set(tokens(text[slice(*cut)]))) for cut in within}
    most = max(shared.values(), default=0)
    return [cut for cut, count in shared.items() if count == most] or [(part.start, part.end)]


def _value_in(text: str, cut: Cut, value: str, others: Collection[str]) -> Cut:
    clause = text[slice(*cut)]
    if not any(other in clause.replace(value, "") for other in others):
        return cut
    start = cut[0] + clause.index(value)
    return start, start + len(value)
