"""A disk that fails: calls of the C library counted, refused or deadly at the n-th, and what a power cut would leave.

The layer itself is `syscalls.c`, compiled once and loaded before the C library into processes that ask for it with
`environment()`. No device is waited for: what is durable is what the shadow holds, and a kill takes nothing. There is
nothing to compile it with on some machines; `available()` says so.
"""

import ctypes
import os
import shutil
import subprocess
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).with_name("syscalls.c")
DIE: Final = -1
"""Instead of an errno: the process group is killed."""

CALLS: Final = ("write", "fsync", "ftruncate", "rename", "unlink", "mkdir", "open", "mmap")
"""What is told apart; `open` counts only where it may write or create."""


@cache
def library() -> Path | None:
    """The compiled layer; None where this is not Linux or has no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or os.uname().sysname != "Linux":
        return None
    name = f"agentmem-disk-{os.getuid()}-{sha256(SOURCE.read_bytes()).hexdigest()[:16]}.so"
    made = Path(tempfile.gettempdir()) / name
    if not made.exists():
        draft = made.with_suffix(f".{os.getpid()}")
        command = [compiler, "-shared", "-fPIC", "-O1", "-w", "-U_FILE_OFFSET_BITS", "-o", str(draft), str(SOURCE)]
        subprocess.run([*command, "-ldl", "-lpthread"], check=True)
        draft.rename(made)
    return made


def available() -> bool:
    """Whether processes can be given such a disk here."""
    return library() is not None


def environment() -> dict[str, str]:
    """What a process must be started with; nothing, where there is no layer."""
    made = library()
    return {} if made is None else {"LD_PRELOAD": str(made)}


class Disk:
    """The layer within this process, which was started with `environment()`."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._library.disk_calls.restype = ctypes.c_long
        self._library.disk_arm.argtypes = (
            *(ctypes.c_char_p, ctypes.c_char_p),
            *(ctypes.c_long, ctypes.c_int, ctypes.c_int),
        )

    def count(self, folder: Path, calls: str = "*") -> None:
        """Count calls on files below the folder, from now on."""
        self.arm(folder, calls, 0, 0)

    def arm(self, folder: Path, calls: str, nth: int, outcome: int, *, lasting: bool = False) -> None:
        """Let the n-th of these calls from now on fail with an errno, or end the process; `lasting`: all after too."""
        self._library.disk_arm(os.fsencode(folder.resolve()), calls.encode(), nth, outcome, lasting)

    def hasten(self, folder: Path) -> None:
        """Let nothing below the folder wait for the device: a kill takes none of what was written."""
        self.arm(folder, "", 0, 0)

    def disarm(self) -> None:
        """Let everything pass again."""
        self._library.disk_arm(b"", b"", 0, 0, 0)

    @property
    def calls(self) -> int:
        """Calls since the layer was armed."""
        return self._library.disk_calls()

    def shadow(self, folder: Path, keep: Path) -> None:
        """Keep what is durable of a folder: all that is there now, and from now on what is made so."""
        keep.mkdir(parents=True)
        root = folder.resolve()
        self._library.disk_shadow(os.fsencode(root), os.fsencode(keep.resolve()))
        for place in (root, *root.rglob("*")):
            self._library.disk_keep(os.fsencode(place))


def copy_all(source: Path, result: Path) -> None:
    """Copy a file or a folder without filling its holes: files of an index are mostly holes."""
    subprocess.run(["cp", "--archive", "--sparse=always", str(source), str(result)], check=True)


def after_power_cut(folder: Path, keep: Path, result: Path) -> None:
    """Make of `keep` the folder as a power cut would leave it: each file as it was when it was last made durable, under
    the names that were; a name that was and a content that was not are an empty file."""
    names: dict[str, str] = {}
    root = str(folder.resolve())
    log = keep / "names"
    lines = log.read_text(errors="surrogateescape").splitlines() if log.exists() else []
    for line in lines:
        kind, identity, path = line.split("\t", 2)
        if kind == "D":
            names = {name: held for name, held in names.items() if str(Path(name).parent) != path}
        elif kind == "S":
            (result / Path(path).relative_to(root)).mkdir(parents=True, exist_ok=True)
        else:
            names[path] = identity
    result.mkdir(parents=True, exist_ok=True)
    for name, identity in names.items():
        place = result / Path(name).relative_to(root)
        place.parent.mkdir(parents=True, exist_ok=True)
        kept = keep / identity
        if kept.exists():
            copy_all(kept, place)
        else:
            place.touch()
