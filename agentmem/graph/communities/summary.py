"""What a community is called and what is said of it: its weightiest statements, or a model's summary of them.

A model is asked only where there is more to say than there is room for. What it answers is believed as far as the
statements bear it out: no number and no name that they do not have as a whole, no denial and no order of its own.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import structlog

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.errors import BackendUnavailable, BadAnswer, without_content
from agentmem.language.clauses import sentences
from agentmem.language.names import names_of
from agentmem.language.normal import Language, fold, language_of
from agentmem.language.support_check import has_new_number, has_new_tone, stands_in
from agentmem.ports.models import Summariser

log = structlog.get_logger()

ROOM: Final = 1_000
"""Characters of a summary."""

AT_ONCE: Final = 6 * ROOM
"""Characters that one call of a model sums up; what that leaves of more is summed up again."""

TITLE: Final = 3
"""Members a community is named after, those that most facts name."""

READ: Final = 8_000
"""Characters of a piece of a document that are read for sentences."""

_QUESTION: Final[Mapping[Language, str]] = {
    "zh": "这些内容合起来说明了什么？请写一段不超过800字的概述，只用其中的内容。",
    "en": "What do these facts say together? Give one overview of at most 150 words, and nothing that they do not say.",
}

Load = Callable[[], Awaitable[Summariser | None]]


@dataclass(frozen=True, slots=True)
class QuotedStatement:
    """One thing said, `about` somebody, in memory `memory_id`."""

    memory_id: str
    about: str
    text: str


@dataclass(frozen=True, slots=True)
class CommunitySummary:
    """A summary and the memories it tells of. `lasting`: not merely the best that could be had now."""

    text: str
    memory_ids: tuple[str, ...]
    lasting: bool = True


@dataclass(slots=True)
class Summaries:
    """Makes summaries; `asked` counts calls of the model, `unusable` the answers that were of no use."""

    load: Load
    asked: int = 0
    unusable: int = 0
    _loaded: list[Summariser | None] = field(default_factory=list[Summariser | None])

    async def __call__(self, statements: Sequence[QuotedStatement], language: Language) -> CommunitySummary:
        """The statements themselves where there is room for all, or no model; else what the model makes of them."""
        excerpt = excerpted(statements)
        if sum(len(one.text) for one in statements) <= ROOM or (model := await self._model()) is None:
            return excerpt
        try:
            text = await self._reduced(model, [one.text for one in statements], language)
        except BackendUnavailable as error:
            log.warning("community_not_summarised", reason=without_content(error))
            return CommunitySummary(excerpt.text, excerpt.memory_ids, lasting=False)
        return excerpt if text is None else CommunitySummary(text, tuple(one.memory_id for one in statements))

    async def _reduced(self, model: Summariser, texts: Sequence[str], language: Language) -> str | None:
        """One summary of all, by summaries of at most `AT_ONCE` characters; None where an answer was of no use."""
        while True:
            parts: list[str] = []
            for some in _at_once(texts):
                part = some[0] if parts and len(some) == 1 else await self._asked(model, some, language)
                if part is None:
                    self.unusable += 1
                    return None
                parts.append(part)
            if len(parts) == 1:
                return parts[0]
            texts = parts

    async def _asked(self, model: Summariser, texts: Sequence[str], language: Language) -> str | None:
        self.asked += 1
        try:
            text = (await model.summarise(_QUESTION[language], texts)).text
        except BadAnswer:
            return None
        text = " ".join(text.split())
        return text if 0 < len(text) <= ROOM and borne_out(text, texts) else None

    async def _model(self) -> Summariser | None:
        if not self._loaded:
            self._loaded.append(await self.load())
        return self._loaded[0]


def _at_once(texts: Iterable[str]) -> Iterator[list[str]]:
    """The texts in their order, `AT_ONCE` characters at a time."""
    some, room = list[str](), AT_ONCE
    for text in texts:
        if some and len(text) > room:
            yield some
            some, room = [], AT_ONCE
        some.append(text)
        room -= len(text)
    if some:
        yield some


def borne_out(text: str, texts: Sequence[str]) -> bool:
    """Whether every number and every name of a text stands, whole, in one of the others, and whatever it denies or
    orders is denied or ordered there."""
    if has_new_number(text, texts) or has_new_tone(text, texts):
        return False
    return all(any(stands_in(mention.name, each) for each in texts) for mention in names_of(text))


def title(names: Sequence[str], language: Language) -> str:
    """What a community is called: after its first members."""
    return ("、" if language == "zh" else ", ").join(names[:TITLE])[:200].strip()


def language_of_all(nodes: Iterable[MemoryNode]) -> Language:
    """The language most of them are in."""
    counted = Counter(node.language or language_of(node.content) for node in nodes)
    return "zh" if counted["zh"] >= max(counted["en"], 1) else "en"


def statements_of(nodes: Iterable[MemoryNode], names: Sequence[str]) -> list[QuotedStatement]:
    """What these memories say of the names, one statement each and each said once, in their order."""
    found: dict[str, QuotedStatement] = {}
    for node in nodes:
        text = _chosen(node.content, names) if node.memory_type is MemoryType.LONGTERM else node.content
        text = " ".join(text.split())
        if text and len(text) <= ROOM:
            found.setdefault(fold(text), QuotedStatement(node.memory_id, _about(node), text))
    return list(found.values())


def excerpted(statements: Sequence[QuotedStatement]) -> CommunitySummary:
    """As many whole statements as there is room for: the first about each, then the second about each, and so on."""
    turns: dict[str, int] = {}
    order: list[tuple[int, int]] = []
    for place, one in enumerate(statements):
        turns[one.about] = turns.get(one.about, 0) + 1
        order.append((turns[one.about], place))
    room, chosen = ROOM, list[QuotedStatement]()
    for _, place in sorted(order):
        one = statements[place]
        if len(one.text) < room:
            chosen.append(one)
            room -= len(one.text) + 1
    return CommunitySummary("\n".join(one.text for one in chosen), tuple(one.memory_id for one in chosen))


def _about(node: MemoryNode) -> str:
    asset = node.meta_data.get("assetId")
    return asset if isinstance(asset, str) else node.target_id


def _chosen(text: str, names: Sequence[str]) -> str:
    """The sentence of a piece of a document with most of the names, the first of equals; empty where none has any. What
    has no full stop is a heading or a cell."""
    best, most = "", 0
    for span in sentences(text[:READ]):
        having = sum(name in span.text for name in names)
        if having > most and span.terminator.strip() and not span.is_question:
            best, most = span.text + span.terminator, having
    return best
