"""The three formats of retrieval data, and what is said of a mistake in them."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agentmem.errors import InvalidInput
from agentmem_evals.retrieval.datasets import read_dataset
from tests.support.cli import ROOT

SMALL = ROOT / "tests" / "fixtures" / "retrieval"
LOCOMO, JSONL, MADIAL = SMALL / "small.json", SMALL / "small.jsonl", SMALL / "small_madial"


def test_locomo_sessions_come_in_their_order_with_their_times() -> None:
    garden, boat = read_dataset(LOCOMO)

    assert [(turn.id, turn.session) for turn in garden.turns] == [
        ("D1:1", "1"),
        ("D1:2", "1"),
        ("D1:3", "1"),
        ("D2:1", "2"),
        ("D2:2", "2"),
    ]
    assert garden.turns[2].at == datetime(2024, 3, 1, 14, 30, 40, tzinfo=UTC)
    assert garden.turns[3].at == datetime(2024, 3, 9, 0, 5, tzinfo=UTC)
    assert (garden.turns[4].speaker, garden.turns[4].caption) == ("Ida", "a photo of a tortoise eating lettuce")
    assert boat.scope == "boat"


def test_locomo_evidence_is_read_out_of_the_strings_as_far_as_it_is_there() -> None:
    garden, _ = read_dataset(LOCOMO)

    assert [sorted(question.evidence) for question in garden.questions] == [
        ["D1:1"],
        ["D1:2", "D1:3"],
        ["D2:2"],
        ["D1:1"],
        [],
    ]
    assert [question.answerable for question in garden.questions] == [True, True, True, False, False]
    assert garden.skipped == 1


def test_jsonl_turns_follow_one_another_where_they_do_not_say_when() -> None:
    (ann,) = read_dataset(JSONL)

    assert ann.turns[1].at - ann.turns[0].at == timedelta(seconds=20)
    assert (ann.turns[1].speaker, ann.turns[1].caption) == ("ann", "a pet cat on a sofa")
    assert [(question.id, question.category, question.answerable) for question in ann.questions] == [
        ("q1", "1", True),
        ("q2", None, False),
    ]


def test_madial_asks_once_with_all_that_was_said_before_the_memory_is_needed() -> None:
    one, two = read_dataset(MADIAL)

    assert [turn.id for turn in one.turns] == ["1", "2"]
    (question,) = one.questions
    assert question.text == '"今天风好大,想去湖边放风筝!" "好主意。" "带什么好呢?"'
    assert question.evidence == {"1"}
    assert ([question.id for question in two.questions], two.skipped) == (["1"], 1)


def changed(path: Path, old: str, new: str, folder: Path) -> Path:
    text = path.read_text("utf-8")
    assert old in text
    other = folder / path.name
    other.write_text(text.replace(old, new, 1), "utf-8")
    return other


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"qa": [\n', '"qa": [,\n', ":20: not JSON: "),
        ('"dia_id": "D1:2", ', "", ":15: [0].conversation.session_1[1].dia_id: is missing"),
        (
            '"I planted forty tulip bulbs along the fence."',
            "40",
            ":14: [0].conversation.session_1[0].text: must be text",
        ),
        ('"D1:3", "text"', '"D1:2", "text"', ":16: [0].conversation.session_1[2].dia_id: D1:2 is another turn already"),
        (
            "2:30 pm on 1 March, 2024",
            "yesterday",
            ":12: [0].conversation.session_1_date_time: must be a time such as 1:56 pm on 8 May, 2023",
        ),
        (
            '"session_1_date_time": "6:15',
            '"session_9_date_time": "6:15',
            ":33: [1].conversation.session_1: needs its time under session_1_date_time",
        ),
        ('"category": 4}', '"category": []}', ":21: [0].qa[0].category"),
    ],
)
def test_a_mistake_in_locomo_is_one_line_with_its_place(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = changed(LOCOMO, old, new, tmp_path)

    with pytest.raises(InvalidInput) as raised:
        read_dataset(path)

    assert str(raised.value).startswith(f"{path}{said}")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"evidence": ["t2"]', '"evidence": ["t9"]', ":1: evidence: no turn 't9' in scope 'ann'"),
        ('"at": "2024-05-01T10:00:00+02:00", ', "", ":2: at: is missing; the first turn of a scope says when it was"),
        ('"at": "2024-05-01T10:00:00+02:00"', '"at": "2024-05-01T10:00:00"', ":2: at: needs a UTC offset"),
        ('"caption"', '"captoin"', ":3: captoin: unknown key 'captoin', did you mean 'caption'?; allowed: type, scope"),
        ('"id": "t3"', '"id": "t1"', ":5: id: 't1' is another turn of scope 'ann' already"),
        ('"type": "turn", "scope": "ann", "id": "t3"', '"type": "trun"', ":5: type: unknown value 'trun'; allowed: "),
        ('"scope": "ann", "id": "q2"', '"scope": "bob", "id": "q2"', ":6: scope: 'bob' has no turns"),
        ('"id": "q2", ', '"id": "q2" ', ":6: not JSON: "),
    ],
)
def test_a_mistake_in_jsonl_is_one_line_with_its_place(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = changed(JSONL, old, new, tmp_path)

    with pytest.raises(InvalidInput) as raised:
        read_dataset(path)

    assert str(raised.value).startswith(f"{path}{said}")


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("memory", "2024-03-05", "2024-13-05", ":2: 2.time: there is no day 2024-13-05"),
        ("memory", '"event"', '"evnt"', ":1: 1.event: is missing"),
        ("dialogue", '"test-turn"', '"turns"', ":1: test-turn: is missing"),
        ("dialogue", '"user-id": 2, "id": 1', '"user-id": 5, "id": 1', ":2: user-id: user 5 has no memories"),
        ("dialogue", '"test-turn": [2], "relevant-id": [7]', '"test-turn": [1], "relevant-id": [7]', ":2: test-turn: "),
    ],
)
def test_a_mistake_in_madial_is_one_line_with_its_place(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    for path in MADIAL.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    path = changed(MADIAL / f"small-{file}.json", old, new, tmp_path)

    with pytest.raises(InvalidInput) as raised:
        read_dataset(tmp_path)

    assert str(raised.value).startswith(f"{path}{said}")


def test_what_is_not_there_or_not_text_is_one_line(tmp_path: Path) -> None:
    latin = tmp_path / "latin.json"
    latin.write_bytes(b'[\n"caf\xe9"]')

    with pytest.raises(InvalidInput, match=r"nope.json: cannot be read"):
        read_dataset(tmp_path / "nope.json")
    with pytest.raises(InvalidInput, match=r"latin.json:2: not UTF-8"):
        read_dataset(latin)
    with pytest.raises(InvalidInput, match=r"must hold one file \*-memory.json, and holds 0"):
        read_dataset(tmp_path)


def test_a_conversation_without_sessions_says_where_they_belong(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps([{"conversation": {"speaker_a": "Ida"}, "qa": []}]), "utf-8")

    with pytest.raises(InvalidInput, match=r"x.json:1: \[0\].conversation: has no turns"):
        read_dataset(path)
