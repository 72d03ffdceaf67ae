"""Receipts: what was erased, in a file that holds no word of it and shows when it was changed.

A receipt is signed with a key that stays in the journal, and is written in one form only: whatever byte of it is
another one, it does not verify. A digest of erased words would let them be guessed, so none is kept; what a receipt
lists are ids, and these are what the data directory is searched for.
"""

import hmac
import json
import os
import secrets
from collections.abc import Collection, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from agentmem.domain.ids import Name
from agentmem.domain.value import Value
from agentmem.errors import InvalidInput
from agentmem.ports.erasure import Erased
from agentmem.ports.ledger import Marks
from agentmem.private_files import make_folder, open_private
from agentmem.runtime.facade.byte_search import Searched, search_bytes
from agentmem.runtime.facade.chosen_files import read_bytes

FOLDER = "receipts"
_KEY = "receipts.key"
_LARGEST = 256 * 1024 * 1024


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
    content = read_bytes(file, _LARGEST)
    try:
        receipt = Receipt.model_validate_json(content)
    except ValidationError:
        return (
            None,
            f"it is no receipt, or was changed; receipts are the .json files in {FOLDER}/ of the data directory",
        )
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
            found.append(Receipt.model_validate_json(read_bytes(file, _LARGEST)).erased)
    return found


def search_for_remains(data: Path, ids: Collection[str], canaries: Sequence[str]) -> Searched:
    """Search every file of a data directory but the receipts for memory ids and canaries."""
    return search_bytes(data, ids, canaries, but=FOLDER)
