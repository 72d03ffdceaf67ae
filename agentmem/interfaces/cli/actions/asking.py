"""ask: a question answered, with its sources."""

from collections.abc import Sequence

from agentmem.answers.question import AskQuery, Mode, Source, Step
from agentmem.interfaces.cli.exits import usage
from agentmem.interfaces.cli.lookup import scope_of, time_of
from agentmem.interfaces.cli.opening import opened
from agentmem.interfaces.cli.output import Answer
from agentmem.interfaces.cli.perform import Session
from agentmem.interfaces.cli.views.answer import answer_view


async def ask(
    session: Session,
    *,
    question: str,
    agent: str,
    about: str | None,
    mode: Mode,
    limit: int,
    depth: int,
    as_of: str | None,
    known_at: str | None,
    choice: Sequence[str] | None,
    explain: bool,
) -> Answer:
    """The answer, or that nothing which is remembered gives one."""
    then = time_of(as_of, "--as-of", session.settings)
    known = time_of(known_at, "--known-at", session.settings)
    with session.terminal.busy("looking"):
        async with opened(session) as app:
            scope = await scope_of(app, agent, about)
            with usage():
                query = AskQuery(scope, question, mode, limit, then, known, depth, tuple(choice or ()))
            reply = await app.library.ask(query)
    data: dict[str, object] = {
        "question": reply.question,
        "mode": reply.mode,
        "answer": reply.text,
        "extractive": reply.extractive,
        "confidence": round(reply.confidence, 4),
        "askedAt": reply.asked_at.isoformat(),
        "sources": [_source(source) for source in reply.sources],
        "trace": [_step(step) for step in reply.trace],
        "graph": reply.graph,
        "usage": reply.usage.model_dump(mode="json"),
    }
    if choice:
        data["choice"] = reply.choice
    return Answer(data, answer_view(reply, choice or (), explain=explain))


def _source(source: Source) -> dict[str, object]:
    return {
        "number": source.number,
        "memory": source.memory.model_dump(mode="json"),
        "words": [
            {"memoryId": part.memory_id, "speaker": part.speaker, "at": part.at.isoformat(), "text": part.text}
            for part in source.words
        ],
    }


def _step(step: Step) -> dict[str, object]:
    return {
        "kind": step.kind,
        "given": step.given,
        "memoryIds": step.memory_ids,
        "numbers": step.numbers,
        "note": step.note,
    }
