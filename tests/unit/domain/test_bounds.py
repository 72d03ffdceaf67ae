"""Whatever a value holds is within bounds, however it was made, and nobody who makes one has to know of pydantic."""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Annotated, Any, Literal, cast
from zoneinfo import ZoneInfo

import pytest
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

import agentmem
from agentmem.domain.bounds import (
    MAX_DEPTH,
    MAX_INT,
    MAX_ITEMS,
    MAX_TEXT,
    MAX_TIME,
    MIN_INT,
    MIN_TIME,
    address_fault,
    check_argument,
    check_json,
    check_time,
    check_value,
    fits,
    json_fault,
    number_fault,
    text_fault,
    time_fault,
    within_times,
)
from agentmem.domain.event import EVENTS, Person
from agentmem.domain.memory import MemoryNode, end_of_day, microseconds
from agentmem.domain.persona import Keep, Persona
from agentmem.domain.statement import Quote, Statement
from agentmem.domain.value import ASKED_WITH, Checked, asked_with, wording
from agentmem.errors import InvalidInput
from agentmem.runtime.configuration.settings import Settings
from tests.support import refused
from tests.support.nodes import NOON, a_memory, a_turn

APART = ("agentmem.adapters.cognition.llm.output_schemas",)
"""What a model answers is read leniently, item by item, and goes on in values that are checked."""


BOUNDS: Mapping[str, Sequence[str]] = {
    "str": ["max_length"],
    "int": ["strict"],
    "float": ["strict", "allow_inf_nan"],
    "datetime": ["ge", "le"],
    "timedelta": ["ge", "le"],
    "list": ["max_length"],
    "tuple": ["max_length"],
    "dict": ["max_length"],
}
"""What the parts of a schema have to say."""


NOT_ITS_OWN = ("metadata", "serialization", "default", "config", "definitions")


def models() -> list[type[BaseModel]]:
    for module in pkgutil.walk_packages(agentmem.__path__, "agentmem."):
        if not module.name.endswith("__main__"):
            try:
                importlib.import_module(module.name)
            except ImportError:  # an optional dependency that is not installed
                continue
    return sorted(_below(BaseModel), key=lambda kind: kind.__qualname__)


def _below(kind: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for each in kind.__subclasses__():
        if each.__module__.startswith("agentmem.") and not each.__pydantic_generic_metadata__["origin"]:
            yield each
        yield from _below(each)


def leaves(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """The plain parts of a schema, by where they are."""
    if isinstance(schema, dict):
        known = cast("dict[str, Any]", schema)
        kind = known.get("type")
        if isinstance(kind, str) and kind in BOUNDS:
            yield path, known
        for name, part in known.items():
            if not isinstance(kind, str) or name not in (
                "metadata",
                "serialization",
                "default",
                "config",
                "definitions",
            ):
                yield from leaves(part, f"{path}.{name}")
    elif isinstance(schema, list | tuple):
        for part in cast("Sequence[Any]", schema):
            yield from leaves(part, path)


def test_every_model_is_checked_and_leaves_nothing_open() -> None:
    kinds = [kind for kind in models() if not kind.__module__.startswith(APART)]
    assert [kind.__qualname__ for kind in kinds if not issubclass(kind, Checked)] == []
    open_parts = [
        (kind.__qualname__, path, part["type"])
        for kind in kinds
        for path, part in leaves(kind.__pydantic_core_schema__)
        if not all(bound in part for bound in BOUNDS[part["type"]])
    ]
    assert open_parts == []


@pytest.mark.parametrize("name", refused.TEXTS)
@pytest.mark.parametrize("field", ["text", "run_id", "event_id", "agent_name"])
def test_a_turn_takes_no_such_text(field: str, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"^(text|runId|eventId|agentName|run_id|event_id|agent_name): "):
        a_turn("x").revised(**{field: refused.TEXTS[name]})


@pytest.mark.parametrize("name", refused.TIMES)
def test_no_value_takes_such_a_time(name: str) -> None:
    wrong = refused.TIMES[name]
    for make in (
        lambda: a_turn("x").revised(at=wrong),
        lambda: a_memory("x").revised(valid_at=wrong, dt="2026-03-09"),
        lambda: a_memory("x").revised(last_access=wrong),
    ):
        with pytest.raises(InvalidInput, match=r"^\w+: "):
            make()


@pytest.mark.parametrize("name", [name for name in refused.JSON if name != "too large"])
def test_no_value_keeps_such_json(name: str) -> None:
    for make in (
        lambda: a_turn("x").revised(meta=refused.JSON[name]),
        lambda: a_memory("x").revised(meta_data=refused.JSON[name]),
    ):
        with pytest.raises(InvalidInput, match=r"^meta"):
            make()


def test_meta_of_a_turn_has_a_size_and_that_of_a_memory_a_larger_one() -> None:
    large = refused.JSON["too large"]
    with pytest.raises(InvalidInput, match=r"^meta: is larger than 262144 characters"):
        a_turn("x").revised(meta=large)
    assert a_memory("x").revised(meta_data=large).meta_data == large


@pytest.mark.parametrize("name", {**refused.INTS, "a truth value": True, "a fraction": 1.5})
def test_a_whole_number_fits_64_bits_and_is_no_truth_value(name: str) -> None:
    wrong = {**refused.INTS, "a truth value": True, "a fraction": 1.5}[name]
    with pytest.raises(InvalidInput, match=r"^revision: "):
        a_memory("x").revised(revision=wrong)
    with pytest.raises(InvalidInput, match=r"^turn_?[iI]ndex: "):
        a_turn("x").revised(turn_index=wrong)


def test_what_is_made_raises_ours_and_what_is_read_from_a_file_tells_where() -> None:
    with pytest.raises(InvalidInput, match=r"^name: "):
        Person(name="a\x00b")
    with pytest.raises(ValidationError):
        Persona.model_validate({"id": "ada"})


def test_a_duration_is_at_most_a_hundred_years() -> None:
    for wrong in ("99999999999999d", "36526d", "P99999999D", timedelta(days=-1)):
        with pytest.raises(InvalidInput, match=r"^perceptual: "):
            Keep(perceptual=wrong)  # pyright: ignore[reportArgumentType] - as a file says it
    assert Keep(perceptual="36525d").perceptual == timedelta(days=36_525)  # pyright: ignore[reportArgumentType]


def test_a_time_that_somebody_names_and_nobody_can_keep_is_no_time() -> None:
    for far in (datetime(9999, 12, 31, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC)):
        quote = Quote(turn_id=a_memory("x").memory_id, start=0, end=1)
        stated = Statement(content="x", valid_at=far, quotes=(quote,))
        assert stated.valid_at is None


@pytest.mark.parametrize("zone", [refused.EAST, refused.WEST, UTC])
@pytest.mark.parametrize("edge", [MIN_TIME, MAX_TIME])
def test_the_first_and_the_last_time_can_be_reckoned_with_in_every_zone(edge: datetime, zone: Any) -> None:
    moment = edge.astimezone(zone)
    node = a_memory("x", valid_at=moment, dt="2026-03-09")
    again = MemoryNode.model_validate_json(node.model_dump_json(by_alias=True))
    assert again.valid_at == edge
    assert microseconds(end_of_day(moment)) > microseconds(moment)
    for days in (-36_525, 36_525):
        assert (moment + timedelta(days=days)).astimezone(refused.EAST).isoformat()[4] == "-"


def test_a_time_too_far_away_is_refused_with_the_first_and_the_last() -> None:
    with pytest.raises(InvalidInput, match=r"^valid_at: must be a time between 1000-01-01 and 9000-01-01, in UTC$"):
        a_memory("x").revised(valid_at=MAX_TIME + timedelta(days=1))


OFFSETS = {
    "a second": timezone(timedelta(seconds=1)),
    "a microsecond": timezone(timedelta(microseconds=1)),
    "nearly a day": timezone(timedelta(hours=23, minutes=59, seconds=59, microseconds=999_999)),
    "nearly a day back": timezone(-timedelta(hours=23, minutes=59, seconds=59, microseconds=1)),
    "the sun in New York": ZoneInfo("America/New_York"),
    "the sun in Shanghai": ZoneInfo("Asia/Shanghai"),
}


@pytest.mark.parametrize("name", OFFSETS)
def test_a_time_at_any_offset_is_written_and_read_as_the_same_moment(name: str) -> None:
    moment = datetime(1883, 6, 18, 12, 3, 57, tzinfo=OFFSETS[name])
    node = a_memory("x", valid_at=moment)
    turn = a_turn("x", at=moment)
    assert MemoryNode.model_validate_json(node.model_dump_json(by_alias=True)).valid_at == moment
    assert EVENTS.validate_json(turn.model_dump_json(by_alias=True)).at == moment


def test_a_value_fits_what_it_is_declared_as() -> None:
    fitting: list[tuple[object, Any]] = [
        ("x", str), (1, int), (1, float), (1.5, float), (None, str | None), (("a", "b"), tuple[str, ...]),
        (["a"], tuple[str, ...] | list[str]), ({"a": 1}, dict[str, int]), (NOON, datetime), ((1, "a"), tuple[int, str]),
        (None, None), (len, Callable[[str], int]), (int, type[int]), (iter([1]), Iterable[str]),
    ]  # fmt: skip
    wrong: list[tuple[object, Any]] = [
        (1, str), (True, int), (True, float), (1.5, int), (None, str), (["a"], tuple[str, ...]), ("ab", list[str]),
        ({"a": "b"}, dict[str, int]), ((1,), tuple[str, ...]), ((1, 2), tuple[int, str]), (b"x", str),
        (1.0, Literal[1]), ("ab", Sequence[str]), ("ab", Iterable[str]), ({1: 1}, dict[str, int]),
        ((1, "a", "b"), tuple[int, str]), ("x", None), ("x", Callable[[str], int]), ("x", type[str]),
        (1, str | None), (True, int | None), ([1], list[str] | None),
    ]  # fmt: skip
    assert [pair for pair in fitting if not fits(*pair)] == []
    assert [pair for pair in wrong if fits(*pair)] == []


@pytest.mark.parametrize("hint", [int, datetime, tuple[int, ...]])
@pytest.mark.parametrize("name", [name for name, value in refused.ALL.items() if not isinstance(value, bool)])
def test_a_wrong_value_is_told_in_one_line(name: str, hint: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^k: [^\n]{,300}$"):
        check_value("k", refused.ALL[name], hint)


def nested(depth: int) -> list[Any]:
    """Lists inside one another."""
    made: list[Any] = []
    for _ in range(depth):
        made = [made]
    return made


TOO_MUCH: Mapping[str, tuple[object, Any, str]] = {
    "a text": ("x" * (MAX_TEXT + 1), str, "characters"),
    "a deep list": (nested(100), list, "nested deeper"),
    "a long list": ([0] * (MAX_ITEMS + 1), list, "items"),
    "a number in a tuple": ((1, 2**63), tuple[int, ...], "64 bits"),
    "a number in a set": (frozenset({2**63}), frozenset[int], "64 bits"),
    "a time of no zone": (NOON.replace(tzinfo=None), datetime, "must have a UTC offset"),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_is_given_has_a_size_and_is_told_what_is_wrong(name: str) -> None:
    value, hint, told = TOO_MUCH[name]
    with pytest.raises(InvalidInput, match=rf"^k: [^\n]*{told}"):
        check_value("k", value, hint)


def test_what_just_fits_is_taken() -> None:
    for value, hint in (("x" * MAX_TEXT, str), (nested(MAX_DEPTH), list), ([0] * MAX_ITEMS, list)):
        check_value("k", value, hint)
    assert json_fault(nested(3), depth=3) is None
    assert json_fault(nested(4), depth=3) == "is nested deeper than 3"
    assert json_fault(["ab"], 3) is None
    assert json_fault(["abc"], 3) == "is larger than 3 characters"


def test_ends_of_what_is_taken_are_taken_and_nothing_beyond_them() -> None:
    assert [number_fault(edge) for edge in (MIN_INT, MAX_INT)] == [None, None]
    assert None not in [number_fault(beyond) for beyond in (MIN_INT - 1, MAX_INT + 1)]
    assert [time_fault(edge) for edge in (MIN_TIME, MAX_TIME)] == [None, None]
    assert None not in [time_fault(far) for far in (MIN_TIME - timedelta.resolution, MAX_TIME + timedelta.resolution)]


@pytest.mark.parametrize("name", refused.JSON)
def test_what_is_kept_beside_something_is_json_of_a_size(name: str) -> None:
    check_json("meta", {"a": [1, None, "b"]})
    with pytest.raises(InvalidInput, match=r"^meta: "):
        check_json("meta", refused.JSON[name])


@pytest.mark.parametrize("wrong", ["", "d", "5", "5y", "xd", "-1d", "1.5h", "99999999999d"])
def test_a_duration_is_a_whole_number_of_a_unit(wrong: str) -> None:
    with pytest.raises(InvalidInput, match="must be a whole number and one of s, m, h, d, w"):
        Keep(perceptual=wrong)  # pyright: ignore[reportArgumentType] - as a file says it


@pytest.mark.parametrize(("least", "told"), [(1, "must not be empty"), (2, "must have at least 2 characters")])
def test_a_text_that_is_too_short_is_told_how_long_it_must_be(least: int, told: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        TypeAdapter(Annotated[str, Field(min_length=least)]).validate_python("")
    assert wording(refusal.value.errors()[0]) == told


def test_what_a_memory_is_asked_with_are_texts() -> None:
    assert asked_with({ASKED_WITH: ["phone", 1, None]}) == ("phone",)
    assert (asked_with({ASKED_WITH: "phone"}), asked_with({})) == ((), ())


def test_no_time_is_in_order_and_one_of_no_zone_means_utc_where_it_is_given() -> None:
    naive = NOON.replace(tzinfo=None)
    check_time("k", None)
    with pytest.raises(InvalidInput):
        check_time("k", naive)
    check_argument("k", naive, datetime)
    check_argument("k", "x", str)
    assert (within_times(None), within_times(naive), within_times(NOON)) == (None, None, NOON)


def test_what_was_given_instead_is_named() -> None:
    given: list[tuple[object, str]] = [(None, "None"), (1, "an int"), ([0], "a list")]
    for value, named in given:
        with pytest.raises(InvalidInput, match=rf"^k: must be text, not {named}$"):
            check_value("k", value, str)


WRONG: tuple[tuple[type[BaseModel], dict[str, object], str], ...] = (
    (Persona, {"id": "a b", "name": "A"}, "id: must be of the form ^"),
    (Persona, {"id": "a", "name": "A", "language": "fr"}, "language: must be one of 'zh' or 'en'"),
    (Persona, {"id": "a", "name": "A", "memory": {"windows": {"turns": 0}}}, "memory.windows.turns: must be 1 or more"),
    (Persona, {"id": "a", "name": "A", "nope": 1}, "nope: is not known here"),
    (Persona, {"id": "a"}, "name: is missing"),
    (Settings, {"index": {"kind": "foo"}}, "index: unknown 'kind' 'foo'; allowed: 'edge', 'qdrant', 'memory'"),
    (Settings, {"cognition": {"engine": "llm"}}, "cognition.llm.model: is missing"),
    (Settings, {"data": 5}, "data: must be the path of a file or folder"),
    (Settings, {"queue": {"capacity": 1.5}}, "queue.capacity: must be a whole number"),
    (Person, {"name": ""}, "name: must not be empty"),
)


@pytest.mark.parametrize(("kind", "given", "told"), WRONG)
def test_what_is_wrong_is_told_in_words_of_our_own(kind: type[BaseModel], given: dict[str, object], told: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        kind(**given)
    assert str(refusal.value).startswith(told)
    assert not [
        word for word in ("Input should", "Value error", "String should", "pydantic") if word in str(refusal.value)
    ]


def test_a_text_may_be_as_long_as_allowed_and_no_longer() -> None:
    assert text_fault("x" * 9, 9) is None
    assert text_fault("x" * 10, 9) == "has 10 characters, allowed: 9"


@pytest.mark.parametrize(
    ("value", "hint", "told"),
    [
        ("c", Literal["a", "b"], "x: must be one of 'a', 'b', not"),
        (["a", 1], Sequence[str], "x[1]: must be text, not"),
        ([["a"], ["b", 2]], Sequence[Sequence[str]], "x[1][1]: must be text, not"),
        ("ab", Sequence[str], "x: must be a list, not"),
        ({"a": [1]}, Mapping[str, Sequence[str]], "x['a'][0]: must be text, not an int"),
        ({"a": "b"}, Mapping[str, Sequence[str]], "x['a']: must be a list, not a str"),
        ({1: ["b"]}, Mapping[str, Sequence[str]], "x: its key 1: must be text, not an int"),
        ({"a": 1}, Mapping[str, str], "x['a']: must be text, not"),
    ],
)
def test_what_does_not_fit_is_told_with_its_place_and_what_would(value: object, hint: Any, told: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_value("x", value, hint)
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize(("value", "expected"), [(["a"], True), (iter("ab"), True), ("ab", False), (b"ab", False)])
def test_a_text_is_no_series_of_texts(value: object, *, expected: bool) -> None:
    assert fits(value, Iterable[str]) is expected


def test_a_moment_stays_in_its_zone_where_that_is_some_minutes_away() -> None:
    shanghai = ZoneInfo("Asia/Shanghai")
    assert a_memory("x", valid_at=datetime(2026, 3, 9, tzinfo=shanghai)).valid_at.tzinfo is shanghai


@pytest.mark.parametrize("address", ["http://localhost:6333", "https://qdrant.example", "http://x:1"])
def test_an_address_that_can_be_called_is_taken(address: str) -> None:
    assert address_fault(address) is None


@pytest.mark.parametrize(
    "address",
    [
        "",
        "localhost:6333",
        "ftp://x",
        "http://",
        "http://a b",
        "http://x\n",
        "http://x:0",
        "http://x:99999",
        "http://[x",
    ],
)
def test_an_address_that_cannot_be_called_is_told_as_it_is(address: str) -> None:
    fault = address_fault(address)
    assert fault is not None
    assert "is no address" in fault
