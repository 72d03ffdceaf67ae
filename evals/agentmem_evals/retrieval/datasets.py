"""The formats retrieval data may have, and the one place that picks the reader; and agentmem's own format: one turn or
one question on each line.

    {"type": "turn", "scope": "ann", "id": "t1", "session": "1", "speaker": "Ann", "at": "2024-05-01T10:00:00+02:00",
     "text": "Look at him!", "caption": "a grey cat on a sofa"}
    {"type": "question", "scope": "ann", "id": "q1", "text": "What pet does Ann have?", "evidence": ["t1"],
     "category": "1", "at": "2024-06-01T10:00:00+02:00"}

A scope is one target: its turns stand in their order, and its questions may stand anywhere. Of a turn, session,
speaker, caption and at may be absent, but the first turn of a scope says when it was; each later one is 20 s after the
one before it. Of a question, evidence, category and at may be absent. Without evidence, or in category 5, it has no
answer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, Field, StringConstraints

from agentmem.domain.bounds import MAX_TEXT
from agentmem.domain.ids import Name
from agentmem.domain.value import Value
from agentmem.errors import InvalidInput
from agentmem_evals.json_file import Json, lines_of
from agentmem_evals.retrieval.dataset import TURN_GAP, Conversation, DatasetQuestion, DatasetTurn
from agentmem_evals.retrieval.locomo import read_locomo
from agentmem_evals.retrieval.madial import read_madial

_Text = Annotated[str, StringConstraints(pattern=r"\S", max_length=MAX_TEXT)]


class _Kind(BaseModel):
    type: Literal["turn", "question"]


class _JsonlTurn(Value):
    type: Literal["turn"]
    scope: Name
    id: Name
    text: _Text
    session: Name | None = None
    speaker: Name | None = None
    at: AwareDatetime | None = None
    caption: str | None = None


class _JsonlQuestion(Value):
    type: Literal["question"]
    scope: Name
    id: Name
    text: _Text
    evidence: frozenset[Name] = Field(default_factory=frozenset[str])
    category: Name | int | None = None
    at: AwareDatetime | None = None


@dataclass
class _Scope:
    turns: dict[str, DatasetTurn] = field(default_factory=dict[str, DatasetTurn])
    questions: dict[str, tuple[Json, DatasetQuestion]] = field(default_factory=dict[str, tuple[Json, DatasetQuestion]])


def read_jsonl(path: Path) -> list[Conversation]:
    """The conversations of the file, in the order in which they begin. Raises `InvalidInput`."""
    scopes: dict[str, _Scope] = {}
    for line in lines_of(path):
        if line.read(_Kind).type == "turn":
            turn = line.read(_JsonlTurn)
            _add_turn(scopes.setdefault(turn.scope, _Scope()), turn, line)
        else:
            question = line.read(_JsonlQuestion)
            _add_question(scopes.setdefault(question.scope, _Scope()), question, line)
    if not scopes:
        raise InvalidInput(f"{path}: holds no turns")
    return [_conversation(name, scope) for name, scope in scopes.items()]


def _add_turn(scope: _Scope, line: _JsonlTurn, source: Json) -> None:
    if line.id in scope.turns:
        raise source.wrong(("id",), f"{line.id!r} is another turn of scope {line.scope!r} already")
    before = next(reversed(scope.turns.values()), None)
    at = line.at or (before.at + TURN_GAP if before else None)
    if at is None:
        raise source.wrong((), "at: is missing; the first turn of a scope says when it was")
    scope.turns[line.id] = DatasetTurn(line.id, line.speaker or line.scope, line.text, at, line.session, line.caption)


def _add_question(scope: _Scope, line: _JsonlQuestion, source: Json) -> None:
    if line.id in scope.questions:
        raise source.wrong(("id",), f"{line.id!r} is another question of scope {line.scope!r} already")
    category = None if line.category is None else str(line.category)
    scope.questions[line.id] = (source, DatasetQuestion(line.id, line.text, line.evidence, category, line.at))


def _conversation(name: str, scope: _Scope) -> Conversation:
    for source, question in scope.questions.values():
        if not scope.turns:
            raise source.wrong(("scope",), f"{name!r} has no turns")
        if missing := sorted(question.evidence - scope.turns.keys()):
            raise source.wrong(("evidence",), f"no turn {missing[0]!r} in scope {name!r}")
    return Conversation(name, tuple(scope.turns.values()), tuple(question for _, question in scope.questions.values()))


READERS: Mapping[str, Callable[[Path], list[Conversation]]] = {
    "locomo": read_locomo,
    "madial": read_madial,
    "jsonl": read_jsonl,
}


def read_dataset(path: Path, form: str | None = None) -> list[Conversation]:
    """The conversations at `path`. Without `form`: a folder is madial, a file ending in .jsonl is jsonl, any other
    locomo. Raises `InvalidInput`, one line with file, line and key."""
    return READERS[form or _form(path)](path)


def _form(path: Path) -> str:
    if path.is_dir():
        return "madial"
    return "jsonl" if path.suffix == ".jsonl" else "locomo"
