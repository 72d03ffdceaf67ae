"""Who holds a lease: a process, named so that another one on the same machine can tell whether it still lives."""

import os
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Holder:
    """`machine` changes with each boot; `pids` tells containers apart, `random` journals of one process."""

    host: str
    machine: str
    pids: str
    pid: int
    started: str
    random: str

    @classmethod
    def of_this_process(cls) -> "Holder":
        """A new holder, different from every other one."""
        pid = os.getpid()
        host = socket.gethostname().replace("/", "-")
        return cls(host, _boot(), _namespace(), pid, _started(pid) or "", secrets.token_hex(4))

    @classmethod
    def parse(cls, name: str) -> "Holder | None":
        """The holder that was written as `name`, or None where it is written in another way."""
        parts = name.split("/")
        if len(parts) != 6 or not parts[3].isdigit():
            return None
        host, machine, pids, pid, started, random = parts
        return cls(host, machine, pids, int(pid), started, random)

    def __str__(self) -> str:
        return f"{self.host}/{self.machine}/{self.pids}/{self.pid}/{self.started}/{self.random}"

    def is_gone(self, seen_by: "Holder", *, local: bool) -> bool:
        """Whether the process has certainly ended. False where `seen_by` cannot know.

        `local`: the store is a file of this machine, so whoever held it under another boot is gone.
        """
        if local and self.host == seen_by.host and self.machine != seen_by.machine:
            return True
        if (self.host, self.machine, self.pids) != (seen_by.host, seen_by.machine, seen_by.pids):
            return False
        if self.started:
            return _started(self.pid) != self.started
        return not _exists(self.pid)


def _boot() -> str:
    return _read(_PROC / "sys/kernel/random/boot_id")[:8]


def _namespace() -> str:
    try:
        return (_PROC / "self/ns/pid").readlink().name.strip("pid:[]")
    except OSError:
        return ""


def _started(pid: int) -> str | None:
    """Clock ticks from boot to the start of the process; None where it does not run, or this system does not tell."""
    stat = _read(_PROC / str(pid) / "stat").rpartition(")")[2].split()
    if len(stat) < 20 or stat[0] in {"Z", "X"}:
        return None
    return stat[19]


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""
