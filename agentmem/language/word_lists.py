"""Word lists: the text files of the folder `words`.

Words are parted by white space; `#` begins a line of comment, and a line `[name]` a section. A file is read when the
first of its words is asked for, and once.
"""

from functools import lru_cache
from importlib.resources import files


def word_list(file: str, *sections: str) -> tuple[str, ...]:
    """The words of these sections of a file, in order. Raises `KeyError` for a section that is not there."""
    held = _sections(file)
    return tuple(word for section in sections for word in held[section])


def word_groups(file: str) -> tuple[tuple[str, ...], ...]:
    """The words of a file without sections, line by line."""
    return tuple(tuple(line.split()) for line in _lines(file))


@lru_cache(maxsize=32)
def _sections(file: str) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    section: list[str] = []
    for line in _lines(file):
        if line.startswith("["):
            section = held.setdefault(line.strip("[]"), [])
        else:
            section.extend(line.split())
    return held


def _lines(file: str) -> list[str]:
    text = files("agentmem.language").joinpath("words", f"{file}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
