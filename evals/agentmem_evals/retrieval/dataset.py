"""What retrieval is measured on: conversations, and questions with the turns that answer them."""

from dataclasses import dataclass
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
