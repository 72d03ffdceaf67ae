"""Whether the index says what the ledger says."""

from dataclasses import dataclass

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
    """Compare every memory that can be found with its point, by the wire form without what only the index keeps."""
    wanted = await _wanted(journal)
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
    return VerifyReport(checked, tuple(sorted(wanted)), tuple(extra), tuple(different))


async def _wanted(journal: Journal) -> dict[str, dict[str, object]]:
    wanted: dict[str, dict[str, object]] = {}
    seq = 0
    while versions := await journal.ledger.since(seq, limit=PAGE):
        seq = versions[-1].seq
        for item in versions:
            if item.node and item.node.is_searchable:
                fields = item.node.model_dump(mode="json", exclude={"last_access"})
                wanted[item.memory_id] = fields
    return wanted
