"""Memories and dialogues in the format of MADial-Bench: two files in a folder, one JSON value on each line.

A user's memories are one scope. There is one question per dialogue: all that was said before the first turn marked as
one that needs a memory. Later marked turns are not asked about, because the turns before them name the memory already.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, RootModel, StringConstraints

from agentmem import patterns as re
from agentmem.domain.bounds import MAX_TEXT
from agentmem.domain.ids import Name
from agentmem.errors import InvalidInput
from agentmem_evals.json_file import Json, lines_of
from agentmem_evals.retrieval.dataset import Conversation, DatasetQuestion, DatasetTurn

_MARK = re.compile(r"\s*<[^<>]{1,100}>\s*(:|$)")

_Text = Annotated[str, StringConstraints(pattern=r"\S", max_length=MAX_TEXT)]


class _Memory(BaseModel):
    event: _Text
    time: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    user: int | Name = Field(alias="user-id")


class _Memories(RootModel[dict[Name, _Memory]]):
    pass


class _Dialogue(BaseModel):
    id: int | Name
    user: int | Name = Field(alias="user-id")
    dialogue: list[str]
    marked: Annotated[list[int], Field(alias="test-turn", min_length=1)]
    relevant: list[int | Name] = Field(alias="relevant-id")


def read_madial(folder: Path) -> list[Conversation]:
    """One conversation per user; times are taken as UTC. Raises `InvalidInput`."""
    turns: dict[str, dict[str, DatasetTurn]] = {}
    for line in lines_of(_file(folder, "memory")):
        for key, memory in line.read(_Memories).root.items():
            user = str(memory.user)
            turns.setdefault(user, {})[key] = _turn(key, memory, line)
    questions: dict[str, list[DatasetQuestion]] = {user: [] for user in turns}
    skipped = dict.fromkeys(turns, 0)
    for line in lines_of(_file(folder, "dialogue")):
        dialogue = line.read(_Dialogue)
        user = str(dialogue.user)
        if user not in turns:
            raise line.wrong(("user-id",), f"user {user} has no memories")
        question = _question(dialogue, turns[user], line)
        if question.evidence or not dialogue.relevant:
            questions[user].append(question)
        else:
            skipped[user] += 1
    return [
        Conversation(f"user-{user}", tuple(held.values()), tuple(questions[user]), skipped[user])
        for user, held in turns.items()
    ]


def _file(folder: Path, kind: str) -> Path:
    """The one file whose name ends in `-memory.json` or `-dialogue.json`."""
    found = sorted(folder.glob(f"*-{kind}.json"))
    if len(found) != 1:
        raise InvalidInput(f"{folder}: must hold one file *-{kind}.json, and holds {len(found)}")
    return found[0]


def _turn(key: str, memory: _Memory, line: Json) -> DatasetTurn:
    try:
        at = datetime.combine(date.fromisoformat(memory.time), time(), UTC)
    except ValueError as error:
        raise line.wrong((key, "time"), f"there is no day {memory.time}") from error
    return DatasetTurn(key, f"user-{memory.user}", memory.event, at)


def _question(dialogue: _Dialogue, memories: Mapping[str, DatasetTurn], line: Json) -> DatasetQuestion:
    marked = min(dialogue.marked)
    said = [_MARK.sub("", text, count=1).strip() for text in dialogue.dialogue[: max(marked, 0)]]
    words = " ".join(filter(None, said))
    if not words:
        raise line.wrong(("test-turn",), f"nothing was said before turn {marked}")
    evidence = frozenset(map(str, dialogue.relevant)) & memories.keys()
    return DatasetQuestion(str(dialogue.id), words, evidence)
