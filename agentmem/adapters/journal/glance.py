"""What a question has to know of the journal before it is put to the index, read in one transaction."""

from sqlalchemy import Connection, bindparam, select

from agentmem.adapters.journal.event_log import sequenced
from agentmem.adapters.journal.schema import agents, counters
from agentmem.adapters.journal.unread import unread_turns
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.ports.journal import Glance

_PERSONA = select(agents.c.persona).where(agents.c.tenant == bindparam("tenant"), agents.c.agent == bindparam("agent"))
_HEAD = select(counters.c.ledger)


def glance(conn: Connection, scope: Scope, worker: str, turns: int) -> Glance:
    """See `Journal`; `worker` is the one that makes conversation memories of turns."""
    unread = [sequenced(row) for row in unread_turns(conn, scope, worker, turns)] if turns else []
    body = conn.execute(_PERSONA, {"tenant": scope.tenant, "agent": scope.agent}).scalar_one_or_none()
    persona = None if body is None else Persona.model_validate_json(body)
    return Glance(unread, persona, int(conn.execute(_HEAD).scalar_one()))
