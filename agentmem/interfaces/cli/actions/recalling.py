"""recall, context: search, for people and for prompts."""

from collections.abc import Sequence

from agentmem.domain.memory import MemoryType
from agentmem.interfaces.cli.exits import usage
from agentmem.interfaces.cli.lookup import filter_of, scope_of, time_of
from agentmem.interfaces.cli.opening import opened
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.interfaces.cli.views.memory import hit_list
from agentmem.language.normal import Language
from agentmem.retrieval.profiles import ProfileName
from agentmem.retrieval.query import RecallQuery

CONTEXT_HITS = 40
"""Memories recalled for a block; the budget decides how many of them are shown."""


async def recall(
    session: Session,
    *,
    query: str,
    agent: str,
    about: str | None,
    limit: int,
    as_of: str | None,
    known_at: str | None,
    types: Sequence[str] | None,
    filters: str | None,
    hops: int,
    profile: ProfileName | None,
    explain: bool,
) -> Answer:
    """The memories that bear on the query, best first."""
    then = time_of(as_of, "--as-of", session.settings)
    known = time_of(known_at, "--known-at", session.settings)
    wanted = filter_of(filters, "--filter")
    layers = tuple(MemoryType(name) for name in types or ())
    with session.terminal.busy("searching"):
        async with opened(session) as app:
            scope = await scope_of(app, agent, about)
            with usage():
                question = RecallQuery(scope, query, limit, then, known, layers, wanted, profile, hops=hops)
            found = await app.recall(question)
            spoken = await app.words([hit.memory for hit in found.hits])
    hits = [
        {
            "memory": hit.memory.model_dump(mode="json"),
            "score": hit.score,
            "signals": hit.signals,
            "stage": hit.stage,
            "words": [
                {"memoryId": part.memory_id, "speaker": part.speaker, "at": part.at.isoformat(), "text": part.text}
                for part in spoken[hit.memory.memory_id]
            ],
        }
        for hit in found.hits
    ]
    data = {"hits": hits, "abstained": found.abstained, "confidence": round(found.confidence, 4)}
    listed = hit_list(found.hits, spoken, explain=explain)
    if not found.abstained:
        return Answer(data, [listed])
    if not found.hits:
        return Answer(data, [words("nothing that bears on this is remembered")])
    return Answer(data, [words("nothing that is remembered seems to answer this; nearest to it:"), listed])


async def context(
    session: Session,
    *,
    query: str,
    agent: str,
    about: str | None,
    budget: int,
    language: Language | None,
    as_of: str | None,
    known_at: str | None,
) -> Answer:
    """What bears on the query, as a block for a prompt."""
    then = time_of(as_of, "--as-of", session.settings)
    known = time_of(known_at, "--known-at", session.settings)
    with session.terminal.busy("searching"):
        async with opened(session) as app:
            scope = await scope_of(app, agent, about)
            with usage():
                question = RecallQuery(scope, query, CONTEXT_HITS, then, known)
                block = await app.context(question, language=language, budget=budget)
    data = {
        "text": block.text,
        "tokens": block.tokens,
        "budget": budget,
        "lines": [{"text": line.text, "memoryIds": line.memory_ids, "section": line.section} for line in block.lines],
        "leftOut": block.left_out,
        "abstained": block.abstained,
    }
    return Answer(data, text=block.text)
