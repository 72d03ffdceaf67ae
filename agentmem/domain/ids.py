"""Identities and times: the same cause yields the same id in every process, and timestamps only rise."""

import threading
from hashlib import sha1
from random import getrandbits
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, StringConstraints

from agentmem import patterns as re

NAMESPACE = UUID("6f2a4f0e-3f0b-5d53-9f57-6b7d9a0b7a11")
SEPARATOR = "\x1f"
_SEED = NAMESPACE.bytes


def derived_id(*parts: str | int) -> str:
    """UUIDv5 of the parts, in order; the parts cannot run into one another."""
    escaped = [str(part).replace("\\", "\\\\").replace(SEPARATOR, "\\u") for part in parts]
    # What `uuid5` does, in a quarter of its time: a copy of an agent derives an id for each of its memories.
    digest = bytearray(sha1(_SEED + SEPARATOR.join(escaped).encode(), usedforsecurity=False).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def random_id() -> str:
    """An id that nothing else has. It is no secret; asking the system for one that is costs as much as reading a turn
    from the journal."""
    return f"{getrandbits(128):032x}"


def memory_id(tenant: str, agent: str, source: str, worker: str, slot: int) -> str:
    """Id of the memory in place `slot` of the staged outcome of `worker` for event or window `source`."""
    return derived_id("memory", tenant, agent, source, worker, slot)


def entity_id(tenant: str, agent: str, canonical_name: str) -> str:
    """Id of whom or what a memory is about, within one agent of one tenant."""
    return derived_id("entity", tenant, agent, canonical_name)


_DASHED = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_id(text: str) -> bool:
    """Whether this is an id as we write ids: a UUID, dashed, in lower case."""
    return _DASHED.fullmatch(text) is not None


def ids_in(text: str) -> list[str]:
    """The ids that stand in a text, such as JSON, as we write ids."""
    return _DASHED.findall(text)


def _dashed(value: object) -> object:
    if not isinstance(value, str) or is_id(value):
        return value
    return str(UUID(value))


def _printable(value: str) -> str:
    if value != value.strip() or not value.isprintable() or value in {"*", "."}:
        raise ValueError("must be printable text without outer blanks")
    return value


Uuid = Annotated[str, BeforeValidator(_dashed)]
"""A UUID in dashed lower-case form; the 32-hex form is read as the same id."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_printable)]
"""A tenant, an agent id, an event id, a name: 1 to 200 printable characters, no outer blanks."""


def no_path(value: str) -> str:
    """The name, unless it is written as a path that leads elsewhere. Raises `ValueError`."""
    if value.startswith(("/", "\\", "~/")) or ".." in _STEP.split(value):
        raise ValueError("must be a name and no path")
    return value


_STEP = re.compile(r"[/\\]")

PlainName = Annotated[Name, AfterValidator(no_path)]
"""A name that nobody can take for a path out of where it belongs."""


class TimestampGenerator:
    """Microseconds since 1970, each larger than the one before and than `above`; safe to call from many threads."""

    def __init__(self, above: int = 0) -> None:
        self._last = above
        self._lock = threading.Lock()

    def next(self, now_us: int) -> int:
        """`now_us`, or the smallest unused value above the last one where the clock stood or went back."""
        with self._lock:
            self._last = max(self._last + 1, now_us)
            return self._last
