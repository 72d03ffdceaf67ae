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
    """The clauses of a talk, and the facts of its person and of others, that go where he asks for this. Raises
    `InvalidInput` where it is not clear whose is meant."""
    found: list[str] = []
    for taken in _asked(lines, request, facts):
        found += (each.turn.content[slice(*each.part.cut)] for each in taken.clauses)
        found += (node.content for node in taken.nodes)
    return found


def left_of(lines: Sequence[str], request: str) -> str:
    """What is left of the turns of a talk; nothing goes where it is not clear whose is meant."""
    said = [line.removeprefix(AGENT_SAYS) for line in lines]
    left = said.copy()
    with suppress(InvalidInput):
        for taken in _asked(lines, request, ()):
            for each in taken.clauses:
                cuts = apart([each.part.cut], taken.spared.get(each.turn.memory_id, ()))
                at = said.index(each.turn.content)
                left[at] = blotted(left[at], cuts)
    return "\n".join(left)


def spared_of(lines: Sequence[str], request: str) -> list[str]:
    """What of a talk must stay, whatever else goes with it."""
    talk = a_talk(lines, "Nora" if request.isascii() else "周敏")
    held = {turn.memory_id: turn.content for turn in talk}
    return [
        held[key][slice(*cut)]
        for taken in _read(talk, request)
        for key, cuts in taken.spared.items()
        for cut in sorted(cuts)
    ]


def _asked(lines: Sequence[str], request: str, facts: Sequence[MemoryNode]) -> Iterator[TakenByWish]:
    me = "Nora" if request.isascii() else "周敏"
    return _read(a_talk(lines, me), request, [node for node in facts if node.target_name == me], facts)


def _read(
    talk: Sequence[MemoryNode], request: str, own: Sequence[MemoryNode] = (), facts: Sequence[MemoryNode] = ()
) -> Iterator[TakenByWish]:
    owned = OwnedTurns.read([*talk, *own], [node for node in facts if node not in own], asked_for)
    heard = asked_in(request)
    held = [wanted for wanted in heard.doubtful if (taken := _taken(owned, wanted, facts)).clauses or taken.nodes]
    return (_taken(owned, wanted, facts) for wanted in asked_in(request, held).wishes)


def _taken(owned: OwnedTurns, wanted: str, facts: Sequence[MemoryNode]) -> TakenByWish:
    cast = owned.talk.cast
    wish = read_wish(wanted, asked_for, cast.selves, known=cast.names, own=True)
    return owned.taken_whole(wish, facts, NOON) if wish.forget.whole else owned.taken(wish, facts, NOON)
