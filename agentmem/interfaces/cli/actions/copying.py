"""clone: agents made from others."""

from agentmem.domain.lineage import Lineage
from agentmem.errors import HeldElsewhere
from agentmem.interfaces.cli.lookup import introduced_agent
from agentmem.interfaces.cli.opening import linked, opened
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.runtime.copies import Cloned


async def clone(session: Session, *, agent: str, clone: str, name: str | None, discard: bool) -> Answer:
    """Make the clone, finish it, or find it; or give up what was begun."""
    if discard:
        return await _discard(session, clone)
    try:
        cloned = await _clone(session, agent, clone, name, index=True)
    except HeldElsewhere:
        cloned = await _clone(session, agent, clone, name, index=False)
    waiting = cloned.waiting
    unread = waiting.ready + waiting.delayed + waiting.leased
    data = {
        "made": cloned.made,
        "lineage": cloned.lineage.model_dump(mode="json"),
        "unread": {"waiting": unread, "dead": waiting.dead},
    }
    return Answer(data, [words(line) for line in _told(cloned, unread)])


async def _clone(session: Session, agent: str, clone: str, name: str | None, *, index: bool) -> Cloned:
    async with opened(session, index=index) as app:
        persona = await introduced_agent(app, agent)
        with session.terminal.busy("cloning"):
            cloned = await app.copies.clone(persona.id, clone, name=name)
            await linked(app)
            return cloned


async def _discard(session: Session, clone: str) -> Answer:
    async with opened(session) as app:
        await app.copies.discard(clone)
    return Answer({"discarded": clone}, [words(f"{clone} is given up; nothing of it is left")])


def _told(cloned: Cloned, unread: int) -> list[str]:
    lineage = cloned.lineage
    if not cloned.made:
        return [f"{lineage.agent_id} exists: it was cloned from {lineage.source_agent} {_when(lineage)}"]
    left = [f"{unread} pieces of work of {lineage.source_agent} wait and are not in it"] if unread else []
    dead = cloned.waiting.dead
    left += [f"{dead} dead letters of {lineage.source_agent} are not in it"] if dead else []
    return [f"{lineage.agent_id} knows all that {lineage.source_agent} knows", *left]


def _when(lineage: Lineage) -> str:
    return f"on {lineage.made_at.date().isoformat()}" if lineage.made_at else ""
