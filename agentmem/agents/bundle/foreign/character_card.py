"""Character Cards of version 2 and 3: who somebody is, and a lorebook; as JSON or in the text chunks of a PNG, whose
pixels are skipped and never decompressed.
"""

import base64
import binascii
import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from agentmem import patterns as re
from agentmem.agents.bundle.foreign.loose_json import (
    Dropped,
    Foreign,
    ForeignPassage,
    Mapping,
    first_text,
    mapping,
    mappings,
    name_of,
    text,
    texts,
)
from agentmem.domain.memory import MemoryType
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput

SPECS = {"chara_card_v2": "character card v2", "chara_card_v3": "character card v3"}
_LEFT_BEHIND = (
    *("creator_notes", "creator_notes_multilingual", "tags", "creator", "character_version", "extensions", "assets"),
    *("source", "group_only_greetings", "creation_date", "modification_date"),
)
_DECORATOR = re.compile(r"^@@+[^\n]*\n?", re.MULTILINE)
_LOOKS_LIKE_REGEX = re.compile(r"^/.+/[a-z]*$", re.DOTALL)
_MACROS = re.compile(r"\{\{(char|user)\}\}|<(bot|user|char)>", re.IGNORECASE)
_MAX_KEYS = 32


def is_card(tree: JsonValue) -> bool:
    """Whether this is a card."""
    return text(mapping(tree).get("spec")) in SPECS and isinstance(mapping(tree).get("data"), dict)


def read_card(tree: JsonValue, *, accept_instructions: bool, person: str) -> Foreign:
    """The character as a persona, its lorebook, greetings and examples as long-term memories."""
    data, dropped = mapping(mapping(tree).get("data")), Dropped()
    name = name_of(first_text(data, "nickname", "name"), "") or None
    shown = _Shown(name or "", person)
    for field in _LEFT_BEHIND:
        dropped.note_given(field, data.get(field))
    orders = [shown.text(data.get(field)) for field in ("system_prompt", "post_history_instructions")]
    if not accept_instructions:
        named = ("system_prompt", "post_history_instructions")
        dropped.note("instructions", (field for field, order in zip(named, orders, strict=True) if order))
        orders = ["", ""]
    role = "\n\n".join(filter(None, (orders[0], *map(shown.text, (data.get("description"), data.get("scenario"))))))
    passages = (*_samples(data, shown), *_lore(mapping(data.get("character_book")), shown, dropped))
    said = SPECS[text(mapping(tree).get("spec"))]
    boundaries = (orders[1],) if orders[1] else ()
    return Foreign(said, name, role, shown.text(data.get("personality")), passages, dropped, boundaries)


class _Shown:
    """Texts with the names put where cards leave a gap for them."""

    def __init__(self, name: str, person: str) -> None:
        self._name, self._person = name, person

    def text(self, value: JsonValue) -> str:
        return _MACROS.sub(self._named, text(value))

    def _named(self, found: re.Match) -> str:
        return self._person if "user" in found[0].casefold() else self._name or found[0]


def _samples(data: Mapping, shown: _Shown) -> Iterator[ForeignPassage]:
    greetings = (text(data.get("first_mes")), *texts(data.get("alternate_greetings")))
    for kind, given in (*(("greeting", each) for each in greetings), ("example", text(data.get("mes_example")))):
        if given:
            yield ForeignPassage(MemoryType.LONGTERM, shown.text(given), None, kind=kind)


def _lore(book: Mapping, shown: _Shown, dropped: Dropped) -> Iterator[ForeignPassage]:
    dropped.note_given("extensions of the lorebook", book.get("extensions"))
    for entry in mappings(book.get("entries")):
        called = first_text(entry, "name", "comment") or ", ".join(texts(entry.get("keys"))[:3])
        if entry.get("enabled") is False:
            dropped.note("lorebook entries that are off", [called])
            continue
        dropped.note_given("extensions of lorebook entries", entry.get("extensions"))
        content, orders = _DECORATOR.subn("", text(entry.get("content")))
        dropped.note("decorators", count=orders)
        if content.strip():
            keys = _keys(entry, dropped)
            yield ForeignPassage(MemoryType.LONGTERM, shown.text(content), None, kind="lore", key=keys)
        else:
            dropped.note("lorebook entries without words", [called])


def _keys(entry: Mapping, dropped: Dropped) -> tuple[str, ...]:
    """The plain words an entry is found by."""
    given = [*texts(entry.get("keys")), *texts(entry.get("secondary_keys"))]
    patterns = [key for key in given if entry.get("use_regex") is True or _LOOKS_LIKE_REGEX.match(key)]
    dropped.note("regular expressions as keys", patterns)
    plain = [name_of(key, "") for key in given if key not in patterns]
    return tuple(dict.fromkeys(filter(None, plain)))[:_MAX_KEYS]


SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEAD = struct.Struct(">L4s")
_MAX_CHUNKS = 10_000
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
    for _ in range(_MAX_CHUNKS):
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
    raise InvalidInput(f"has more than {_MAX_CHUNKS:,} chunks")


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
