"""A scenario's steps become the same events at every playing."""

from datetime import datetime
from pathlib import Path

import pytest

from agentmem.domain.bounds import MAX_TEXT
from agentmem.domain.event import Person
from agentmem.domain.ids import entity_id
from agentmem.domain.persona import Persona
from agentmem.domain.scenario import Action, Scenario, Sensed, Spoken, Step
from agentmem.errors import InvalidInput
from agentmem.evals.scenarios.events import Script, partners

AT = datetime.fromisoformat("2026-03-09T10:00:00+08:00")
ADA, BO, CY = (Person(name=name) for name in ("Ada", "Bo", "Cy"))


def script(path: Path, *steps: dict[str, object]) -> Script:
    scenario = Scenario.model_validate(
        {
            "scenario": "visit",
            "persona": "clerk",
            "customers": [{"name": "Bo", "title": "Dr"}, {"name": "Cy"}],
            "sessions": [{"id": "one", "at": AT, "turns": steps or ({"customer": "hi"},)}],
        }
    )
    return Script(scenario, Persona(id="clerk", name="The Clerk"), "acme", path, path.parent)


def says(name: str) -> Spoken:
    return Spoken(speaker=name, say="hi")


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([Spoken(agent="a"), says("Bo"), Spoken(agent="b"), says("Cy"), Spoken(agent="c")], "Bo Bo Bo Cy Cy"),
        ([Spoken(agent="a"), Spoken(agent="b")], "Ada Ada"),
        ([Spoken(customer="a"), Spoken(agent="b"), says("Cy")], "Ada Ada Cy"),
        ([Spoken(agent="a"), Action(do="reflect"), says("Cy")], "Cy Cy Cy"),
    ],
)
def test_the_agent_talks_with_who_spoke_last_or_will_speak_next(steps: list[Step], expected: str) -> None:
    assert " ".join(person.name for person in partners(steps, (ADA, BO, CY))) == expected


def test_a_turn_is_known_by_scenario_session_and_number(tmp_path: Path) -> None:
    played = script(tmp_path / "x.yaml")
    session = played.scenario.sessions[0]

    turn = played.turn(session, 3, Spoken(agent="hello"), played.scenario.people[0], AT)

    assert (turn.event_id, turn.run_id, turn.turn_index) == ("visit/one/3", "visit/one", 3)
    assert (turn.agent_id, turn.agent_name, turn.by_agent) == ("clerk", "The Clerk", True)
    assert turn.person.label == "Bo"
    assert turn.target_id == entity_id("acme", "clerk", "bo")


def test_everyone_present_gets_an_ending_of_his_own(tmp_path: Path) -> None:
    played = script(tmp_path / "x.yaml")
    session = played.scenario.sessions[0]

    ends = [played.ending(session, person, number, AT) for number, person in enumerate((BO, CY), start=1)]

    assert [end.event_id for end in ends] == ["visit/one/end", "visit/one/end/2"]
    assert len({end.target_id for end in ends}) == 2


def test_a_percept_is_about_the_customer_unless_it_names_something(tmp_path: Path) -> None:
    played = script(tmp_path / "x.yaml")
    session = played.scenario.sessions[0]
    reading = {"sensor": "t", "value": 21.5, "unit": "C"}

    own = played.percept(session, 1, Sensed.model_validate({"perceive": reading}), AT)
    thing = played.percept(session, 2, Sensed.model_validate({"perceive": reading, "about": "greenhouse"}), AT)

    assert (own.person.label, thing.person.label) == ("Bo", "greenhouse")
    assert own.target_id != thing.target_id


def test_a_document_is_looked_for_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "rules.md").write_text("# House rules\n\nNo smoking.\n", encoding="utf-8")
    played = script(tmp_path / "x.yaml")

    asset = played.asset(played.scenario.sessions[0], 1, Action(do="ingest", asset="assets/rules.md"), AT)

    assert (asset.asset_id, asset.title, asset.media_type) == ("assets/rules.md", "House rules", "text/markdown")
    assert asset.target_id == entity_id("acme", "clerk", "the clerk")


def test_a_document_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    played = script(tmp_path / "x.yaml")

    with pytest.raises(InvalidInput, match=r"x\.yaml: session 'one', turn 4: asset: no such file; looked at "):
        played.asset(played.scenario.sessions[0], 4, Action(do="ingest", asset="nope.md"), AT)


def test_a_turn_too_long_is_one_line(tmp_path: Path) -> None:
    played = script(tmp_path / "x.yaml")

    with pytest.raises(InvalidInput, match=r"x\.yaml: session 'one', turn 1: text: "):
        played.turn(played.scenario.sessions[0], 1, Spoken(customer="x" * (MAX_TEXT + 1)), BO, AT)


def test_a_session_cannot_begin_before_the_last_one_is_over() -> None:
    turns = [{"customer": "a"}, {"customer": "b"}]

    with pytest.raises(ValueError, match="session 'two' begins before 'one' is over"):
        Scenario.model_validate(
            {
                "scenario": "visit",
                "persona": "clerk",
                "customer": {"name": "Bo"},
                "sessions": [{"id": "one", "at": AT, "turns": turns}, {"id": "two", "at": AT, "turns": turns}],
            }
        )
