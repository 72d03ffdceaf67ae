"""What a wish takes of turns alone, without a store: quick enough for every small decision about whose something is."""

from collections.abc import Sequence
from datetime import timedelta

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.memory.owned import OwnedTurns
from agentmem.memory.request import asked_in
from agentmem.memory.wish import read_wish
from agentmem.questions.question import asked_for
from tests.support.nodes import NOON, a_memory

AGENT_SAYS = "agent: "
"""What stands before a line that the agent says."""


def a_talk(lines: Sequence[str], me: str) -> list[MemoryNode]:
    """The turns of a talk, in order."""
    return [
        a_memory(
            line.removeprefix(AGENT_SAYS),
            memory_type=MemoryType.CONVERSATION,
            target_name=me,
            speaker="小美" if line.startswith(AGENT_SAYS) else me,
            meta_data={"turnIndex": number},
            valid_at=NOON + timedelta(seconds=20 * number),
        )
        for number, line in enumerate(lines)
    ]


def taken_of(lines: Sequence[str], request: str, *, facts: Sequence[MemoryNode] = ()) -> list[str]:
    """The clauses of a talk, and the facts, that go where its person asks for this. Raises `InvalidInput` where it is
    not clear whose is meant."""
    me = "Nora" if request.isascii() else "周敏"
    owned = OwnedTurns.read([*a_talk(lines, me), *facts], [], asked_for)
    found: list[str] = []
    for wanted in asked_in(request).wishes or (request,):
        wish = read_wish(wanted, asked_for, owned.talk.cast.selves, known=owned.talk.cast.names, own=True)
        take = owned.taken_whole if wish.forget.whole else owned.taken
        taken = take(wish, facts, NOON)
        found += [each.turn.content[slice(*each.part.cut)] for each in taken.clauses]
        found += [node.content for node in taken.nodes]
    return found
