"""Ask: an answer, what it rests on, and the way to it step by step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Final, cast, get_args

from agentmem.answers.answer import AskMode, AskQuery, Step
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import Persona
from agentmem.errors import InvalidInput
from agentmem.interfaces.web.question_page import QuestionFields, QuestionPage
from agentmem.interfaces.web.rendering import moment
from agentmem.runtime.facade.app import App

MODES: Final = get_args(AskMode)
DEPTHS: Final = (1, 2, 3)
AS_OF: Final = "as of "
MAX_STEP: Final = 20
"""Memories of one step that are shown."""


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step with its note, the memories that came out of it, as far as they are shown, and how many more there
    were."""

    step: Step
    note: str
    memories: Sequence[MemoryNode]
    more: int


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A part of an answer: text, or the number of a source."""

    text: str
    number: int | None = None


async def answered(app: App, persona: Persona, asked: QuestionFields) -> Mapping[str, Any]:
    """What `ask --explain` has."""
    query = AskQuery(
        await asked.scope(app, persona.id),
        asked["question"],
        _mode(asked["mode"]),
        asked.number("limit", 8),
        asked.moment("as_of", app),
        asked.moment("known_at", app),
        asked.number("depth", 2),
    )
    reply = await app.ask(query)
    wanted = {key for step in reply.trace for key in step.memory_ids[:MAX_STEP]}
    known = await app.records.get(wanted, known_at=query.known_at)
    numbers = [source.number for source in reply.sources]
    return {
        "reply": reply,
        "parts": cited(reply.text or "", numbers),
        "steps": [_shown(step, known, app.settings.zone) for step in reply.trace],
    }


def _shown(step: Step, known: Mapping[str, MemoryNode], zone: tzinfo) -> ShownStep:
    memories = [known[key] for key in step.memory_ids[:MAX_STEP] if key in known]
    return ShownStep(step, shown_note(step.note, zone), memories, len(step.memory_ids) - len(memories))


def shown_note(note: str, zone: tzinfo) -> str:
    """What a step notes; a time in it as the page tells times."""
    try:
        at = datetime.fromisoformat(note.removeprefix(AS_OF))
    except ValueError:
        return note
    return f"{AS_OF}{moment(at, zone)}"


def cited(text: str, numbers: Sequence[int]) -> Sequence[AnswerPart]:
    """The text, taken apart where it names its sources as [1]."""
    parts = [AnswerPart(text)]
    for number in numbers:
        parts = [part for whole in parts for part in _parted(whole, number)]
    return [part for part in parts if part.text]


def _parted(whole: AnswerPart, number: int) -> Sequence[AnswerPart]:
    if whole.number is not None:
        return [whole]
    mark = f"[{number}]"
    first, *rest = whole.text.split(mark)
    return [AnswerPart(first), *(part for text in rest for part in (AnswerPart(mark, number), AnswerPart(text)))]


def _mode(name: str) -> AskMode:
    if name not in ("", *MODES):
        raise InvalidInput(f"mode: {name[:40]!r}; allowed: {', '.join(MODES)}")
    return cast("AskMode", name or MODES[0])


_PAGE: Final = QuestionPage(
    "ask",
    ("question", "about", "limit", "as_of", "known_at", "mode", "depth"),
    answered,
    choices={"modes": MODES, "depths": DEPTHS},
)
ROUTES: Final = _PAGE.routes()
