"""The sources of an answer once more, from its trace and the ledger: nothing is searched, no model is asked."""

from collections.abc import Sequence
from datetime import datetime

from agentmem.answers.ask import WordsOf
from agentmem.answers.question import Source, Step
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Ledger


async def replay(
    ledger: Ledger, words: WordsOf, scope: Scope, trace: Sequence[Step], known_at: datetime
) -> tuple[Source, ...]:
    """The sources that the last step of a trace names, as they were known at `known_at`: `AskQuery.known_at` where
    the question had one, else `Reply.asked_at`. What was erased since is left out, as is what the scope does not see.
    """
    if not trace:
        return ()
    last = trace[-1]
    known = await ledger.get(scope.tenant, last.memory_ids, known_at=known_at)
    shown = [
        (number, known[key])
        for number, key in zip(last.numbers, last.memory_ids, strict=False)
        if key in known and known[key].within(scope)
    ]
    said = await words([node for _, node in shown], said_to=scope.target)
    return tuple(Source(number, node, tuple(said[node.memory_id])) for number, node in shown)
