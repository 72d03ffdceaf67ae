"""A Qdrant Edge shard on disk: held by one process, checked before it is opened, sealed when it is closed."""

import errno
import json
import shutil
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import qdrant_edge as qe
import structlog

from agentmem.adapters.memory_index.edge_terms import edge_config, field_indexes
from agentmem.adapters.memory_index.folder import FolderLock, borrowed, may_be_written
from agentmem.adapters.memory_index.mapping import CONTENT
from agentmem.adapters.memory_index.seal import Seal
from agentmem.adapters.memory_index.spare_room import Disk, Room, demand_memory, disk_of
from agentmem.errors import BackendUnavailable, EmbedderChanged, IndexBroken, InvalidInput, is_panic
from agentmem.private_files import make_folder, make_private

log = structlog.get_logger()

_OF_THE_MACHINE: Final = frozenset(
    (errno.EIO, errno.ENOMEM, errno.EACCES, errno.EPERM, errno.ENFILE, errno.EMFILE, errno.ENOSPC, errno.EROFS)
)

SCATTERED: Final = 5_000
"""Points that may be written before the shard is worth loading anew; beyond it, an eighth of all."""


class Shard:
    """Opened and closed by hand; constructing one does nothing."""

    def __init__(self, folder: Path, size: int, reserve: int | None = None, disk: Disk = disk_of) -> None:
        self._home = folder
        self._reserve, self._disk = reserve, disk
        self._size = size
        self._work_in(folder)
        self._borrowed = ExitStack()
        self._open: qe.EdgeShard | None = None
        self._scattered = 0
        self._sound = True

    def open(self) -> None:
        """Open or create; a copy where the folder may not be written. Raises `HeldElsewhere`, `NoRoom`, `IndexBroken`,
        `EmbedderChanged`."""
        if not may_be_written(self._folder):
            self._work_in(self._borrowed.enter_context(borrowed(self._folder)))
        self._lock.take()
        try:
            self.room.demand_for_loading()
            with self._files():
                self._open = self._loaded_or_created()
        except BaseException:
            self._lock.release()
            self._borrowed.close()
            raise

    @property
    def borrowed(self) -> bool:
        """Whether this is a copy, thrown away when it is closed."""
        return self._folder != self._home

    def _work_in(self, folder: Path) -> None:
        self._folder, self._lock, self._seal = folder, FolderLock(folder), Seal(folder)
        self.room = Room(folder, self._reserve, self._disk)

    def _loaded_or_created(self) -> qe.EdgeShard:
        demand_memory(self._folder)
        if not self._folder.exists():
            self.room.demand_for_creating()
            return self._created()
        try:
            return self._loaded()
        except IndexBroken:
            if not self.borrowed:
                raise
            shutil.rmtree(self._folder)
            self.room.demand_for_creating()
            return self._created()

    def close(self) -> None:
        """Flush, close, seal, let go. Without room for that it is left as a killed process leaves it."""
        try:
            if not self.room.may_flush:
                log.warning("index_not_closed", folder=str(self._folder), reason="no room on its disk")
                return
            with self.serving() as shard:
                shard.flush()
                shard.close()
                make_private(self._folder)
                if self._sound:
                    self._seal.set()
        finally:
            self._open = None
            self._lock.release()
            self._borrowed.close()

    def wrote(self, points: int) -> None:
        """Take note of so many points written."""
        self._scattered += points

    def flush(self) -> None:
        """Bring what was written to disk, where nobody but the owner may read it. Raises `NoRoom`."""
        self.room.demand_some()
        with self.serving() as shard:
            shard.flush()
        make_private(self._folder)

    def settle(self) -> None:
        """Load the shard anew where much was written since it was loaded, which takes 5 ms per 1,000 points.

        What Edge keeps in memory lies scattered after writing: a search with a filter through 100,000 points takes four
        times as long as through the same points loaded.
        """
        if self._scattered <= SCATTERED or not self.room.may_load:
            return
        with self.serving() as shard:
            if self._scattered <= shard.info().points_count // 8:
                return
            shard.close()
        self._open = None
        with self._opening():
            self._open = qe.EdgeShard.load(str(self._folder))
        self._scattered = 0

    def build_graphs(self, over: int) -> None:
        """Build a graph for each scope with more than `over` KB of vectors; takes minutes for 100,000 points, in which
        nothing else runs. Raises `NoRoom`: a second index is written."""
        self.room.demand(sum(path.stat().st_blocks * 512 for path in self._folder.rglob("*")))
        with self.serving() as shard:
            shard.flush()
            shard.close()
        self._open = None
        with self._opening():
            shard = qe.EdgeShard.load(str(self._folder), edge_config(self._size, over))
            shard.optimize()
            shard.flush()
            shard.close()
            self._open = qe.EdgeShard.load(str(self._folder))
        self._scattered = 0

    def renew(self) -> None:
        """Begin anew in an empty folder, so that nothing of the old points stays on disk. Raises `NoRoom`."""
        self.room.demand_some()
        with self.serving() as shard:
            shard.close()
            self._open = None
            shutil.rmtree(self._folder)
            self._open = self._created()

    def discard(self) -> None:
        """Throw the folder away, readable or not."""
        self._lock.take()
        try:
            with self._files():
                self._seal.lift()
                shutil.rmtree(self._folder, ignore_errors=True)
        finally:
            self._lock.release()

    @contextmanager
    def reading(self) -> Generator[qe.EdgeShard]:
        """The open shard, to read from it."""
        self.room.demand_for_reading()
        with self.serving() as shard:
            yield shard

    @contextmanager
    def writing(self, more: int = 0) -> Generator[qe.EdgeShard]:
        """The open shard, to write about so many bytes to it. Raises `NoRoom`."""
        self.room.demand(more)
        with self.serving() as shard:
            yield shard

    @contextmanager
    def serving(self) -> Generator[qe.EdgeShard]:
        """The open shard; what goes wrong inside becomes one of our errors."""
        if self._open is None:
            raise BackendUnavailable(f"the index {self._folder} is not open", of_the_machine=True)
        try:
            yield self._open
        except ValueError as error:
            raise InvalidInput(f"the index refused its input: {error}") from error
        except Exception as error:  # Edge raises the bare class for everything that goes wrong inside it
            raise BackendUnavailable(f"the index {self._folder} failed: {error}", of_the_machine=True) from error
        except BaseException as error:
            if not is_panic(error):
                raise
            self._sound = False
            raise IndexBroken(f"the index {self._folder} broke down: {error}; run `agentmem index rebuild`") from error

    def _created(self) -> qe.EdgeShard:
        self._seal.lift()
        try:
            make_folder(self._folder)
            shard = qe.EdgeShard.create(str(self._folder), edge_config(self._size))
            _index_fields(shard)
            shard.flush()
            make_private(self._folder)
        except Exception as error:  # Edge raises the bare class for everything that goes wrong inside it
            shutil.rmtree(self._folder, ignore_errors=True)
            raise BackendUnavailable(
                f"the index {self._folder} cannot be created: {error}", of_the_machine=True
            ) from error
        self._sound = True
        return shard

    def _loaded(self) -> qe.EdgeShard:
        sealed = self._seal.exists
        if sealed and (file := self._seal.broken_by()):
            raise IndexBroken(f"the index {self._folder} is damaged: {file} is not as it was left")
        with self._opening():
            held = _vector_size(self._folder)
        if held != self._size:
            raise EmbedderChanged(
                f"the index {self._folder} has vectors of length {held}, not {self._size}; "
                "run `agentmem embedder migrate`"
            )
        self._seal.lift()
        self._sound = True
        with self._opening():
            shard = qe.EdgeShard.load(str(self._folder))
            if not sealed:
                _check_payloads(shard)
            _index_fields(shard)
            make_private(self._folder)
            return shard

    @contextmanager
    def _files(self) -> Generator[None]:
        """Around work with the files themselves: a disk that fails is no damage of the index."""
        try:
            yield
        except OSError as error:
            raise BackendUnavailable(
                f"the index {self._folder}: {error.strerror or error}", of_the_machine=True
            ) from error

    @contextmanager
    def _opening(self) -> Generator[None]:
        try:
            yield
        except Exception as error:  # Edge raises the bare class for everything that goes wrong inside it
            told = f"the index {self._folder} cannot be opened: {error}"
            if _is_of_the_machine(error):
                raise BackendUnavailable(told, of_the_machine=True) from error
            raise IndexBroken(told) from error
        except BaseException as error:
            if not is_panic(error):
                raise
            raise IndexBroken(f"the index {self._folder} cannot be opened: {error}") from error


def _is_of_the_machine(error: Exception) -> bool:
    """Whether opening failed for want of memory, room, rights or files: then nothing says that the index is broken."""
    known = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _OF_THE_MACHINE)
    return known or any(f"os error {number})" in str(error) for number in _OF_THE_MACHINE)


def _vector_size(folder: Path) -> int:
    """As the shard was created. Edge itself would write down the size it was asked for before refusing it."""
    return json.loads((folder / "edge_config.json").read_bytes())["vectors"][CONTENT]["size"]


def _check_payloads(shard: qe.EdgeShard) -> None:
    """Read every point once, 1.6 s for 100,000: nothing vouches for the files of a process that died."""
    after: qe.PointId | None = None
    while True:
        records, after = shard.scroll(qe.ScrollRequest(offset=after, limit=1_000, with_payload=["memoryId"]))
        for record in records:
            if (record.payload or {}).get("memoryId") != str(record.id):
                raise ValueError(f"point {record.id} lost its payload")
        if after is None:
            return


def _index_fields(shard: qe.EdgeShard) -> None:
    """Make the field indexes that are not there yet: all of them, or those a kill prevented."""
    there = shard.info().payload_schema
    for field, operation in field_indexes().items():
        if field not in there:
            shard.update(operation)
