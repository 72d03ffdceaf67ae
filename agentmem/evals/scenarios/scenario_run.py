"""One scenario from file to report: opened on its own clock, played, examined."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import reduce
from pathlib import Path
from time import perf_counter
from typing import Self

from agentmem.answers.answer import AskQuery
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.scenario import Expected, ExpectedRecall, ExpectedThen, Scenario
from agentmem.domain.scope import Principal, Scope
from agentmem.domain.statement import Usage
from agentmem.evals.scenarios.checks import Check, Known, examine, narrowed, recalled
from agentmem.evals.scenarios.events import Script
from agentmem.evals.scenarios.player import Player, read_script
from agentmem.evals.scenarios.scenario_report import ScenarioReport
from agentmem.ports.cognition import Cognition
from agentmem.ports.ledger import Selection
from agentmem.ports.models import ChatModel
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock

PAGE = 1_000
# Hits looked through for one item, before those about others are left out.
DEEP = 100


async def run_scenario(
    path: Path,
    settings: Settings,
    *,
    cognition: Cognition | None = None,
    chat: ChatModel | None = None,
    fresh: bool = False,
    told: Callable[[str], None] = lambda _: None,
    on_outage: Callable[[str], None] | None = None,
) -> ScenarioReport:
    """Play the file and check it. `cognition` and `chat` stand in for the configured engine and for the models
    that speak, `fresh` forgets its agents first. `on_outage` is told of a service that cannot be reached.
    Raises `InvalidInput` before anything is played."""
    script = read_script(path, settings)
    clock = ManualClock(script.scenario.sessions[0].at)
    begun = perf_counter()
    async with open_app(settings, clock=clock, cognition=cognition, chat=chat, on_outage=on_outage) as app:
        if fresh:
            for agent in (script.persona.id, *script.scenario.clones, *script.scenario.hired):
                await _forget(app, script.scope_of(agent))
        player = Player(app, script, clock, told)
        lines = await player.play()
        seconds = perf_counter() - begun
        told(f"{script.scenario.scenario}: checks")
        memories = await memories_of(app, script)
        spent = reduce(Usage.plus, player.spent, app.usage)
        checks = await (await Examiner.over(app, script, memories)).checks()
        return ScenarioReport(script.scenario, script.persona, lines, checks, memories, spent, seconds)


async def _forget(app: App, scope: Scope) -> None:
    gone = await app.journal.purge(scope)
    await app.searchable.index.remove(gone)


def _owned(app: App, scope: Scope) -> App:
    """The app of the owner of the scope, who may have hired the agent."""
    return app.for_principal(Principal.owner(scope.tenant))


async def memories_of(app: App, script: Script) -> list[MemoryNode]:
    """Everything of the scenario's agents, oldest first."""
    found: list[MemoryNode] = []
    for agent in dict.fromkeys((script.persona.id, *_other_agents(script.scenario))):
        after: tuple[int, str] | None = None
        scope = script.scope_of(agent)
        while page := await _owned(app, scope).memories(Selection(scope, after=after, limit=PAGE)):
            found += page
            after = (page[-1].timestamp, page[-1].memory_id)
    return sorted(found, key=lambda node: (node.timestamp, node.memory_id))


def _items(scenario: Scenario) -> list[Expected]:
    expect = scenario.expect
    return [*expect.memories, *expect.never, *expect.ended, *expect.once, *expect.recalls, *expect.as_of]


def _other_agents(scenario: Scenario) -> list[str]:
    return [*scenario.clones, *(item.agent for item in _items(scenario) if item.agent)]


class Examiner:
    """Puts the questions of a scenario to the app; names are looked up once. Made by `over`."""

    def __init__(self, app: App, script: Script, memories: list[MemoryNode]) -> None:
        self._app = app
        self._script = script
        self._ids: dict[tuple[str, str], frozenset[str]] = {}
        self.known = Known(script.persona.id, memories, app.clock.now(), self._about)

    @classmethod
    async def over(cls, app: App, script: Script, memories: list[MemoryNode]) -> Self:
        """One that knows everybody whom the scenario's items name."""
        examiner = cls(app, script, memories)
        for item in _items(script.scenario):
            await examiner._look_up(item)
        return examiner

    async def checks(self) -> list[Check]:
        """Every check of the scenario, in its order, then those that always run."""
        expect = self._script.scenario.expect
        *plain, verbatim = examine(expect, self.known)
        searched = [
            *[recalled("recalls", item, await self.hits(item)) for item in expect.recalls],
            *[recalled("as_of", item, await self.hits(item)) for item in expect.as_of],
        ]
        return [*plain, *searched, verbatim, await self.idle()]

    def _name(self, about: str | None) -> str:
        people = self._script.scenario.people
        named = next((person.name for person in people if about in (person.name, person.label)), None)
        return named or about or people[0].name

    def _about(self, about: str | None, agent: str) -> Collection[str]:
        return self._ids[self._name(about), agent]

    async def _look_up(self, item: Expected) -> None:
        name, agent = self._name(item.about), item.agent or self._script.persona.id
        if (name, agent) not in self._ids:
            scope = self._script.scope_of(agent)
            wanted = canonical_name(name)
            named = {node.target_id for node in self.known.memories if canonical_name(node.target_name) == wanted}
            self._ids[name, agent] = frozenset((*named, *await _owned(self._app, scope).targets(scope, name)))

    async def answer(self, item: ExpectedRecall) -> str | None:
        """What is told where the item's question is asked about the item's person, as of its time."""
        ids = self._about(item.about, self._script.persona.id)
        scope = replace(
            self._script.scope_of(self._script.persona.id), target=next(iter(ids)) if len(ids) == 1 else None
        )
        at = item.at if isinstance(item, ExpectedThen) else None
        return (await _owned(self._app, scope).ask(AskQuery(scope, item.ask, as_of=at))).text

    async def hits(self, item: ExpectedRecall) -> list[MemoryNode]:
        """What a search for the item's question finds, best first, of what the item may mean."""
        agent = item.agent or self._script.persona.id
        ids = self._about(item.about, agent)
        # A document is about no customer: where there is one, the search is wide and narrowed afterwards.
        shelf = any(node.memory_type is MemoryType.LONGTERM and node.agent_id == agent for node in self.known.memories)
        target = next(iter(ids)) if len(ids) == 1 and not (shelf and item.about is None) else None
        query = RecallQuery(
            replace(self._script.scope_of(agent), target=target),
            item.ask,
            k=DEEP,
            as_of=item.at if isinstance(item, ExpectedThen) else None,
            types=(item.type,) if item.type else (),
        )
        found = await _owned(self._app, query.scope).recall(query)
        return narrowed(item, (hit.memory for hit in found.hits), ids)

    async def idle(self) -> Check:
        """Whether all that was said has been worked off; what was given up is a memory that is missing."""
        depth = await self._app.upkeep.depth_of(Scope(self._script.tenant, self._script.persona.id))
        waiting, dead = depth.ready + depth.delayed + depth.leased, depth.dead
        late = [f"{waiting} jobs wait, see `agentmem queue`"] if waiting else []
        late += [f"{dead} were given up, see `agentmem dead list`"] if dead else []
        return Check("workers", "idle", not late, (), "; ".join(late) or None)
