"""JSON and JSON lines: each record by itself, its values under the names that lead to them."""

import json
from collections.abc import Iterator
from typing import cast

from agentmem.assets.bulk import check_bulk
from agentmem.assets.document import Document, document, paragraph, parted
from agentmem.assets.encoding import decoded
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput

MAX_DEPTH = 30


def read(raw: bytes, name: str) -> Document:
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
