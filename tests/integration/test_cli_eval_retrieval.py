"""`agentmem eval retrieval`, from a file to figures."""

import json
import struct
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from agentmem_evals.retrieval.dataset import DatasetQuestion, cut
from agentmem_evals.retrieval.datasets import READERS, read_dataset
from agentmem_evals.retrieval_command import Format
from tests.support.cli import ROOT, agentmem

SMALL = ROOT / "tests" / "fixtures" / "retrieval"
LOCOMO, JSONL, MADIAL = SMALL / "small.json", SMALL / "small.jsonl", SMALL / "small_madial"


def test_the_formats_on_the_command_line_are_those_there_are_readers_for() -> None:
    assert get_args(Format) == tuple(READERS)


def test_locomo_gives_turns_sessions_speed_and_counts(tmp_path: Path) -> None:
    found = agentmem("eval", "retrieval", LOCOMO, "--format", "locomo", "--json", "--data", tmp_path / "own").json

    assert (found["questions"], found["skipped"], found["stored"]) == (6, 1, 7)
    assert found["categories"] == {"1": 2, "4": 3, "5": 1}
    assert list(found["turns"]) == list(found["sessions"]) == ["all", "1", "4", "5"]
    assert found["turns"]["4"]["hit@1"] == 1.0
    assert found["turns"]["all"]["recall@50"] == 1.0
    assert found["sessions"]["all"]["hit@1"] == 1.0
    assert found["embedder"].startswith("hash-")
    assert 0 < found["p50_ms"] <= found["p95_ms"]
    assert found["turns_per_second"] > 0
    assert not (tmp_path / "own").exists()


def test_a_caption_is_found_by_its_words_and_nothing_has_sessions_that_has_none() -> None:
    found = agentmem("eval", "retrieval", JSONL, "--json").json

    assert found["questions"] == 1
    assert found["turns"]["1"]["hit@1"] == 1.0
    assert "sessions" not in found


def test_chinese_memories_are_asked_per_user() -> None:
    found = agentmem("eval", "retrieval", MADIAL, "--json").json

    assert (found["questions"], found["skipped"], found["stored"]) == (2, 1, 3)
    assert found["turns"] == {"all": found["turns"]["all"]}
    assert found["turns"]["all"]["hit@1"] == 1.0
    assert "abstention" not in found


def test_questions_about_others_show_how_well_abstaining_works() -> None:
    plain = agentmem("eval", "retrieval", LOCOMO, "--json").json["abstention"]
    found = agentmem("eval", "retrieval", LOCOMO, "--others", "--json").json["abstention"]

    assert (plain["answerable"], plain["others"]) == (5, 2)
    assert "elsewhere_refused" not in plain
    assert (found["answerable"], found["others"]) == (5, 2 + 7)
    assert 0.5 < found["told_apart"] <= 1
    assert [found["threshold"], found["answerable_kept"], found["others_refused"]] in found["curve"]
    assert all(0 <= share <= 1 for _, *shares in found["curve"] for share in shares)


def test_more_k_can_be_asked_for() -> None:
    found = agentmem("eval", "retrieval", LOCOMO, "-k", "1", "-k", "3", "--json").json

    assert found["turns"]["all"]["recall@1"] <= found["turns"]["all"]["recall@3"] <= found["turns"]["all"]["recall@5"]


def test_another_embedder_is_set_as_everywhere() -> None:
    assert agentmem("eval", "retrieval", JSONL, "--set", "embedder=hash-64", "--json").json["embedder"] == "hash-64"


def test_a_model_is_neither_needed_nor_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    options = ("--set", "cognition.engine=llm", "--set", "cognition.model=openai:gpt-5-mini")

    assert agentmem("eval", "retrieval", JSONL, *options, "--json").json["questions"] == 1


def test_statements_go_through_memory_and_are_found_by_what_was_made_of_them_too(tmp_path: Path) -> None:
    path = tmp_path / "told.jsonl"
    told = ["I moved to Porto in March.", "My sister Ines is allergic to peanuts.", "The bus was full this morning."]
    turns = [
        {
            "type": "turn",
            "scope": "rui",
            "id": f"t{place}",
            "session": "s",
            "text": text,
            "at": f"2024-05-0{place}T09:00Z",
        }
        for place, text in enumerate(told, 1)
    ]
    question = {"type": "question", "scope": "rui", "id": "q", "text": "What is Ines allergic to?", "evidence": ["t2"]}
    path.write_text("\n".join(map(json.dumps, [*turns, question])), encoding="utf-8")

    found = agentmem("eval", "retrieval", path, "--statements", "--json", "--data", tmp_path / "own").json

    assert (found["statements"], found["questions"], found["stored"]) == (True, 1, 3)
    assert found["turns"]["all"]["hit@1"] == 1.0
    assert "sessions" not in found
    assert not (tmp_path / "own").exists()


def test_of_a_long_conversation_the_first_answers_are_kept_with_what_stands_beside_them() -> None:
    [whole] = read_dataset(JSONL)
    turns = tuple(replace(whole.turns[0], id=f"t{place}") for place in range(100))
    asked = tuple(
        DatasetQuestion(f"q{place}", "What?", frozenset({f"t{place}"}) if place else frozenset())
        for place in (40, 60, 90, 0)
    )

    part = cut(replace(whole, turns=turns, questions=asked), 5)

    assert [turn.id for turn in part.turns] == ["t39", "t40", "t41", "t59", "t60"]
    assert [question.id for question in part.questions] == ["q40", "q60", "q0"]
    assert cut(replace(whole, turns=turns, questions=asked), 200).turns == turns


def test_people_are_shown_tables() -> None:
    shown = agentmem("eval", "retrieval", LOCOMO, "--others").out

    for words in ("turns", "sessions", "abstaining", "recall@10", "6 questions (1 skipped", "hash-"):
        assert words in shown


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nope.json"], 3, "nope.json: cannot be read"),
        ([JSONL, "--format", "locomo"], 3, "small.jsonl:2: not JSON"),
        ([JSONL, "--others"], 3, "one conversation only"),
        ([LOCOMO, "--format", "csv"], 2, "--format"),
        ([LOCOMO, "-k", "51"], 2, "-k"),
        ([LOCOMO, "--turns", "1"], 2, "--turns"),
        ([LOCOMO, "--statements", "--profile", "verbatim"], 2, "--profile: a Memory has none"),
        ([LOCOMO, "--plot", "nowhere/out.png"], 2, "--plot 'nowhere/out.png': must be a file ending in .png"),
        ([LOCOMO, "--plot", "out.gif"], 2, "--plot 'out.gif': must be a file ending in .png"),
    ],
)
def test_what_cannot_be_measured_is_one_line(arguments: list[Any], code: int, said: str) -> None:
    result = agentmem("eval", "retrieval", *arguments)

    assert (result.code, result.out) == (code, "")
    assert said in result.err
    assert result.err.count("\n") == 1


def test_a_file_without_evidence_has_nothing_to_measure(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(
        '{"type": "turn", "scope": "a", "id": "1", "text": "x", "at": "2024-01-01T00:00:00Z"}\n', encoding="utf-8"
    )

    result = agentmem("eval", "retrieval", path)

    assert (result.code, "nothing to measure" in result.err) == (3, True)


def test_the_figures_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib comes with the extras `plot` and `dev`")
    path = tmp_path / "out.png"

    result = agentmem("eval", "retrieval", LOCOMO, "--plot", path)

    head = path.read_bytes()[:24]
    assert result.code == 0
    assert head.startswith(b"\x89PNG")
    assert struct.unpack(">II", head[16:]) == (1650, 750)


def test_without_matplotlib_the_extra_is_named_before_anything_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delitem(sys.modules, "agentmem_evals.retrieval.plot", raising=False)
    for name in ("matplotlib", "matplotlib.axes", "matplotlib.figure", "matplotlib.ticker"):
        monkeypatch.setitem(sys.modules, name, None)

    result = agentmem("eval", "retrieval", "nope.json", "--plot", tmp_path / "out.png")

    assert result.code == 2
    assert result.err == 'agentmem: plots need: pip install "agentmem-framework[plot]"\n'
