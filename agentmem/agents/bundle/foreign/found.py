"""What a file of another system holds for us, and what of it is left behind."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from agentmem.domain.memory import MemoryType
from agentmem.domain.value import JsonValue

_LONGEST_NAME = 200
_NAMES_KEPT = 50


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a file, on their way to become a memory of layer `layer`.

    `about` names whom they are about: None the agent itself, "" whoever the file does not name. `by_agent` tells who
    said them, where they are a turn of talk `run`; `at` when, None where the file does not say. `key` are the words
    they are found by.
    """

    layer: MemoryType
    text: str
    about: str | None
    at: datetime | None = None
    by_agent: bool = False
    run: str | None = None
    kind: str | None = None
    key: tuple[str, ...] = ()


@dataclass(slots=True)
class Dropped:
    """What was left behind, by what it is: how many, and the first names."""

    counts: dict[str, int] = field(default_factory=dict[str, int])
    names: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def note(self, what: str, names: Iterable[str] | None = None, *, count: int = 1) -> None:
        """Add to what was left behind: these, or `count` that have no names."""
        given = list(names or ())
        more = count if names is None else len(given)
        if more:
            self.counts[what] = self.counts.get(what, 0) + more
            kept = self.names.setdefault(what, [])
            kept += [name_of(name, "?") for name in given[: max(0, _NAMES_KEPT - len(kept))]]

    def note_given(self, what: str, value: JsonValue) -> None:
        """The same for a field, where there is anything in it: by its keys, its length, or as one."""
        if isinstance(value, dict):
            self.note(what, value)
        elif isinstance(value, list):
            self.note(what, count=len(value))
        elif value:
            self.note(what)


@dataclass(frozen=True, slots=True)
class Foreign:
    """A file read: of which format, of whom (`name`, what it says it is, and how it speaks), with what memories."""

    format: str
    name: str | None
    role: str
    style: str
    passages: tuple[Passage, ...]
    dropped: Dropped
    boundaries: tuple[str, ...] = ()


def name_of(text: str, otherwise: str) -> str:
    """The text as a name: printable, on one line, not too long; `otherwise` where nothing of it is left."""
    shown = " ".join("".join(ch if ch.isprintable() else " " for ch in text).split())[:_LONGEST_NAME].strip()
    return otherwise if shown in ("", "*", ".") else shown
