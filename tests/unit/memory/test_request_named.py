"""What may be a name, what is one, and whose it is."""

import pytest

from agentmem.domain.entity import MENTIONS
from agentmem.domain.memory import MemoryType
from agentmem.memory.request_named import (
    MAX_NAME,
    MAX_NAMES,
    bears,
    is_code,
    is_name,
    is_value,
    named_alone,
    names_alone,
    names_held,
    same_name,
)
from tests.support.nodes import a_memory


@pytest.mark.parametrize(
    ("thing", "names"),
    [
        ("Rex", ("Rex",)),
        ("the dog Rex", ("Rex",)),
        ("Rex the dog", ("Rex",)),
        ("a man called Rex", ("Rex",)),
        ("somebody called Rex", ("Rex",)),
        ("the trip to Rome", ()),
        ("the flight to Rome called Rex", ()),
        ("王强这个人", ("王强",)),
        ("那只叫旺财的狗", ("旺财",)),
        ("Sam and Max", ("Sam and Max", "Sam", "Max")),
        ("Sam, Max and the dog Rex", ("Sam, Max and the dog Rex", "Sam", "Max", "Rex")),
        ("王强和李娜", ("王强和李娜", "王强", "李娜")),
        ("Sam and that's all", ()),
        ("it", ()),
        ("the", ("the",)),
        ("", ()),
        ("我的猫", ()),
        ("所有人", ()),
    ],
)
def test_the_names_are_those_of_whom_or_what_is_called_so(thing: str, names: tuple[str, ...]) -> None:
    assert names_alone(thing) == names


def test_a_name_and_the_names_that_one_request_may_mean_have_an_end() -> None:
    words = " ".join(["a" * 11] * 5)
    longest = words + "a" * (MAX_NAME - len(words))
    assert (named_alone(longest), named_alone(f"{longest}a")) == (longest, None)
    assert named_alone("好" * 20) == "好" * 20
    assert named_alone("好" * 21) is None
    many = [f"Ann{letter}" for letter in "abcdefg"]
    assert len(names_alone(" and ".join(many[:MAX_NAMES]))) == 1 + MAX_NAMES
    assert names_alone(" and ".join(many[: MAX_NAMES + 1])) == ()


@pytest.mark.parametrize(
    ("text", "name", "value", "code"),
    [
        ("Mr. Poe", True, False, False),
        ("Mr. poe", False, False, False),
        ("Ann Lee", True, False, False),
        ("biscuit", False, False, False),
        ("Globex Ltd", True, False, False),
        ("王强", True, False, False),
        ("小林医生", True, False, False),
        ("大黄", False, False, False),
        ("2019", False, True, False),
        ("555-0142", False, True, True),
        ("012", False, False, False),
        ("55 0142", False, False, False),
    ],
)
def test_a_name_and_a_value_are_known_by_their_form(text: str, *, name: bool, value: bool, code: bool) -> None:
    assert (is_name(text), is_value(text), is_code(text)) == (name, value, code)


def test_one_name_is_the_same_with_a_title_and_without() -> None:
    assert same_name("Mr. Poe", "poe")
    assert not same_name("Mr. Poe", "Pope")


def test_a_memory_bears_the_names_of_whom_it_is_about_mentions_or_says_to_be_called_so() -> None:
    luo = a_memory("罗小东 plays chess")
    rex = a_memory("罗小东 has a dog", meta_data={MENTIONS: [{"name": "Rex", "kind": "thing"}]})
    value = a_memory("罗小东's bank", attribute="bank", value="Globex")
    called = a_memory("罗小东's boat is called Biscuit")
    assert [bears(luo, name) for name in ("罗小东", "chess", "Rex")] == [True, False, False]
    assert [bears(rex, name) for name in ("Rex", "dog")] == [True, False]
    assert [bears(value, name) for name in ("globex", "bank")] == [True, False]
    assert [bears(called, name) for name in ("biscuit", "boat")] == [True, False]


def test_what_is_begged_for_or_a_value_is_held_where_a_turn_says_it_and_any_name_where_a_fact_bears_it() -> None:
    fact = a_memory("罗小东's boat is called Biscuit")
    turn = a_memory("I like tea; my code is 4471.", memory_type=MemoryType.CONVERSATION)
    tea = a_memory("tea", memory_type=MemoryType.CONVERSATION)
    names = ("biscuit", "tea", "4471", "4472", "coffee")
    assert names_held(names, [fact], [turn], begged=False) == ("biscuit", "4471")
    assert names_held(names, [fact], [turn], begged=True) == ("biscuit", "tea", "4471")
    assert names_held(names, [], [tea], begged=True) == ("tea",)
