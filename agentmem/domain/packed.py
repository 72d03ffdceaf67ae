"""Text packed for keeping: what a memory says, in about a quarter of the bytes.

Bodies of memories are short and alike, so they are compressed one by one against a dictionary of what they all have. A
packed text begins with a sign of its own, by which a search through raw bytes finds it and reads what it says.
"""

import zlib
from collections.abc import Iterator

SIGN = b"\xf8az1"
"""No text in UTF-8 has such a first byte."""

_LEVEL = 6
_WINDOW = -15
_LARGEST = 64 << 20
_WHOLE = 3_000
"""Bytes that surely lie on one page of a database."""
_DICTIONARY = (
    b'"memoryType":"perceptual","kind":null,"relation":"HAS_","attribute":"likes","value":"modality":"hypothesis",'
    b'"negated","asserted_by_agent","inferred","speaker":null,"language":"en","actionStatus":"storeStatus":"expired",'
    b'"deleted","invalidAt":"2026-0","expiredAt":"2026-0","supersededBy":"","needsReview":["latitude":"longitude":'
    b'"trust":"untrusted","owner","caption":"asset","chunk","heading","page","section","sha256","document",'
    b'"memoryType":"community","digest":"","size":,"drift":,"obsUpdated":,"memoryType":"entity","names":[{"name":"",'
    b'"kind":"organisation","place","person","thing","product","aliases":["merged":"redirect":'
    b'{"memoryId":"","tenant":"default","agentId":"","userName":"","targetId":"","targetName":"","runId":"say/2026-",'
    b'"memoryType":"conversation","kind":"turn","content":"","key":[],"entityIds":[],"modality":"stated","speaker":"",'
    b'"language":"zh","storeStatus":"valid","timestamp":17,"dt":"2026-","validAt":"2026-","createdAt":"2026-",'
    b'"sourceIds":[],"evidence":[],"dependsOn":[],"supersedes":[],"conflictsWith":[],"importance":5,"trust":"principal",'
    b'"obsReflected":0,"obsUpdated":0,"revision":1,"metaData":{"turnIndex":1,"byAgent":false,"person":{"name":"",'
    b'"title":null},"title":"","eventId":"","extract":true,"mentions":[{"name":"","kind":"thing"}]}}'
    b'{"memoryId":"","tenant":"default","agentId":"","userName":"","targetId":"","targetName":"","runId":"say/2026-'
    b'","memoryType":"observation","kind":"need","content":"","key":[""],"attribute":"need","value":"","entityIds":["'
    b'",""],"modality":"stated","speaker":"","language":"zh","storeStatus":"valid","timestamp":17,"dt":"2026-",'
    b'"validAt":"2026-","createdAt":"2026-","sourceIds":[""],"evidence":[{"memoryId":"","start":0,"end":1,"saidAt":'
    b'"2026-11-T00:00:00.000000Z","since":"2026-11-T00:00:00.000000Z"}],"dependsOn":[],"supersedes":[],"conflictsWith":'
    b'[],"importance":7,"trust":"principal","obsReflected":1,"obsUpdated":0,"revision":2,"metaData":{"mentions":[{"name"'
    b':"","kind":"thing"}]}}'
)
"""Never to be changed: what was packed against it could not be read any more. A better one gets another sign."""


def packed(text: str) -> bytes:
    """The text, packed. The same text is the same bytes."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW, 9, zlib.Z_DEFAULT_STRATEGY, _DICTIONARY)
    return SIGN + packer.compress(text.encode()) + packer.flush()


def kept(text: str) -> bytes:
    """The form in which a store keeps the text: packed, or in UTF-8 where that would be long. What is long lies in
    pieces on the pages of a database, and nothing packed in pieces could be found again by a search of its bytes."""
    short = packed(text)
    return short if len(short) <= _WHOLE else text.encode()


def unpacked(body: bytes | str) -> str:
    """What was packed. Text that never was comes back as it is, in UTF-8 or not. Raises `ValueError` for what is
    neither, and for more than any body holds."""
    if isinstance(body, str):
        return body
    if not body.startswith(SIGN):
        return body.decode()
    unpacker = zlib.decompressobj(_WINDOW, _DICTIONARY)
    try:
        text = unpacker.decompress(body[len(SIGN) :], _LARGEST)
    except zlib.error as error:
        raise ValueError(f"a packed text is damaged: {error}") from error
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("a packed text is damaged: it does not end where it must")
    return text.decode()


def readable_in(block: bytes) -> Iterator[bytes]:
    """What packed texts in raw bytes say, as far as they are whole: for a search of files."""
    place = block.find(SIGN)
    while place >= 0:
        begin = place + len(SIGN)
        yield _as_far_as_it_goes(block[begin : begin + _WHOLE])
        place = block.find(SIGN, begin)


def _as_far_as_it_goes(raw: bytes) -> bytes:
    """Byte by byte: those that follow a packed text, or stand in its place, end it."""
    unpacker = zlib.decompressobj(_WINDOW, _DICTIONARY)
    said: list[bytes] = []
    for place in range(len(raw)):
        try:
            said.append(unpacker.decompress(raw[place : place + 1]))
        except zlib.error:
            break
        if unpacker.eof:
            break
    return b"".join(said)
