"""Turns that were just said and are no memory yet: found all the same.

They wait turn after turn where workers are behind or stopped, so what is worked out about one is kept while it waits.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import structlog

from agentmem.domain.episode import episode, is_forgotten
from agentmem.domain.event import Event, TurnSpoken
from agentmem.domain.memory import MemoryNode, microseconds
from agentmem.domain.value import JsonValue
from agentmem.errors import Unreadable, input_faults, without_content
from agentmem.language.cues import cues_of
from agentmem.language.tokens import terms, tokens
from agentmem.ledger.projection import search_terms, shown_by
from agentmem.ports.embedder import Matrix
from agentmem.ports.event_log import Sequenced
from agentmem.ports.memory_index import CUES, PLACE, Sparse
from agentmem.retrieval.pool import Candidate, Stage

log = structlog.get_logger()

OVERLAID_TURNS = 200
"""So many of the newest unread turns are looked through; workers normally leave far fewer."""

KEPT, LONGEST_KEPT = 4_096, 4_000
"""So many turns, those asked about last, are kept in mind, and none of more characters."""


@dataclass(eq=False)
class Waiting:
    """An unread turn with the memory it is about to become; its words, fields and vector, once they were wanted."""

    event: Event
    node: MemoryNode
    row: Matrix | None = None

    @cached_property
    def words(self) -> frozenset[str]:
        """The terms of its text."""
        return terms(self.node.content)

    @cached_property
    def terms(self) -> Sparse:
        """Those it will be searched by."""
        return search_terms(self.node, cues_of(self.node.content, self.node.valid_at))

    @cached_property
    def fields(self) -> dict[str, JsonValue]:
        """What ranking reads of it."""
        wire = self.node.model_dump(mode="json", by_alias=True)
        return {**wire, PLACE: self.node.place, CUES: shown_by(self.node)}

    def worked_out(self) -> Self:
        """With its words and fields, so that what goes wrong with them goes wrong here."""
        _ = self.words, self.fields, self.terms
        return self


@dataclass(frozen=True, slots=True)
class UnreadTurns:
    """Unread turns, each worked out once. Keyed by its text as well as its number, for what is erased is
    written anew in its place."""

    _kept: dict[int, Waiting] = field(default_factory=dict[int, Waiting], init=False)

    def of(self, turns: Sequence[Sequenced]) -> list[Waiting]:
        """These turns, in their order; other events are left out."""
        found: list[Waiting] = []
        for item in turns:
            if not isinstance(item.event, TurnSpoken) or is_forgotten(item.event.text):
                continue
            if (turn := self._one(item, item.event)) is not None:
                found.append(turn)
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return found

    def _one(self, item: Sequenced, turn: TurnSpoken) -> Waiting | None:
        """None for a turn of which nothing can be worked out: it hides no other."""
        known = self._kept.pop(item.seq, None)
        if known is None or not (known.event is turn or known.event == turn):
            known = _waiting(item, turn)
        if known is None:
            return None
        if len(turn.text) <= LONGEST_KEPT:
            self._kept[item.seq] = known
        return known


def _waiting(item: Sequenced, turn: TurnSpoken) -> Waiting | None:
    try:
        with input_faults():
            return Waiting(turn, _episode(item, turn)).worked_out()
    except Unreadable as error:
        log.warning("turn_not_overlaid", seq=item.seq, reason=without_content(error))
        return None


def unread_episodes(turns: Sequence[Sequenced]) -> list[MemoryNode]:
    """The memories these turns are about to become."""
    spoken = ((item, item.event) for item in turns if isinstance(item.event, TurnSpoken))
    return [_episode(item, turn) for item, turn in spoken if not is_forgotten(turn.text)]


def _episode(item: Sequenced, turn: TurnSpoken) -> MemoryNode:
    return episode(turn, timestamp=microseconds(item.accepted_at), created_at=item.accepted_at)


def overlaid(turns: Sequence[Waiting], sought: str, cosines: Sequence[float], best: float) -> list[Candidate]:
    """Score unread turns as the index would: words as rare as among themselves, all of the question's words worth
    `best`, the score of the best match in the index."""
    rarity = {word: _rarity(word, turns) for word in dict.fromkeys(tokens(sought))}
    whole = sum(rarity.values()) or 1.0
    return [
        Candidate(
            memory_id=turn.node.memory_id,
            fields=turn.fields,
            stage=Stage.UNREAD,
            terms=turn.terms,
            dense=max(float(cosine), 0.0),
            lexical=(best or 1.0) * sum(weight for word, weight in rarity.items() if word in turn.words) / whole,
        )
        for turn, cosine in zip(turns, cosines, strict=True)
    ]


def _rarity(word: str, turns: Sequence[Waiting]) -> float:
    having = sum(word in turn.words for turn in turns)
    return math.log(1 + (len(turns) + 0.5) / (having + 0.5))


def cosines(rows: Matrix, question: Matrix) -> list[float]:
    """Of each row with the question's one row."""
    return [float(value) for value in rows @ question[0]]
