"""What is copied to be read goes with its process, and where that was killed, with the next one."""

import signal
import tempfile
from pathlib import Path

import pytest

from agentmem.private_files import scratch_folder
from tests.support.cli import started

COPYING = """
import time
from agentmem.private_files import scratch_folder
with scratch_folder("index") as folder:
    (folder / "copy").write_text("what an agent knows")
    print("copied", flush=True)
    time.sleep(60)
"""


def test_what_a_killed_process_left_is_removed_and_what_is_in_use_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with started("-c", COPYING, TMPDIR=str(tmp_path)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "copied\n"
        (theirs,) = tmp_path.iterdir()
        assert theirs.stat().st_mode & 0o077 == 0
        with scratch_folder("index") as ours:
            assert {*tmp_path.iterdir()} == {theirs, ours}
        assert [*tmp_path.iterdir()] == [theirs], "it is in use"
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert theirs.exists()
    with scratch_folder("index"):
        assert not theirs.exists()
    assert not [*tmp_path.iterdir()]
