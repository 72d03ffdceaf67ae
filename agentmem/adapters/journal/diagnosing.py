"""Looking for rows that cannot be read, and for what was left behind: the `Diagnostics` port."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import cast

from sqlalchemy import Connection, func, select

from agentmem.adapters.journal.dialect import Record, Statement, moment
from agentmem.adapters.journal.holder import Holder
from agentmem.adapters.journal.reader import Reader
from agentmem.adapters.journal.removing import MARK
from agentmem.adapters.journal.schema import agents, events, jobs, lanes, leases, ledger, lineages, marks, memories
from agentmem.adapters.journal.text import checked_node, must_be, read_event, read_persona
from agentmem.domain.bounds import MAX_TIME
from agentmem.domain.lineage import Lineage
from agentmem.domain.memory import microseconds
from agentmem.errors import Unreadable
from agentmem.ports.diagnosis import Diagnosis, Unread
from agentmem.ports.erasure import Erased, Owed
from agentmem.ports.set_aside import PROJECTION

_EVENTS = select(lanes.c.tenant, events.c.event_id, events.c.body).join(lanes, lanes.c.lane_id == events.c.lane_id)
_MEMORIES = select(memories.c.tenant, memories.c.memory_id, ledger.c.after).join(ledger, ledger.c.seq == memories.c.seq)
_PERSONAS = select(agents.c.tenant, agents.c.agent, agents.c.persona)
_LINEAGES = select(lineages.c.tenant, lineages.c.agent, lineages.c.body)
_NEWEST = select(func.max(events.c.accepted_at)).where(events.c.accepted_at < microseconds(MAX_TIME))
_ASIDE = select(func.count()).where(jobs.c.worker == PROJECTION, jobs.c.died.is_not(None))
_HOLDERS = select(leases.c.holder).where(leases.c.holder.is_not(None))
_PAGE = 1_000


def _event(row: Record) -> None:
    read_event(row[2])


def _memory(row: Record) -> None:
    if row[2] is not None:
        checked_node(row[2], row[0], row[1])


def _persona(row: Record) -> None:
    read_persona(row[2])


def _lineage(row: Record) -> None:
    must_be(Lineage, row[2])


_KINDS: dict[str, tuple[Statement, Callable[[Record], None]]] = {
    "event": (_EVENTS, _event),
    "memory": (_MEMORIES, _memory),
    "persona": (_PERSONAS, _persona),
    "lineage": (_LINEAGES, _lineage),
}
_DEBTS: dict[str, type[Owed | Erased]] = {"owed/": Owed, MARK: Erased}


@dataclass(slots=True)
class _Found:
    rows: dict[tuple[str, str], list[tuple[str, str]]] = field(
        default_factory=dict[tuple[str, str], list[tuple[str, str]]]
    )

    def add(self, kind: str, tenant: str, name: str, error: Unreadable) -> None:
        self.rows.setdefault((kind, tenant), []).append((name, str(error)))

    def unread(self) -> Iterator[Unread]:
        for (kind, tenant), found in sorted(self.rows.items()):
            yield Unread(kind, tenant, len(found), *found[0])


class SqlDiagnostics:
    """Reads beside the writer."""

    def __init__(self, reader: Reader, me: Holder, *, local: bool) -> None:
        self._reader, self._me, self._local = reader, me, local

    async def diagnose(self) -> Diagnosis:
        """See `Diagnostics`."""
        return await self._reader.read(self._look)

    def _look(self, conn: Connection) -> Diagnosis:
        newest = conn.execute(_NEWEST).scalar_one()
        holders = (Holder.parse(name) for name in conn.execute(_HOLDERS).scalars().all())
        gone = [one for one in holders if one is not None and one.is_gone(self._me, local=self._local)]
        return Diagnosis(
            unread=tuple(_unread(conn)),
            set_aside=int(conn.execute(_ASIDE).scalar_one()),
            abandoned=len(gone),
            newest=None if newest is None else moment(newest),
        )


def _unread(conn: Connection) -> Iterator[Unread]:
    found = _Found()
    for kind, (statement, read) in _KINDS.items():
        rows = cast("Iterable[Record]", conn.execute(statement, execution_options={"yield_per": _PAGE}))
        for row in rows:
            try:
                read(row)
            except Unreadable as error:
                found.add(kind, row[0], row[1], error)
    for prefix, kind in _DEBTS.items():
        for row in conn.execute(select(marks.c.name, marks.c.value).where(marks.c.name.startswith(prefix))).all():
            try:
                must_be(kind, row.value)
            except Unreadable as error:
                found.add("debt of an erasure", "", row.name, error)
    return found.unread()
