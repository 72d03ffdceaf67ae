"""YAML as data and nothing else: mappings, sequences and scalars, each with the place it stands at.

Anchors, tags, duplicate keys, second documents and endless nesting are refused. A scalar keeps its own text beside
its value, because only the schema knows whether `0123` is a number or a telephone extension.

The events of PyYAML's parser are read and not the nodes of `yaml.compose`: nodes no longer tell where an anchor stood,
and the C composer, which recurses without a limit, ends the process at 200,000 brackets.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import cast

import yaml

from agentmem import patterns as re
from agentmem.characters import is_han
from agentmem.domain.bounds import text_fault
from agentmem.errors import InvalidInput

MAX_BYTES = 1_000_000
MAX_DEPTH = 30

Scalar = str | int | float | bool | None
Data = dict[str, "Data"] | list["Data"] | Scalar

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][-+]?[0-9]{1,2})?")
_WORDS: dict[str, Scalar] = {"": None, "~": None, "null": None, "true": True, "false": False}
# The C parser is ten times faster and not everywhere; both give the same events.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_parse_events = cast("Callable[[str, object], Iterator[yaml.Event]]", getattr(yaml, "parse"))  # noqa: B009 - the stubs leave its type open


@dataclass(slots=True)
class ScalarNode:
    """A scalar: its value by the reduced rules, its own text, and whether it was written without quotes."""

    where: str
    value: Scalar
    text: str
    plain: bool

    @property
    def data(self) -> Data:
        """The value."""
        return self.value


@dataclass(slots=True)
class MappingNode:
    """A mapping. `keys` holds where each key stands."""

    where: str
    items: dict[str, "Node"] = field(default_factory=dict[str, "Node"])
    keys: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def data(self) -> Data:
        """The mapping as plain data."""
        return {key: node.data for key, node in self.items.items()}


@dataclass(slots=True)
class SequenceNode:
    """A sequence."""

    where: str
    items: list["Node"] = field(default_factory=list["Node"])

    @property
    def data(self) -> Data:
        """The sequence as plain data."""
        return [node.data for node in self.items]


Node = ScalarNode | MappingNode | SequenceNode


def parse(text: str, name: str) -> Node:
    """The one document in `text`; `name` is what messages call it. Raises `InvalidInput`, one line."""
    tree, faults = parse_on(text, name)
    if faults:
        raise InvalidInput(faults[0])
    return tree


def parse_on(text: str, name: str) -> tuple[Node, list[str]]:
    """The same, reading on after what is refused; with what was, one line each. Raises `InvalidInput` where no more
    can be read."""
    if fault := text_fault(text):  # the text of somebody's JSON may hold what no file can
        raise InvalidInput(f"{name}: {fault}")
    reader = _Reader(text, name)
    try:
        return reader.document(), reader.faults
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{name}:{mark.line + 1}" if mark else name
        raise InvalidInput(f"{where}: not YAML: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise InvalidInput(f"{name}: not YAML: {' '.join(str(error).split())}") from error


def scalar(text: str) -> Scalar:
    """What a plain scalar means: null, true, false, a decimal number, or its own text."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


class _Reader:
    """Builds nodes from parser events."""

    def __init__(self, text: str, name: str) -> None:
        self.faults: list[str] = []
        self._name = name
        self._events = _parse_events(_with_blanks_kept(text), _LOADER)

    def document(self) -> Node:
        root: Node = ScalarNode(f"{self._name}:1", None, "", plain=True)
        documents = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise InvalidInput(f"{self._at(event)}: a second document; allowed: one per file")
                root = self._node(next(self._events), 0)
        return root

    def _at(self, event: yaml.Event) -> str:
        return f"{self._name}:{event.start_mark.line + 1}"

    def _node(self, event: yaml.Event, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise InvalidInput(f"{self._at(event)}: nested deeper than {MAX_DEPTH} levels")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            self.faults.append(f"{self._at(event)}: anchors and aliases are not read; write the value out")
        if isinstance(event, yaml.AliasEvent):
            return ScalarNode(self._at(event), None, "", plain=True)
        if tag := getattr(event, "tag", None):
            self.faults.append(f"{self._at(event)}: tags such as {tag!r} are not read; write the plain value")
        if isinstance(event, yaml.ScalarEvent):
            return self._leaf(event)
        if isinstance(event, yaml.MappingStartEvent):
            return self._branch(event, depth)
        return self._row(event, depth)

    def _leaf(self, event: yaml.ScalarEvent) -> ScalarNode:
        text: str = event.value
        if any(ch == "\0" or "\ud800" <= ch <= "\udfff" for ch in text):
            raise InvalidInput(f"{self._at(event)}: a NUL or half a character pair inside a text")
        plain = event.style is None or event.style == ""
        if event.style != "|" and event.end_mark.line > event.start_mark.line:
            text = _unfolded(text)
        text = text.replace(_BLANK, " ")
        return ScalarNode(self._at(event), scalar(text) if plain else text, text, plain)

    def _branch(self, start: yaml.Event, depth: int) -> MappingNode:
        branch = MappingNode(self._at(start))
        for event in self._events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key, where = self._node(event, depth + 1), self._at(event)
            if not isinstance(key, ScalarNode):
                raise InvalidInput(f"{where}: a key must be a word, not a list or a mapping")
            if key.text in branch.items:
                self.faults.append(f"{where}: key {key.text!r} stands here twice, first at {branch.keys[key.text]}")
            branch.keys[key.text] = where
            branch.items[key.text] = self._node(next(self._events), depth + 1)
        return branch

    def _row(self, start: yaml.Event, depth: int) -> SequenceNode:
        row = SequenceNode(self._at(start))
        for event in self._events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            row.items.append(self._node(event, depth + 1))
        return row


_BLANK = "\ufdd0"
"""Stands, while the text is parsed, for a blank within a line between Chinese words; no character of any writing."""


def _with_blanks_kept(text: str) -> str:
    """The text with such blanks marked: behind them the parser's own blanks, one for each line break, are known."""

    def marked(blanks: re.Match) -> str:
        inside = _is_wide(text[blanks.start() - 1]) and _is_wide(text[blanks.end()])
        return _BLANK * len(blanks.group()) if inside else blanks.group()

    return _BLANKS.sub(marked, text)


_BLANKS = re.compile(r"(?<=\S) +(?=\S)")


def _unfolded(text: str) -> str:
    """A text that was written in several lines, without the blanks by which YAML joined Chinese ones."""
    near = zip(f" {text}", text, f"{text[1:]} ", strict=False)
    return "".join(ch for before, ch, after in near if ch != " " or not (_is_wide(before) and _is_wide(after)))


def _is_wide(ch: str) -> bool:
    return is_han(ch) or "\u3001" <= ch <= "\u303f" or "\uff01" <= ch <= "\uff65"
