"""`agentmem eval memory`, from dialogues to figures."""

from pathlib import Path

import pytest

from agentmem.evals.memory.memory_run import measure
from agentmem.runtime.configuration.settings import Settings
from tests.fixtures.talking_model import speaker
from tests.support.cli import ROOT, agentmem

GREENHOUSE = ROOT / "tests/fixtures/dialogues/en_greenhouse.yaml"


def test_a_dialogue_becomes_a_figure_for_each_measure(tmp_path: Path) -> None:
    found = agentmem("eval", "memory", GREENHOUSE, "--list", "--json", "--data", tmp_path / "own").json

    measures = {name: (tally["count"], tally["of"]) for name, tally in found["all"].items()}
    assert measures == {
        "found": (2, 2),
        "never": (1, 1),
        "ended": (1, 1),
        "wrong_endings": (0, 2),
        "once": (1, 1),
        "repeats": (0, measures["repeats"][1]),
        "recalls_first": (1, 1),
        "recalls": (1, 1),
        "as_of_first": (1, 1),
        "as_of": (1, 1),
        "answers": (2, 2),
        "wrong_answers": (0, 2),
    }
    (dialogue,) = found["dialogues"]
    assert dialogue["missed"] == []
    said = {each["memory"]["value"]: each["said"] for each in dialogue["list"]}
    assert said["garden@finch.example"] == ["Dora Finch: My email is now garden@finch.example"]
    assert not (tmp_path / "own").exists()


def test_what_is_missing_is_told_with_what_was_found_instead(tmp_path: Path) -> None:
    file = tmp_path / "dialogue.yaml"
    file.write_text(GREENHOUSE.read_text().replace("has: [tomato]", "has: [cucumber]"))

    ran = agentmem("eval", "memory", file, "--misses", "--list")

    assert ran.code == 0, ran.err
    assert "seedlings  cucumber; found: nothing" in ran.out
    assert "Dora Finch: I'd like to order forty tomato seedlings" in ran.out
    assert "50%" in ran.out


def test_a_mistake_in_a_dialogue_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "dialogue.yaml"
    file.write_text(GREENHOUSE.read_text().replace("never:", "nevr:"))

    ran = agentmem("eval", "memory", GREENHOUSE, file)

    assert (ran.code, f"{file}:22" in ran.err, "nevr" in ran.err) == (3, True, True)


async def test_a_judge_reads_the_dialogue_and_what_holds_of_it() -> None:
    model = speaker("1. stale - she gave a newer one\n**2: True**\n7 false\nnothing more")

    report = await measure(Settings(), [GREENHOUSE], judge=model.chat)

    (dialogue,) = report.dialogues
    first, second, *rest = dialogue.held
    judged = report.data(listed=True)["judge"]
    assert isinstance(judged, dict)
    assert [judged[truth]["count"] for truth in ("true", "stale", "false")] == [1, 1, 0]
    assert dialogue.judgements is not None
    assert dialogue.judgements[first.memory_id].why == "she gave a newer one"
    assert dialogue.judgements.keys() == {first.memory_id, second.memory_id}
    (seen,) = model.seen
    assert "[2026-04-14 09:00] Dora Finch: My email is now garden@finch.example" in seen
    assert f"{len(rest) + 2}. About Dora Finch: {dialogue.held[-1].content} (" in seen


def test_an_unknown_judge_is_one_line() -> None:
    ran = agentmem("eval", "memory", GREENHOUSE, "--judge", "nobody")

    assert (ran.code, "nobody" in ran.err) == (3, True)


def test_controls_tell_what_is_stated_and_must_not_be(tmp_path: Path) -> None:
    file = tmp_path / "controls.yaml"
    file.write_text(
        "- {say: My email is ann@mail.example, store: [], why: not so, in truth}\n"
        "- {say: My email is ann@mail.example, store: [ann@mail.example], not: [Ann Lee]}\n"
        "- {say: [{agent: Anything else?}, {customer: No thanks}], store: [tea], customer: Eve}\n"
    )

    found = agentmem("eval", "memory", file, "--json").json["controls"]

    assert (found["false"]["count"], found["stored"]["count"], found["stored"]["of"]) == (2, 1, 2)
    assert [bool(each["false"]) for each in found["list"]] == [True, True, False]


@pytest.mark.parametrize(
    ("wrong", "told"), [("store: tea", "store: must be a list"), ("store: [], says: 1", "says: unknown key")]
)
def test_a_mistake_in_a_control_is_one_line(tmp_path: Path, wrong: str, told: str) -> None:
    file = tmp_path / "controls.yaml"
    file.write_text(f"- {{say: I like tea, {wrong}}}\n")

    ran = agentmem("eval", "memory", file)

    assert (ran.code, f"{file}:1: " in ran.err, told in ran.err) == (3, True, True)


def test_the_figures_are_drawn_into_a_file(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib comes with the extras `plot` and `dev`")

    ran = agentmem("eval", "memory", GREENHOUSE, "--plot", tmp_path / "plain.png")

    assert (ran.code, "drawn into" in ran.out) == (0, True)
    assert (tmp_path / "plain.png").read_bytes().startswith(b"\x89PNG")


async def test_what_a_judge_said_is_drawn_too(tmp_path: Path) -> None:
    draw = pytest.importorskip("agentmem.evals.memory.plot", reason="matplotlib comes with the extra `plot`").draw

    draw(await measure(Settings(), [GREENHOUSE], judge=speaker("1 true\n2 stale").chat), tmp_path / "judged.png")

    assert (tmp_path / "judged.png").read_bytes().startswith(b"\x89PNG")


def test_a_plot_that_cannot_be_written_is_told_before_anything_is_played() -> None:
    ran = agentmem("eval", "memory", "nope.yaml", "--plot", "out.gif")

    assert (ran.code, ran.err) == (
        2,
        "agentmem: --plot 'out.gif': must be a file ending in .png in a folder that exists\n",
    )
