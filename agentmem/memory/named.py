"""Whether a text names somebody by a name he is known by, written out in full."""

from collections.abc import Iterable, Iterator

from agentmem import patterns as re
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import HAN, canonical_name, fold

VERBATIM = (MemoryType.CONVERSATION, MemoryType.LONGTERM)
"""Types of memories that hold words as they were said or written."""

_HAN = re.compile(f"[{HAN}]")
_LETTER = f"[^\\W{HAN}]"
_SHORTEST = 2


def names_in(node: MemoryNode, target: str | None) -> Iterator[str]:
    """The names that a memory about this target gives it."""
    if node.target_id == target:
        yield node.target_name
        if node.attribute in ("name", "alias") and node.value:
            yield node.value


class NamesOf:
    """The names of one person. One of letters stands by itself, one of Chinese characters anywhere."""

    def __init__(self, names: Iterable[str]) -> None:
        plain = {name for each in names if len(name := canonical_name(each)) >= _SHORTEST}
        forms = sorted(map(_form, plain))
        self._any = re.compile("|".join(forms)) if forms else None

    def stand_in(self, text: str) -> bool:
        """Whether one of them is in the text."""
        return self._any is not None and self._any.search(fold(text)) is not None


def _form(name: str) -> str:
    form = re.escape(name)
    return form if _HAN.search(name) else f"(?<!{_LETTER}){form}(?!{_LETTER})"
