"""With too little memory a command ends with one clear line, and whatever is being loaded, SIGTERM ends it."""

import signal
import sys
from pathlib import Path

import pytest

from agentmem.adapters.memory_index.spare_room import left_in
from tests.support.cli import ROOT, agentmem, python, started

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("embedded_index_throughout")]

LIMITED = """
import resource, sys
from agentmem.interfaces.cli.main import main
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]) << 20, resource.RLIM_INFINITY))
sys.exit(main(sys.argv[2:]))
"""

STUCK = """
import ctypes, sys
print("loading", file=sys.stderr, flush=True)
ctypes.PyDLL(None).sleep(60)  # holds the interpreter all the while
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to a limit of addresses")
@pytest.mark.longer
def test_a_process_that_may_have_too_little_memory_says_so_and_harms_nothing(tmp_path: Path, longer: int) -> None:
    data = ("--data", tmp_path / "data")
    assert agentmem("say", "aip_sales", "--from", "Ben", "My phone number is 555 0100", "--end", *data).code == 0
    for megabytes in (280, 700, 1_000) if longer == 1 else (280, 400, 700, 900, 1_000):
        ran = python("-c", LIMITED, str(megabytes), "recall", "phone", "--agent", "aip_sales", *data)
        assert ran.code == 4, (megabytes, ran)
        assert ran.err.count("\n") == 1, ran
        assert "enough memory" in ran.err or "too little memory" in ran.err
    assert list((tmp_path / "data").glob("index/*.seal")), "the index was not touched"
    assert "555 0100" in agentmem("recall", "phone", "--agent", "aip_sales", *data).out


def test_sigterm_ends_a_command_while_what_it_loads_holds_the_interpreter(tmp_path: Path) -> None:
    (tmp_path / "stuck.py").write_text(STUCK)
    options = ("--data", tmp_path / "data", "--set", 'worker_modules=["stuck"]')
    with started("-m", "agentmem", "queue", *options, PYTHONPATH=f"{ROOT}:{tmp_path}") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "loading\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10) == -signal.SIGTERM


def test_what_a_cgroup_has_left_counts_what_it_keeps_of_files(tmp_path: Path) -> None:
    (tmp_path / "memory.current").write_text("900\n")
    (tmp_path / "memory.stat").write_text("anon 500\ninactive_file 300\nactive_file 50\nslab 5\n")
    (tmp_path / "memory.max").write_text("max\n")
    assert list(left_in(tmp_path)) == []
    (tmp_path / "memory.max").write_text("1000\n")
    assert list(left_in(tmp_path)) == [450]
    assert list(left_in(tmp_path / "absent")) == []
