"""Whether the index says what the ledger says."""

from dataclasses import dataclass

from agentmem.domain.memory import MemoryNode
from agentmem.errors import Unreadable, input_faults
from agentmem.ports.journal import Journal
from agentmem.ports.memory_index import MemoryIndex

PAGE = 500


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """Memory ids the index lacks, has too many of, or holds in another state than the ledger."""

    checked: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    different: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether index and ledger agree."""
        return not (self.missing or self.extra or self.different)


async def verify(journal: Journal, index: MemoryIndex) -> VerifyReport:
    """Compare every memory that can be found with its point, by the wire form without what only the index keeps. What
    was set aside is known to be missing."""
    wanted, rows = await _wanted(journal)
    for each in await journal.set_asides.all():
        wanted.pop(each.memory_id, None)
    extra: list[str] = []
    different: list[str] = []
    checked = 0
    after: str | None = None
    while page := await index.scan(after=after, limit=PAGE):
        after = page[-1][0]
        for memory_id, payload in page:
            checked += 1
            fields = wanted.pop(memory_id, None)
            if fields is None:
                extra.append(memory_id)
            elif any(payload.get(name) != value for name, value in fields.items() if value is not None):
                different.append(memory_id)
    missing = wanted.keys() - await journal.set_asides.dropped([(key, rows[key]) for key in wanted])
    return VerifyReport(checked, tuple(sorted(missing)), tuple(extra), tuple(different))


async def _wanted(journal: Journal) -> tuple[dict[str, dict[str, object]], dict[str, int]]:
    """The fields of every memory that can be found, and the row that left them."""
    wanted: dict[str, dict[str, object]] = {}
    rows: dict[str, int] = {}
    seq = 0
    while versions := await journal.ledger.since(seq, limit=PAGE):
        seq = versions[-1].seq
        for item in versions:
            if item.node and item.node.is_searchable:
                fields = _fields(item.node)
                wanted[item.memory_id] = fields
                rows[item.memory_id] = item.seq
    return wanted, rows


def _fields(node: MemoryNode) -> dict[str, object]:
    """What the index should say of it; nothing where it cannot be said, as of what is set aside. An index written
    before memories said why they are over, or which records are none, does not know `ending` and `record`."""
    try:
        with input_faults():
            return node.model_dump(mode="json", exclude={"last_access", "ending", "record"})
    except Unreadable:
        return {}
