"""What one half of a wish names, whether a memory or a clause tells it, and which are nearest where none does."""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from agentmem import patterns as re
from agentmem.domain.memory import MemoryNode
from agentmem.language.detail_kinds import DetailKind, kinds_shown, of_other_kind
from agentmem.language.details import details_named, only_resembles, tells, values_of
from agentmem.language.lookalikes import simplified
from agentmem.language.normal import digits, identifiers_in
from agentmem.language.people import Whom
from agentmem.language.tokens import tokens
from agentmem.memory.request_named import MIN_DIGITS
from agentmem.memory.wish_words import is_matter, is_related, says

Asked = Callable[[str], frozenset[str]]
"""The attributes that a question asks for."""

NEARLY_ALL = 0.8
"""Share of the words of a wish that a memory must say."""

LIGHT = frozenset(
    tokens(
        "forget go goes do does did get gets have has take takes use uses live lives work works attend study is are 在 是 开 吃 上 做 用"
    )
)
"""Words that say of a detail only that somebody has it: "which school he goes to"."""
_COUNTED = re.compile(
    r"\d|[一二三四五六七八九十百千万两半]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundred|thousand|million|half|dozen)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sought:
    """What one half of a wish names: slots and details, and words besides; `people`: whose they are, where it says so;
    `whole`: nothing but them is named. `every`: all that there are, whoever has them;
    `counted`: what is said in a number. `kinds`: those of a detail that it names, and no other."""

    attributes: frozenset[str]
    words: frozenset[str]
    besides: frozenset[str]
    details: frozenset[str] = frozenset()
    people: tuple[Whom, ...] = ()
    every: bool = False
    counted: bool = False
    whole: bool = False
    kinds: frozenset[DetailKind] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.attributes or self.words or self.details)

    @property
    def of_value(self) -> bool:
        """Whether it names a value that is one of a kind."""
        return any(sum(map(str.isdigit, word)) >= MIN_DIGITS or "@" in word for word in self.words)

    @property
    def of_name(self) -> bool:
        """Whether somebody's name is meant."""
        return "name" in self.details

    def fills(self, node: MemoryNode) -> bool:
        """Whether the memory fills a slot that is named, and says whatever else is named with it."""
        if node.attribute not in self.attributes or only_resembles(simplified(node.content), self.details):
            return False
        return not self.is_of_other_kind(_shows_kind(node, self.kinds)) and self._says_all(self.besides, _said(node))

    def is_of_other_kind(self, text: str) -> bool:
        """Whether what a text tells is of another kind than those that are named."""
        return of_other_kind(text, self.kinds)

    def said_of(self, value: str, clause: str) -> str:
        """What a clause says of this value: of several contacts, what stands before it, or behind it where the clause
        begins with one."""
        codes = [cut for *cut, _ in identifiers_in(clause)]
        if len(codes) < 2:
            return clause
        ends = [0, *(stop for _, stop in codes)]
        starts = [*(begin for begin, _ in codes), len(clause)]
        said = pairwise(ends if kinds_shown(clause[: starts[0]], self.kinds) else starts)
        held = (clause[slice(*part)] for part, cut in zip(said, codes, strict=True) if clause[slice(*cut)] == value)
        return next(held, clause)

    def told_in(self, text: str, asked: Asked) -> bool:
        """Whether a clause tells what is named."""
        plain = simplified(text)
        if self.is_of_other_kind(plain):
            return False
        if self.counted and not _COUNTED.search(plain):
            return False
        # A detail is told as its own words say, not by whatever the vocabulary asks for with one of them.
        attributes = frozenset[str]() if self.details else self.attributes
        named = bool(asked(plain) & attributes)
        if any(tells(plain, detail) for detail in self.details) or (named and _has_digit(plain)):
            return self._says_all(self.besides, tokens(plain))
        return self.said_in(plain)

    def hints_in(self, text: str, turn: str) -> frozenset[str]:
        """The words by which a clause of a turn seems to tell what is named, which it does not surely tell: a value that
        by its form is of the detail that is named, or all other words of the wish in some form; none where it does
        not."""
        plain = simplified(text)
        said = frozenset(tokens(plain))
        if only_resembles(plain, self.details) or self.is_of_other_kind(plain):
            return frozenset()
        held = frozenset[str]().union(*(values_of(plain, detail) for detail in self.details))
        if held and all(is_related(word, simplified(turn), tokens(simplified(turn))) for word in self.besides - LIGHT):
            return held
        words = frozenset[str]() if self._names_a_slot else self.words - LIGHT
        return words if words and all(is_related(word, plain, said) for word in words) else frozenset()

    def names(self, phrase: str, asked: Asked) -> bool:
        """Whether words behind whoever has something name it, or tell it."""
        plain = simplified(phrase)
        named = details_named(plain) & self.details or asked(plain) & self.attributes
        return bool(named) or any(tells(plain, detail) for detail in self.details) or self.said_in(plain)

    def said_in(self, text: str) -> bool:
        """Whether the text says nearly all of the words."""
        if not self.words or self._names_a_slot:
            return False
        said = frozenset(tokens(simplified(text)))
        return sum(says(word, said) for word in self.words) >= NEARLY_ALL * len(self.words)

    @property
    def _names_a_slot(self) -> bool:
        """Whether only a slot is named: its name alone tells nothing of what fills it."""
        return bool(self.attributes or self.details) and not self.besides

    def is_only(self, name: str) -> bool:
        """Whether it names whoever has this name, and nothing besides but a word for what he is to one."""
        words = frozenset(word for word in self.words if not is_matter(word)) or self.words
        return bool(words) and words <= frozenset(tokens(simplified(name)))

    @property
    def of_kin(self) -> bool:
        """Whether it names somebody by a word for those who belong to one."""
        return bool(self.words) and all(map(is_matter, self.words))

    def _says_all(self, words: Collection[str], said: Collection[str]) -> bool:
        return all(says(word, said) for word in words)


def _has_digit(text: str) -> bool:
    return bool(digits(text))


def _shows_kind(node: MemoryNode, kinds: Collection[DetailKind]) -> str:
    """What of a memory shows of which of these kinds it is: its slot, where that does, else what it says."""
    slot = (node.attribute or "").replace("_", " ")
    return slot if kinds_shown(slot, kinds) else node.content


def _said(node: MemoryNode) -> frozenset[str]:
    return frozenset(tokens(simplified("\n".join((node.content, node.value or "", *node.key)))))


MAX_NEAR: Final = 5
"""Memories that somebody may choose from by id where his request took nothing."""


def near(sought: Sought, nodes: Iterable[MemoryNode]) -> list[MemoryNode]:
    """At most `MAX_NEAR` of these memories, nearest first: such as say most of what is named, and of those that say the
    same the newest. A turn is left out where a memory made of it is among them."""
    found = [(_nearness(sought, node), node) for node in nodes]
    found = [(much, node) for much, node in found if much]
    found.sort(key=lambda each: (-each[0], -each[1].valid_at.timestamp(), each[1].memory_id))
    told = {part.memory_id for _, node in found for part in node.evidence}
    return [node for _, node in found if node.memory_id not in told][:MAX_NEAR]


def _nearness(sought: Sought, node: MemoryNode) -> int:
    plain = simplified(node.content)
    said = frozenset(tokens(plain))
    words = sum(is_related(word, plain, said) for word in sought.words)
    named = details_named(plain)
    details = sum(each in named or tells(plain, each) or bool(values_of(plain, each)) for each in sought.details)
    return words + details + 2 * (node.attribute in sought.attributes)
