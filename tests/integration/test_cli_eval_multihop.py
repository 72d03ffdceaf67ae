"""`agentmem eval multihop`, from a folder to figures."""

import shutil
from pathlib import Path
from typing import get_args

import pytest

from agentmem.answers.answer import AskMode
from agentmem.errors import InvalidInput
from agentmem.language.tokens import tokens
from agentmem_evals.multihop.report import AskedOutcome
from agentmem_evals.multihop.world import MAX_HOPS, World, WorldQuestion, WorldSupport, read_world
from tests.support.cli import ROOT, agentmem

SMALL, WHOLE = ROOT / "tests/fixtures/multihop_small", ROOT / "tests/fixtures/multihop"


def test_a_folder_becomes_figures_by_mode_and_hops(tmp_path: Path) -> None:
    found = agentmem("eval", "multihop", SMALL, "--mode", "vector", "--json", "--data", tmp_path / "own").json

    assert (found["documents"], found["turns"], found["k"]) == (2, 3, 8)
    (row,), (held_out,) = found["open"], found["held_out"]
    assert row["mode"] == "vector"
    assert {name: figures["questions"] for name, figures in row["hops"].items()} == {"1": 1, "2": 1, "2+": 1}
    assert row["hops"]["1"] == {"questions": 1, "recall": 1.0, "complete": 1.0, "answered": 1.0, "right": 1.0}
    assert (row["unanswerable"], row["abstained"]) == (1, 1.0)
    assert held_out["all"]["right"] == 1.0
    assert not (tmp_path / "own").exists()


def test_every_mode_of_ask_is_measured_where_none_is_named() -> None:
    ran = agentmem("eval", "multihop", SMALL, "--depth", "1", "--depth", "2")

    assert ran.code == 0, ran.err
    assert all(mode in ran.out for mode in get_args(AskMode))
    assert "traverse, depth 1" in ran.out
    assert "vector, depth" not in ran.out
    assert "held-out questions" in ran.out


def test_a_mode_that_is_none_is_one_line() -> None:
    ran = agentmem("eval", "multihop", SMALL, "--mode", "guess")

    assert (ran.code, "--mode 'guess': allowed: " in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("{ in: lighthouse, says: Ada Thorne }", "{ in: lightship }", "rests on 'lightship'"),
        ("says: Ada Thorne", "says: Eve", "rests on 'lighthouse saying Eve'"),
        ('"ada-thorne#1"', '"ada-thorne#9"', "rests on 'ada-thorne#9'"),
        ("answers: [whistles]", "", "a question with support has answers"),
    ],
)
def test_a_question_that_rests_on_nothing_is_told_with_its_file(tmp_path: Path, old: str, new: str, wrong: str) -> None:
    folder = tmp_path / "world"
    shutil.copytree(SMALL, folder)
    file = folder / "questions.yaml"
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")

    with pytest.raises(InvalidInput, match=wrong) as error:
        read_world(folder)
    assert str(error.value).startswith(str(file))


def test_half_of_the_support_is_a_recall_of_one_half() -> None:
    support = (WorldSupport.model_validate({"in": "a"}), WorldSupport.model_validate({"in": "b#1"}))
    question = WorldQuestion(text="who?", support=support, answers=("Ada",))
    outcome = AskedOutcome(question, "vector", None, 1, "It was ada.")

    assert (outcome.recall, outcome.right) == (0.5, True)


@pytest.fixture(scope="module")
def world() -> World:
    return read_world(WHOLE)


def test_the_world_is_large_in_both_languages_and_has_questions_without_an_answer(world: World) -> None:
    hops = [question.hops for question in world.questions]
    assert len(world.documents) >= 40
    assert len(world.talks) >= 20
    assert sum(count > 0 for count in hops) >= 120
    assert hops.count(0) >= 20
    assert set(hops) == set(range(MAX_HOPS + 1))
    held = sum(question.held_out for question in world.questions)
    assert 0.28 <= held / len(hops) <= 0.36


def test_no_question_says_all_its_words_as_its_support_does_and_the_support_answers_it(world: World) -> None:
    for question in world.questions:
        support = " ".join(_text(world, support.source) for support in question.support)
        assert set(tokens(question.text)) - set(tokens(support)), question.text
        if question.support:
            assert any(answer.casefold() in support.casefold() for answer in question.answers), question.text


def _text(world: World, name: str) -> str:
    talk, _, number = name.partition("#")
    if not number:
        return world.documents[name].read_text("utf-8")
    return f"{world.talks[talk].person}: {world.talks[talk].turns[int(number) - 1].text}"
