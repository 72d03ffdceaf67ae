"""What retrieval is measured on: conversations, and questions with the turns that answer them."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

TURN_GAP = timedelta(seconds=20)
"""From one turn to the next, where the data does not say when it was."""

ADVERSARIAL = "5"
"""The category of questions that sound right and have no answer: their evidence only bears on them."""


@dataclass(frozen=True, slots=True)
class DatasetTurn:
    """One turn. `session` is None where the data has no sessions; `caption` is of a picture shown with it."""

    id: str
    speaker: str
    text: str
    at: datetime
    session: str | None = None
    caption: str | None = None


@dataclass(frozen=True, slots=True)
class DatasetQuestion:
    """What is asked, and the ids of the turns that answer it. `at` None: asked at the end of the conversation."""

    id: str
    text: str
    evidence: frozenset[str]
    category: str | None = None
    at: datetime | None = None

    @property
    def answerable(self) -> bool:
        """Whether the conversation has an answer."""
        return bool(self.evidence) and self.category != ADVERSARIAL


@dataclass(frozen=True, slots=True)
class Conversation:
    """Everything in one target scope. `skipped` questions name evidence, and none of it is there."""

    scope: str
    turns: tuple[DatasetTurn, ...]
    questions: tuple[DatasetQuestion, ...]
    skipped: int = 0

    @property
    def end(self) -> datetime:
        """When the last turn was spoken."""
        return max(turn.at for turn in self.turns)


def cut(conversation: Conversation, most: int) -> Conversation:
    """At most so many turns of it: what answers its first questions fills half of them, what stands nearest to that the
    rest. The questions are those that can be answered so."""
    answers: set[str] = set()
    for question in conversation.questions:
        if len(answers | question.evidence) > max(1, most // 2):
            break
        answers |= question.evidence
    places = [place for place, turn in enumerate(conversation.turns) if turn.id in answers]
    near = sorted(range(len(conversation.turns)), key=lambda place: (_distance(place, places), place))[:most]
    turns = tuple(conversation.turns[place] for place in sorted(near))
    held = {turn.id for turn in turns}
    questions = tuple(each for each in conversation.questions if each.evidence <= held)
    return replace(conversation, turns=turns, questions=questions)


def _distance(place: int, places: Sequence[int]) -> int:
    """From a place to the nearest of these, which are in order."""
    after = bisect_left(places, place)
    return min((abs(place - each) for each in places[max(0, after - 1) : after + 1]), default=place)
