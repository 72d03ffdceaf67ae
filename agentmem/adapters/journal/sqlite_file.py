"""The file of a SQLite journal: written where its disk allows that, and else read as it lies there."""

import os
import shutil
import sqlite3
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

from agentmem.errors import BackendUnavailable
from agentmem.private_files import make_folder, open_private, scratch_folder

_WAL, _SHARED_MEMORY = "-wal", "-shm"


class SqliteFile:
    """Constructing one does nothing. `read_only` is known once it was prepared."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.read_only = False
        self._uri = _uri(path, "mode=rw")
        self._copied = ExitStack()

    def prepare(self) -> None:
        """Make the file, readable by its owner only, where there is none; find out whether it may be written. Raises
        `BackendUnavailable`."""
        if self.path.is_file() and not _may_be_written(self.path):
            self.read_only = True
            self._uri = self._readable()
        else:
            _create(self.path)

    def connect(self, patience: float) -> sqlite3.Connection:
        """A new connection, which waits up to `patience` seconds for a lock. A file that has gone is not made again."""
        made = sqlite3.connect(self._uri, uri=True, timeout=patience, isolation_level=None, check_same_thread=False)
        if self.read_only:
            made.execute("PRAGMA query_only=ON")
        return made

    def close(self) -> None:
        """Leave nothing behind; every connection is closed by now."""
        self._copied.close()

    def _readable(self) -> str:
        """SQLite reads what nobody has open as it is, and what somebody has open through his shared memory. A log that
        was left without that can be folded in nowhere but in a copy."""
        log, shared = (self.path.with_name(self.path.name + end) for end in (_WAL, _SHARED_MEMORY))
        if shared.exists():
            return _uri(self.path, "mode=ro")
        if not log.exists() or log.stat().st_size == 0:
            return _uri(self.path, "mode=ro&immutable=1")
        try:
            folder = self._copied.enter_context(scratch_folder("journal"))
            for file in (self.path, log):
                shutil.copyfile(file, Path(folder, file.name))
        except OSError as error:
            raise BackendUnavailable(f"journal {self.path} cannot be copied to be read: {error.strerror}") from error
        return _uri(Path(folder, self.path.name), "mode=ro")


def _uri(path: Path, options: str) -> str:
    return f"file:{quote(str(path))}?{options}"


def _may_be_written(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _create(path: Path) -> None:
    try:
        make_folder(path.parent)
        os.close(open_private(path, os.O_CREAT | os.O_RDWR))
    except OSError as error:
        raise BackendUnavailable(f"journal {path} cannot be created: {error.strerror}") from error
