"""Word documents (.docx): headings, paragraphs, lists and tables, in their order."""

from collections.abc import Iterator
from io import BytesIO
from zipfile import BadZipFile, ZipFile

import docx
from docx.opc.exceptions import PackageNotFoundError
from docx.table import Table
from docx.text.paragraph import Paragraph

from agentmem import patterns as re
from agentmem.assets.file_reading import Document, document, heading, paragraph
from agentmem.errors import InvalidInput

MAX_ENTRIES = 2_000
MAX_UNPACKED = 134_217_728
"""Bytes of everything in the archive, unpacked."""
MAX_RATIO = 200
SMALL = 1_048_576
"""Bytes up to which an entry may be packed as tightly as it likes."""

_REPEATED = 200
_ENCRYPTED = b"\xd0\xcf\x11\xe0"
_HEADING = re.compile(r"(?:heading|标题)\s*([1-9])", re.IGNORECASE)


def read_docx(raw: bytes, name: str) -> Document:
    """The document in reading order. Raises `InvalidInput` for what is encrypted, packed to explode, or no .docx."""
    if raw.startswith(_ENCRYPTED):
        raise InvalidInput("is encrypted, or a .doc of an older Word; save it as .docx without a password")
    _check(raw)
    try:
        opened = docx.Document(BytesIO(raw))
    except (PackageNotFoundError, KeyError, ValueError) as error:
        raise InvalidInput(f"is no .docx: {' '.join(str(error).split())[:100]}") from error
    blocks = (_block(block) for block in opened.iter_inner_content())
    return document(name, opened.core_properties.title or None, "\n\n".join(filter(None, blocks)))


def _check(raw: bytes) -> None:
    """Look at the table of contents of the archive before anything is unpacked."""
    try:
        with ZipFile(BytesIO(raw)) as archive:
            entries = archive.infolist()
    except BadZipFile as error:
        raise InvalidInput("is no .docx") from error
    if len(entries) > MAX_ENTRIES or sum(entry.file_size for entry in entries) > MAX_UNPACKED:
        raise InvalidInput(f"unpacks to more than {MAX_ENTRIES:,} files or {MAX_UNPACKED:,} bytes")
    if any(entry.file_size > max(SMALL, MAX_RATIO * entry.compress_size) for entry in entries):
        raise InvalidInput(f"is packed more than {MAX_RATIO} times, as no document is")


def _block(block: Paragraph | Table) -> str:
    if isinstance(block, Table):
        return "\n".join(_rows(block))
    style = block.style.name or "" if block.style else ""
    leading = _HEADING.match(style)
    if leading or style == "Title":
        return heading(int(leading[1]) if leading else 1, block.text)
    text = paragraph(block.text)
    return f"- {text}" if text and style.startswith("List") else text


def _rows(table: Table) -> Iterator[str]:
    """Each row with its own cells: `row.cells` has one for each column, of which a span may claim any number. A cell
    that goes on from above says again what stands there, unless that is long."""
    above: dict[int, str] = {}
    for row in table.rows:
        cells: list[str] = []
        place = 0
        for cell in row._tr.tc_lst:  # pyright: ignore[reportPrivateUsage] - there is no public way to a row's own cells
            said = " ".join(" ".join(Paragraph(part, table).text for part in cell.p_lst).split())
            cells.append(above.get(place, "") if cell.vMerge == "continue" else said)
            above[place] = cells[-1] if len(cells[-1]) <= _REPEATED else ""
            place += cell.grid_span
        if line := " | ".join(filter(None, cells)):
            yield paragraph(line)
