"""Which format a file has, by what is in it and not by how it is called; and the file, read."""

from pathlib import Path
from typing import cast

from pydantic_core import from_json

from agentmem.agents.bundle.foreign.card import is_card, read_card
from agentmem.agents.bundle.foreign.chatgpt import is_chatgpt, read_chatgpt
from agentmem.agents.bundle.foreign.found import Foreign
from agentmem.agents.bundle.foreign.letta import is_letta, read_letta
from agentmem.agents.bundle.foreign.mem0 import is_mem0, read_mem0
from agentmem.agents.bundle.foreign.png import SIGNATURE, card_of
from agentmem.assets.bulk import check_bulk
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput

MAX_JSON = 16 * 1024 * 1024
"""Bytes of a file of JSON, which take up to twenty times as much in memory."""

_READ = "Letta .af, Character Card V2 or V3 (JSON or PNG), Mem0 JSON, ChatGPT conversations.json"
_ZIP = b"PK"


def is_zip(path: Path) -> bool:
    """Whether the file begins as a zip does, and so is a bundle or nothing. Raises `InvalidInput`."""
    return _beginning(path).startswith(_ZIP)


def read_foreign(path: Path, *, accept_instructions: bool, person: str) -> Foreign:
    """A file of another system. `person` is put where a file speaks of its user. Raises `InvalidInput`."""
    try:
        return _read(path, accept_instructions=accept_instructions, person=person)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from error
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error


def _read(path: Path, *, accept_instructions: bool, person: str) -> Foreign:
    passed: list[str] = []
    if _beginning(path) == SIGNATURE:
        with path.open("rb") as file:
            content, passed = card_of(file)
    else:
        content = _content(path)
    tree = _parsed(content)
    if isinstance(tree, str):  # an agent file may be JSON inside a JSON string
        tree = _parsed(tree.encode())
    if is_card(tree):
        card = read_card(tree, accept_instructions=accept_instructions, person=person)
        card.dropped.note("other text in the picture", passed)
        return card
    if is_letta(tree):
        return read_letta(tree, accept_instructions=accept_instructions)
    if is_chatgpt(tree):
        return read_chatgpt(tree)
    if is_mem0(tree):
        return read_mem0(tree)
    raise InvalidInput(f"is no bundle, and nothing else that is read: {_READ}")


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(len(SIGNATURE))
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        content = file.read(MAX_JSON + 1)
    if len(content) > MAX_JSON:
        raise InvalidInput(f"larger than {MAX_JSON:,} bytes")
    return content.removeprefix(b"\xef\xbb\xbf")


def _begins_well(content: bytes) -> bool:
    """Whether it begins as an object does, a string, an empty list or a list of objects."""
    begun = content.lstrip()
    return begun[:1] in (b"{", b'"') or (begun[:1] == b"[" and begun[1:].lstrip()[:1] in (b"{", b"]"))


def _parsed(content: bytes) -> JsonValue:
    """JSON, refused where it is nested more than 200 deep."""
    if not content.strip():
        raise InvalidInput("is empty")
    if not _begins_well(content):
        raise InvalidInput(f"is no object and no list of objects, so nothing that is read: {_READ}")
    check_bulk(content)
    try:
        return cast(JsonValue, from_json(content, allow_inf_nan=False))
    except ValueError as error:
        raise InvalidInput(
            f"is no JSON: {' '.join(str(error).split())[:120]}, and nothing else that is read: {_READ}"
        ) from error
