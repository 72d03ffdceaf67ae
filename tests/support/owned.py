"""What a wish takes of turns alone, without a store: quick enough for every small decision about whose something is."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta

from agentmem.domain.episode import blotted
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.errors import InvalidInput
from agentmem.memory.cuts import apart
from agentmem.memory.owned import OwnedTurns, TakenByWish
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
    found: list[str] = []
    for taken in _asked(lines, request, facts):
        found += (each.turn.content[slice(*each.part.cut)] for each in taken.clauses)
        found += (node.content for node in taken.nodes)
    return found


def left_of(lines: Sequence[str], request: str) -> str:
    """What is left of the turns of a talk; nothing goes where it is not clear whose is meant."""
    left = list(lines)
    with suppress(InvalidInput):
        for taken in _asked(lines, request, ()):
            for each in taken.clauses:
                cuts = apart([each.part.cut], taken.spared.get(each.turn.memory_id, ()))
                at = lines.index(each.turn.content)
                left[at] = blotted(left[at], cuts)
    return "\n".join(left)


def _asked(lines: Sequence[str], request: str, facts: Sequence[MemoryNode]) -> Iterator[TakenByWish]:
    me = "Nora" if request.isascii() else "周敏"
    owned = OwnedTurns.read([*a_talk(lines, me), *facts], [], asked_for)
    heard = asked_in(request)
    held = [wanted for wanted in heard.doubtful if (taken := _taken(owned, wanted, facts)).clauses or taken.nodes]
    return (_taken(owned, wanted, facts) for wanted in asked_in(request, held).wishes)


def _taken(owned: OwnedTurns, wanted: str, facts: Sequence[MemoryNode]) -> TakenByWish:
    cast = owned.talk.cast
    wish = read_wish(wanted, asked_for, cast.selves, known=cast.names, own=True)
    return owned.taken_whole(wish, facts, NOON) if wish.forget.whole else owned.taken(wish, facts, NOON)
