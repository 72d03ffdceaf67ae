"""Plays a scenario: its own clock drives windows, workers and reflection, and nothing in it reads the wall clock."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from agentmem.domain.event import Event, Person
from agentmem.domain.persona import Persona
from agentmem.domain.scenario import Action, Scenario, ScenarioSession, Sensed, Spoken
from agentmem.domain.scope import Scope
from agentmem.domain.statement import Usage
from agentmem.errors import InvalidInput, NotFound
from agentmem.evals.scenarios.events import Script, partners
from agentmem.memory.forget_plan import Meant
from agentmem.runtime.configuration.personas import find_persona
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.configuration.yaml_file import read
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock

PATIENCE = 60.0
"""Seconds to wait at the end of a session for work that is retried."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the dialogue as it was played. `speaker` None: something that was done or sensed."""

    session: str
    at: datetime
    speaker: str | None
    by_agent: bool
    text: str


def read_script(path: Path, settings: Settings) -> Script:
    """The scenario of a file with its persona. Raises `InvalidInput`, also where it needs a model that is not there."""
    scenario = read(path, Scenario)
    persona = _persona(path, scenario, settings)
    _needs_no_model(path, scenario, persona, settings)
    home = settings.personas if isinstance(scenario.persona, str) else path.parent
    return Script(scenario, persona, settings.tenant, path, home)


def _persona(path: Path, scenario: Scenario, settings: Settings) -> Persona:
    if isinstance(scenario.persona, Persona):
        return scenario.persona
    try:
        return find_persona(settings.personas, scenario.persona)
    except NotFound as error:
        raise InvalidInput(f"{path}: persona: {error}") from error


def _needs_no_model(path: Path, scenario: Scenario, persona: Persona, settings: Settings) -> None:
    if persona.model or settings.chat_model:
        return
    for session in scenario.sessions:
        for number, step in enumerate(session.turns, start=1):
            if isinstance(step, Spoken) and "agent" in step.model_fields_set and step.agent is None:
                raise InvalidInput(
                    f"{path}: session {session.id!r}, turn {number}: agent: null lets the chat model answer, and no "
                    "chat model is configured; set chat_model in config.yaml, or AGENTMEM_CHAT_MODEL"
                )


@dataclass(frozen=True, slots=True)
class Player:
    """One playing of one scenario. `told` hears what is going on."""

    app: App
    script: Script
    clock: ManualClock
    told: Callable[[str], None]
    spent: list[Usage] = field(default_factory=list[Usage])
    """What the model that speaks has cost, reply by reply."""

    async def play(self) -> list[Line]:
        """All sessions in order, every one read to its end; the dialogue."""
        await self.app.know_agent(self.script.persona)
        await self.app.library.learn(self.script.persona, self.script.home)
        lines: list[Line] = []
        for session in self.script.scenario.sessions:
            self.told(f"{self.script.scenario.scenario}: {session.id}")
            await replace(self, script=self.script.with_agent(session.agent))._session(session, lines)
        return lines

    async def _session(self, session: ScenarioSession, lines: list[Line]) -> None:
        spoken_with: list[Person] = []
        steps = zip(session.turns, session.moments(), partners(session.turns, self.script.scenario.people), strict=True)
        for number, (step, moment, person) in enumerate(steps, start=1):
            self.clock.set(moment)
            await self.app.drain()
            match step:
                case Spoken():
                    spoken_with.append(person)
                    lines.append(await self._speak(session, number, step, person, moment))
                case Sensed():
                    percept = self.script.percept(session, number, step, moment)
                    await self._accept([percept])
                    text = f"{percept.person.name}: {percept.sensor} {percept.reading}{percept.unit}"
                    lines.append(Line(session.id, moment, None, False, text))
                case Action():
                    await self._do(session, number, step, moment)
                    done = " ".join(filter(None, (step.do, step.asset, step.made)))
                    lines.append(Line(session.id, moment, None, False, done))
        await self._end(session, spoken_with)

    async def _speak(
        self, session: ScenarioSession, number: int, step: Spoken, person: Person, moment: datetime
    ) -> Line:
        if "agent" in step.model_fields_set and step.agent is None:
            key = self.script.turn_id(session, number)
            talks, agent = self.app.talks, self.script.persona
            async with talks.reply_to_last(agent.id, person, run_id=self.script.run_id(session), key=key) as reply:
                line = Line(session.id, moment, agent.name, True, await reply.whole())
                self.spent.append(reply.usage)
                return line
        turn = self.script.turn(session, number, step, person, moment)
        await self._accept([turn])
        return Line(session.id, moment, turn.speaker, turn.by_agent, turn.text)

    async def _do(self, session: ScenarioSession, number: int, step: Action, moment: datetime) -> None:
        if step.do == "ingest":
            asset = self.script.asset(session, number, step, moment)
            await self._accept([await self.app.library.admitted(asset)])
        await self.app.drain(patience=PATIENCE, outages=False)
        if step.do == "reflect":
            scope = Scope(self.script.tenant, self.script.persona.id)
            await self.app.reflect(scope, key=f"{self.script.run_id(session)}/{number}")
        if step.do == "clone" and step.made is not None:
            await self._clone(step.made)
        if step.made is not None and step.tenant is not None:
            await self._hire_or_release(step.do, step.made, step.tenant)
        if step.do == "forget":
            name = step.about or self.script.scenario.people[0].name
            scope = Scope(self.script.tenant, self.script.persona.id)
            for target in await self.app.targets(scope, name):
                await self.app.forget(Meant(replace(scope, target=target), query=step.query), erase=step.erase)

    async def _clone(self, made: str) -> None:
        """Once: a clone that was made when the scenario was played before stays as it is."""
        agent = self.script.persona.id
        before = await self.app.journal.lineages.origin(self.script.tenant, made)
        if before is None or before.source_agent != agent or before.state == "making":
            await self.app.copies.clone(agent, made)

    async def _hire_or_release(self, do: str, made: str, tenant: str) -> None:
        """Once: who was hired, or released, when the scenario was played before stays so."""
        agent = self.script.persona.id
        before = await self.app.journal.lineages.origin(tenant, made)
        if do == "release":
            await self.app.copies.release(made, tenant=tenant)
        elif before is None or before.source_agent != agent or before.state == "making":
            await self.app.copies.hire(agent, made, tenant=tenant, from_tenant=self.script.tenant)

    async def _end(self, session: ScenarioSession, spoken_with: list[Person]) -> None:
        present = dict.fromkeys(person.name for person in spoken_with)
        people = [person for person in self.script.scenario.people if person.name in present]
        now = self.clock.now()
        endings = [self.script.ending(session, person, number, now) for number, person in enumerate(people, start=1)]
        if endings:
            await self._accept(endings)
        await self.app.drain(patience=PATIENCE, outages=False)

    async def _accept(self, events: Sequence[Event]) -> None:
        try:
            await self.app.accept(events)
        except InvalidInput as error:
            changed = "if the file was changed since it was played, play it with --fresh"
            raise InvalidInput(f"{self.script.path}: {error}; {changed}") from error
