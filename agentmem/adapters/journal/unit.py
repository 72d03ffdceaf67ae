"""One write transaction: its connection, and the numbers it gives out."""

from dataclasses import dataclass, fields, replace

from sqlalchemy import Connection, select, update

from agentmem.adapters.journal.schema import counters
from agentmem.errors import BackendUnavailable

_READ = select(
    counters.c.event, counters.c.ledger, counters.c.job, counters.c.lane, counters.c.fence, counters.c.backlog
).where(counters.c.id == 1)
_LOCK = _READ.with_for_update()
_SAVE = update(counters).where(counters.c.id == 1)


@dataclass(slots=True)
class Numbers:
    """The last number given out of each kind, the floor of new fences, and how many jobs there are to do."""

    event: int
    ledger: int
    job: int
    lane: int
    fence: int
    backlog: int


class Unit:
    """What a caller's work gets to write with. `queued` is set by work that leaves something to claim."""

    def __init__(self, conn: Connection, *, numbered: bool) -> None:
        self.conn = conn
        self.queued = False
        self._numbers: Numbers | None = None
        self._saved: Numbers | None = None
        if numbered:
            self._load()

    @property
    def numbers(self) -> Numbers:
        """To be counted up in place. Holding them keeps every other numbering transaction out."""
        if self._numbers is None:
            raise RuntimeError("work that numbers something must be submitted as numbered")
        return self._numbers

    def remember(self) -> Numbers | None:
        """The numbers as they are now."""
        return None if self._numbers is None else replace(self._numbers)

    def restore(self, numbers: Numbers | None) -> None:
        """Take back what was counted since `remember`."""
        self._numbers = numbers

    def save(self) -> None:
        """Write the numbers down; the last step before the commit."""
        if self._numbers is not None and self._numbers != self._saved:
            values = {field.name: getattr(self._numbers, field.name) for field in fields(Numbers)}
            self.conn.execute(_SAVE, values)

    def _load(self) -> None:
        row = self.conn.execute(_LOCK).one_or_none()
        if row is None:
            raise BackendUnavailable("the journal has lost its counters: restore it from a backup")
        self._numbers = Numbers(*row)
        self._saved = replace(self._numbers)
