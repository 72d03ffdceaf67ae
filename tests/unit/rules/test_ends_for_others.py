"""What was told of somebody else ends too, and what happens in a life ends what was so before."""

import pytest

from agentmem.adapters.cognition.rules.engine import read_window
from agentmem.adapters.cognition.rules.life_events import is_ended_by
from agentmem.adapters.cognition.rules.model import Finding, has_han
from agentmem.domain.event import Person
from agentmem.domain.statement import Held, Reading, Window
from tests.unit.rules.support import START, turns


def read(said: str, content: str, about: str, memory_id: str) -> Reading:
    """The reading of a turn, long after something was told of somebody else."""
    person = Person(name="陈立" if has_han(said) else "Ann Lee")
    told = Held(memory_id=memory_id, content=content, own=False, about=about, said_at=START.replace(year=2025))
    return read_window(
        Window(
            window_id="w",
            agent_name="Bella",
            person=person,
            language="zh" if has_han(said) else "en",
            turns=turns([said], person, "Bella"),
            others=(told,),
        )
    )


@pytest.mark.parametrize(
    ("content", "about", "said"),
    [
        ("Rufus is Ann Lee's dog", "Rufus", "Rufus died on Sunday"),
        ("Milo has swimming lessons on Fridays", "Milo", "Milo has given up the swimming lessons"),
        ("小周在学钢琴", "小周", "小周不学钢琴了"),
    ],
)
def test_what_was_told_of_another_ends_by_its_id(content: str, about: str, said: str) -> None:
    memory_id = "5b6f0c7e-0000-5000-8000-000000000001"

    assert [each.memory_id for each in read(said, content, about, memory_id).withdrawn] == [memory_id]


@pytest.mark.parametrize(
    ("content", "about", "said"),
    [
        ("Milo has swimming lessons on Fridays", "Milo", "My neighbour has given up his swimming lessons"),
        ("Milo has swimming lessons on Fridays", "Milo", "If Milo gives up the swimming lessons I'll be sad"),
        ("小周在学钢琴", "小周", "小周还在学钢琴"),
    ],
)
def test_what_is_no_end_of_it_leaves_what_was_told_of_another(content: str, about: str, said: str) -> None:
    assert read(said, content, about, "5b6f0c7e-0000-5000-8000-000000000001").withdrawn == ()


@pytest.mark.parametrize(
    ("held", "said", "ends"),
    [
        ("is a night porter at the Grand", "I've been made redundant", True),
        ("is pregnant", "Our baby was born on Tuesday", True),
        ("is in hospital", "She was discharged this morning", True),
        ("studies law at university", "I graduated in July", True),
        ("has a girlfriend", "We split up", True),
        ("在地铁站当站务员", "我调岗了", True),
        ("怀孕了", "生了", True),
        ("住院", "出院了", True),
        ("is a night porter at the Grand", "I've been to the cinema", False),
        ("likes tea", "I've been made redundant", False),
        ("喜欢喝茶", "我调岗了", False),
    ],
)
def test_an_event_ends_the_state_before_it(held: str, said: str, ends: bool) -> None:
    found = Finding(held, "fact", 5, "zh" if has_han(held) else "en", ())

    assert is_ended_by(found, held, said) is ends
