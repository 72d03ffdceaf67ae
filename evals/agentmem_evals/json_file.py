"""JSON from outside as a validated value; a mistake in it is one line: file, line, key, what is wrong."""

import json
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from agentmem import patterns as re
from agentmem.errors import InvalidInput
from agentmem.runtime.configuration.yaml_file import Location, describe, node_at, read_text
from agentmem.runtime.configuration.yaml_tree import MappingNode, Node, ScalarNode, SequenceNode

T = TypeVar("T", bound=BaseModel)

MAX_BYTES = 200_000_000

_BLANK = re.compile(r"[ \t\r\n]*")
_PLACE = re.compile(r" at line (\d+) column \d+$")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Json:
    """One JSON value in a file called `name`, beginning on line `line`."""

    name: str
    text: str
    line: int = 1

    def read(self, model: type[T]) -> T:
        """The value as `model`. Raises `InvalidInput` with one line that says where the mistake is."""
        try:
            return model.model_validate_json(self.text, strict=True)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            if first["type"] == "json_invalid":
                raise InvalidInput(self._not_json(str(first.get("ctx", {}).get("error")))) from error
            raise InvalidInput(describe(error, self._tree, model)) from error

    def wrong(self, location: Location, problem: str) -> InvalidInput:
        """The error that says what is wrong with the value at `location`, for checks that no model can make."""
        place = node_at(self._tree, location)
        return InvalidInput(f"{place.where}: {place.path}: {problem}" if place.path else f"{place.where}: {problem}")

    @cached_property
    def _tree(self) -> Node:
        return _TreeReader(self).node(_after_blank(self.text, 0))[0]

    def _not_json(self, problem: str) -> str:
        found = _PLACE.search(problem)
        line = self.line + int(found[1]) - 1 if found else self.line
        return f"{self.name}:{line}: not JSON: {_PLACE.sub('', problem)}"


def lines_of(path: Path) -> Iterator[Json]:
    """The values of a file with one JSON value on each line; blank lines are passed over. Raises `InvalidInput`."""
    for number, line in enumerate(read_text(path, MAX_BYTES).split("\n"), start=1):
        if line.strip():
            yield Json(str(path), line, number)


class _TreeReader:
    """Builds the tree that knows its lines, of a text that has been read without complaint before."""

    def __init__(self, source: Json) -> None:
        self._text, self._name, self._line = source.text, source.name, source.line
        self._ends = list(accumulate(len(line) + 1 for line in source.text.split("\n")))

    def node(self, at: int) -> tuple[Node, int]:
        """The value that begins at `at`, and where the text goes on after it."""
        match self._text[at]:
            case "{":
                return self._branch(at)
            case "[":
                return self._row(at)
            case first:
                value, end = _DECODER.raw_decode(self._text, at)
                text = value if isinstance(value, str) else self._text[at:end]
                return ScalarNode(self._where(at), value, text, plain=first != '"'), end

    def _where(self, at: int) -> str:
        return f"{self._name}:{self._line + bisect_right(self._ends, at)}"

    def _branch(self, at: int) -> tuple[MappingNode, int]:
        branch = MappingNode(self._where(at))
        at = _after_blank(self._text, at + 1)
        while self._text[at] != "}":
            key, after = _DECODER.raw_decode(self._text, at)
            branch.keys[key] = self._where(at)
            colon = _after_blank(self._text, after)
            branch.items[key], at = self.node(_after_blank(self._text, colon + 1))
            at = self._next(at)
        return branch, at + 1

    def _row(self, at: int) -> tuple[SequenceNode, int]:
        row = SequenceNode(self._where(at))
        at = _after_blank(self._text, at + 1)
        while self._text[at] != "]":
            item, at = self.node(at)
            row.items.append(item)
            at = self._next(at)
        return row, at + 1

    def _next(self, at: int) -> int:
        at = _after_blank(self._text, at)
        return _after_blank(self._text, at + 1) if self._text[at] == "," else at


def _after_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
