"""A world to ask about: documents, conversations, and questions whose support is some of them, from a folder.

The folder holds `documents/NAME.md`, `conversations/NAME.yaml` and `questions.yaml`. A support is in `NAME`, a
document, or in `NAME#3`, the third turn of a conversation. The supports of a question stand in the order in which they
lead to its answer, so their number is its hops; a question without any has no answer in this world.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Annotated

from pydantic import AwareDatetime, Field, StringConstraints, model_validator

from agentmem.domain.ids import Name
from agentmem.domain.value import Value
from agentmem.errors import InvalidInput
from agentmem.runtime.configuration.yaml_file import read, read_text

MAX_HOPS = 4
MAX_BYTES = 1_000_000
PACE = timedelta(minutes=1)
"""Between one turn and the next."""

Line = Annotated[str, StringConstraints(pattern=r"\S", max_length=2_000)]
Source = Annotated[str, StringConstraints(pattern=r"^[^#\s]+(#[1-9]\d*)?$", max_length=200)]


class WorldTurn(Value):
    """What one side says: `them`, the person, or the agent."""

    them: Line | None = None
    agent: Line | None = None

    @model_validator(mode="after")
    def _one_speaks(self) -> "WorldTurn":
        if (self.them is None) == (self.agent is None):
            raise ValueError("a turn is said by them or by the agent")
        return self

    @property
    def text(self) -> str:
        """What is said."""
        return self.them or self.agent or ""


class WorldTalk(Value):
    """A conversation of the agent with one person, who begins at `at`."""

    person: Name = Field(alias="with")
    at: AwareDatetime
    turns: Annotated[tuple[WorldTurn, ...], Field(min_length=1)]


class WorldSupport(Value):
    """Something a question's answer rests on: what is in `source`, and where `says` is set, what has these words."""

    source: Source = Field(alias="in")
    says: Line | None = None


class WorldQuestion(Value):
    """`answers`: an answer is right that has one of them in it. `held_out`: nothing was tuned on this question."""

    text: Line
    support: Annotated[tuple[WorldSupport, ...], Field(max_length=MAX_HOPS)] = ()
    answers: tuple[Line, ...] = ()
    held_out: bool = False

    @model_validator(mode="after")
    def _answered_by_its_support(self) -> "WorldQuestion":
        if bool(self.support) != bool(self.answers):
            raise ValueError("a question with support has answers, and one without has none")
        return self

    @property
    def hops(self) -> int:
        """How many supports must be put together; 0 where there is no answer."""
        return len(self.support)


class _Questions(Value):
    questions: Annotated[tuple[WorldQuestion, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class World:
    """What is read, said and asked: documents by name, talks by name in the order of time."""

    documents: dict[str, Path]
    talks: dict[str, WorldTalk]
    questions: tuple[WorldQuestion, ...]

    @property
    def turns(self) -> int:
        """How many there are in all talks."""
        return sum(len(talk.turns) for talk in self.talks.values())


def read_world(folder: Path) -> World:
    """The world in a folder. Raises `InvalidInput` with one line that says what is wrong, and where."""
    documents = {path.stem: path for path in sorted((folder / "documents").glob("*.md"))}
    talks = {path.stem: read(path, WorldTalk) for path in sorted((folder / "conversations").glob("*.yaml"))}
    if both := documents.keys() & talks.keys():
        raise InvalidInput(f"{folder}: {min(both)!r} is a document and a conversation; give one another name")
    file = folder / "questions.yaml"
    questions = read(file, _Questions).questions
    texts = {**{name: read_text(path, MAX_BYTES) for name, path in documents.items()}, **dict(_turns(talks))}
    for question in questions:
        for support in question.support:
            text = texts.get(support.source)
            if text is None or (support.says or "") not in text:
                told = support.source if support.says is None else f"{support.source} saying {support.says}"
                raise InvalidInput(f"{file}: {question.text!r} rests on {told!r}, which is not in {folder}")
    return World(documents, dict(sorted(talks.items(), key=lambda item: item[1].at)), questions)


def turn_name(talk: str, number: int) -> str:
    """What turn `number` of a talk, counted from 1, is called as a support."""
    return f"{talk}#{number}"


def _turns(talks: dict[str, WorldTalk]) -> Iterator[tuple[str, str]]:
    for name, talk in talks.items():
        yield from ((turn_name(name, number), turn.text) for number, turn in enumerate(talk.turns, start=1))
