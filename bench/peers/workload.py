"""What every system is given: turns to keep, and questions, some with the turns that answer them."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from agentmem.errors import InvalidInput
from bench.dialogue import START, person, sentence

SCOPE_SIZE = 1_000
QUESTIONS = 300
GAP = timedelta(seconds=20)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn in the scope of one person or pair; `caption` is of a picture shown with it."""

    scope: str
    id: str
    session: str
    speaker: str
    at: datetime
    text: str
    caption: str | None = None

    @property
    def plain(self) -> str:
        """All of it in one text, for systems that keep nothing but a text."""
        picture = f" [picture: {self.caption}]" if self.caption else ""
        return f"{self.at:%d %B %Y} {self.speaker}: {self.text}{picture}"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked in a scope, and the ids of the turns that answer it, where that is known."""

    scope: str
    text: str
    evidence: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Workload:
    """Turns scope by scope, each in its order in time."""

    turns: list[Turn]
    questions: list[Question]


def made_up(count: int) -> Workload:
    """So many made-up turns in scopes of 1,000, and questions without evidence."""
    dice = random.Random(7)
    turns = [
        Turn(
            scope := person(number // SCOPE_SIZE).name, f"{number}", "talk", scope, START + number * GAP, sentence(dice)
        )
        for number in range(count)
    ]
    scopes = sorted({turn.scope for turn in turns})
    return Workload(turns, [Question(dice.choice(scopes), sentence(dice)) for _ in range(QUESTIONS)])


def locomo(path: Path) -> Workload:
    """Conversations in LoCoMo's format, and their questions whose evidence is there. Raises `InvalidInput`."""
    try:
        workload = _read(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{path}: not conversations in LoCoMo's format: {error!r}") from error
    if not workload.questions:
        raise InvalidInput(f"{path}: no question names a turn that is there")
    return workload


def _read(samples: list[dict[str, Any]]) -> Workload:
    turns: list[Turn] = []
    questions: list[Question] = []
    for number, sample in enumerate(samples):
        scope = f"conversation {number}"
        spoken = list(_turns(scope, sample["conversation"]))
        ids = {turn.id for turn in spoken}
        turns += spoken
        for asked in sample["qa"]:
            evidence = frozenset(re.findall(r"D\d+:\d+", " ".join(asked.get("evidence", [])))) & ids
            if evidence:
                questions.append(Question(scope, asked["question"], evidence))
    return Workload(turns, questions)


def _turns(scope: str, conversation: dict[str, Any]) -> Iterator[Turn]:
    numbers = sorted(int(key.split("_")[1]) for key in conversation if re.fullmatch(r"session_\d+", key))
    for session in numbers:
        stamp = conversation[f"session_{session}_date_time"]
        begun = datetime.strptime(stamp, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for place, turn in enumerate(conversation[f"session_{session}"]):
            yield Turn(
                scope=scope,
                id=turn["dia_id"],
                session=str(session),
                speaker=turn["speaker"],
                at=begun + place * GAP,
                text=turn["text"],
                caption=turn.get("blip_caption"),
            )
