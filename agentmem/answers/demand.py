"""What a sentence must have to answer a question without a model: whom it is about, and what is asked of him."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agentmem import patterns as re
from agentmem.characters import has_han
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.language.cues import topics_of
from agentmem.language.details import DETAILS, tells
from agentmem.language.names import names_of
from agentmem.language.normal import language_of
from agentmem.language.record_fields import (
    asked_of,
    codes_asked,
    fields_of,
    is_of_another,
    last_of,
    named_by,
    record_answers,
    speaks_of,
    stated,
)
from agentmem.language.synonyms import Kin, inverse, kin_in, senses
from agentmem.language.tokens import terms, tokens
from agentmem.questions.asked_people import AskedPeople
from agentmem.questions.form import HOW_MANY_ZH, Wanted, has, is_described, is_nested, wanted_by
from agentmem.questions.question import asked_for, beside

_CONTACTS: Final[Mapping[str, tuple[re.Pattern, re.Pattern]]] = {
    "phone": (re.compile(r"电话|手机|\bphone|\bmobile\b", re.IGNORECASE), re.compile(r"\d{3}")),
    "email": (re.compile(r"邮箱|\be-?mail\b", re.IGNORECASE), re.compile("@")),
    "wechat": (re.compile(r"微信|\bwechat\b", re.IGNORECASE), re.compile(r"\w")),
    "qq": (re.compile(r"\bqq\b|qq号", re.IGNORECASE), re.compile(r"\d{5}")),
}
"""Ways to reach somebody: nothing else will do where one of them is asked for, and it must look like one."""

_FRAME_EN: Final = (
    "name call kind type sort thing place time mani much old long year month day date peopl person someon somebodi "
    "first last now current number get put take"
)
_FRAME_ZH: Final = (
    "叫 名字 地方 时间 人 谁 由 最 要 能 去 来 所 为 向 刚 有个 自己 现在 目前 今年 起 给 年 月 种 类型 说 请 做"
    " 想 使用 用 家 某"
)
_FRAME: Final = frozenset((*_FRAME_EN.split(), *_FRAME_ZH.split()))
"""Words that say how is asked, not what; as `tokens` has them."""

_HARD_TO_SEE: Final = frozenset({"name", "person", "place"})
"""Kinds of things that a sentence may have without being seen to have them."""

_OTHER: Final = "0"
_INNER: Final = re.compile(r"的(?=\w)")
"""Of something that is described by a clause."""

_MINE: Final = r"[我咱]们?的?|自己的|\b(?:my|our|their)\b"
"""As the speaker says it, and as it is told of him."""

_NEXT: Final = 80
"""Characters in which the next word of a sentence is looked for."""

_ADDRESSED: Final = re.compile(r"[\u4e00-\u9fff](?:先生|女士|小姐|太太)|\b(?:Mr|Mrs|Ms|Miss|Dr)\b\.? [A-Z][\w'-]+")
"""By his surname, as somebody is spoken of."""

_WHICH: Final = re.compile(r"哪[家个位些所种支款]\w{2}")
_HOW_MANY: Final = re.compile(HOW_MANY_ZH)
"""Runs into what is counted: 几辆车."""
_ASKING: Final = re.compile(r"[几哪多谁何]")
_TO_COME: Final = re.compile(r"\bgoing to(?= (?!the |an? |my |his |her |our |their |your )[a-z])", re.IGNORECASE)
"""Says when, where what somebody will do follows, and no place."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What one question demands. `words` are those that say what is asked, `beside` those of them that name no slot;
    `direct`: of those whom it names; `simple`: what its answer is about is not described by a clause."""

    question: str
    whom: AskedPeople
    direct: bool
    words: frozenset[str]
    beside: frozenset[str]
    kin: frozenset[Kin]
    wanted: Wanted | None
    slots: frozenset[str]
    contacts: frozenset[str]
    codes: frozenset[str]
    simple: bool

    def allows(self, node: MemoryNode, sentence: str, way: Sequence[str] = ()) -> bool:
        """Whether a sentence may stand in the answer at all: one of another version or model never may."""
        if not self.codes:
            return True
        if record := fields_of(node.content):
            own = sentence == stated(record, "")
            return speaks_of(self.codes, "", node.content if own else named_by(record))
        before = node.content[: max(node.content.find(sentence), 0)]
        return speaks_of(self.codes, " ".join((*way, *node.key, before)), sentence)

    def met_by(self, node: MemoryNode, sentence: str, way: Sequence[str] = ()) -> bool:
        """Whether a sentence of a memory, with those that led to it, has what is asked for, of whom it is asked."""
        told = " ".join((*way, sentence))
        if not self.allows(node, sentence, way):
            return False
        if self.direct and not self._of_them(node, sentence, " ".join(way)):
            return False
        if record_answers(node.content, self.question):
            return True
        if self.simple and is_of_another(node.content, self.question, self.words):
            return False
        if self.contacts:
            if not all(self._related(kin, f"{node.target_name} {told}") for kin in self.kin):
                return False
            return any(self._reaches(name, node, sentence) for name in self.contacts)
        if not self.kin and self._fills(node, sentence) and _says_one(self.beside, told):
            return True
        fits = self.wanted is None or has(sentence, self.wanted, self.question)
        said = _says_one(self.words, told)
        if language_of(sentence) != language_of(self.question):
            return fits and (said or (self.wanted is not None and not self.direct))
        return said and (fits or self.wanted in _HARD_TO_SEE)

    def _fills(self, node: MemoryNode, sentence: str) -> bool:
        """Whether it is what fills a slot that is asked for, or surely tells one."""
        if node.attribute in self.slots:
            return True
        asked = (name for name, detail in DETAILS.items() if not self.slots.isdisjoint(detail.slots))
        return any(tells(sentence, name) for name in asked)

    def bears_on(self, node: MemoryNode) -> bool:
        """Whether a memory, though it lacks the words of the question, is of the kind that is asked for, of whom it is
        asked, and of the same topic; a way to reach somebody must be named."""
        if self.contacts or not self.allows(node, node.content):
            return False
        if self.direct and not self._of_them(node, node.content, ""):
            return False
        if _REPLY.match(node.content) and _says_little(self.words, node.content):
            return False
        fits = self.wanted is None or self.wanted in _HARD_TO_SEE or has(node.content, self.wanted, self.question)
        same = node.attribute in self.slots
        # What fills another slot than the one that is asked for answers another question.
        if not same and not (node.attribute and self.slots):
            same = not topics_of(self.question).isdisjoint(topics_of(node.content))
        return fits and (same or _says_one(self.words, node.content))

    def all_said_in(self, text: str) -> bool:
        """Whether a text says all that is asked."""
        said = senses(tokens(text))
        return bool(self.words) and all(not senses((word,)).isdisjoint(said) for word in self.words)

    def adds(self, sentence: str, first: str) -> bool:
        """Whether a sentence beside the first one answers by itself: it has the kind of thing that is wanted, as the
        first one has, and says all that the first one says of what is asked."""
        if self.wanted is not None and has(first, self.wanted, self.question):
            if not has(sentence, self.wanted, self.question):
                return False
        elif self.wanted is not None:
            return True
        asked = senses(self.words)
        return asked & senses(tokens(first)) <= senses(tokens(sentence))

    def _of_them(self, node: MemoryNode, sentence: str, way: str) -> bool:
        """Whether it is about one of those asked of, or about a relative of his who is asked for, as the way says."""
        if not all(self._related(kin, f"{way} {sentence}".strip()) for kin in self.kin):
            return False
        record = fields_of(node.content) if node.memory_type is MemoryType.LONGTERM else []
        if record and not self._of_record(record):
            return False
        if self._is_the_speakers(node, sentence):
            return False
        led = bool(self.kin) and self.kin <= kin_in(way) and self.whom.named_in(way)
        return led or self.whom.has(node, sentence, self.question)

    def _is_the_speakers(self, node: MemoryNode, sentence: str) -> bool:
        """Whether what is asked for is told as the speaker's own, who is another one, and as nobody's else."""
        whose = node.speaker if node.memory_type is MemoryType.CONVERSATION else node.target_name
        if not whose or node.memory_type is MemoryType.LONGTERM or self.whom.is_one(node) or self.whom.owning(sentence):
            return False
        if self.whom.told_as_staff(node, sentence):
            return False
        mine = re.compile(rf"{_MINE}|{re.escape(whose)}(?:的|['’]s\b)", re.IGNORECASE)
        own = (sentence[found.end() : found.end() + _NEXT] for found in mine.finditer(sentence))
        return any(not self.words.isdisjoint(tokens(text)[:1]) for text in own)

    def _of_record(self, record: Sequence[tuple[str, str]]) -> bool:
        """Whether a record is of one of them; or points at him by a field that the question speaks of, or where who
        points at him is asked for. What is called somebody's is his own."""
        if self.whom.named_in(named_by(record)):
            return True
        if self.whom.owning(self.question) or not self.words:
            return False
        pointing = [label for label, value in record if self.whom.named_in(value)]
        spoken_of = any(not senses(terms(last_of(label))).isdisjoint(senses(self.words)) for label in pointing)
        return spoken_of or (bool(pointing) and self.wanted == "person" and not asked_of(record, self.question))

    def _related(self, kin: Kin, told: str) -> bool:
        """Whether it says that relation; or the other way round, where it does not begin with whom is asked of."""
        found = kin_in(told)
        return kin in found or (not inverse(kin).isdisjoint(found) and not self.whom.begins(told))

    def _reaches(self, name: str, node: MemoryNode, sentence: str) -> bool:
        asked, value = _CONTACTS[name]
        said = (node.attribute or "").endswith(name) or asked.search(sentence) is not None
        return said and value.search(sentence) is not None


def demand_of(question: str, whom: AskedPeople) -> Demand:
    """What a question, or a part of one, demands."""
    own = whom.within(question)
    kin = kin_in(question)
    rest = _HOW_MANY.sub(" ", _WHICH.sub(" ", _ADDRESSED.sub(" ", own.left_out(question))))
    contacts = frozenset(name for name, (asked, _) in _CONTACTS.items() if asked.search(question))
    simple = not is_nested(question) and not is_described(question)
    return Demand(
        question,
        own,
        bool(own) and _asks_of_names(question, own),
        _saying_what(rest),
        _saying_what(beside(rest)),
        kin,
        wanted_by(question),
        asked_for(question),
        contacts,
        # What a description leads to need not bear the code that is in it.
        codes_asked(question) if simple else frozenset(),
        simple,
    )


def _asks_of_names(question: str, whom: AskedPeople) -> bool:
    """Whether it is those named of whom something is asked, and not somebody who is described by them."""
    bare = _WHICH.sub("哪", whom.bare(question))
    if is_nested(bare) or is_described(bare) or _INNER.search(bare):
        return False
    return not kin_in(bare) or whom.having(question)


def _saying_what(text: str) -> frozenset[str]:
    """The words of a question without those that only frame it, or say a relation."""
    # Beside another word, those that stop nothing from being found are left out.
    words = frozenset(tokens(f"{_TO_COME.sub('will', text)} {_OTHER}")) - {_OTHER}
    return frozenset(word for word in words if not (word in _FRAME or _ASKING.search(word) or kin_in(word)))


_REPLY: Final = re.compile(r"Asked \"|被问到“")
"""What was answered to another question speaks of this one only where most of its words are in it."""


def _says_little(words: frozenset[str], told: str) -> bool:
    said = senses(tokens(told))
    return 5 * sum(not senses((word,)).isdisjoint(said) for word in words) < 3 * len(words)


def _says_one(words: frozenset[str], told: str) -> bool:
    """Whether one of the words is told, if there are any; a Chinese one may be cut apart: 风机 in 六十台风机."""
    if not words or not senses(words).isdisjoint(senses(tokens(told))):
        return True
    return any(len(word) > 1 and word in told for word in words if has_han(word))


MAX_CHARS: Final = 4_000
"""Characters of a memory that are looked at."""


class Asking:
    """One question. Each memory that is met makes its words more common, and is read once."""

    def __init__(self, question: str) -> None:
        self.words = frozenset(tokens(question))
        self.slots = asked_for(question)
        self._names = frozenset(word for mention in names_of(question) for word in tokens(mention.name))
        self._plain = canonical_name(question)
        self._having: Counter[str] = Counter()
        self._said: dict[str, frozenset[str]] = {}
        self._plains: dict[str, str] = {}

    def meet(self, nodes: Iterable[MemoryNode]) -> None:
        """Read what was not met yet."""
        for node in nodes:
            if node.memory_id not in self._said:
                self._said[node.memory_id] = self.in_text(node.content[:MAX_CHARS])
                self._having.update(self._said[node.memory_id])

    def in_text(self, text: str) -> frozenset[str]:
        """The words of the question that a text says."""
        return self.words & frozenset(tokens(text))

    def said(self, node: MemoryNode) -> frozenset[str]:
        """The words of the question that a memory says."""
        self.meet((node,))
        return self._said[node.memory_id]

    def plain(self, node: MemoryNode) -> str:
        """A memory's text in canonical form."""
        if node.memory_id not in self._plains:
            self._plains[node.memory_id] = canonical_name(node.content[:MAX_CHARS])
        return self._plains[node.memory_id]

    def share(self, words: Collection[str], of: Collection[str] | None = None) -> float:
        """What some words of the question weigh of others, of all of them where none are given; 0 of none."""
        whole = self._weight(self.words if of is None else of)
        return self._weight(words) / whole if whole else 0.0

    def told_by(self, said: Iterable[frozenset[str]]) -> float:
        """What some passages say together of what is asked beside the names; 1 where nothing else is asked."""
        rest = self.words - self._names
        return self.share(rest.intersection(frozenset[str]().union(*said)), rest) if rest else 1.0

    def names(self, name: str) -> bool:
        """Whether the question itself says the name."""
        return says(self._plain, canonical_name(name))

    def _weight(self, words: Iterable[str]) -> float:
        return sum(math.log(1 + (len(self._said) + 1) / (self._having[word] + 0.5)) for word in words)


def says(plain: str, name: str) -> bool:
    """Whether a text has a name, not as a part of a longer Latin word; both in canonical form."""
    return name in plain and _whole(name).search(plain) is not None


@lru_cache(4_096)
def _whole(name: str) -> re.Pattern:
    before = r"(?<![a-z0-9])" if name[:1].isascii() else ""
    after = r"(?![a-z0-9])" if name[-1:].isascii() else ""
    return re.compile(before + re.escape(name) + after)
