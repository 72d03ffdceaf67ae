"""CSV and TSV: each row a record, under the names of the first."""

import csv
from io import StringIO

from agentmem.assets.document import Document, document, paragraph, parted
from agentmem.assets.encoding import decoded
from agentmem.errors import InvalidInput


def read(raw: bytes, name: str) -> Document:
    """One piece for each row: `name: value` for each cell that is not empty. Raises `InvalidInput`."""
    text = decoded(raw)
    rows = csv.reader(StringIO(text, newline=""), delimiter=_delimiter(text))
    try:
        first = next(rows, None)
        if first is None:
            return document(name, None, "")
        names = [cell.strip() or f"#{number}" for number, cell in enumerate(first, start=1)]
        return document(name, name, parted(_record(names, row) for row in rows))
    except csv.Error as error:
        raise InvalidInput(f"is no table: {error}") from error


def _delimiter(text: str) -> str:
    """The one of the usual ones that parts the first line most."""
    first = text.lstrip().partition("\n")[0]
    return max(",\t;|", key=first.count)


def _record(names: list[str], row: list[str]) -> str:
    more = [f"#{number}" for number in range(len(names) + 1, len(row) + 1)]
    cells = zip((*names, *more), row, strict=False)
    return paragraph("\n".join(f"{name}: {' '.join(cell.split())}" for name, cell in cells if cell.strip()))
