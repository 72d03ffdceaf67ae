"""A pattern's tree spelled for RE2, which reads any text in linear time.

RE2 has no look-around, and its word edges know ASCII only. What it cannot say is left out, so what it finds is never
less than what the pattern means: where it finds nothing there is nothing, and where the spelling is exact its match is
the match.
"""

from dataclasses import dataclass

from agentmem.patterns.classes import Chars
from agentmem.patterns.syntax import ENDLESS, Branch, Edge, Group, Look, Node, Repeat, SameText, Sequence, Word, walk


@dataclass(frozen=True, slots=True)
class Spelling:
    """`source` in RE2's syntax; `exact` says that nothing was left out."""

    source: str
    exact: bool


def spelled(root: Sequence, *, ascii_text: bool) -> Spelling:
    """The pattern for texts that do not end in a line break; for ASCII texts only, where `ascii_text`, which can say
    more."""
    left_out = [node for node in walk(root) if _left_out(node, ascii_text)]
    return Spelling(_spelled(root, ascii_text), not left_out)


_EDGES = {
    Edge.BEGIN: r"\A",
    Edge.END: r"\z",
    Edge.VERY_END: r"\z",
    Edge.LINE_BEGIN: "(?m:^)",
    Edge.LINE_END: "(?m:$)",
    Edge.WORD_ASCII: r"\b",
    Edge.NO_WORD_ASCII: r"\B",
    Edge.NEVER: r"[^\x00-\x{10ffff}]",
}


def _left_out(node: Node, ascii_text: bool) -> bool:
    if isinstance(node, Look | SameText):
        return True
    return node in (Edge.WORD, Edge.NO_WORD) and not ascii_text


def _spelled(node: Node, ascii_text: bool) -> str:
    match node:
        case Chars():
            return f"(?i:{node.linear})" if node.fold else node.linear
        case Word():
            letters = "".join(node.at(place).linear for place in range(len(node.letters)))
            return f"(?i:{letters})" if node.fold else letters
        case Sequence():
            return "".join(_spelled(item, ascii_text) for item in node.items)
        case Branch():
            return f"(?:{'|'.join(_spelled(option, ascii_text) for option in node.options)})"
        case Repeat():
            most = "" if node.most == ENDLESS else node.most
            times = f"{{{node.least},{most}}}{'?' if node.lazy else ''}"
            return f"(?:{_spelled(node.body, ascii_text)}){times}"
        case Group():
            return f"({_spelled(node.body, ascii_text)})"
        case SameText():
            return "(?s:.*)"
        case Look():
            return ""
        case Edge():
            return _edge(node, ascii_text)


def _edge(edge: Edge, ascii_text: bool) -> str:
    if edge in _EDGES:
        return _EDGES[edge]
    if not ascii_text:
        return ""
    return r"\b" if edge is Edge.WORD else r"\B"
