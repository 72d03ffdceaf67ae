"""`make bench-peers`, as far as it goes without the peers: agentmem itself, and what is asked wrongly."""

import json
from importlib import import_module

import pytest

from tests.support.cli import ROOT

SMALL = ROOT / "tests" / "fixtures" / "retrieval" / "small.json"

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not (ROOT / "bench").is_dir(), reason="this copy comes without bench/"),
]


def main(options: tuple[str, ...]) -> None:
    """The command, in this process; what it measures has one of its own."""
    import_module("bench.peers.__main__").main(options)


def test_agentmem_is_measured_by_the_command_that_measures_its_peers(capfd: pytest.CaptureFixture[str]) -> None:
    main(("--data", str(SMALL), "--systems", "agentmem", "--json"))

    (figures,) = json.loads(capfd.readouterr().out)["systems"]
    assert (figures["turns"], figures["questions"]) == (7, 6)
    assert figures["recall"]["50"] == 1.0
    assert figures["embedder"].startswith("hash-")
    assert 0 < figures["p50"] <= figures["p95"]
    assert figures["against_agentmem"] == {}


def test_made_up_turns_measure_speed_alone(capfd: pytest.CaptureFixture[str]) -> None:
    main(("--turns", "30", "--systems", "agentmem"))

    out = capfd.readouterr().out
    assert "30 turns, 0 questions with evidence" in out
    assert "| – | – | – | – |" in out.splitlines()[-1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "give either DATA=FILE"),
        (("--data", "nowhere.json"), "there is no nowhere.json"),
        (("--turns", "10", "--systems", "mem1"), "no system 'mem1'"),
        (("--turns", "-1"), "TURNS is -1"),
        (("--data", "README.md", "--systems", "agentmem"), "README.md"),
    ],
)
def test_what_cannot_be_measured_is_said_in_one_line(
    options: tuple[str, ...], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(options)

    assert ended.value.code not in (None, 0)
    told = capfd.readouterr().err
    assert said in told
    assert "Traceback" not in told
