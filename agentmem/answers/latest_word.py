"""What was said later of the matter of an answer, and changes it: told in the older words it would be wrong.

Nothing derived may have come of either: `the wedding is on 6 June`, and a month later `the wedding is off`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from agentmem import patterns as re
from agentmem.answers.passages import Passage
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.language.clauses import sentences
from agentmem.language.gists import gist_of

_ONLY_SUPPOSED: Final = re.compile(
    r"\b(?:if|unless|maybe|might|perhaps|could|would|whether|thinking)\b|如果|要是|万一|可能|也许|说不定|考虑|还没定",
    re.IGNORECASE,
)
_WHETHER: Final = re.compile(r"[吗么]\W*$|\b(?:yet|already|still)\b", re.IGNORECASE)
_ASKS: Final = re.compile(r"[?？]\s*$|[吗呢]\s*[?？。]?$")
MAX_CHARS: Final = 1_000
"""Characters of a passage that are looked through."""


def is_a_question(sentence: str) -> bool:
    """Whether a sentence asks: it tells nothing."""
    return _ASKS.search(sentence) is not None


def latest(told: Passage, sentence: str, question: str, passages: Sequence[Passage]) -> tuple[Passage, str]:
    """The sentence in which the same person has last changed what this one says of the matter that is asked about, with
    where it stands; itself where nobody has."""
    matter = gist_of(sentence, _names(told.memory)).words & gist_of(question, _names(told.memory)).words
    found, whether = (told, sentence), _WHETHER.search(question) is not None
    for one in sorted(passages, key=lambda each: each.memory.timestamp) if matter else ():
        if one.memory.timestamp > found[0].memory.timestamp and _person(one.memory) == _person(told.memory):
            found = next(
                ((one, text) for text in _sentences(one) if _changes(text, matter, one.memory, whether)), found
            )
    return found


def _changes(text: str, matter: frozenset[str], node: MemoryNode, whether: bool) -> bool:
    """Whether a sentence says that something of the matter has changed or is over, or, where `whether` it has is asked,
    has come about."""
    if is_a_question(text) or _ONLY_SUPPOSED.search(text):
        return False
    gist = gist_of(text, _names(node))
    over = frozenset[str]().union(*gist.over)
    return not matter.isdisjoint(over) or (
        (gist.moves or (whether and gist.renews)) and not matter.isdisjoint(gist.words)
    )


def _sentences(one: Passage) -> Iterator[str]:
    if one.memory.memory_type in (MemoryType.CONVERSATION, MemoryType.OBSERVATION):
        yield from (f"{span.text}{span.terminator}" for span in sentences(one.text[:MAX_CHARS]))


def _person(node: MemoryNode) -> str:
    """Whose word it is: of a turn the speaker's."""
    return canonical_name((node.speaker if node.memory_type is MemoryType.CONVERSATION else None) or node.target_name)


def _names(node: MemoryNode) -> tuple[str, ...]:
    return tuple(name for name in (node.target_name, node.speaker) if name)
