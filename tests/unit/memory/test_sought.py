"""Whether a memory or a clause tells what a wish names, and which is nearest where none does."""

from datetime import timedelta

import pytest

from agentmem.domain.memory import Evidence, MemoryType
from agentmem.memory.sought import MAX_NEAR, Sought, near
from agentmem.memory.wish import read_wish
from agentmem.memory.wish_words import is_related
from agentmem.questions.question import asked_for
from tests.support.nodes import NOON, a_memory


def sought(text: str) -> Sought:
    return read_wish(text, asked_for, known=["Tim"]).forget


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("forget my name", True, False),
        ("forget my phone number", False, False),
        ("forget 4471", False, True),
        ("forget a@x.example", False, True),
        ("forget the gym 12", False, False),
    ],
)
def test_a_name_and_a_value_are_meant_by_their_form(text: str, *, name: bool, value: bool) -> None:
    assert (sought(text).of_name, sought(text).of_value) == (name, value)


@pytest.mark.parametrize(
    ("clause", "first", "second"),
    [
        (
            "my home phone is 5550142887 and my work phone is 5550143887",
            "my home phone is 5550142887",
            " and my work phone is 5550143887",
        ),
        ("5550142887 (home), 5550143887 (work)", "5550142887 (home), ", "5550143887 (work)"),
    ],
)
def test_of_two_contacts_each_is_told_by_what_stands_beside_it(clause: str, first: str, second: str) -> None:
    work = sought("forget my work phone number")
    assert [work.said_of(value, clause) for value in ("5550142887", "5550143887", "none")] == [first, second, clause]
    assert work.said_of("5550143887", "my work phone is 5550143887") == "my work phone is 5550143887"


@pytest.mark.parametrize(
    ("text", "clause", "told"),
    [
        ("forget how many rowers we have", "Our club has 64 rowers", True),
        ("forget how many rowers we have", "Our club has sixty rowers", True),
        ("forget how many rowers we have", "Our club has rowers", False),
        ("forget my budget", "my budget is 500", True),
        ("forget my budget", "the budget meeting", False),
        ("forget my needs", "we need 200 chairs", True),
        ("forget my needs", "we need chairs", False),
        ("forget the blue kiln, the shed and the oak bench", "blue kiln, shed and oak", True),
        ("forget the blue kiln, the shed and the oak bench", "blue kiln and shed", False),
        ("forget my work phone number", "my work phone is 5550143887", True),
        ("forget my work phone number", "my home phone is 5550143887", False),
    ],
)
def test_a_clause_tells_what_is_named(text: str, clause: str, *, told: bool) -> None:
    assert sought(text).told_in(clause, asked_for) is told


@pytest.mark.parametrize(
    ("text", "clause", "hints"),
    [
        ("forget my medication", "my doctor put me on sertraline", {"sertraline"}),
        ("forget my medication", "my medicine cabinet is white", set[str]()),
        ("forget my therapy", "I see a therapist", {"therapi"}),
        ("forget my therapy", "I see a dentist", set[str]()),
        ("forget my Oslo flight", "my flight to Oslo is on 12 May", {"oslo", "flight"}),
        ("forget my Oslo flight", "my flight is on 12 May", set[str]()),
        ("forget the address", "9 Millrace Lane", {"9 Millrace Lane"}),
        ("forget my home address", "my office is at 9 Millrace Lane", set[str]()),
    ],
)
def test_a_clause_may_seem_to_tell_it_by_a_value_or_by_other_forms_of_its_words(
    text: str, clause: str, hints: set[str]
) -> None:
    assert sought(text).hints_in(clause, clause) == hints


def test_what_is_named_besides_a_detail_must_be_said_in_the_turn_that_seems_to_tell_it() -> None:
    cats = sought("forget my cat's medication")
    assert cats.hints_in("she takes sertraline", "my cat is ill, she takes sertraline") == {"sertraline"}
    assert sought("forget the kiln medication").hints_in("I take sertraline", "I take sertraline") == frozenset()


@pytest.mark.parametrize(
    ("text", "name", "only"),
    [
        ("forget Tim", "Tim", True),
        ("forget Tim", "Tim Carver", True),
        ("forget Tim", "Ann", False),
        ("forget my brother Tim", "Tim", True),
        ("forget my brother", "my brother", True),
        ("forget my brother", "Tim", False),
        ("forget Tim's debts", "Tim", False),
    ],
)
def test_a_wish_means_nobody_but_whom_it_names(text: str, name: str, *, only: bool) -> None:
    assert sought(text).is_only(name) is only


@pytest.mark.parametrize(
    ("text", "kin"), [("forget my brother", True), ("forget my brother Tim", False), ("forget Tim", False)]
)
def test_kin_is_meant_by_a_word_for_kin_alone(text: str, *, kin: bool) -> None:
    assert sought(text).of_kin is kin
    assert not Sought(frozenset(), frozenset(), frozenset()).of_kin
    assert not Sought(frozenset(), frozenset(), frozenset()).is_only("Tim")


@pytest.mark.parametrize(
    ("attribute", "content", "fills"),
    [
        ("phone", "one reaches Nora on 555", True),
        ("work_phone", "one reaches Nora at home on 555", True),
        ("home_phone", "one reaches Nora at work on 555", False),
        ("phone", "Nora's home phone is 555", False),
        ("phone", "Nora's work phone is 555", True),
        ("budget", "Nora's work phone is 555", False),
        (None, "Nora's work phone is 555", False),
    ],
)
def test_a_slot_shows_of_which_kind_a_memory_is_before_its_words_do(
    attribute: str | None, content: str, *, fills: bool
) -> None:
    assert sought("forget my work phone number").fills(a_memory(content, attribute=attribute, value="555")) is fills


def test_nearest_is_what_says_most_and_then_what_is_newest() -> None:
    wish = sought("forget my Oslo flight")
    both = a_memory("the flight to Oslo")
    flight, later = a_memory("the flight"), a_memory("a flight", valid_at=NOON + timedelta(days=1))
    assert near(wish, [a_memory("I like tea"), flight, both, later]) == [both, later, flight]
    assert len(near(wish, [a_memory("the flight") for _ in range(MAX_NEAR + 1)])) == MAX_NEAR


def test_what_fills_a_slot_or_tells_a_detail_is_nearer_than_what_only_says_a_word() -> None:
    wish = sought("forget my phone number")
    filled = a_memory("one reaches Nora there", attribute="phone", value="555-0142")
    told, said = a_memory("call 555-0142887"), a_memory("the number of rowers")
    assert near(wish, [said, told, filled])[0] == filled
    assert filled not in near(sought("forget my address"), [filled])


def test_a_turn_is_left_out_where_what_was_made_of_it_is_near() -> None:
    turn = a_memory("my flight to Oslo", memory_type=MemoryType.CONVERSATION)
    made = a_memory("Nora's flight to Oslo", evidence=(Evidence(memory_id=turn.memory_id, start=0, end=9),))
    assert near(sought("forget my Oslo flight"), [turn, made]) == [made]


def test_a_value_of_the_detail_alone_is_near_and_what_says_nothing_of_it_is_not() -> None:
    takes, tea = a_memory("I take sertraline"), a_memory("I like tea")
    assert near(sought("forget my medication"), [tea, takes]) == [takes]


@pytest.mark.parametrize(
    ("word", "text", "related"),
    [
        ("friend", "friendship", True),
        ("friend", "friendly", False),
        ("bank", "banker", False),
        ("therapi", "therapist", True),
        ("离婚", "离过婚", True),
        ("离婚", "离开了", False),
        ("离", "离开了", False),
    ],
)
def test_a_word_is_said_in_another_of_its_forms(word: str, text: str, *, related: bool) -> None:
    assert is_related(word, text, [text]) is related
