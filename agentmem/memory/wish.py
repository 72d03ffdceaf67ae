"""What somebody asks to be forgotten and to be kept, in his own words: "forget my phone but keep my address".

A wish is narrow on purpose: it means a memory only where a slot it names is filled, or where nearly all of its words
are said. Words that mean everything mean nothing here; a person is forgotten by name, see `forget`.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Collection
from dataclasses import dataclass, replace

from agentmem import patterns as re
from agentmem.domain.attributes import VOCABULARY, slot_of, words_of
from agentmem.domain.episode import BLOT, blotted
from agentmem.domain.memory import MemoryNode
from agentmem.errors import InvalidInput
from agentmem.language.detail_kinds import kinds_named, without_kinds
from agentmem.language.details import (
    details_named,
    slots_of,
    without_details,
)
from agentmem.language.lookalikes import simplified
from agentmem.language.normal import identifiers_in
from agentmem.language.people import LISTENER, SELF, MeantPerson, people_in
from agentmem.language.tokens import tokens
from agentmem.memory.request_extent import all_but, means_everything
from agentmem.memory.request_named import named_alone
from agentmem.memory.sought import LIGHT, Asked, Sought
from agentmem.memory.wish_parts import AND, ASKING, OWN, is_slot, parted, qualifier
from agentmem.memory.wish_words import is_matter

MAX_CHARS = 2_000
"""Characters of a wish."""

_MAIL = frozenset({"email", "work_email"})
CONTACTS = _MAIL | {"phone", "work_phone", "home_phone", "whatsapp", "wechat", "qq"}
"""Slots whose values are one of a kind."""

FAMILY = "family"
"""The slot of everybody who belongs to a person."""

_OF_ALL_KIN = frozenset(tokens("forget the family families household relatives members 家 家人 家庭 家属 亲人 成员"))

_CALLED = {slot: frozenset(tokens(words_of(slot))) for slot in VOCABULARY}
"""The words by which each slot is called."""

_HOME, _OF_HOME = frozenset({"address", "city"}), frozenset(tokens("forget 住 我住 我住哪儿 居住 住处 地方"))
_LIVES = re.compile("住的地方|住处")
"""Where somebody lives, and words that ask for it besides those of the vocabulary."""

_EVERY = re.compile(r"\b(?:all|every|everybody's|everyone's|any)\b|所有|全部|每个|大家", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow (?:much|many|old|tall)\b|\b(?:the )?number of\b|多少|几[个岁]", re.IGNORECASE)
_CLITIC = re.compile(r"(?<![\w])['’](?:m|s|re|ve|d|ll)\b", re.IGNORECASE)
"""What is left of "I'm" without the one who is meant."""
_OTHERS_NAMED = re.compile(r"\b(?:else|other)(?:'s)?\b|其他|别的", re.IGNORECASE)
_SAYING_NOTHING = (
    "forget forgotten delete remove erase drop clear please everything anything something all any every memory "
    "memories information info detail details particulars data know known tell told say said talk mention thing things stuff fact facts "
    "忘 忘记 忘掉 忘了 删 删除 删掉 清除 抹去 请 所有 全部 一切 任何 关于 信息 记忆 内容 资料 事情 东西 说 说过 "
    "提 提到 知道 事 告诉 的事 much many now how view views belong spare 的话 get up what which where one ones own rest let 现在 什么 那个 哪个 哪家 哪所 所 哪 啥 那家 那条 那只 那位 那间 那本 那辆 那台 那段 啥名 叫啥 这种 那种 数字 尾数 打算 安排 多大 多重 怀 名 自己 剩下 其他 别的 其余 具体 具体的"
)
_EVERYTHING = frozenset(token for word in _SAYING_NOTHING.split() for token in (word, *tokens(word)))


@dataclass(frozen=True, slots=True)
class Wish:
    """What to forget, and what to keep of it. `former`: only values that hold no longer, such as an old number,
    `current`: only the one that holds; `everything`: all that is known of whoever asks; `name`: all that it says, where
    that may be a name."""

    forget: Sought
    keep: Sought
    former: bool = False
    current: bool = False
    everything: bool = False
    name: str | None = None

    @property
    def of_contacts(self) -> bool:
        """Whether values are to be forgotten that are one of a kind."""
        return bool(self.forget.attributes & CONTACTS)

    @property
    def keeps_only_his_name(self) -> bool:
        """Whether nothing is to be kept but what the person is called, which needs no memory to be known."""
        return self.keep.details == frozenset(("name",)) and all(whom.path == () for whom in self.keep.people)

    def told_of(self, clause: str) -> list[tuple[int, int]]:
        """The stretches of a clause that tell what is to be forgotten: of one that tells a value of another kind as well,
        its value alone."""
        return (self._naming(clause) if self.of_contacts else []) or [(0, len(clause))]

    def _naming(self, clause: str) -> list[tuple[int, int]]:
        """The contacts in a clause that are to be forgotten."""
        whole = [(0, len(clause))]
        codes = identifiers_in(clause)
        meant = [
            (begin, stop)
            for begin, stop, code in codes
            if self.may_be(code) and not self.forget.is_of_other_kind(self.forget.said_of(clause[begin:stop], clause))
        ]
        return whole if meant and len(meant) == len(codes) else meant

    def may_be(self, code: str) -> bool:
        """Whether an identifier has the form of a contact that is to be forgotten."""
        return bool(self.forget.attributes & (_MAIL if "@" in code else CONTACTS - _MAIL))

    def is_kept(self, clause: str, asked: Asked) -> bool:
        """Whether a clause of what was said says what is to be kept."""
        return bool(asked(simplified(clause)) & self.keep.attributes) or self.keep.told_in(clause, asked)

    def keeps(self, node: MemoryNode, asked: Asked) -> bool:
        """Whether a memory says what is to be kept."""
        return self.keep.told_in(node.content, asked) or self.keep.fills(node)


def read_wish(
    text: str,
    asked: Asked,
    names: Collection[str] = (),
    *,
    known: Collection[str] = (),
    own: bool = False,
    of_one: bool = False,
    spoken: str | None = None,
) -> Wish:
    """The wish as it is understood; `names` are of those it may be about, `known` of others it may mean. Only one's `own`
    wish may mean everything, and one `of_one` person everything but what it keeps. `spoken`: the words it was read out
    of. Raises `InvalidInput` for one that names nothing, or is too long."""
    if len(text) > MAX_CHARS:
        raise InvalidInput(f"what to forget takes {len(text)} characters, allowed: {MAX_CHARS}")
    gone, kept = parted(simplified(text))
    apart = qualifier(kept, gone)
    plainly = ASKING.sub("", gone)
    if (own and means_everything(plainly)) or (of_one and kept.strip() and all_but(plainly)):
        return Wish(_NOTHING, _sought(kept, asked, names, known), everything=True)
    former, current, plain = _aged(gone, asked)
    sought = _sought(plain, asked, names, known)
    wish = Wish(
        sought,
        _kept(_sought(kept, asked, names, known), sought) if apart is None else _said_so(apart),
        former,
        current,
        name=named_alone(ASKING.sub("", gone)),
    )
    if not wish.forget:
        said = spoken or text
        raise InvalidInput(f"{said[:60]!r} names nothing to forget; a person as a whole is forgotten by name")
    return wish


def _aged(text: str, asked: Asked) -> tuple[bool, bool, str]:
    """Whether a wish means what holds no longer, or only what does, and the wish without the word that says so."""
    for pattern, former in ((_FORMER, True), (_CURRENT, False)):
        plain = pattern.sub(" ", text)
        if plain != text and (asked(plain) or details_named(plain)):
            return former, not former, plain
    return False, False, text


def _said_so(word: str) -> Sought:
    """What is called so, whatever it is."""
    words = _words(word)
    return Sought(frozenset(), words, words)


def _kept(kept: Sought, gone: Sought) -> Sought:
    """What is to be kept; where only somebody is named, the same of his."""
    if kept.people and not kept.words and not kept.details:
        return replace(gone, people=kept.people, every=False)
    if kept.words and not kept.details and (worded := _slots_worded(kept.words)):
        return replace(kept, attributes=kept.attributes & worded or worded, besides=frozenset())
    return kept if kept.words or kept.attributes or kept.details else _NOTHING


def each_of(text: str) -> list[str]:
    """A wish for several things, each of which a word names, as one wish each: "my son and my phone number"."""
    gone, kept = parted(text)
    parts = [part for part in AND.split(gone) if part.strip()]
    several = not kept and len(parts) > 1 and all(map(_is_named, parts))
    return [parts[0], *(f"forget {part}" for part in parts[1:])] if several else [text]


def _is_named(part: str) -> bool:
    words = _words(simplified(part))
    return is_slot(part) or (bool(words) and all(map(is_matter, words)))


def names_something(text: str) -> bool:
    """Whether a wish has a word of its own."""
    return bool(_words(simplified(text)))


_NOTHING = Sought(frozenset(), frozenset(), frozenset())
_CURRENT = re.compile(
    r"\b(?:new|newest|current|latest|present)\b[- ]?|(?:现在|目前|最新|新)的?(?!闻|年|鲜)", re.IGNORECASE
)
"""What calls a value the one that holds."""
_FORMER = re.compile(
    r"\b(?:old|former|previous|earlier|past|outdated|ex(?!-?(?:wife|husband|partner|girlfriend|boyfriend)\b)|last|prior)\b[- ]?|\bi (?:used to have|had before)\b|\bused to (?=(?:live|work|study)\b)"
    r"|(?:以前|之前|从前|过去|原来|原先|先前|旧|老|上一个|前一个)的?"
    r"(?:那个)?(?=手机|电话|号码|号|邮箱|邮件|微信|地址|住址|预算|工作|公司|职业|城市|名字|家)",
    re.IGNORECASE,
)
"""What calls a value one that holds no longer."""

_OF_A_SLOT = re.compile(
    r"\b(?:home|postal) (?=address)|(?<=手机|电话|微信)号码?|(?<=邮箱)地址|(?<=e-mail) address|(?<=email) address",
    re.IGNORECASE,
)
"""What may follow the name of a contact and names nothing besides it: an email address is no address."""


_NUMBER_OF = re.compile(r"\b(?:the )?number of\b", re.IGNORECASE)
"""What asks how many there are, and names no number."""


_NAME_OF = re.compile(
    r"\b(?:the )?names? of (?=(?:my|our|the) \w)|(?<=\w)'s name\b|(?<=[^我咱你您他她它们的])的?(?:名字|名称|全称|全名)",
    re.IGNORECASE,
)
"""What asks what a thing of somebody's is called: of a thing, that is all that is told of it."""


def _sought(text: str, asked: Asked, selves: Collection[str], known: Collection[str]) -> Sought:
    people = _meant_in(text, selves, known)
    if people and all(each.whom == SELF for each in people):
        text = _NAME_OF.sub("", text)
        people = _meant_in(text, selves, known)
    whole = _sought_in(text, asked, selves)
    others = blotted(text, [(each.start, each.end) for each in people]).replace(BLOT, " ")
    rest = _OTHERS_NAMED.sub(" ", _CLITIC.sub(" ", others))
    of_thing = _sought_in(rest, asked, selves)
    meant = tuple(each.whom for each in people)
    owning = tuple(each.whom for each in people if each.owns) or meant[:1]
    if not (of_thing.words or of_thing.details or of_thing.attributes - {FAMILY}):
        alone = all(each == SELF for each in meant)
        return replace(_NOTHING if alone else whole, people=meant, whole=True)
    every = _EVERY.search(text) is not None
    return replace(of_thing, people=owning, every=every, counted=_HOW_MANY.search(text) is not None)


def _meant_in(text: str, selves: Collection[str], known: Collection[str]) -> list[MeantPerson]:
    people = people_in(text, selves=selves, known=known) if text.strip() else []
    return [each for each in people if each.whom != LISTENER]


def _sought_in(text: str, asked: Asked, selves: Collection[str]) -> Sought:
    said, text = text, _NUMBER_OF.sub(" ", _OF_A_SLOT.sub("", text))
    details = details_named(text)
    # Where details are named, the vocabulary's guess from one of their words ("number") means nothing besides them.
    attributes = slots_of(details) if details else asked(text) if text.strip() else frozenset[str]()
    attributes |= _HOME if _LIVES.search(text) else frozenset()
    words = _words(text) - frozenset(token for name in selves for token in tokens(name))
    if words - _OF_ALL_KIN and attributes - {FAMILY}:
        attributes -= {FAMILY}
    if slot_of(OWN.sub("", text.strip())) in attributes:
        words &= frozenset(token for attribute in attributes for token in tokens(words_of(attribute)))
    slots = frozenset(token for attribute in attributes for token in tokens(words_of(attribute)))
    slots |= _OF_HOME if attributes & _HOME else frozenset()
    if FAMILY in attributes:
        # One slot holds all kin and pets: which of them is meant, only the word for it tells.
        slots = (slots - frozenset(tokens(words_of(FAMILY)))) | _OF_ALL_KIN
    besides = words - slots
    kinds = kinds_named(said, details)
    if details:
        besides &= _words(without_details(without_kinds(text, kinds), details)) - LIGHT
    return Sought(attributes, words, besides, details, kinds=kinds)


def _slots_worded(words: Collection[str]) -> frozenset[str]:
    """The slots that words name, where each of them is one by which a slot is called."""
    plain = frozenset(words) - _OF_HOME
    return frozenset(slot for slot, called in _CALLED.items() if plain and plain <= called)


def _words(text: str) -> frozenset[str]:
    # Stop words are left out only where something else is said, and forgetting always is.
    said = frozenset(word for word in tokens(f"forget {text}") if any(map(str.isalnum, word)))
    return said - _EVERYTHING
