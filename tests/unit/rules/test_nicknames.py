"""Whose other name it is: somebody has one only by what he says of himself."""

import pytest

from agentmem.adapters.cognition.llm.grounds import plausible_alias
from agentmem.domain.event import Person
from agentmem.domain.statement import Alias, Quote, Window
from agentmem.language.normal import Language
from agentmem.memory.intake import alias_statement
from tests.unit.rules.support import read, turns


@pytest.mark.parametrize(
    "line",
    [
        "I use Kestrel, also known as Heron.",
        "Our system is known as Heron.",
        "My colleague goes by Heron.",
        "We run Kestrel. It goes by Heron.",
        "Please don't call me Heron.",
        "I would rather you did not call me Heron.",
        "我们的系统英文名是Heron",
        "我同事英文名叫Heron",
        "别叫我老王",
        "不要叫我老王",
    ],
)
def test_the_other_name_of_something_else_is_not_the_speakers(line: str) -> None:
    assert not read(line).aliases


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Call me Heron.", "Heron"),
        ("Everybody calls me that, so just call me Heron.", "Heron"),
        ("I'm also known as Heron.", "Heron"),
        ("I usually go by Heron.", "Heron"),
        ("My name is Robert Falk, better known as Heron.", "Heron"),
        ("叫我小王就行", "小王"),
        ("我英文名叫Heron", "Heron"),
        ("我叫王小明,英文名Heron", "Heron"),
    ],
)
def test_another_name_that_somebody_gives_himself_is_his(line: str, name: str) -> None:
    assert [alias.name for alias in read(line).aliases] == [name]


@pytest.mark.parametrize(
    ("line", "his"),
    [("I use Kestrel, also known as Heron.", False), ("I go by Heron.", True), ("I am also known as Heron.", True)],
)
def test_what_a_model_takes_for_another_name_is_held_to_the_same(line: str, his: bool) -> None:
    person = Person(name="Mallory Reed")
    spoken = turns([line], person)
    asked = Window(window_id="w", agent_name="AIP", person=person, language="en", turns=spoken)
    assert plausible_alias("Heron", spoken[0], asked, set()) is his


@pytest.mark.parametrize(("language", "said"), [("en", "Mallory is also called Heron"), ("zh", "Mallory又叫Heron")])
def test_another_name_is_written_down_without_a_full_stop(language: Language, said: str) -> None:
    person = Person(name="Mallory")
    spoken = turns(["I go by Heron."], person)
    window = Window(window_id="w", agent_name="AIP", person=person, language=language, turns=spoken)
    alias = Alias(name="Heron", quotes=(Quote(turn_id=spoken[0].turn_id, start=8, end=13),))
    assert alias_statement(alias, window).content == said
