"""What was said later of the matter of an answer, and changes it: told in the older words it would be wrong.

Nothing derived may have come of either: `the wedding is on 6 June`, and a month later `the wedding is off`.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from agentmem import patterns as re
from agentmem.answers.passages import Passage
from agentmem.characters import is_han
from agentmem.domain.episode import is_blotted
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.language.clauses import sentences
from agentmem.language.cues import topics_of
from agentmem.language.gists import Gist, gist_of
from agentmem.language.names import names_of
from agentmem.language.synonyms import senses
from agentmem.language.tokens import tokens
from agentmem.language.typed_values import TypedValue, typed_values
from agentmem.questions.form import Wanted, wanted_by
from agentmem.questions.wanted_kind import (
    OF_NUMBER,
    REPLY,
    is_a_question,
    is_for_once,
    is_of_the_kind,
    is_supposed,
    says_of_change,
)
from agentmem.questions.whose import is_of_another

_WHETHER: Final = re.compile(r"[吗么]\W*$|\b(?:yet|already|still)\b", re.IGNORECASE)
_ADDS: Final = re.compile(r"\b(?:also|another|extra|additional|as well|besides|too)\b|另外|还要|也", re.IGNORECASE)

_AMOUNT: Final = re.compile(
    r"[改换降升涨加减调增缩][成到为了]?\s?[\d一二两三四五六七八九十百千万半]|\b(?:to|by|it|that|from) [£$€¥]?\d",
    re.IGNORECASE,
)
"""A change of how much, and not of what."""

_OTHER_TIMES: Final = ("rhythm", "clock")
"""What is done every so often at a time, and another time for it."""
_OF_TIME: Final = ("day", "clock", "rhythm")
_VALUES: Final[dict[Wanted, tuple[str, ...]]] = {
    "time": _OF_TIME,
    "number": OF_NUMBER,
    "money": OF_NUMBER,
    "age": OF_NUMBER,
}
"""Types of values that are of the kind that is wanted; all, where no such kind is."""

MAX_CHARS: Final = 1_000
"""Characters of a passage that are looked through."""

_HOW_MANY: Final = re.compile(r"\bhow many (\w+)|(?:多少|几)([人个台辆张间位次只家本斤])", re.IGNORECASE)

NEXT: Final = 12
"""Characters behind a number that may say what it counts."""

MAX_TITLE: Final = 30
"""Characters before a name that say who bears it."""

FEW: Final = 2
"""Words up to which a sentence says too little to be of a matter of its own."""


class _ToldStatement:
    """A sentence, as `told` and what is said in it, `text`; the rest, by which it is compared, is read when it is asked
    for."""

    def __init__(self, told: str, one: Passage) -> None:
        reply = REPLY.match(told)
        self.told = told
        self.text = told[reply.end() :] if reply else _without_subject(told, one.memory)
        self._asked = reply[0] if reply else ""
        self._one = one

    @cached_property
    def gist(self) -> Gist:
        """What it says, and whether that is new or over."""
        return gist_of(self.text, _names(self._one.memory))

    @cached_property
    def words(self) -> frozenset[str | int]:
        """Its words with what they may mean: what it was asked for is of its matter, and says of no change."""
        return senses(self.gist.words | gist_of(self._asked, _names(self._one.memory)).words)

    @cached_property
    def values(self) -> tuple[TypedValue, ...]:
        """Its values."""
        return tuple(typed_values(self.text[:MAX_CHARS], self._one.memory.valid_at))

    @cached_property
    def topics(self) -> frozenset[str]:
        """The topics of the whole that it stands in."""
        return topics_of(_without_subject(self._one.text[:MAX_CHARS], self._one.memory))

    @property
    def changes(self) -> bool:
        """Whether it says that something is not as it was."""
        return self.gist.changes or self.moves

    @property
    def moves(self) -> bool:
        """Whether it says so outright."""
        return self.gist.moves or says_of_change(self.text)

    @property
    def says_little(self) -> bool:
        """Whether what it is about was said before; what bears a name says it itself."""
        return self.gist.refers or (len(self.gist.words) <= FEW and not names_of(self.text[:MAX_CHARS]))


class LatestWord:
    """The newest words on the matter of a question among these passages, each of which is read once."""

    def __init__(self, question: str, passages: Iterable[Passage]) -> None:
        self._question = question
        self._in_order = sorted(passages, key=lambda each: each.memory.timestamp)
        self._read: dict[str, list[_ToldStatement]] = {}

    def on(self, told: Passage, sentence: str, *, filled: bool = False) -> tuple[Passage, str]:
        """The sentence in which the same person has last changed what this one says of the matter, with where it
        stands; itself where nobody has. What `filled` the slot that is asked for only another value changes."""
        asked = _AskedMatter(self._question, told.memory, filled)
        found, statement = (told, sentence), _ToldStatement(sentence, told)
        for one in self._in_order:
            if not _is_later(one.memory, found[0].memory) or _person(one.memory) != _person(told.memory):
                continue
            newer = [each for each in self._said(one) if asked.puts_in_place(each, statement)]
            if newer:
                statement = next((each for each in newer if each.moves), newer[0])
                found = one, statement.told
        return found

    def _said(self, one: Passage) -> list[_ToldStatement]:
        key = one.memory.memory_id
        if key not in self._read:
            self._read[key] = [_ToldStatement(text, one) for text in _sentences(one)]
        return self._read[key]


class _AskedMatter:
    """The question, as it bears on which of two statements is the newer word on its matter."""

    def __init__(self, question: str, node: MemoryNode, filled: bool) -> None:
        self.text = question
        self.wanted: Wanted | None = wanted_by(question)
        self.filled = filled
        self.kinds = _VALUES.get(self.wanted) if self.wanted else None
        self.whether = _WHETHER.search(question) is not None
        self.words = senses(gist_of(question, _names(node)).words)
        self.topics = topics_of(question)
        self.names = _names(node)

    def puts_in_place(self, new: _ToldStatement, old: _ToldStatement) -> bool:
        """Whether the newer one says that what the older one says of the matter has changed or is over, or, where it is
        asked whether, has come about."""
        if self._tells_nothing(new.text):
            return False
        matter = old.words & self.words
        if matter and not self.filled and not matter.isdisjoint(senses(frozenset[str]().union(*new.gist.over))):
            return True
        if not (new.changes or self.whether or new.gist.renews) and not (matter and matter <= new.words):
            return False  # whatever values it gives, which take the longest to read
        if self._fits(old.text) and not self._fits(new.text):
            return False
        if self._other_value(new, old):
            return self._is_anchored(new, old, matter)
        if (self.filled and not self.whether) or not (new.moves or self.whether or new.gist.renews):
            return False
        if matter.isdisjoint(new.words):
            return (new.moves or self.whether) and self._on_one_topic(new, old) and self._fits(new.text)
        return new.moves or (new.gist.renews and (self.whether or matter <= new.words))

    def _tells_nothing(self, text: str) -> bool:
        supposed = is_a_question(text) or is_supposed(text) or is_for_once(text)
        return supposed or is_of_another(text, self.text, self.names)

    def _other_value(self, new: _ToldStatement, old: _ToldStatement) -> bool:
        kinds = self.kinds
        if self.wanted in ("name", "person", "place") and (not new.moves or _AMOUNT.search(new.text)):
            return False
        days = old.gist.weekdays
        if days and new.gist.weekdays and days.isdisjoint(new.gist.weekdays) and (kinds is None or kinds is _OF_TIME):
            return True
        return any(
            (one.excludes(other) or (other.kind, one.kind) == _OTHER_TIMES)
            and (kinds is None or one.kind.startswith(kinds))
            and self._is_what_is_counted(one)
            for one in new.values
            for other in old.values
        )

    def _is_what_is_counted(self, value: TypedValue) -> bool:
        """Whether a count is one of what the question counts, where it says that."""
        counted = _HOW_MANY.search(self.text)
        if counted is None:
            return True
        return not frozenset(value.kind.split()[1:]).isdisjoint((*tokens(counted[1] or ""), counted[2]))

    def _is_anchored(self, new: _ToldStatement, old: _ToldStatement, matter: frozenset[str | int]) -> bool:
        """Whether another value is one of the same matter."""
        if _ADDS.search(new.text):
            return False
        shared = new.words & (old.words | self.words)
        if self.kinds is None and not new.moves:
            return False
        if shared and (new.changes or (matter and matter <= new.words)):
            return True
        if new.moves and (new.says_little or self._on_one_topic(new, old)):
            return True
        whole = bool(self.topics) and self.topics <= old.topics & new.topics
        return new.changes and (whole or self._counts_alike(new, old))

    def _on_one_topic(self, new: _ToldStatement, old: _ToldStatement) -> bool:
        return not (old.topics & new.topics).isdisjoint(self.topics)

    def _counts_alike(self, new: _ToldStatement, old: _ToldStatement) -> bool:
        """Whether it counts what the older one counts, or says another of its values again."""
        counted = frozenset(noun for each in new.values for noun in each.kind.split()[1:])
        if not counted.isdisjoint(noun for each in old.values for noun in each.kind.split()[1:]):
            return True
        behind = "".join(old.text[each.end : each.end + NEXT] for each in old.values)
        again = {(each.kind, each.value) for each in new.values} & {(each.kind, each.value) for each in old.values}
        return bool(again) or any(noun in behind if is_han(noun[0]) else noun in tokens(behind) for noun in counted)

    def _fits(self, text: str) -> bool:
        return is_of_the_kind(self.wanted, text, self.text, self.names)


def _without_subject(text: str, node: MemoryNode) -> str:
    """What is said of the person or by him, without his name and what stands before it."""
    before, name, after = text.partition(node.target_name)
    return after.removeprefix(": ") if name and len(before) <= MAX_TITLE else text


def _is_later(new: MemoryNode, old: MemoryNode) -> bool:
    """Whether it was said after the other, in other words."""
    rests_on = {old.memory_id, *old.source_ids}
    return new.timestamp > old.timestamp and rests_on.isdisjoint((new.memory_id, *new.source_ids))


def _sentences(one: Passage) -> Iterator[str]:
    if one.memory.memory_type in (MemoryType.CONVERSATION, MemoryType.OBSERVATION):
        told = (f"{span.text}{span.terminator}" for span in sentences(one.text[:MAX_CHARS]))
        yield from (text for text in told if not is_blotted(text))


def _person(node: MemoryNode) -> str:
    """Whose word it is: of a turn the speaker's."""
    return canonical_name((node.speaker if node.memory_type is MemoryType.CONVERSATION else None) or node.target_name)


def _names(node: MemoryNode) -> tuple[str, ...]:
    return tuple(name for name in (node.target_name, node.speaker, node.user_name) if name)
