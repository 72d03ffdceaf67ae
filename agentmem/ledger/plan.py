"""Changes in the making: a working copy of memories to decide on, and one change per memory at the end."""

from collections.abc import Iterable, Iterator

from agentmem.domain.change import Act, Change
from agentmem.domain.memory import MemoryNode, StoreStatus


class Plan:
    """Starts from what is stored; remembers, for each memory touched, what it was and the last thing done to it."""

    def __init__(self, stored: Iterable[MemoryNode]) -> None:
        self._before = {node.memory_id: node for node in stored}
        self._now = dict(self._before)
        self._acts: dict[str, tuple[Act, str]] = {}

    def __contains__(self, memory_id: str) -> bool:
        return memory_id in self._now

    def __getitem__(self, memory_id: str) -> MemoryNode:
        return self._now[memory_id]

    def get(self, memory_id: str) -> MemoryNode | None:
        """The memory as things stand in this plan, if it is there."""
        return self._now.get(memory_id)

    def learn(self, stored: Iterable[MemoryNode]) -> None:
        """Know more of what is stored; what the plan holds already stays as it is there."""
        for node in stored:
            if node.memory_id not in self._now:
                self._before[node.memory_id] = self._now[node.memory_id] = node

    def is_new(self, memory_id: str) -> bool:
        """Whether the memory is not stored, so that this plan adds it."""
        return memory_id not in self._before

    def valid(self) -> Iterator[MemoryNode]:
        """The memories that hold as things stand in this plan, oldest first."""
        nodes = [node for node in self._now.values() if node.store_status is StoreStatus.VALID]
        yield from sorted(nodes, key=lambda node: (node.timestamp, node.memory_id))

    def held(self) -> Iterator[MemoryNode]:
        """All memories as things stand in this plan, those that are over included, oldest first."""
        yield from sorted(self._now.values(), key=lambda node: (node.timestamp, node.memory_id))

    def nodes(self) -> dict[str, MemoryNode]:
        """All memories of this plan by id, as things stand in it."""
        return dict(self._now)

    def touched(self) -> list[MemoryNode]:
        """The memories that are changed or added, as things stand in this plan."""
        return [self._now[memory_id] for memory_id in self._acts]

    def put(self, node: MemoryNode, act: Act, reason: str) -> None:
        """Give a memory a new state, or add it. The revision rises once per plan."""
        before = self._before.get(node.memory_id)
        revision = 1 if before is None else before.revision + 1
        self._now[node.memory_id] = node.revised(revision=revision)
        self._acts[node.memory_id] = ("add", reason) if before is None else (act, reason)

    def touch(self, node: MemoryNode, act: Act, reason: str) -> None:
        """Give a memory a new state without hiding what was done to it before in this plan."""
        self.put(node, *self._acts.get(node.memory_id, (act, reason)))

    def changes(self) -> tuple[Change, ...]:
        """One change per memory touched, in the order in which each was touched first."""
        return tuple(
            Change(act=act, before=self._before.get(memory_id), after=self._now[memory_id], reason=reason)
            for memory_id, (act, reason) in self._acts.items()
        )
