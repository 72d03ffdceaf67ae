"""Context: what is remembered about a question, exactly as a model would be shown it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast, get_args

from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import Persona
from agentmem.errors import InvalidInput
from agentmem.interfaces.web.question_page import QuestionFields, QuestionPage
from agentmem.interfaces.wire import CONTEXT_HITS
from agentmem.language.normal import Language
from agentmem.retrieval.context import BUDGET, ContextLine
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App

HEADINGS: Final = get_args(Language)


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the block with the memories it was made of."""

    line: ContextLine
    memories: Sequence[MemoryNode]


async def shown(app: App, persona: Persona, asked: QuestionFields) -> Mapping[str, Any]:
    """What `context` has."""
    budget = asked.number("budget", BUDGET)
    query = RecallQuery(
        await asked.scope(app, persona.id),
        asked["question"],
        CONTEXT_HITS,
        asked.moment("as_of", app),
        asked.moment("known_at", app),
    )
    block = await app.context(query, language=_language(asked["headings"]), budget=budget)
    known = await app.records.get({key for line in block.lines for key in line.memory_ids}, known_at=query.known_at)
    lines = [ShownLine(line, [known[key] for key in line.memory_ids if key in known]) for line in block.lines]
    return {
        "block": block,
        "budget": budget,
        "lines": lines,
        "share": round(min(100.0, 100 * block.tokens / budget), 1),
    }


def _language(name: str) -> Language | None:
    if name not in ("", *HEADINGS):
        raise InvalidInput(f"headings: {name[:40]!r}; allowed: {', '.join(HEADINGS)}")
    return cast("Language | None", name or None)


_PAGE: Final = QuestionPage(
    "context",
    ("question", "about", "as_of", "known_at", "budget", "headings"),
    shown,
    choices={"headings": HEADINGS, "usual_budget": BUDGET},
)
ROUTES: Final = _PAGE.routes()
