"""agentmem, opened and asked as its users do: turns accepted and drained through the workers, then `App.recall`."""

import asyncio
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

from agentmem.domain.episode import episode_id
from agentmem.domain.event import Person, TurnSpoken
from agentmem.domain.ids import entity_id
from agentmem.domain.scope import Scope
from agentmem.language.normal import canonical_name
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.app import App, open_app
from agentmem.runtime.settings import Settings
from bench.dialogue import AGENT, START, TENANT
from bench.peers.peer import Peer
from bench.peers.workload import Question, Turn
from bench.recall import TimedEmbedder

BATCH = 1_000


class EndOfTalk:
    """The clock: about each scope is asked when its last turn was spoken."""

    def __init__(self) -> None:
        self.ends: dict[str, datetime] = {}
        self.scope = ""

    def now(self) -> datetime:
        """The end of the scope that is spoken or asked about."""
        return self.ends.get(self.scope, START)


class Agentmem:
    """One app. Turns are kept without reading facts out of them, as the peers keep them."""

    def __init__(self, runner: asyncio.Runner, app: App, clock: EndOfTalk) -> None:
        self._runner, self._clock = runner, clock
        recall = app.searchable.recall
        self.timed = TimedEmbedder(recall.embedder)
        self._app = replace(app, opened=replace(app.searchable, recall=replace(recall, embedder=self.timed)))
        self._turns: dict[str, str] = {}
        self.mode = f"agentmem {version('agentmem-framework')}"

    def add(self, turns: Sequence[Turn]) -> None:
        """Through journal, conversation worker and projection."""
        for scope, spoken in groupby(turns, key=lambda turn: turn.scope):
            whole = list(spoken)
            self._clock.scope, self._clock.ends[scope] = scope, whole[-1].at
            for start in range(0, len(whole), BATCH):
                self._runner.run(self._take_in(whole[start : start + BATCH], start))

    async def _take_in(self, turns: Sequence[Turn], first: int) -> None:
        await self._app.accept([self._event(turn, first + place) for place, turn in enumerate(turns)])
        await self._app.drain()

    def search(self, question: Question, k: int) -> list[str]:
        """One recall."""
        self._clock.scope = question.scope
        query = RecallQuery(Scope(TENANT, AGENT, _target(question.scope)), question.text, k=k)
        recalled = self._runner.run(self._app.recall(query))
        return [self._turns[hit.memory.memory_id] for hit in recalled.hits]

    def _event(self, turn: Turn, place: int) -> TurnSpoken:
        event = TurnSpoken(
            event_id=f"{turn.scope}/{turn.id}",
            tenant=TENANT,
            agent_id=AGENT,
            agent_name=AGENT,
            target_id=_target(turn.scope),
            at=turn.at,
            person=Person(name=turn.speaker),
            by_agent=False,
            text=turn.text,
            run_id=f"{turn.scope}/{turn.session}",
            turn_index=place,
            extract=False,
            meta={"caption": turn.caption} if turn.caption else {},
        )
        self._turns[episode_id(event)] = turn.id
        return event


def _target(scope: str) -> str:
    return entity_id(TENANT, AGENT, canonical_name(scope))


@contextmanager
def opened(embedder: str, folder: Path) -> Generator[Peer]:
    """With its embedded index in `folder`."""
    clock = EndOfTalk()
    app = open_app(Settings(tenant=TENANT, data=folder, embedder=embedder), clock=clock)
    with asyncio.Runner() as runner:
        try:
            yield Agentmem(runner, runner.run(app.__aenter__()), clock)
        finally:
            runner.run(app.__aexit__(None, None, None))
