"""Rows that no version of the program should have to digest, written into a journal by the back door.

To add one, add a line to `POISONS`: a function from the body that a sound row has to the body it is to have.
"""

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from agentmem.domain.packed import unpacked

Poison = Callable[[str], str]


def _with(**fields: object) -> Poison:
    """Other values of some fields; `meta` is that of an event and of a memory alike."""

    def poisoned(body: str) -> str:
        wire: dict[str, Any] = json.loads(body)
        event = "eventId" in wire
        for name, value in fields.items():
            place = {"meta": "meta" if event else "metaData", "time": "at" if event else "validAt"}.get(name, name)
            place = {"words": "text" if event else "content"}.get(place, place)
            wire[place] = {**wire.get(place, {}), **value} if isinstance(value, dict) and place != "deep" else value
        return json.dumps(wire)

    return poisoned


def _written(old: str, new: str) -> Poison:
    """With a piece of JSON in it that no program of ours writes."""
    return lambda body: _with(meta={"order": old})(body).replace(json.dumps(old), new)


def _without(*names: str) -> Poison:
    def poisoned(body: str) -> str:
        return json.dumps({name: value for name, value in json.loads(body).items() if name not in names})

    return poisoned


POISONS: Mapping[str, Poison] = {
    "an endless whole number": _written("huge", "1" + "0" * 309),
    "an endless fraction": _written("huge", "1e999"),
    "no number": _written("none", "NaN"),
    "beyond all numbers": _written("beyond", "-Infinity"),
    "the first hour of year 1": _with(time="0001-01-01T00:00:00+14:00"),
    "the last moment of year 9999": _with(time="9999-12-31T23:59:59.999999-14:00"),
    "no time": _with(time="yesterday"),
    "half a surrogate pair": _with(words="\ud800 half"),
    "nothing but blanks where an id is": _with(targetId=" "),
    "nested without end": _written("deep", "[" * 50_000 + "]" * 50_000),
    "no JSON": lambda body: body[: len(body) // 2],
    "no object": lambda _: "[1, 2]",
    "nothing": lambda _: "",
    "an unknown field": _with(unheardOf=1),
    "without words": _without("text", "content"),
    "of another tenant": lambda body: body.replace('"acme"', '"globex"'),
    "words that are a number": _with(words=17),
}
"""By what is wrong with them."""


class BackDoor:
    """Raw SQL on the journal of a data directory, or on that of PostgreSQL, in a schema; `?` stands for a value."""

    def __init__(self, data: Path, url: str | None = None, schema: str | None = None) -> None:
        self._data, self._url, self._schema = data, url, schema

    def rows(self, statement: str, *given: object) -> list[tuple[Any, ...]]:
        """What it answers; a statement that answers nothing is committed."""
        if self._url is None:
            with closing(sqlite3.connect(self._data / "journal.db", timeout=10)) as connection, connection:
                return connection.execute(statement, given).fetchall()
        with psycopg.connect(self._url, options=f"-c search_path={self._schema}") as connection:
            cursor = connection.execute(statement.replace("?", "%s").encode(), given)
            return cursor.fetchall() if cursor.description else []

    def poison_event(self, seq: int, poison: Poison) -> None:
        """What was said, as if yesterday's version had let this in."""
        [(body,)] = self.rows("SELECT body FROM events WHERE seq = ?", seq)
        self.rows("UPDATE events SET body = ? WHERE seq = ?", poison(body), seq)

    def poison_memory(self, memory_id: str, poison: Poison) -> None:
        """The last state of a memory."""
        [(seq, body)] = self.rows(
            "SELECT ledger.seq, ledger.after FROM ledger JOIN memories ON memories.seq = ledger.seq "
            "WHERE memories.memory_id = ?",
            memory_id,
        )
        raw = body if isinstance(body, str) else unpacked(bytes(body))
        self.rows("UPDATE ledger SET after = ? WHERE seq = ?", poison(raw).encode(), seq)

    def damage_memory(self, memory_id: str) -> None:
        """One byte of the packed last state of a memory is another one."""
        row = "(SELECT seq FROM memories WHERE memory_id = ?)"
        [(body,)] = self.rows(f"SELECT after FROM ledger WHERE seq = {row}", memory_id)
        raw = bytearray(body)
        raw[len(raw) // 2] ^= 0xFF
        self.rows(f"UPDATE ledger SET after = ? WHERE seq = {row}", bytes(raw), memory_id)
