"""Reads a bundle: the manifest, then whatever it vouches for, line by line; and surveys its ledger from end to end
before a row of it is written.

A ledger that the survey accepts is consistent: every row continues the previous one of the same memory, every memory is
the named agent's, and no memory names one that did not come along.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from agentmem.agents.bundle.archive import (
    ENTRY,
    FORMAT,
    MANIFEST,
    MAX_TOTAL,
    PERSONA,
    SIGNATURE,
    VERSION,
    Archive,
    BundledRow,
    EntrySeal,
    KeptVector,
    Manifest,
    open_archive,
)
from agentmem.domain.entity import named as named_id
from agentmem.domain.lineage import origin_of
from agentmem.domain.memory import MemoryNode, MemoryType, microseconds
from agentmem.domain.persona import Persona
from agentmem.domain.value import Value
from agentmem.errors import InvalidInput

V = TypeVar("V", bound=Value)

_NUL = b"u0000"
"""An escaped NUL, which no database holds; two backslashes before `u0000` are a backslash and a word."""

Verify = Callable[[bytes, EntrySeal], bool]
"""Whether the seal is that of this content."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle whose manifest was checked. `digest` is that of the manifest, in hex; `signer` the public key whose
    signature it bears, in hex, None where it bears none."""

    archive: Archive
    manifest: Manifest
    persona: Persona
    digest: str
    signer: str | None

    def rows(self) -> Iterator[BundledRow]:
        """The ledger, oldest row first. Raises `InvalidInput` for what is no row, and where an entry is not the one
        that the manifest promised."""
        return self._values("ledger-", BundledRow)

    def vectors(self) -> Iterator[KeptVector]:
        """The vectors that came along."""
        return self._values("vectors-", KeptVector)

    def _values(self, stem: str, model: type[V]) -> Iterator[V]:
        for name in sorted(name for name in self.manifest.entries if name.startswith(stem)):
            for number, line in self.archive.lines(name, self.manifest.entries[name]):
                yield _value(self.archive, f"{name}:{number}", line, model)


@contextmanager
def open_bundle(path: Path, verify: Verify, *, signer: str | None = None) -> Generator[Bundle]:
    """Open a bundle, which must be signed by `signer` where one is given; a signature that is there must hold in any
    case. Raises `InvalidInput`."""
    with open_archive(path) as archive:
        content = archive.small(MANIFEST)
        manifest = _manifest(archive, content)
        _check_entries(archive, manifest)
        signed_by = _signer(archive, content, verify, signer)
        yield Bundle(archive, manifest, _persona(archive, manifest), sha256(content).hexdigest(), signed_by)


def _manifest(archive: Archive, content: bytes) -> Manifest:
    try:
        loose: object = from_json(content, allow_inf_nan=False)
    except ValueError as error:
        raise archive.wrong(f"{MANIFEST}: not JSON: {error}") from error
    kind, version = (loose.get("format"), loose.get("version")) if isinstance(loose, dict) else (None, None)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if kind != FORMAT:
        raise archive.wrong(f"{MANIFEST}: is not that of a bundle of agentmem")
    if type(version) is not int or version != VERSION:  # pyright: ignore[reportUnknownArgumentType]
        raise archive.wrong(f"{MANIFEST}: version {str(version)[:20]!r} is not read here, only {VERSION}")  # pyright: ignore[reportUnknownArgumentType]
    return _value(archive, MANIFEST, content, Manifest)


def _check_entries(archive: Archive, manifest: Manifest) -> None:
    promised = set(manifest.entries)
    for stem in ("ledger", "vectors"):
        found = sorted(name for name in promised if name.startswith(stem))
        if found != [f"{stem}-{number:04}.jsonl" for number in range(1, len(found) + 1)]:
            raise archive.wrong(f"{MANIFEST}: entries: {stem} is not numbered from 0001 without a gap")
    if PERSONA not in promised or not all(map(ENTRY.fullmatch, promised)):
        raise archive.wrong(f"{MANIFEST}: entries: names what is not part of a bundle")
    if sum(entry.size for entry in manifest.entries.values()) > MAX_TOTAL:
        raise archive.wrong(f"{MANIFEST}: entries: more than {MAX_TOTAL:,} bytes")
    there = archive.names - {MANIFEST, SIGNATURE}
    if missing := promised - there:
        raise archive.wrong(f"{min(missing)} is missing")
    if surplus := there - promised:
        raise archive.wrong(f"{min(surplus)} is not in the manifest")


def _signer(archive: Archive, content: bytes, verify: Verify, expected: str | None) -> str | None:
    if SIGNATURE not in archive.names:
        if expected is not None:
            raise archive.wrong("is not signed")
        return None
    seal = _value(archive, SIGNATURE, archive.small(SIGNATURE), EntrySeal)
    if not verify(content, seal):
        raise archive.wrong("the signature does not hold: the file was changed, or the signature forged")
    if expected is not None and seal.public_key != expected:
        raise archive.wrong("is signed by somebody else")
    return seal.public_key


def _persona(archive: Archive, manifest: Manifest) -> Persona:
    content = archive.small(PERSONA)
    archive.check(PERSONA, manifest.entries[PERSONA], len(content), sha256(content).hexdigest())
    persona = _value(archive, PERSONA, content, Persona, strict=False)  # durations are read from their own words
    if persona.id != manifest.agent_id:
        raise archive.wrong(f"{PERSONA}: is not that of {manifest.agent_id!r}")
    return persona


def _value(archive: Archive, place: str, content: bytes, model: type[V], *, strict: bool = True) -> V:
    if _holds_nul(content):
        raise archive.wrong(f"{place}: holds a NUL character")
    try:
        return model.model_validate_json(content, strict=strict)
    except ValidationError as error:
        raise _described(archive, place, error) from error


def _holds_nul(content: bytes) -> bool:
    """Whether JSON holds a NUL: its code after an odd number of backslashes, an even number being themselves."""
    place = content.find(_NUL)
    while place >= 0:
        before = content[max(0, content.rfind(_NUL, 0, place)) : place]
        if (len(before) - len(before.rstrip(b"\\"))) % 2:
            return True
        place = content.find(_NUL, place + len(_NUL))
    return False


def _described(archive: Archive, place: str, error: ValidationError) -> InvalidInput:
    """The first mistake, on one line, without a word of what was written."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    path = ".".join(str(part)[:40] for part in first["loc"])
    return archive.wrong(f"{place}: {path}: {first['msg']}" if path else f"{place}: {first['msg']}")


_AHEAD = timedelta(days=1)
"""How far the clock of whoever made the bundle may be ahead of ours."""

_MAX_REVISIONS = 2**31 - 1


@dataclass(slots=True)
class Survey:
    """The memories of a bundle: by id whom they name in any state they ever had, and the ids they had in the agents
    that theirs was made from; and the names of all they are about. `entities`: what was decided about who is who."""

    entities: list[MemoryNode] = field(default_factory=list[MemoryNode])
    names: set[str] = field(default_factory=set[str])
    named: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    origins: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    rows: int = 0

    def resting_on(self, gone: Collection[str]) -> set[str]:
        """These memories and, at any remove, all that name one of them."""
        naming: dict[str, list[str]] = {}
        for memory_id, others in self.named.items():
            for other in others:
                naming.setdefault(other, []).append(memory_id)
        found, todo = set(gone), list(gone)
        while todo:
            more = [each for each in naming.get(todo.pop(), ()) if each not in found]
            found.update(more)
            todo += more
        return found


def survey(rows: Iterable[BundledRow], manifest: Manifest, now: datetime) -> Survey:
    """Look at every row. Raises `InvalidInput`, without the file's name, where they do not hang together."""
    seen, before = Survey(), 0
    latest = now + _AHEAD
    if manifest.made_at > latest:
        raise InvalidInput(f"made at {manifest.made_at.isoformat()}, which is still to come")
    for row in rows:
        if not before < row.seq <= manifest.head:
            raise InvalidInput(f"ledger row {row.seq} is out of order")
        before = row.seq
        _take(seen, row, manifest, latest)
    _check_links(seen)
    if (seen.rows, len(seen.named)) != (manifest.rows, manifest.memories):
        raise InvalidInput("the ledger does not have as many rows and memories as the manifest says")
    return seen


def _take(seen: Survey, row: BundledRow, manifest: Manifest, latest: datetime) -> None:
    if row.first == (row.memory_id in seen.named):
        raise InvalidInput(f"ledger row {row.seq} does not continue memory {row.memory_id}")
    seen.rows += 1
    named = seen.named.setdefault(row.memory_id, set())
    if row.at > latest:
        raise InvalidInput(f"ledger row {row.seq} was written at a time still to come")
    if row.after is None:
        return
    problem = _problem(row.after, row, manifest, latest)
    if problem is not None:
        raise InvalidInput(f"ledger row {row.seq}: {problem}")
    named.update(names_of(row.after))
    if row.after.memory_type is MemoryType.ENTITY:
        seen.entities.append(row.after)
    seen.names.add(row.after.target_name)
    if (origin := origin_of(row.after)) is not None:
        seen.origins.setdefault(row.memory_id, set()).add(origin)


def _problem(node: MemoryNode, row: BundledRow, manifest: Manifest, latest: datetime) -> str | None:
    if (node.memory_id, node.target_id) != (row.memory_id, row.target_id):
        return "its memory has another id or is about somebody else"
    if (node.tenant, node.agent_id) != (manifest.tenant, manifest.agent_id):
        return "its memory is not of this agent"
    ids = (named_id(node.tenant, node.agent_id, name) for name in node.key)
    if node.memory_type is MemoryType.ENTITY and node.memory_id not in ids:
        return "its entity has an id that is of none of its names"
    if node.stored() != node:
        return "its memory holds what is never stored: vectors, scores or an intent"
    known = [node.created_at, *filter(None, (node.expired_at,))]
    if node.timestamp > microseconds(latest) or max(known) > latest:
        return "its memory was made at a time still to come"
    if max(node.revision, node.obs_reflected, node.obs_updated) > _MAX_REVISIONS:
        return "its memory was revised more often than can be counted"
    return None


def _check_links(seen: Survey) -> None:
    for memory_id, others in seen.named.items():
        outside = next((other for other in others if other not in seen.named), None)
        if outside is not None:
            raise InvalidInput(f"memory {memory_id} names {outside}, which is not in the bundle")


def names_of(node: MemoryNode) -> Iterator[str]:
    """The memories that this one names."""
    yield from node.source_ids
    yield from (part.memory_id for part in node.evidence)
    yield from node.depends_on
    yield from node.supersedes
    yield from node.conflicts_with
    yield from node.needs_review or ()
    if node.superseded_by is not None:
        yield node.superseded_by
