"""Conversations added and searched with `Memory`, each turn a statement that is read by itself: a hit stands for the
turn that it is, or for those that it was made of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from agentmem.domain.memory import MemoryType
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.results import MemoryItem
from agentmem.runtime.facade.app import App
from agentmem_evals.retrieval.asking import AGENT, DEPTH, Answered, FreeClock
from agentmem_evals.retrieval.dataset import Conversation, DatasetQuestion, DatasetTurn

TURN = "turn"
"""In the metadata of what is added: the id that the turn has in the data."""

PAGE = 1_000


@dataclass
class MemoryExam:
    """One memory with one clock, holding what was added to it."""

    memory: AsyncMemory
    clock: FreeClock
    _turns: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def app(self) -> App:
        """The system underneath."""
        return self.memory.app

    async def store(self, conversations: Sequence[Conversation], told: Callable[[int], None]) -> float:
        """Add all turns, one by one; the seconds that took."""
        begun = perf_counter()
        for conversation in conversations:
            for turn in conversation.turns:
                self.clock.moment = turn.at
                await self._add(turn, conversation)
                told(1)
            self._turns |= await self._held(conversation)
        return perf_counter() - begun

    async def ask(self, question: DatasetQuestion, conversation: Conversation, *, elsewhere: bool = False) -> Answered:
        """One question about one conversation, at its end or, where the question says so, later."""
        self.clock.moment = max(question.at or conversation.end, conversation.end)
        begun = perf_counter()
        found = await self.memory.search(question.text, user_id=conversation.scope, agent_id=AGENT, limit=DEPTH)
        seconds = perf_counter() - begun
        scores: dict[str, float] = {}
        for item in found:
            new = [turn for turn in self._said(item) if turn not in scores]
            scores |= dict.fromkeys(new or [item.id], item.score or 0.0)  # what says nothing new has its place too
        return Answered(question, conversation.scope, tuple(scores.items()), found.confidence, seconds, elsewhere)

    async def _add(self, turn: DatasetTurn, conversation: Conversation) -> None:
        text = f"{turn.text}\n{turn.caption}" if turn.caption else turn.text
        await self.memory.add(
            {"role": "user", "name": turn.speaker, "content": text},
            user_id=conversation.scope,
            agent_id=AGENT,
            run_id=turn.session,
            timestamp=turn.at,
            metadata={TURN: turn.id},
        )

    async def _held(self, conversation: Conversation) -> dict[str, str]:
        """The turns of a conversation, by the ids that they have as memories."""
        held: dict[str, str] = {}
        cursor: str | None = None
        while True:
            page = await self.memory.get_all(
                user_id=conversation.scope,
                agent_id=AGENT,
                layers=[MemoryType.CONVERSATION],
                limit=PAGE,
                cursor=cursor,
            )
            held |= {item.id: str(item.metadata[TURN]) for item in page}
            if (cursor := page.next) is None:
                return held

    def _said(self, item: MemoryItem) -> list[str]:
        return [self._turns[source] for source in (item.id, *item.node.source_ids) if source in self._turns]
