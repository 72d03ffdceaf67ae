"""agentmem, opened and asked as its users do: turns accepted and worked off, then `App.recall`."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from agentmem.domain.episode import episode_id
from agentmem.domain.event import Person, TurnSpoken
from agentmem.domain.ids import entity_id
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from agentmem_evals.retrieval.asking import BATCH, FreeClock
from agentmem_evals.retrieval.dataset import Conversation, DatasetQuestion
from bench.dialogue import AGENT, START, TENANT
from bench.peers.peer import MeteredEmbedder, Peer


class Agentmem:
    """One app. No facts are read out of the turns, as the peers read none; asked at the end of each conversation."""

    def __init__(self, runner: asyncio.Runner, app: App, clock: FreeClock) -> None:
        self._runner, self._clock = runner, clock
        recall = app.searchable.recall
        self.embedder = MeteredEmbedder(recall.gather.embedder)
        metered = replace(recall, gather=replace(recall.gather, embedder=self.embedder))
        self._app = replace(app, opened=replace(app.searchable, recall=metered))
        self._turns: dict[str, str] = {}
        self.mode = f"agentmem {version('agentmem-framework')}"

    def add(self, conversation: Conversation) -> None:
        """Through journal, conversation worker and projection."""
        self._clock.moment = conversation.end
        events = [self._event(conversation, place) for place in range(len(conversation.turns))]
        for start in range(0, len(events), BATCH):
            self._runner.run(self._take_in(events[start : start + BATCH]))

    async def _take_in(self, events: list[TurnSpoken]) -> None:
        await self._app.accept(events)
        await self._app.drain()

    def search(self, conversation: Conversation, question: DatasetQuestion, k: int) -> list[str]:
        """One recall, ranked for turns kept word for word."""
        self._clock.moment = max(question.at or conversation.end, conversation.end)
        query = RecallQuery(Scope(TENANT, AGENT, _target(conversation)), question.text, k=k)
        recalled = self._runner.run(self._app.recall(query))
        return [self._turns[hit.memory.memory_id] for hit in recalled.hits]

    def _event(self, conversation: Conversation, place: int) -> TurnSpoken:
        turn = conversation.turns[place]
        event = TurnSpoken(
            event_id=f"{conversation.scope}/{turn.id}",
            tenant=TENANT,
            agent_id=AGENT,
            agent_name=AGENT,
            target_id=_target(conversation),
            at=turn.at,
            person=Person(name=turn.speaker),
            by_agent=False,
            text=turn.text,
            run_id=f"{conversation.scope}/{turn.session or turn.id}",
            turn_index=place,
            extract=False,
            meta={"caption": turn.caption} if turn.caption else {},
        )
        self._turns[episode_id(event)] = turn.id
        return event


def _target(conversation: Conversation) -> str:
    return entity_id(TENANT, AGENT, canonical_name(conversation.scope))


@contextmanager
def opened(embedder: str, folder: Path) -> Generator[Peer]:
    """With its embedded index in `folder`."""
    clock = FreeClock(START)
    app = open_app(Settings(tenant=TENANT, data=folder, embedder=embedder), clock=clock)
    with asyncio.Runner() as runner:
        try:
            yield Agentmem(runner, runner.run(app.__aenter__()), clock)
        finally:
            runner.run(app.__aexit__(None, None, None))
