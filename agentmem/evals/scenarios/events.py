"""From the steps of a scenario to the events that are journaled; the same step is the same event at every playing."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Self, TypeVar

from pydantic import BaseModel, ValidationError

from agentmem.assets.file_reading import read_document
from agentmem.domain.event import AssetReceived, ConversationEnded, PerceptSensed, Person, TurnSpoken
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import Trust
from agentmem.domain.naming import canonical_name
from agentmem.domain.persona import Persona
from agentmem.domain.scenario import Action, Scenario, ScenarioSession, Sensed, Spoken, Step
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.runtime.facade.chosen_files import read_bytes

T = TypeVar("T", bound=BaseModel)


def partners(steps: Sequence[Step], people: Sequence[Person]) -> list[Person]:
    """Who takes part in each step besides the agent.

    The agent talks with the customer who spoke before it, else with the next one to speak, else with the first.
    """
    speakers = [_speaker(step, people) for step in steps]
    following = next((person for person in speakers if person), people[0])
    found: list[Person] = []
    for person in speakers:
        following = person or following
        found.append(following)
    return found


def _speaker(step: Step, people: Sequence[Person]) -> Person | None:
    if not isinstance(step, Spoken) or "agent" in step.model_fields_set:
        return None
    return next((person for person in people if person.name == step.speaker), people[0])


@dataclass(frozen=True, slots=True)
class Script:
    """A scenario with its agent. `path` is the file, for messages and for the documents beside it; `home` is where the
    documents of the persona are."""

    scenario: Scenario
    persona: Persona
    tenant: str
    path: Path
    home: Path

    def target(self, name: str) -> str:
        """The entity id of a person, or of the agent itself."""
        return entity_id(self.tenant, self.persona.id, canonical_name(name))

    def scope_of(self, agent: str) -> Scope:
        """Where an agent of the scenario remembers: the scenario's own, or one that was hired out."""
        return Scope(self.scenario.hired.get(agent, self.tenant), agent)

    def with_agent(self, agent: str | None) -> Self:
        """The same with one of the clones in the place of the agent; with the agent itself for None."""
        return self if agent is None else replace(self, persona=self.persona.revised(id=agent))

    def run_id(self, session: ScenarioSession) -> str:
        """The conversation a session is."""
        return f"{self.scenario.scenario}/{session.id}"

    def turn_id(self, session: ScenarioSession, number: int | str) -> str:
        """The id of a step's event."""
        return f"{self.run_id(session)}/{number}"

    def turn(self, session: ScenarioSession, number: int, step: Spoken, person: Person, at: datetime) -> TurnSpoken:
        """What was said."""
        return self._event(
            TurnSpoken,
            session,
            number,
            target_id=self.target(person.name),
            at=at,
            person=person,
            by_agent="agent" in step.model_fields_set,
            text=step.agent or step.customer or step.say,
            run_id=self.run_id(session),
            turn_index=number,
        )

    def percept(self, session: ScenarioSession, number: int, step: Sensed, at: datetime) -> PerceptSensed:
        """What was sensed."""
        people = {person.name: person for person in self.scenario.people}
        about = step.about or self.scenario.people[0].name
        reading = step.perceive
        return self._event(
            PerceptSensed,
            session,
            number,
            target_id=self.target(about),
            at=at,
            person=people.get(about) or Person(name=about),
            sensor=reading.sensor,
            reading=reading.value,
            unit=reading.unit,
            latitude=reading.latitude,
            longitude=reading.longitude,
        )

    def asset(self, session: ScenarioSession, number: int, step: Action, at: datetime) -> AssetReceived:
        """The document as it is on disk; what the agent knows from it is about no customer."""
        file = self._document(step.asset or "", session, number)
        raw = read_bytes(file)
        document = read_document(file, raw)
        return self._event(
            AssetReceived,
            session,
            number,
            target_id=self.target(self.persona.name),
            at=at,
            asset_id=step.asset,
            title=document.title,
            version=hashlib.sha256(raw).hexdigest(),
            media_type=document.media_type,
            trust=Trust.OWNER,
            text=document.text,
        )

    def ending(self, session: ScenarioSession, person: Person, number: int, at: datetime) -> ConversationEnded:
        """The end of a session for one of those who took part; the first one's id bears no number."""
        suffix = "end" if number == 1 else f"end/{number}"
        return self._event(
            ConversationEnded, session, suffix, target_id=self.target(person.name), at=at, run_id=self.run_id(session)
        )

    def _event(self, model: type[T], session: ScenarioSession, number: int | str, **fields: object) -> T:
        shared = {
            "event_id": self.turn_id(session, number),
            "tenant": self.tenant,
            "agent_id": self.persona.id,
            "agent_name": self.persona.name,
        }
        try:
            return model.model_validate({**shared, **fields})
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            field = ".".join(map(str, first["loc"]))
            raise InvalidInput(
                f"{self.path}: session {session.id!r}, turn {number}: {field}: {first['msg']}"
            ) from error

    def _document(self, name: str, session: ScenarioSession, number: int) -> Path:
        places = [self.path.parent / name, self.path.parent.parent / name, Path(name)]
        for place in places:
            if place.is_file():
                return place
        looked = ", ".join(dict.fromkeys(str(place) for place in places))
        raise InvalidInput(
            f"{self.path}: session {session.id!r}, turn {number}: asset: no such file; looked at {looked}"
        )
