"""Recall: what a question finds, and why just that: the signals are bars, and where each begins and how far it goes
is reckoned here."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast, get_args

from agentmem.domain.filter import Filter, parse_filter
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.persona import Persona
from agentmem.errors import InvalidInput
from agentmem.interfaces.web.question_page import QuestionFields, QuestionPage
from agentmem.retrieval.profiles import ProfileName
from agentmem.retrieval.query import Hit, RecallQuery, Words
from agentmem.runtime.facade.app import App

LIMITS: Final = (10, 20, 50)
PROFILES: Final = get_args(ProfileName)
HOPS: Final = (0, 1, 2, 3)


WIDTH: Final = 100.0
"""The whole width of a drawing, in its own units."""


@dataclass(frozen=True, slots=True)
class ShareBar:
    """What a number is called, the number, and its bar from `x` on; `against`: it is below zero."""

    name: str
    value: float
    x: float
    width: float
    against: bool


@dataclass(frozen=True, slots=True)
class ShownHit:
    """A hit with the words it rests on; what its score is made of, in one row and one below the other."""

    memory: MemoryNode
    score: float
    stage: str
    row: Sequence[ShareBar]
    signals: Sequence[ShareBar]
    said: Sequence[Words]


async def found(app: App, persona: Persona, asked: QuestionFields) -> Mapping[str, Any]:
    """What `recall --explain` has."""
    query = RecallQuery(
        await asked.scope(app, persona.id),
        asked["question"],
        asked.number("limit", LIMITS[0]),
        asked.moment("as_of", app),
        asked.moment("known_at", app),
        layers_of(asked.chosen("layer")),
        filter_of(asked["filter"]),
        _profile(asked["profile"]),
        hops=asked.number("hops", 0),
    )
    recalled = await app.recall(query)
    said = await app.words([hit.memory for hit in recalled.hits])
    most = max((abs(share) for hit in recalled.hits for share in hit.signals.values()), default=1.0)
    whole = max((sum(map(abs, hit.signals.values())) for hit in recalled.hits), default=1.0)
    hits = [_shown(hit, said.get(hit.memory.memory_id, ()), most, whole) for hit in recalled.hits]
    return {"hits": hits, "abstained": recalled.abstained, "confidence": recalled.confidence}


def _shown(hit: Hit, said: Sequence[Words], most: float, whole: float) -> ShownHit:
    bars = beside(hit.signals, whole), below(hit.signals, most)
    return ShownHit(hit.memory, hit.score, hit.stage.value, *bars, said)


def beside(values: Mapping[str, float], whole: float) -> Sequence[ShareBar]:
    """Bars that follow one another, the largest first; what is nothing has none. `whole` fills the width, so that rows
    of several hits can be compared."""
    bars: list[ShareBar] = []
    x = 0.0
    for name, value in _largest_first(values):
        width = WIDTH * abs(value) / whole
        bars.append(ShareBar(name, value, round(x, 2), round(width, 2), value < 0))
        x += width
    return bars


def below(values: Mapping[str, float], most: float) -> Sequence[ShareBar]:
    """Bars one below the other, all from the left, the largest first; `most` fills the width."""
    full = max(most, *map(abs, values.values())) if values else most
    return [
        ShareBar(name, value, 0.0, round(WIDTH * abs(value) / full, 2), value < 0)
        for name, value in _largest_first(values)
    ]


def _largest_first(values: Mapping[str, float]) -> list[tuple[str, float]]:
    shown = [(name, value) for name, value in values.items() if value]
    return sorted(shown, key=lambda item: (-abs(item[1]), item[0]))


def layers_of(names: Sequence[str]) -> tuple[MemoryType, ...]:
    """The layers of these names. Raises `InvalidInput`."""
    try:
        return tuple(MemoryType(name) for name in names)
    except ValueError as error:
        wrong = next(name for name in names if name not in list(MemoryType))
        raise InvalidInput(f"layer: {wrong[:40]!r} is no layer; allowed: {', '.join(MemoryType)}") from error


def filter_of(text: str) -> Filter | None:
    """A filter in JSON, None where there is none. Raises `InvalidInput`."""
    if not text:
        return None
    try:
        given: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"filter: no JSON: {error}") from error
    try:
        return parse_filter(given)
    except InvalidInput as error:
        raise InvalidInput(f"filter: {error}") from error


def _profile(name: str) -> ProfileName | None:
    if name not in ("", *PROFILES):
        raise InvalidInput(f"profile: {name[:40]!r}; allowed: {', '.join(PROFILES)}")
    return cast("ProfileName | None", name or None)


_PAGE: Final = QuestionPage(
    "recall",
    ("question", "about", "limit", "as_of", "known_at", "profile", "hops", "filter"),
    found,
    several=("layer",),
    choices={"layers": list(MemoryType), "limits": LIMITS, "profiles": PROFILES, "all_hops": HOPS},
)
ROUTES: Final = _PAGE.routes()
