"""Reading a bundle: the manifest first, then whatever it vouches for, line by line."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from agentmem.agents.bundle.archive import Archive, open_archive
from agentmem.agents.bundle.form import (
    ENTRY,
    FORMAT,
    MANIFEST,
    MAX_TOTAL,
    PERSONA,
    SIGNATURE,
    VERSION,
    KeptVector,
    Manifest,
    Row,
    Seal,
)
from agentmem.domain.persona import Persona
from agentmem.domain.value import Value
from agentmem.errors import InvalidInput

V = TypeVar("V", bound=Value)

_NUL = b"u0000"
"""An escaped NUL, which no database holds; two backslashes before `u0000` are a backslash and a word."""

Verify = Callable[[bytes, Seal], bool]
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

    def rows(self) -> Iterator[Row]:
        """The ledger, oldest row first. Raises `InvalidInput` for what is no row, and where an entry is not the one
        that the manifest promised."""
        return self._values("ledger-", Row)

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
    seal = _value(archive, SIGNATURE, archive.small(SIGNATURE), Seal)
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
