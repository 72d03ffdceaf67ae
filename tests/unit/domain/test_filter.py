"""Filters say what they mean, and what is no filter is refused in one line that names the place."""

from datetime import UTC, datetime
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from agentmem.domain.filter import AllOf, AnyOf, Compare, Filter, NotAny, holds, names_in_metadata, parse_filter
from agentmem.domain.memory import MemoryNode
from agentmem.errors import InvalidInput
from tests.support.filters import filters, leaves, nodes
from tests.support.nodes import NOON, a_memory

NODE = a_memory(
    "客户用的是SAP系统,Straße 5",
    key=("社保 管理系统", "SAP"),
    kind="software",
    importance=5,
    run_id="talk",
    valid_at=NOON,
    meta_data={
        "category": "work",
        "rating": 4.0,
        "paid": True,
        "one": 1,
        "zero": 0,
        "five": "5",
        "tags": ["red", "Blue", 7, None],
        "due": "2026-04-01",
        "nothing": None,
        "empty": [],
        "object": {},
        "客户": "vip",
    },
)


def _nested(depth: int) -> dict[str, Any]:
    given: dict[str, Any] = {"kind": "x"}
    for _ in range(depth):
        given = {"AND": [given]}
    return given


untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

REFUSED: list[tuple[object, str]] = [
    (None, "filters: must be an object such as {'kind': 'x'}, is None"),
    ([{"kind": "x"}], "filters: must be an object"),
    (
        {"OR": [{"kind": "x"}, {"importance": {"gtr": 5}}]},
        "filters.OR[1].importance: unknown operator 'gtr'; allowed: eq",
    ),
    ({"importance": {}}, "filters.importance: no condition; allowed: eq, ne, gt"),
    ({"OR": []}, "filters.OR: must be a list of at least one filter, is []"),
    ({"AND": {"kind": "x"}}, "filters.AND: must be a list"),
    ({"$not": [{}]}, "filters.$not[0]: an empty filter"),
    ({"NOT": ["x"]}, "filters.NOT[0]: must be an object"),
    ({1: "x"}, "filters: a field is a text, not 1"),
    ({"kind": None}, "filters.kind: eq takes one text, number, truth value or time; whether"),
    ({"kind": {"eq": {"a": 1}}}, "filters.kind: a value is a text, a number"),
    ({"kind": {"in": "x"}}, "filters.kind: in takes a list"),
    ({"kind": {"eq": ["x"]}}, "filters.kind: eq takes one"),
    ({"kind": {"in": [["x"]]}}, "filters.kind: a value is a text"),
    ({"kind": {"exists": 1}}, "filters.kind: exists takes true or false, not 1"),
    ({"kind": {"contains": ""}}, "filters.kind: contains needs some text, not ''"),
    ({"kind": {"icontains": 5}}, "filters.kind: icontains needs some text, not 5"),
    ({"importance": {"gt": True}}, "filters.importance: gt needs a number or a time"),
    ({"importance": {"gt": "high"}}, "filters.importance: gt needs a number or a time"),
    ({"importance": float("nan")}, "filters.importance: nan is nan, allowed: a finite number"),
    ({"importance": 2**63}, "filters.importance: 9223372036854775808 is a whole number that does not fit 64 bits"),
    ({"importance": 10**5000}, "is a whole number that does not fit 64 bits"),
    ({"kind": {"exists": 10**5000}}, "filters.kind: exists takes true or false, not"),
    ({"validAt": "yesterday"}, "filters.validAt: 'yesterday' is no time such as"),
    ({"validAt": "2026-02-30"}, "filters.validAt: '2026-02-30' is no time"),
    ({"validAt": 5}, "filters.validAt: 5 is no time"),
    ({"validAt": {"contains": "2026"}}, "filters.validAt: contains does not apply to a time"),
    (
        {"validAt": {"lt": "9999-01-01"}},
        "filters.validAt: 9999-01-01T00:00:00+00:00 lies too far away, allowed: between",
    ),
    ({"kind": "\ud800"}, "filters.kind: a text is valid Unicode"),
    ({"kind": "x" * 10_001}, "filters.kind: a text is valid Unicode of up to 10000 characters"),
    ({"kind": ["x"] * 1_001}, "filters.kind: 1001 values, allowed: 1000"),
    ({'a"] or ["b': "x"}, "filters.'a\"] or [\"b': a name in metaData has"),
    ({"a.b": "x"}, "filters.'a.b': a name in metaData has"),
    ({"metaData.": "x"}, "filters.'metaData.': a name in metaData has"),
    (
        {"memorytype": "x"},
        "filters.memorytype: no field 'memorytype', did you mean 'memoryType'? For your own: 'metaData",
    ),
    ({"AND": [{"userId": "x"}]}, "filters.AND[0].userId: no field 'userId', did you mean 'user_id'?"),
    ({"importence": 5}, "filters.importence: no field 'importence', did you mean 'importance'?"),
    ({"line\nbreak": "x"}, "filters.'line\\nbreak': a name in metaData has"),
    ({"AND": [{"kind": "x"}] * 201}, "filters: 201 conditions, allowed: 200"),
    (_nested(9), "nested deeper than 8"),
    (_nested(100_000), "nested deeper than 8"),
]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, True),
        ({"category": "work"}, True),
        ({"category": {"eq": "work"}}, True),
        ({"metaData.category": "work"}, True),
        ({"metadata.category": "work"}, True),
        ({"meta_data.category": "work"}, True),
        ({"metaData.memorytype": {"ne": "work"}}, True),
        ({"metaData.kind": "software"}, False),
        ({"category": "Work"}, False),
        ({"category": "work", "kind": "hardware"}, False),
        ({"客户": "vip"}, True),
        ({"importance": {"gte": 5, "lt": 8}}, True),
        ({"importance": {"gt": 5}}, False),
        ({"importance": 5.0}, True),
        ({"importance": "5"}, False),
        ({"rating": 4}, True),
        ({"five": 5}, False),
        ({"five": {"ne": 5}}, True),
        ({"paid": True}, True),
        ({"paid": 1}, False),
        ({"one": True}, False),
        ({"zero": False}, False),
        ({"paid": {"in": [False, "x", 1]}}, False),
        ({"tags": "red"}, True),
        ({"tags": {"in": [6, 7]}}, True),
        ({"tags": ["green", "Blue"]}, True),
        ({"tags": {"nin": ["red"]}}, False),
        ({"tags": {"gt": 6}}, True),
        ({"absent": {"ne": 1}}, True),
        ({"absent": {"nin": [1, "x"]}}, True),
        ({"absent": {"lt": 1}}, False),
        ({"absent": {"contains": "x"}}, False),
        ({"category": "*"}, True),
        ({"absent": "*"}, False),
        ({"nothing": "*"}, False),
        ({"empty": "*"}, False),
        ({"object": "*"}, True),
        ({"category": {"exists": False}}, False),
        ({"speaker": {"exists": False}}, True),
        ({"category": {"in": []}}, False),
        ({"category": {"nin": []}}, True),
        ({"content": {"contains": "用的是SAP"}}, True),
        ({"content": {"contains": "sap"}}, False),
        ({"content": {"icontains": "是sap系"}}, True),
        ({"content": {"icontains": "STRASSE"}}, True),
        ({"tags": {"icontains": "BLU"}}, True),
        ({"key": "社保管理系统"}, True),
        ({"key": ["“sap”", "x"]}, True),
        ({"key": {"ne": "ＳＡＰ"}}, False),
        ({"key": {"contains": "管理"}}, True),
        ({"memoryType": "observation"}, True),
        ({"memory_type": {"in": ["insight", "observation"]}}, True),
        ({"user_id": "罗小东"}, True),
        ({"agent_id": "seller", "run_id": "talk"}, True),
        ({"agent_id": "somebody else"}, False),
        ({"validAt": "2026-03-09T20:00:00+08:00"}, True),
        ({"valid_at": {"gte": "2026-03-09", "lt": "2026-03-10"}}, True),
        ({"validAt": {"gt": "2026-03-09 12:00"}}, False),
        ({"validAt": {"in": ["2026-03-09T12:00:00Z"]}}, True),
        ({"validAt": {"ne": datetime(2026, 3, 9, 12, tzinfo=UTC)}}, False),
        ({"invalidAt": {"lt": "2200-01-01"}}, False),
        ({"invalidAt": {"exists": False}}, True),
        ({"dt": {"gte": "2026-03-09", "lte": "2026-03-09T00:00:00Z"}}, True),
        ({"due": {"gt": "2026-03-31T23:59:59Z"}}, True),
        ({"due": {"gt": 5}}, False),
        ({"OR": [{"category": "x"}, {"rating": {"gt": 3}}]}, True),
        ({"NOT": [{"category": "x"}, {"rating": {"gt": 3}}]}, False),
        ({"NOT": [{"category": "x", "rating": 4}]}, True),
        ({"AND": [{"category": {"ne": "x"}}, {"category": {"ne": "y"}}], "kind": "software"}, True),
        ({"$or": [{"$and": [{"kind": "software"}, {"$not": [{"paid": False}]}]}]}, True),
    ],
)
def test_a_filter_means_what_its_words_say(given: object, expected: bool) -> None:
    assert holds(parse_filter(given), NODE) is expected


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_what_is_no_filter_is_refused_in_one_line(given: object, message: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        parse_filter(given)
    assert message in str(refusal.value)
    assert str(refusal.value).isprintable()
    assert len(str(refusal.value)) < 300


def test_the_deepest_and_the_widest_filter_are_read() -> None:
    assert not holds(parse_filter(_nested(8)), NODE)
    assert holds(parse_filter({"NOT": [{"kind": str(number)} for number in range(200)]}), NODE)


def test_without_parts_all_holds_any_does_not_and_none_does() -> None:
    assert [holds(kind(()), NODE) for kind in (AllOf, AnyOf, NotAny)] == [True, False, True]


def test_a_comparison_made_in_python_is_checked_as_well() -> None:
    for field in ("scoreRank", "memory_type", "evidence", "_run", "metaData", 'metaData."', "metaData.a[]"):
        with pytest.raises(InvalidInput):
            Compare(field, "exists")
    with pytest.raises(InvalidInput, match="UTC offset"):
        Compare("validAt", "eq", NOON.replace(tzinfo=None))
    with pytest.raises(InvalidInput, match="unknown operator"):
        Compare("kind", cast("Any", "like"), "x")


def test_every_field_but_the_hidden_ones_can_be_asked_for() -> None:
    hidden = {"actionStatus", "evidence", "metaData", "vector", "keyVector", "scoreRecall", "scoreRank", "scoreRerank"}
    for name, info in MemoryNode.model_fields.items():
        if info.alias in hidden:
            continue
        assert parse_filter({name: "*"}) == parse_filter({str(info.alias): "*"}) == Compare(str(info.alias), "exists")


@untimed
@given(st.lists(filters, min_size=1, max_size=3), nodes())
def test_groups_are_and_or_and_neither_nor(asked: list[Any], node: MemoryNode) -> None:
    each = [holds(parse_filter(item), node) for item in asked]
    assert holds(parse_filter({"AND": asked}), node) is all(each)
    assert holds(parse_filter({"OR": asked}), node) is any(each)
    assert holds(parse_filter({"NOT": asked}), node) is not any(each)


@untimed
@given(leaves, leaves, nodes())
def test_what_stands_side_by_side_holds_together(one: dict[str, Any], other: dict[str, Any], node: MemoryNode) -> None:
    assume(not one.keys() & other.keys())
    assert holds(parse_filter({**one, **other}), node) is holds(parse_filter({"AND": [one, other]}), node)


CONTRARY = {"ne": "eq", "nin": "in"}


@untimed
@given(leaves, nodes())
def test_ne_and_nin_are_the_contrary_of_eq_and_in_and_nothing_else_holds_of_what_is_absent(
    asked: dict[str, Any], node: MemoryNode
) -> None:
    wanted = parse_filter(asked)
    if not isinstance(wanted, Compare):
        return
    if contrary := CONTRARY.get(wanted.op):
        assert holds(wanted, node) is not holds(Compare(wanted.field, cast("Any", contrary), wanted.value), node)
    elif not holds(Compare(wanted.field, "exists"), node):
        assert not holds(wanted, node)


def _read(given: object) -> Filter | str:
    try:
        return parse_filter(given)
    except InvalidInput as refusal:
        return str(refusal)


@untimed
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["AND", "$not", "kind", "eq", "in", "exists", "validAt"]) | st.text(), inner
            )
        ),
    )
)
def test_any_json_is_a_filter_or_refused(given_json: Any) -> None:
    read = _read(given_json)
    assert read.isprintable() if isinstance(read, str) else isinstance(holds(read, NODE), bool)


@pytest.mark.parametrize(
    "name", ["category", "keys", "kinds", "languages", "target", "memory", "tags", "客户", "x" * 200]
)
def test_a_name_of_a_callers_own_is_looked_for_in_metadata(name: str) -> None:
    assert parse_filter({name: "x"}) == Compare(f"metaData.{name}", "eq", "x")


def test_a_filter_tells_which_names_it_looks_for_in_metadata() -> None:
    asked = {"typ": "x", "kind": "y", "OR": [{"typ": "z"}, {"metaData.paid": True}], "user_id": "4d7310e1"}
    assert names_in_metadata(parse_filter(asked)) == ("typ", "paid")
