"""What a question has to know of the journal before it is put to the index, read in one transaction."""

from sqlalchemy import Connection, select

from agentmem.adapters.journal.event_log import readable
from agentmem.adapters.journal.keeping import persona_of
from agentmem.adapters.journal.schema import counters
from agentmem.adapters.journal.unread import unread_turns
from agentmem.domain.scope import Scope
from agentmem.ports.journal import Glance

_HEAD = select(counters.c.ledger)


def glance(conn: Connection, scope: Scope, worker: str, turns: int) -> Glance:
    """See `Journal`; `worker` is the one that makes conversation memories of turns."""
    unread = readable(unread_turns(conn, scope, worker, turns)) if turns else []
    persona = persona_of(conn, scope.tenant, scope.agent)
    return Glance(unread, persona, int(conn.execute(_HEAD).scalar_one()))
