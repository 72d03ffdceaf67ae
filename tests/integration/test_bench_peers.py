"""`make bench-peers`, as far as it goes without the peers: agentmem itself, and what is asked wrongly."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli import ROOT

SMALL = ROOT / "tests" / "fixtures" / "retrieval" / "small.json"

pytestmark = pytest.mark.skipif(not (ROOT / "bench").is_dir(), reason="this copy comes without bench/")


def peers(*options: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.peers", *map(str, options)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_agentmem_is_measured_by_the_command_that_measures_its_peers() -> None:
    done = peers("--data", SMALL, "--systems", "agentmem", "--json")

    (figures,) = json.loads(done.stdout)["systems"]
    assert (figures["turns"], figures["questions"]) == (7, 6)
    assert figures["recall"]["50"] == 1.0
    assert figures["embedder"].startswith("hash-")
    assert 0 < figures["p50"] <= figures["p95"]
    assert figures["against_agentmem"] == {}


def test_made_up_turns_measure_speed_alone() -> None:
    done = peers("--turns", "30", "--systems", "agentmem")

    assert "30 turns, 0 questions with evidence" in done.stdout
    assert "| – | – | – | – |" in done.stdout.splitlines()[-1]


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
def test_what_cannot_be_measured_is_said_in_one_line(options: tuple[str, ...], said: str) -> None:
    done = peers(*options)

    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr
