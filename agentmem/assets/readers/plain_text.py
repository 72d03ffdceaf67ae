"""Text formats: plain text, Markdown, tables (CSV, TSV; a record for each row) and records (JSON, JSON lines; each
value under the names that lead to it).
"""

import csv
import json
from collections.abc import Iterator
from io import StringIO
from typing import cast

from agentmem import patterns as re
from agentmem.assets.decoding import check_bulk, decoded
from agentmem.assets.file_reading import Document, document, paragraph, parted
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput


def read_plain(raw: bytes, name: str) -> Document:
    """The text as it is; a `#` at the beginning of a line is no heading."""
    return document(name, None, decoded(raw), plain=True)


_FRONT_MATTER = re.compile(r"\A---\n(.*?\n)?(---|\.\.\.)\n", re.DOTALL)
_TITLE = re.compile(r"^title:(.*)$", re.MULTILINE)


def read_markdown(raw: bytes, name: str) -> Document:
    """The text without what stands between two lines of dashes at its very beginning; that may name its title."""
    text = decoded(raw)
    front = _FRONT_MATTER.match(text)
    title = _TITLE.search(front[0]) if front else None
    return document(name, title and _unquoted(title[1].strip(" \t")), text[front.end() :] if front else text)


def _unquoted(title: str) -> str:
    """What stands between two quotation marks of a kind, if the title does."""
    quoted = len(title) > 2 and title[0] in "'\"" and title[-1] == title[0]
    return title[1:-1] if quoted else title


def read_table(raw: bytes, name: str) -> Document:
    """One piece for each row: `name: value` for each cell that is not empty. Raises `InvalidInput`."""
    text = decoded(raw)
    rows = csv.reader(StringIO(text, newline=""), delimiter=_delimiter(text))
    try:
        first = next(rows, None)
        if first is None:
            return document(name, None, "")
        names = [cell.strip() or f"#{number}" for number, cell in enumerate(first, start=1)]
        return document(name, name, parted(_row_as_paragraph(names, row) for row in rows))
    except csv.Error as error:
        raise InvalidInput(f"is no table: {error}") from error


def _delimiter(text: str) -> str:
    """The one of the usual ones that parts the first line most."""
    first = text.lstrip().partition("\n")[0]
    return max(",\t;|", key=first.count)


def _row_as_paragraph(names: list[str], row: list[str]) -> str:
    more = [f"#{number}" for number in range(len(names) + 1, len(row) + 1)]
    cells = zip((*names, *more), row, strict=False)
    return paragraph("\n".join(f"{name}: {' '.join(cell.split())}" for name, cell in cells if cell.strip()))


MAX_DEPTH = 30


def read_records(raw: bytes, name: str) -> Document:
    """One piece for each item of the list, or line, or for the whole. Raises `InvalidInput` for what is no JSON."""
    check_bulk(raw)
    records = (_record(record) for record in _records(decoded(raw)))
    return document(name, name, parted(records))


def _records(text: str) -> list[JsonValue]:
    try:
        whole = cast("JsonValue", json.loads(text))
    except RecursionError as error:
        raise InvalidInput("is nested too deeply") from error
    except ValueError as error:
        return _lines(text, error)
    return whole if isinstance(whole, list) else [whole]


def _lines(text: str, whole: ValueError) -> list[JsonValue]:
    """One value on each line; where the first line is none, what was wrong with the whole."""
    found: list[JsonValue] = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            found += [cast("JsonValue", json.loads(line))] if line.strip() else []
        except ValueError as error:
            raise InvalidInput(
                f"is no JSON: {error if found else whole}" + (f", line {number}" if found else "")
            ) from error
        except RecursionError as error:
            raise InvalidInput(f"line {number} is nested too deeply") from error
    return found


def _record(record: JsonValue) -> str:
    lines = [f"{name}: {value}" if name else value for name, value in _values("", record, 0)]
    return paragraph("\n".join(lines))


def _values(name: str, value: JsonValue, depth: int) -> Iterator[tuple[str, str]]:
    """Values under dotted names; a list of plain values is one."""
    if depth > MAX_DEPTH:
        raise InvalidInput(f"is nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _values(f"{name}.{key}".lstrip("."), item, depth + 1)
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for number, item in enumerate(value, start=1):
            yield from _values(f"{name}.{number}".lstrip("."), item, depth + 1)
    elif isinstance(value, list):
        yield name, ", ".join(map(_plain, value))
    elif value is not None and value != "":
        yield name, _plain(value)


def _plain(value: JsonValue) -> str:
    return " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
