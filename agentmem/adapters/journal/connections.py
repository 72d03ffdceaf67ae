"""Connections: how SQLite and PostgreSQL are set up, so that the rest need not care which one it is.

SQLite: WAL, an fsync per commit, a write lock taken at BEGIN so that it never turns up in the middle of a
transaction; written where its disk allows that, and else read as it lies there. PostgreSQL: READ COMMITTED, one
schema, time limits on every statement and every lock.
"""

import os
import shutil
import sqlite3
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from random import uniform
from time import monotonic, sleep
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.util import LRUCache

from agentmem.adapters.journal.dialect import is_busy
from agentmem.errors import BackendUnavailable, InvalidInput
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
            raise BackendUnavailable(
                f"journal {self.path} cannot be copied to be read: {error.strerror}", of_the_machine=True
            ) from error
        return _uri(Path(folder, self.path.name), "mode=ro")


def _uri(path: Path, options: str) -> str:
    return f"file:{quote(str(path))}?{options}"


def _may_be_written(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _create(path: Path) -> None:
    try:
        make_folder(path.parent)
        if not path.is_file():  # closing one that is there would give up the locks this process has on it
            with suppress(FileExistsError):  # somebody else was quicker
                os.close(open_private(path, os.O_CREAT | os.O_EXCL | os.O_RDWR))
    except OSError as error:
        raise BackendUnavailable(f"journal {path} cannot be created: {error.strerror}", of_the_machine=True) from error


_READERS, _READERS_OF_SERVER = 2, 4
"""Connections that read: of a file, whose reads take processor, and of a server, for which they wait."""

_STATEMENTS = 1_000
"""Kept compiled; there are some 300 different ones."""
_LOOK_AGAIN = (0.0002, 0.0008)
_SCHEMA = "agentmem"
_PRAGMAS = (
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",
    "cache_size=-16000",
    "temp_store=MEMORY",
    "journal_size_limit=16777216",
    "trusted_schema=OFF",
)


@dataclass(frozen=True, slots=True)
class Store:
    """A database as it was asked for. `name` is fit for messages: no password in it."""

    url: URL
    schema: str | None
    name: str
    file: SqliteFile | None

    @property
    def local(self) -> bool:
        """Whether every process that uses the store runs on this machine."""
        return self.file is not None

    @property
    def readers(self) -> int:
        """How many read at a time."""
        return _READERS if self.local else _READERS_OF_SERVER

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written, as far as is known since it was opened."""
        return self.file is not None and self.file.read_only


def parse(url: str, schema: str | None) -> Store:
    """Read a database URL. `?schema=` of a PostgreSQL one names the schema, `agentmem` where it is absent."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise InvalidInput("journal url must be sqlite:///FILE or postgresql://USER@HOST/DATABASE") from error
    backend = parsed.get_backend_name()
    if backend == "sqlite" and parsed.database and parsed.database != ":memory:":
        path = Path(parsed.database).expanduser().absolute()
        return Store(parsed.set(drivername="sqlite", database=str(path)), None, f"journal {path}", SqliteFile(path))
    if backend == "postgresql":
        _driver()
        asked = parsed.query.get("schema", _SCHEMA)
        parsed = parsed.set(drivername="postgresql+psycopg").difference_update_query(["schema"])
        where = f"journal at PostgreSQL {parsed.host or 'localhost'}:{parsed.port or 5432}/{parsed.database}"
        return Store(parsed, schema or (asked if isinstance(asked, str) else asked[-1]), where, None)
    raise InvalidInput(f"journal url {backend!r} must be sqlite:///FILE or postgresql://USER@HOST/DATABASE")


def _driver() -> None:
    if find_spec("psycopg") is None:
        raise InvalidInput('journal.kind postgres needs its driver: pip install "agentmem-framework[postgres]"')


def writing_engine(store: Store, patience: float) -> Engine:
    """The engine of the one thread that writes."""
    if store.file is None:
        return _postgres(store, patience, size=1)
    engine = _sqlite(store.file, store.url, patience, size=1)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        _begin_to_write(connection, patience)

    return engine


def reading_engine(store: Store, patience: float) -> Engine:
    """The engine of the threads that read; they wait for no writer."""
    if store.file is None:
        return _postgres(store, patience, size=store.readers)
    engine = _sqlite(store.file, store.url, patience, size=store.readers)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        _driven(connection, "BEGIN")

    return engine


def _begin_to_write(connection: Connection, patience: float) -> None:
    """Take the write lock, asking again every half millisecond.

    SQLite's own waiting sleeps up to 100 ms between two looks, in which a busier process takes the lock again and
    again: of three processes with one caller each, one waited 2 s for its turn.
    """
    deadline = monotonic() + patience
    _patient(connection, 0)
    while True:
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except OperationalError as error:
            if not is_busy(error) or monotonic() >= deadline:
                raise
            sleep(uniform(*_LOOK_AGAIN))
        else:
            break
    _patient(connection, int(patience * 1_000))


def _patient(connection: Connection, milliseconds: int) -> None:
    """Have SQLite itself wait so long for a lock."""
    _driven(connection, f"PRAGMA busy_timeout={milliseconds}")


def _driven(connection: Connection, statement: str) -> None:
    """Say to the driver itself what is said in each transaction and cannot fail for want of a lock."""
    driver: Any = connection.connection.dbapi_connection
    driver.execute(statement).close()


class Sqlite(SQLiteDialect_pysqlite):
    """All engines on SQLite compile a statement alike, so what one compiled serves the others of the process."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(other) is Sqlite

    def __hash__(self) -> int:
        return hash(Sqlite)


registry.register("sqlite.agentmem", __name__, Sqlite.__name__)
_COMPILED: Final = LRUCache[Any, Any](_STATEMENTS)


def _sqlite(file: SqliteFile, url: URL, patience: float, *, size: int) -> Engine:
    engine = create_engine(
        url.set(drivername="sqlite+agentmem"),
        execution_options={"compiled_cache": _COMPILED},
        paramstyle="named",
        pool_size=size,
        max_overflow=0,
        creator=lambda: file.connect(patience),
        hide_parameters=True,  # they are somebody's words, which no error and no log repeats
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _postgres(store: Store, patience: float, *, size: int) -> Engine:
    milliseconds = int(patience * 1_000)
    settings = {
        "search_path": store.schema,
        "statement_timeout": milliseconds,
        "lock_timeout": milliseconds,
        "idle_in_transaction_session_timeout": milliseconds,
        # every query has its index; a plan made while a table was small must not read all of it later
        "enable_seqscan": "off",
        "enable_bitmapscan": "off",
        # a scan without an index counts as so dear then that PostgreSQL compiles its plan, 0.1 s for a small table
        "jit": "off",
    }
    own = (f"-c{name}={value}" for name, value in settings.items())
    options = " ".join((os.environ.get("PGOPTIONS", ""), *own)).strip()
    return create_engine(
        store.url,
        hide_parameters=True,
        pool_size=size,
        max_overflow=0,
        pool_pre_ping=True,
        isolation_level="READ COMMITTED",
        connect_args={
            "options": options,
            "connect_timeout": 10,
            "keepalives_idle": 30,
            "tcp_user_timeout": milliseconds,
            "application_name": f"agentmem {store.schema}",
        },
    )
