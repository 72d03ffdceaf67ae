"""Receipts: what was erased, in a file that holds no word of it and shows when it was changed.

A receipt is signed with a key that stays in the journal, and is written in one form only: whatever byte of it is
another one, it does not verify. A digest of erased words would let them be guessed, so none is kept; what a receipt
lists are ids, and these are what the data directory is searched for.
"""

import hmac
import json
import os
import secrets
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from agentmem import patterns as re
from agentmem.domain.ids import Name
from agentmem.domain.packed import readable_in
from agentmem.domain.value import Value
from agentmem.errors import InvalidInput
from agentmem.ports.erasure import Erased
from agentmem.ports.ledger import Marks
from agentmem.private_files import make_folder, open_private

FOLDER = "receipts"
_KEY = "receipts.key"
_LARGEST = 256 * 1024 * 1024
_BLOCK = 1 << 20
_OVERLAP = 1 << 12
"""More than any packed text has bytes."""
_ID_FROM_ITS_HYPHEN = re.compile(r"-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
"""What follows the first eight digits of an id: what begins with one letter is searched for six times as fast."""


class Receipt(Value):
    """A receipt as it is in its file. `signature` is HMAC-SHA256 over everything else, in hex."""

    receipt: Literal[1] = 1
    erased: Erased
    signature: Name

    @property
    def form(self) -> bytes:
        """The one way in which this receipt is written."""
        return _written({"receipt": self.receipt, "erased": _plain(self.erased), "signature": self.signature})


def _plain(erased: Erased) -> object:
    return erased.model_dump(mode="json")


def _written(tree: object) -> bytes:
    return (json.dumps(tree, indent=1, sort_keys=True) + "\n").encode()


def _signature(erased: Erased, key: bytes) -> str:
    return hmac.new(key, _written(_plain(erased)), sha256).hexdigest()


async def write_receipt(data: Path, marks: Marks, erased: Erased) -> Path:
    """Sign and keep a receipt, durably; the file. Written again, it is the same."""
    known = await marks.mark(_KEY)
    if known is None:
        known = secrets.token_hex(32)
        await marks.set_mark(_KEY, known)
    receipt = Receipt(erased=erased, signature=_signature(erased, bytes.fromhex(known)))
    folder = data / FOLDER
    make_folder(folder)
    file = folder / f"{erased.run}.json"
    draft = file.with_suffix(".draft")
    with os.fdopen(open_private(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), "wb") as out:
        out.write(receipt.form)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)
    return file


async def read_receipt(file: Path, marks: Marks) -> tuple[Receipt | None, str | None]:
    """The receipt, None where it cannot be read, and why it must not be believed, None where it may."""
    content = _content(file)
    try:
        receipt = Receipt.model_validate_json(content)
    except ValidationError:
        return None, "it is no receipt, or was changed"
    key = await marks.mark(_KEY)
    if key is None:
        return receipt, "this journal has signed no receipt"
    signed = hmac.compare_digest(_signature(receipt.erased, bytes.fromhex(key)), receipt.signature)
    return receipt, None if signed and receipt.form == content else "it was changed, or another journal signed it"


def erasures_in(data: Path) -> list[Erased]:
    """The erasures that the receipts in a data directory tell of, whichever journal signed them; what is no receipt is
    left out."""
    found: list[Erased] = []
    for file in sorted((data / FOLDER).glob("*.json")):
        with suppress(ValidationError, InvalidInput):
            found.append(Receipt.model_validate_json(_content(file)).erased)
    return found


def _content(file: Path) -> bytes:
    try:
        if file.stat().st_size > _LARGEST:
            raise InvalidInput(f"{file}: larger than any receipt")
        return file.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{file}: cannot be read: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class Scan:
    """What a search of a data directory saw. `found` are (file, id or number of the canary)."""

    files: int
    size: int
    found: tuple[tuple[str, str], ...]


def scan(data: Path, ids: Collection[str], canaries: Sequence[str]) -> Scan:
    """Search the bytes of every file below `data`, receipts left aside, for memory ids and for canaries, these also in
    the form they have inside JSON, and both also in what is packed."""
    wanted = set(ids)
    forms = [{text.encode(), json.dumps(text)[1:-1].encode(), text.encode("utf-16-le")} for text in canaries]
    longest = max((len(form) for each in forms for form in each), default=36)
    files = [path for path in sorted(data.rglob("*")) if path.is_file() and (data / FOLDER) not in path.parents]
    found: dict[tuple[str, str], None] = {}
    size = 0
    for path in files:
        name = path.relative_to(data).as_posix()
        for block in _blocks(path, max(longest, _OVERLAP)):
            size += len(block)
            for text in (block, *readable_in(block)):
                found |= {(name, each): None for each in wanted.intersection(_ids_in(text) if wanted else ())}
                seen = (number for number, each in enumerate(forms, start=1) if any(form in text for form in each))
                found |= {(name, f"canary {number}"): None for number in seen}
    return Scan(len(files), size, tuple(found))


def _ids_in(block: bytes) -> Iterator[str]:
    text = block.decode("latin-1")
    return (text[max(0, each.start() - 8) : each.end()] for each in _ID_FROM_ITS_HYPHEN.finditer(text))


def _blocks(path: Path, overlap: int) -> Iterator[bytes]:
    """The file in blocks, each beginning with the end of the one before. Holes, most of a small index, are jumped over:
    they read as zeros."""
    with path.open("rb", buffering=0) as file:
        before, end = b"", 0
        while (place := _next_data(file.fileno(), end)) is not None:
            file.seek(place)
            block = file.read(_BLOCK)
            if not block:
                return
            yield (before if place == end else b"") + block
            before, end = block[-overlap:], place + len(block)


def _next_data(descriptor: int, place: int) -> int | None:
    """Where bytes begin from `place` on, None behind the last ones."""
    if not hasattr(os, "SEEK_DATA"):  # Windows
        return place
    try:
        return os.lseek(descriptor, place, os.SEEK_DATA)
    except OSError:
        return None
