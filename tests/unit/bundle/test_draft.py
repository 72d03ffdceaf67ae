"""Files appear whole or not at all, and who is killed while writing one leaves none of it to be read."""

import signal
from pathlib import Path

import pytest

from agentmem.agents.bundle.atomic_file import draft
from agentmem.errors import BackendUnavailable, InvalidInput
from tests.support.cli import started

SECRET = "what an agent knows"
WRITING = f"""
import sys, time
from pathlib import Path
from agentmem.agents.bundle import atomic_file as drafts
drafts._UNNAMED = drafts._UNNAMED if sys.argv[2] == "unnamed" else 0
with drafts.draft(Path(sys.argv[1]), force=False) as file:
    file.write({SECRET.encode()!r})
    file.flush()
    print("writing", flush=True)
    time.sleep(60)
"""


def written(file: Path) -> None:
    """Write another file there."""
    with draft(file, force=True) as out:
        out.write(b"another")


@pytest.mark.parametrize("kind", ["unnamed", "named"])
def test_who_is_killed_leaves_nothing_or_what_only_the_owner_reads_until_somebody_writes_there_again(
    tmp_path: Path, kind: str
) -> None:
    with started("-c", WRITING, tmp_path / "agent.zip", kind) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        begun = list(tmp_path.iterdir())
        written(tmp_path / "other.zip")
        assert set(begun) <= set(tmp_path.iterdir()), "what somebody is writing is left to him"
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert len(begun) == (kind == "named")
    assert all(path.stat().st_mode & 0o077 == 0 for path in begun)
    written(tmp_path / "other.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["other.zip"]


def test_a_file_appears_whole_for_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "agent.zip"
    with draft(file, force=False) as out:
        out.write(SECRET.encode())
        assert not file.exists()
    assert file.read_text() == SECRET
    assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(InvalidInput, match="is there already"), draft(file, force=False):
        pass
    with draft(file, force=True) as out:
        out.write(b"new")
    assert file.read_text() == "new"


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "agent.zip"
    written(file)
    with pytest.raises(TypeError), draft(file, force=True) as out:
        out.writelines([b"half", None])  # pyright: ignore[reportCallIssue, reportArgumentType] - so that it fails half way
    assert [path.name for path in tmp_path.iterdir()] == ["agent.zip"]
    assert file.read_text() == "another"
    with pytest.raises(BackendUnavailable, match="cannot be written"), draft(tmp_path / "absent" / "x.zip", force=True):
        pass
