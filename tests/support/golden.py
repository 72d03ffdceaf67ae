"""Journals as released versions of the schema wrote them, each made by the code of its time.

The file of a version is a journal with two assistants, five customers, a number that changed, a fact told thrice, and a
turn that came in last: `scenarios/changed_phone.yaml`, `same_fact_thrice.yaml` and `two_customers.yaml`, played. From
version 7 on jobs wait in it (in those of 7 and 8 of most workers), and a memory was set aside; from version 8 on a
second tenant's wait as well; from version 10 on two documents were read, one of them in two versions.
That of `forgot-4` is a journal in which a phone number was forgotten when forgetting still meant ending.
"""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

from agentmem.domain.packed import SIGN, unpacked

FOLDER = Path(__file__).parents[1] / "fixtures" / "journals"
VERSIONS = sorted(int(path.name.removeprefix("schema-").removesuffix(".db.gz")) for path in FOLDER.glob("schema-*"))


def golden(version: int, folder: Path, *, kind: str = "schema") -> Path:
    """The journal of that version, in a data directory of its own."""
    file = folder / "data" / "journal.db"
    file.parent.mkdir(mode=0o700, parents=True)
    file.touch(0o600)
    file.write_bytes(gzip.decompress((FOLDER / f"{kind}-{version}.db.gz").read_bytes()))
    return file


def rows_of(file: Path, tables: dict[str, list[str]] | None = None) -> dict[str, list[tuple[object, ...]]]:
    """The rows of each table, of the tables and columns that are named, or of all; bodies as the text they hold."""
    with closing(sqlite3.connect(file)) as connection:
        wanted = tables or columns_of(file)
        return {
            name: sorted(
                (tuple(map(_read, row)) for row in connection.execute(f"SELECT {', '.join(columns)} FROM {name}")),
                key=repr,
            )
            for name, columns in wanted.items()
        }


def columns_of(file: Path) -> dict[str, list[str]]:
    """The columns of each table that is not left out."""
    with closing(sqlite3.connect(file)) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: [f'"{row[1]}"' for row in connection.execute(f"PRAGMA table_info({name})")]
            for name in names
            if name != "schema_version"
        }


def version_of(file: Path) -> int:
    """The version of the schema."""
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT version FROM schema_version").fetchone()[0])


def _read(value: object) -> object:
    return unpacked(value) if isinstance(value, bytes) and value.startswith(SIGN) else value
