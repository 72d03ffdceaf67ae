"""The text chunks of a PNG. Pixels are jumped over: nothing in the file is ever decompressed."""

import base64
import binascii
import struct
import zlib
from typing import BinaryIO

from agentmem.errors import InvalidInput

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEAD = struct.Struct(">L4s")
_MOST_CHUNKS = 10_000
_LARGEST_TEXT = 16 * 1024 * 1024
_KEYWORD = 80


def card_of(file: BinaryIO) -> tuple[bytes, list[str]]:
    """The character card inside a PNG, and the names of other chunks of text that were passed over.

    `ccv3` goes before `chara`. Raises `InvalidInput`, without the file's name, for a file that is cut off, has no card,
    the same card twice, or one larger than 16 MiB.
    """
    if file.read(len(SIGNATURE)) != SIGNATURE:
        raise InvalidInput("is no PNG")
    cards, others = _texts(file)
    if not cards:
        raise InvalidInput("holds no character card: there is no chunk ccv3 or chara")
    chosen = "ccv3" if "ccv3" in cards else "chara"
    others += [name for name in cards if name != chosen]
    try:
        return base64.b64decode(cards[chosen], validate=True), others
    except binascii.Error as error:
        raise InvalidInput(f"chunk {chosen} is no base64: {error}") from error


def _texts(file: BinaryIO) -> tuple[dict[str, bytes], list[str]]:
    cards: dict[str, bytes] = {}
    others: list[str] = []
    for _ in range(_MOST_CHUNKS):
        length, kind = _HEAD.unpack(_exactly(file, _HEAD.size))
        if kind == b"IEND":
            return cards, others
        if kind not in (b"tEXt", b"zTXt", b"iTXt"):
            _pass_over(file, length + 4)
            continue
        keyword = _keyword(file, length)
        if kind != b"tEXt" or keyword not in ("ccv3", "chara"):
            others.append(keyword)
            _pass_over(file, length + 4)
            continue
        if keyword in cards:
            raise InvalidInput(f"has two chunks {keyword}: which one is meant cannot be told")
        if length > _LARGEST_TEXT:
            raise InvalidInput(f"chunk {keyword} is larger than {_LARGEST_TEXT:,} bytes")
        body = _exactly(file, length)
        if zlib.crc32(body, zlib.crc32(kind)) != int.from_bytes(_exactly(file, 4), "big"):
            raise InvalidInput(f"chunk {keyword} was damaged: its checksum is another one")
        cards[keyword] = body.split(b"\x00", 1)[1]
    raise InvalidInput(f"has more than {_MOST_CHUNKS:,} chunks")


def _keyword(file: BinaryIO, length: int) -> str:
    """The keyword a chunk of text begins with; the file stands at the beginning of the chunk afterwards."""
    place = file.tell()
    word = _exactly(file, min(length, _KEYWORD)).split(b"\x00", 1)[0]
    file.seek(place)
    return word.decode("latin-1")


def _pass_over(file: BinaryIO, length: int) -> None:
    """Go on behind so many bytes, the last of which must be there."""
    file.seek(length - 1, 1)
    _exactly(file, 1)


def _exactly(file: BinaryIO, length: int) -> bytes:
    found = file.read(length)
    if len(found) != length:
        raise InvalidInput("is cut off")
    return found
