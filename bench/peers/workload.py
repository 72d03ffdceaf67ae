"""What every system is given: conversations of a file, or made-up ones of the sizes that matter for speed."""

import random
from pathlib import Path

from agentmem.errors import InvalidInput
from agentmem_evals.retrieval.dataset import TURN_GAP, Conversation, DatasetQuestion, DatasetTurn
from agentmem_evals.retrieval.datasets import read_dataset
from bench.dialogue import START, person, sentence

SCOPE_SIZE, SESSION_SIZE = 1_000, 20
QUESTIONS = 100
"""Per made-up conversation."""


def read(path: Path) -> list[Conversation]:
    """Conversations in any format of `agentmem eval retrieval`. Raises `InvalidInput`."""
    conversations = read_dataset(path)
    if not any(question.evidence for item in conversations for question in item.questions):
        raise InvalidInput(f"{path}: no question has evidence among the turns")
    return conversations


def made_up(turns: int) -> list[Conversation]:
    """So many turns in conversations of 1,000, and questions without evidence."""
    dice = random.Random(7)
    return [
        _conversation(dice, person(number).name, min(SCOPE_SIZE, turns - first))
        for number, first in enumerate(range(0, turns, SCOPE_SIZE))
    ]


def plain(turn: DatasetTurn) -> str:
    """All of a turn in one text, for systems that keep nothing but a text."""
    picture = f" [picture: {turn.caption}]" if turn.caption else ""
    return f"{turn.at:%d %B %Y} {turn.speaker}: {turn.text}{picture}"


def _conversation(dice: random.Random, name: str, turns: int) -> Conversation:
    said = tuple(
        DatasetTurn(f"t{place}", name, sentence(dice), START + place * TURN_GAP, str(place // SESSION_SIZE))
        for place in range(turns)
    )
    asked = tuple(DatasetQuestion(f"q{place}", sentence(dice), frozenset()) for place in range(QUESTIONS))
    return Conversation(name, said, asked)
