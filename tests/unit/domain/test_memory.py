"""The fields of a memory: names on the wire, checks, and what a store never keeps."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from agentmem.domain.ids import memory_id
from agentmem.domain.memory import (
    ActionStatus,
    Ending,
    Evidence,
    MemoryNode,
    MemoryType,
    RecordType,
    StoreStatus,
    end_of_day,
    local_day,
)
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory

OTHER = "00000000-0000-5000-8000-00000000000b"
LONGTERM: dict[str, object] = {"memory_type": MemoryType.LONGTERM}
SESSION_ITEM: dict[str, object] = {**LONGTERM, "kind": "session_item"}


def test_the_wire_form_is_camel_case_and_reads_back_the_same() -> None:
    node = a_memory("AIP是B2B-7x", key=("AIP",), meta_data={"地点": {"城市": ["上海", "北京"], "n": 1}})
    wire = node.model_dump(mode="json")
    assert {"memoryId", "userName", "targetName", "metaData", "keyVector", "obsReflected", "scoreRerank"} <= set(wire)
    assert MemoryNode.model_validate(wire) == node
    assert MemoryNode.model_validate_json(node.model_dump_json()) == node


def test_a_long_text_is_stored_whole_and_as_it_was_written() -> None:
    text = "AIP Ｂ2B-7x 价格￥3,000 " * 300
    assert a_memory(text).content == text


def test_dashed_and_plain_hex_ids_are_one() -> None:
    dashed = memory_id(TENANT, AGENT, "e", "conversation", 0)
    assert a_memory("x", memory_id=dashed.replace("-", "").upper()).memory_id == dashed


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("memory_type", "dream"),
        ("latitude", 90.5),
        ("longitude", -181),
        ("importance", 10),
        ("content", ""),
        ("tenant", "*"),
        ("tenant", " acme"),
        ("tenant", "a\nb"),
        ("relation", "worksAt"),
        ("dt", "20260309"),
        ("valid_at", datetime(2026, 1, 1)),  # noqa: DTZ001 - a naive time is the point
        ("invalid_at", NOON - timedelta(days=1)),
        ("surprise", 1),
    ],
)
def test_what_does_not_fit_is_refused(field: str, value: object) -> None:
    with pytest.raises(ValidationError):
        MemoryNode.model_validate({**dict(a_memory("x")), field: value})


@pytest.mark.parametrize(
    ("turn", "place"), [(3, f"{TARGET}/talk/3"), (True, None), ("3", None), (3.0, None), (None, None)]
)
def test_a_turn_has_a_place_where_its_number_is_one(turn: JsonValue, place: str | None) -> None:
    assert a_memory("m", memory_type=MemoryType.CONVERSATION, meta_data={"turnIndex": turn}).place == place


def test_a_place_needs_both_coordinates() -> None:
    with pytest.raises(ValidationError, match="go together"):
        a_memory("x", latitude=31.2)


def test_intents_vectors_and_scores_are_never_stored() -> None:
    node = a_memory("x", action_status="delete", vector=(1.0,), key_vector=((1.0,),), score_rank=0.5)
    assert node.action_status is ActionStatus.DELETED
    stored = node.stored()
    assert stored.action_status is ActionStatus.NONE
    assert (stored.vector, stored.key_vector, stored.score_rank) == (None, None, None)


def test_an_ended_memory_keeps_its_past() -> None:
    later = NOON + timedelta(days=3)
    ended = a_memory("x").ended(at=later, now=later)
    assert (ended.store_status, ended.invalid_at, ended.revision) == (StoreStatus.EXPIRED, later, 2)


def test_a_retired_memory_was_never_true() -> None:
    retired = a_memory("x").retired(now=NOON + timedelta(days=3))
    assert retired.invalid_at == retired.valid_at


def test_a_memory_without_a_run_is_seen_in_every_run() -> None:
    scope = Scope(TENANT, AGENT, TARGET, "talk")
    assert a_memory("x", run_id=None).within(scope)
    assert a_memory("x").within(scope)
    assert not a_memory("x", run_id="other").within(scope)
    assert not a_memory("x", tenant="rival").within(scope)


@pytest.mark.parametrize("bad", ["", " ", "*", "a" * 201, "tab\t", "x "])
def test_a_scope_cannot_be_vague(bad: str) -> None:
    with pytest.raises(InvalidInput):
        Scope(bad, AGENT)
    with pytest.raises(InvalidInput):
        Scope(TENANT, bad)


def test_the_day_is_that_of_the_turns_own_offset() -> None:
    shanghai = datetime.fromisoformat("2024-12-26T23:59:00+08:00")
    assert local_day(shanghai) == "2024-12-26"
    assert local_day(shanghai.astimezone(UTC)) == "2024-12-26"
    assert local_day(shanghai + timedelta(minutes=2)) == "2024-12-27"
    assert end_of_day(shanghai) == datetime.fromisoformat("2024-12-27T00:00:00+08:00")


def test_a_memory_is_shown_by_when_it_was_true_and_by_when_that_was_known() -> None:
    def day(number: float) -> datetime:
        return NOON + timedelta(days=number)

    phone = a_memory("12345678901", valid_at=day(0), created_at=day(2))
    ended = phone.ended(at=day(5), now=day(8))
    assert [phone.is_shown(day(9), as_of=at) for at in (day(-1), day(0), day(6))] == [False, True, True]
    assert [ended.is_shown(day(9), as_of=at) for at in (day(-1), day(0), day(5))] == [False, True, False]
    assert [ended.is_shown(day(9), as_of=day(6), known_at=at) for at in (day(1), day(7), day(8))] == [
        False,
        True,
        False,
    ]
    assert [phone.is_shown(day(9), known_at=at) for at in (day(1), day(2))] == [False, True]
    assert (phone.is_shown(day(9)), ended.is_shown(day(9))) == (True, False)


def test_what_is_yet_to_come_is_shown_to_whoever_asks_after_it_was_told() -> None:
    plan = a_memory("下周去上海", valid_at=NOON + timedelta(days=7), created_at=NOON)
    assert plan.is_shown(NOON)
    assert plan.is_shown(NOON + timedelta(days=9), known_at=NOON)
    assert plan.is_shown(NOON, as_of=NOON)
    assert not plan.is_shown(NOON, as_of=NOON - timedelta(minutes=1))
    assert not plan.retired(now=NOON).is_shown(NOON, as_of=NOON)
    told = Evidence(memory_id=plan.memory_id, start=0, end=1, said_at=NOON - timedelta(days=1))
    assert plan.revised(evidence=(told,)).is_shown(NOON, as_of=NOON - timedelta(hours=1))
    assert not plan.revised(store_status=StoreStatus.DELETED).is_shown(NOON, as_of=NOON + timedelta(days=8))


def test_the_hour_that_comes_twice_is_two_hours() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    first, second = (datetime(2026, 10, 25, 2, 30, fold=fold, tzinfo=berlin) for fold in (0, 1))
    node = a_memory("between the two", valid_at=first.astimezone(UTC), invalid_at=second.astimezone(UTC))
    assert node.holds_at(first)
    assert not node.holds_at(second)


@pytest.mark.parametrize(
    ("fields", "ending"),
    [
        ({"invalid_at": NOON + timedelta(days=1)}, Ending.ENDED),
        ({"invalid_at": NOON + timedelta(days=1), "superseded_by": OTHER}, Ending.SUPERSEDED),
        ({"invalid_at": NOON, "expired_at": NOON + timedelta(days=1), "superseded_by": OTHER}, Ending.RETIRED),
        ({"invalid_at": NOON, "expired_at": NOON}, Ending.OVER_WHEN_TOLD),
        ({"invalid_at": NOON, "expired_at": NOON, "memory_type": MemoryType.LONGTERM}, Ending.OVER_WHEN_TOLD),
        ({"invalid_at": NOON, "expired_at": NOON, **SESSION_ITEM}, Ending.RECORD),
        ({"expired_at": NOON + timedelta(days=90)}, Ending.FADED),
        ({"store_status": StoreStatus.DELETED}, Ending.FORGOTTEN),
    ],
)
def test_a_memory_written_before_there_were_endings_says_why_it_is_over(
    fields: dict[str, object], ending: Ending
) -> None:
    assert a_memory("x", **{"store_status": StoreStatus.EXPIRED, **fields}).ending is ending


@pytest.mark.parametrize(
    ("fields", "record"),
    [
        (SESSION_ITEM, RecordType.SESSION_ITEM),
        ({**LONGTERM, "kind": "document", "meta_data": {"assetId": "a", "pieces": []}}, RecordType.DOCUMENT),
        ({**LONGTERM, "kind": "item", "meta_data": {"place": ["a"], "itemKey": "b"}}, RecordType.ITEM),
        ({**LONGTERM, "kind": "document"}, None),
        ({**LONGTERM, "kind": "item"}, None),
        ({"kind": "session_item"}, None),
        (LONGTERM, None),
    ],
)
def test_a_record_written_before_records_said_so_is_known_by_its_kind(
    fields: dict[str, object], record: RecordType | None
) -> None:
    node = a_memory("x", **fields)
    assert node.record is record
    wire = {name: value for name, value in node.model_dump(mode="json").items() if name != "record"}
    assert MemoryNode.model_validate(wire) == node


def test_a_valid_memory_has_no_ending() -> None:
    assert a_memory("x").ending is None
    with pytest.raises(InvalidInput, match="no ending"):
        a_memory("x").ended(at=NOON, now=NOON).revised(store_status=StoreStatus.VALID)
