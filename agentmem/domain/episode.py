"""A spoken turn as a memory: verbatim, one node per turn; words that were taken out of it leave a blot of the same
length.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from agentmem import patterns as re
from agentmem.domain.event import USER_ID, TurnSpoken
from agentmem.domain.ids import memory_id
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, local_day

WORKER = "conversation"
OF_THE_TURN = frozenset({"role", "turnIndex", "claimedAt"})
"""What the memory of a turn notes beside what was given along with the turn."""
CLAIMED_AT = "claimedAt"
"""Under which a turn's metadata tells when it was said to be from, where that cannot have been."""


def episode_id(turn: TurnSpoken) -> str:
    """The id of the conversation memory of this turn; the same before and after it is written."""
    return turn_id(turn.tenant, turn.agent_id, turn.event_id)


def turn_id(tenant: str, agent: str, event_id: str) -> str:
    """The same, by what identifies the turn's event."""
    return memory_id(tenant, agent, event_id, WORKER, 0)


def order_in_talk(node: MemoryNode) -> tuple[str, int] | None:
    """Of a turn its talk and its number there, by which turns are put in order; None for anything but a turn."""
    if node.place is None:
        return None
    talk, _, number = node.place.rpartition("/")
    return talk, int(number)


def title_told(node: MemoryNode) -> str | None:
    """The title with which the person was introduced, where the memory says that he is what it says: nobody said so,
    and the turn that it was made at is the first in which he told of himself."""
    title = node.meta_data.get("title")
    told = node.modality is Modality.INFERRED and node.attribute == "occupation" and node.value == title
    return title if told and isinstance(title, str) else None


def episode(turn: TurnSpoken, *, timestamp: int, created_at: datetime) -> MemoryNode:
    """The turn as it was said, known from `created_at`, when it was accepted. Nothing is shortened, corrected or
    translated."""
    return MemoryNode(
        memory_id=episode_id(turn),
        tenant=turn.tenant,
        agent_id=turn.agent_id,
        user_name=turn.agent_name,
        target_id=turn.target_id,
        target_name=turn.person.name,
        run_id=turn.run_id,
        memory_type=MemoryType.CONVERSATION,
        kind="turn",
        content=turn.text,
        speaker=turn.speaker,
        timestamp=timestamp,
        dt=local_day(turn.at),
        valid_at=turn.at,
        created_at=created_at,
        importance=3,
        meta_data={
            **turn.meta,
            "role": "agent" if turn.by_agent else "customer",
            "turnIndex": turn.turn_index,
            **({} if turn.person.id is None else {USER_ID: turn.person.id}),
            **({} if turn.claimed_at is None else {CLAIMED_AT: turn.claimed_at.isoformat()}),
        },
    )


BLOT: Final = "\u2588"
"""A full block: no word of any language."""


def blotted(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """The text with these stretches (start, end) blotted out; line breaks stay."""
    letters = list(text)
    for start, end in stretches:
        letters[start:end] = [letter if letter == "\n" else BLOT for letter in letters[start:end]]
    return "".join(letters)


def blotted_whole(text: str) -> str:
    """Nothing of a text but its length."""
    return blotted(text, [(0, len(text))])


def says_nothing(text: str) -> bool:
    """Whether no letter or digit of a text is left but what joins the words that were taken out of it."""
    return not any(map(str.isalnum, _JOINING.sub("", text) if BLOT in text else text))


_JOINING: Final = re.compile(r"\b(?:and|but|or|so)\b|而且|并且|另外|还有|同时|以及|但是|不过|[和但]", re.IGNORECASE)


def is_blotted(text: str) -> bool:
    """Whether something was taken out of a text."""
    return BLOT in text


def is_forgotten(text: str) -> bool:
    """Whether nothing of a text is left that was taken out of."""
    return is_blotted(text) and says_nothing(text)


def same_but_blotted(stored: str, given: str) -> bool:
    """Whether a text is what a stored one was before words of it were blotted out."""
    if stored == given:
        return True
    return len(stored) == len(given) and all(one in (other, BLOT) for one, other in zip(stored, given, strict=True))
