"""A row of the ledger: one memory before and after, and why."""

from typing import Literal, Self

from pydantic import AwareDatetime, model_validator

from agentmem.domain.ids import Name, Uuid
from agentmem.domain.memory import MemoryNode
from agentmem.domain.value import Value

_Written = Literal["add", "merge", "supersede", "end", "retire", "refresh", "link", "reflect", "forget", "undo"]
Act = _Written | Literal["review", "promote", "decay"]
"""`review` puts in doubt what rests on something that ended or changed."""


class Change(Value):
    """One memory's step from `before` (None: it did not exist) to `after` (None: it is taken out again by an undo).

    The store refuses it unless `before` is what it holds now.
    """

    act: Act
    before: MemoryNode | None = None
    after: MemoryNode | None = None
    reason: str = ""

    @model_validator(mode="after")
    def _one_memory(self) -> Self:
        known = {node.memory_id for node in (self.before, self.after) if node is not None}
        if len(known) != 1:
            raise ValueError("a change has one memory before, after, or both")
        return self

    @property
    def states(self) -> tuple[MemoryNode, ...]:
        """The memory as it was and as it is, as far as there is either."""
        return tuple(node for node in (self.before, self.after) if node is not None)

    @property
    def memory_id(self) -> str:
        """Which memory changes."""
        node = self.after or self.before
        assert node is not None
        return node.memory_id


class LedgerEntry(Value):
    """A change as it stands in the ledger. `run` is the window, event, reflection or undo that made it. `severed`: the
    memory had an earlier state, which an erasure or a fold removed; `before` is then None."""

    seq: int
    run: Name
    cause: Name
    at: AwareDatetime
    change: Change
    memory_id: Uuid
    severed: bool = False
