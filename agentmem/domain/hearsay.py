"""What others say of a person: known to the agent, and no part of what that person is told about himself.

It is told by where the words were said, not by who is named in them: whoever talks with an agent can say anything of
anybody.
"""

from agentmem.domain.entity import TOLD_IN
from agentmem.domain.filter import META, AllOf, AnyOf, Compare, Filter, NotAny
from agentmem.domain.memory import MemoryNode, MemoryType, Trust
from agentmem.domain.naming import canonical_name

_CONCLUDED = (MemoryType.INSIGHT.value, MemoryType.LONGTERM.value)


def without_hearsay(target: str) -> Filter:
    """What is no hearsay about the person `target`: nothing told in somebody else's conversation, and nothing that was
    concluded from such words. What he said himself as well is his own."""
    told_elsewhere = AllOf((Compare(META + TOLD_IN, "exists"), Compare(META + TOLD_IN, "ne", target)))
    concluded = AllOf((Compare("memoryType", "in", _CONCLUDED), Compare("trust", "eq", Trust.UNTRUSTED.value)))
    about_him = Compare("targetId", "eq", target)
    return NotAny((AllOf((about_him, AnyOf((told_elsewhere, concluded)))),))


def heard_from(node: MemoryNode) -> str | None:
    """Who told it, where that is not the person it is about."""
    if TOLD_IN not in node.meta_data or not node.speaker:
        return None
    return None if canonical_name(node.speaker) == canonical_name(node.target_name) else node.speaker
