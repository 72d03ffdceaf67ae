"""What the files of a data directory still hold: their bytes searched for ids and words, by a process of its own.

SQLite's locks belong to the process, and closing any descriptor of a database gives all of them up: a holder that read
its own journal here would let the next command take itself for the last one and throw the log away, with what was
accepted since.
"""

import json
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from agentmem import patterns as re
from agentmem.domain.packed import readable_in
from agentmem.errors import BackendUnavailable
from agentmem.system import last_line, next_data, run_apart

_BLOCK = 1 << 20
_OVERLAP = 1 << 12
"""More than any packed text has bytes."""
_ID_FROM_ITS_HYPHEN = re.compile(r"-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
"""What follows the first eight digits of an id: what begins with one letter is searched for six times as fast."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search of a data directory saw. `found` are (file, id or number of the canary)."""

    files: int
    size: int
    found: tuple[tuple[str, str], ...]


def search_bytes(data: Path, ids: Collection[str], canaries: Sequence[str], *, but: str) -> Searched:
    """Search the bytes of every file below `data`, its folder `but` left aside, for memory ids and for canaries, these
    also in the form they have inside JSON, and both also in what is packed. Raises `BackendUnavailable` where a file
    cannot be read."""
    asked = json.dumps({"data": str(data), "but": but, "ids": list(ids), "canaries": list(canaries)})
    done = run_apart(__name__, given=asked.encode())
    if done.returncode:
        raise BackendUnavailable(f"{data} cannot be searched: {last_line(done)}", of_the_machine=True)
    told = json.loads(done.stdout)
    return Searched(told["files"], told["size"], tuple((place, what) for place, what in told["found"]))


def main() -> None:
    """Read from the standard input what is searched for, and write to the standard output what was found."""
    asked = json.load(sys.stdin)
    data = Path(asked["data"])
    files = [path for path in sorted(data.rglob("*")) if path.is_file() and data / asked["but"] not in path.parents]
    found: dict[tuple[str, str], None] = {}
    size = 0
    for path in files:
        for length, what in _in_file(path, set(asked["ids"]), asked["canaries"]):
            size += length
            found |= {(path.relative_to(data).as_posix(), each): None for each in what}
    json.dump({"files": len(files), "size": size, "found": list(found)}, sys.stdout)


def _in_file(path: Path, ids: set[str], canaries: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Length and finds of each block."""
    forms = [{text.encode(), json.dumps(text)[1:-1].encode(), text.encode("utf-16-le")} for text in canaries]
    longest = max((len(form) for each in forms for form in each), default=36)
    for block in _blocks(path, max(longest, _OVERLAP)):
        found: list[str] = []
        for text in (block, *readable_in(block)):
            found += ids.intersection(_ids_in(text) if ids else ())
            seen = (number for number, each in enumerate(forms, start=1) if any(form in text for form in each))
            found += (f"canary {number}" for number in seen)
        yield len(block), found


def _ids_in(block: bytes) -> Iterator[str]:
    text = block.decode("latin-1")
    return (text[max(0, each.start() - 8) : each.end()] for each in _ID_FROM_ITS_HYPHEN.finditer(text))


def _blocks(path: Path, overlap: int) -> Iterator[bytes]:
    """The file in blocks, each beginning with the end of the one before. Holes, most of a small index, are jumped over:
    they read as zeros."""
    with path.open("rb", buffering=0) as file:
        before, end = b"", 0
        while (place := next_data(file.fileno(), end)) is not None:
            file.seek(place)
            block = file.read(_BLOCK)
            if not block:
                return
            yield (before if place == end else b"") + block
            before, end = block[-overlap:], place + len(block)
