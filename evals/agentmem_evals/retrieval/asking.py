"""Conversations stored as the product stores them, and questions asked as the product is asked; the
embedder is timed, so that its part can be taken out of a measured time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from time import perf_counter

from agentmem.domain.episode import episode_id
from agentmem.domain.event import Person, TurnSpoken
from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.ports.embedder import Embedder, Matrix, Purpose
from agentmem.retrieval.profiles import ProfileName
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from agentmem_evals.retrieval.dataset import Conversation, DatasetQuestion

AGENT = "eval"
DEPTH = 50
"""Hits each question asks for. Fixed: how many are wanted also decides how many candidates are ranked."""

BATCH = 1_000
"""Turns taken in at once."""


class FreeClock:
    """Set by hand, also backwards: about each conversation is asked at its own end."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        """The time it was set to."""
        return self.moment


@dataclass(frozen=True, slots=True)
class Answered:
    """One question and what came: (turn, score), best first. `elsewhere`: asked about another conversation."""

    question: DatasetQuestion
    scope: str
    found: tuple[tuple[str, float], ...]
    confidence: float
    seconds: float
    elsewhere: bool


@dataclass
class RetrievalExam:
    """One app with one clock, holding what was stored in it."""

    app: App
    clock: FreeClock
    profile: ProfileName | None = None
    _turns: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        recall = self.app.searchable.recall
        self._embedder = TimedEmbedder(recall.gather.embedder)
        self._recall = replace(recall, gather=replace(recall.gather, embedder=self._embedder))

    async def store(self, conversations: Sequence[Conversation], told: Callable[[int], None]) -> float:
        """Take in all turns through journal and workers until they are in the index; the seconds that took."""
        begun = perf_counter()
        for conversation in conversations:
            self.clock.moment = conversation.end
            events = self._events(conversation)
            for start in range(0, len(events), BATCH):
                await self.app.accept(events[start : start + BATCH])
                await self.app.drain()
                told(len(events[start : start + BATCH]))
        return perf_counter() - begun

    async def ask(self, question: DatasetQuestion, conversation: Conversation, *, elsewhere: bool = False) -> Answered:
        """One question about one conversation, at its end or, where the question says so, later."""
        embedder = self._embedder
        self.clock.moment = max(question.at or conversation.end, conversation.end)
        query = RecallQuery(self.scope(conversation), question.text, k=DEPTH, profile=self.profile)
        begun = perf_counter()
        embedder.seconds = 0.0
        recalled = await self._recall(query)
        seconds = perf_counter() - begun - embedder.seconds
        found = tuple(
            (self._turns[hit.memory.memory_id], hit.score)
            for hit in recalled.hits
            if hit.memory.memory_id in self._turns
        )
        return Answered(question, conversation.scope, found, recalled.confidence, seconds, elsewhere)

    def turn(self, memory_id: str) -> str:
        """The id that the turn has in the data."""
        return self._turns[memory_id]

    def scope(self, conversation: Conversation) -> Scope:
        """Where the conversation is kept."""
        tenant = self.app.settings.tenant
        return Scope(tenant, AGENT, entity_id(tenant, AGENT, canonical_name(conversation.scope)))

    def _events(self, conversation: Conversation) -> list[TurnSpoken]:
        """The turns as events; one without a session stands alone, with nothing said before or after it."""
        scope = self.scope(conversation)
        spoken: dict[str, int] = {}
        events: list[TurnSpoken] = []
        for turn in conversation.turns:
            run = turn.session or f"alone/{turn.id}"
            spoken[run] = spoken.get(run, 0) + 1
            event = TurnSpoken(
                event_id=derived_id("eval", conversation.scope, turn.id),
                tenant=scope.tenant,
                agent_id=AGENT,
                agent_name=AGENT,
                target_id=str(scope.target),
                at=turn.at,
                person=Person(name=turn.speaker),
                by_agent=False,
                text=turn.text,
                run_id=run,
                turn_index=spoken[run],
                extract=False,
                meta={"caption": turn.caption} if turn.caption else {},
            )
            self._turns[episode_id(event)] = turn.id
            events.append(event)
        return events


class TimedEmbedder:
    """Delegates to another embedder and counts the seconds it takes."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.seconds = 0.0

    @property
    def fingerprint(self) -> str:
        """That of the embedder inside."""
        return self._inner.fingerprint

    @property
    def size(self) -> int:
        """That of the embedder inside."""
        return self._inner.size

    @property
    def semantic(self) -> bool:
        """That of the embedder inside."""
        return self._inner.semantic

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        """See `Embedder.embed`."""
        begun = perf_counter()
        try:
            return await self._inner.embed(texts, purpose=purpose)
        finally:
            self.seconds += perf_counter() - begun
