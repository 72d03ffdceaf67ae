"""Conversations in the format of LoCoMo: a JSON list, each with numbered sessions, their times, and questions."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Discriminator, Field, RootModel, StringConstraints, Tag

from agentmem import patterns as re
from agentmem.domain.bounds import MAX_TEXT
from agentmem.domain.ids import Name
from agentmem.runtime.configuration.yaml_file import read_text
from agentmem_evals.json_file import MAX_BYTES, Json
from agentmem_evals.retrieval.dataset import TURN_GAP, Conversation, DatasetQuestion, DatasetTurn

_SESSION = re.compile(r"session_(\d{1,6})")
_EVIDENCE = re.compile(r"D(\d{1,6}):(\d{1,6})")
_TIME = "%I:%M %p on %d %B, %Y"

_Text = Annotated[str, StringConstraints(pattern=r"\S", max_length=MAX_TEXT)]


class _LocomoTurn(BaseModel):
    speaker: Name
    dia_id: Annotated[str, StringConstraints(pattern=r"^D\d{1,6}:\d{1,6}$")]
    text: _Text
    blip_caption: str | None = None


class _LocomoQuestion(BaseModel):
    question: _Text
    evidence: list[str] = Field(default_factory=list)
    category: int | Name


def _form(value: object) -> str:
    return "turns" if isinstance(value, list) else "text"


_Part = Annotated[Annotated[list[_LocomoTurn], Tag("turns")] | Annotated[str, Tag("text")], Discriminator(_form)]


class _Sample(BaseModel):
    sample_id: Name | None = None
    conversation: dict[str, _Part]
    qa: list[_LocomoQuestion]


class _File(RootModel[list[_Sample]]):
    pass


def read_locomo(path: Path) -> list[Conversation]:
    """The conversations of the file; times are taken as UTC. Raises `InvalidInput`."""
    source = Json(str(path), read_text(path, MAX_BYTES))
    return [_conversation(number, sample, source) for number, sample in enumerate(source.read(_File).root)]


def _conversation(number: int, sample: _Sample, source: Json) -> Conversation:
    turns = _turns(number, sample.conversation, source)
    if not turns:
        raise source.wrong((number, "conversation"), "has no turns; they stand under session_1, session_2 and so on")
    known = {turn.id for turn in turns}
    questions = [
        DatasetQuestion(f"q{place}", item.question, _ids(item.evidence) & known, str(item.category))
        for place, item in enumerate(sample.qa, start=1)
        if not item.evidence or _ids(item.evidence) & known
    ]
    skipped = len(sample.qa) - len(questions)
    return Conversation(sample.sample_id or f"conversation-{number + 1}", tuple(turns), tuple(questions), skipped)


def _turns(number: int, parts: Mapping[str, list[_LocomoTurn] | str], source: Json) -> list[DatasetTurn]:
    sessions = [(int(found[1]), key) for key in parts if (found := _SESSION.fullmatch(key))]
    turns: list[DatasetTurn] = []
    seen: set[str] = set()
    for session, key in sorted(sessions):
        given = parts[key]
        if isinstance(given, str):
            raise source.wrong((number, "conversation", key), "must be a list of turns")
        begun = _begun(number, key, parts, source)
        for place, turn in enumerate(given):
            (name,) = _ids([turn.dia_id])
            if name in seen:
                raise source.wrong((number, "conversation", key, place, "dia_id"), f"{name} is another turn already")
            seen.add(name)
            at = begun + place * TURN_GAP
            turns.append(DatasetTurn(name, turn.speaker, turn.text, at, str(session), turn.blip_caption))
    return turns


def _begun(number: int, session: str, parts: Mapping[str, list[_LocomoTurn] | str], source: Json) -> datetime:
    """When a session began, such as 1:56 pm on 8 May, 2023."""
    key = f"{session}_date_time"
    given = parts.get(key)
    if not isinstance(given, str):
        raise source.wrong((number, "conversation", session), f"needs its time under {key}")
    try:
        return datetime.strptime(given.strip(), _TIME).replace(tzinfo=UTC)
    except ValueError as error:
        raise source.wrong((number, "conversation", key), "must be a time such as 1:56 pm on 8 May, 2023") from error


def _ids(evidence: Iterable[str]) -> frozenset[str]:
    """The turns named anywhere in these strings, as D1:3."""
    return frozenset(f"D{int(session)}:{int(turn)}" for text in evidence for session, turn in _EVIDENCE.findall(text))
