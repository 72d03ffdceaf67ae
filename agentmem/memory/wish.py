"""What somebody asks to be forgotten and to be kept, in his own words: "forget my phone but keep my address".

A wish is narrow on purpose: it means a memory only where a slot it names is filled, or where nearly all of its words
are said. Words that mean everything mean nothing here; a person is forgotten by name, see `forget`.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime

from agentmem import patterns as re
from agentmem.domain.attributes import VOCABULARY, slot_of, words_of
from agentmem.domain.memory import MemoryNode
from agentmem.errors import InvalidInput
from agentmem.language.clauses import sentences
from agentmem.language.lookalikes import simplified
from agentmem.language.normal import digits
from agentmem.language.tokens import tokens
from agentmem.language.typed_values import is_bare
from agentmem.memory.cuts import pieces
from agentmem.memory.matters import is_matter, says
from agentmem.memory.request_named import named_alone
from agentmem.memory.whole_person import means_everything

Asked = Callable[[str], frozenset[str]]
"""The attributes that a question asks for."""

MAX_CHARS = 2_000
"""Characters of a wish."""

_MAIL = frozenset({"email", "work_email"})
CONTACTS = _MAIL | {"phone", "work_phone", "home_phone", "whatsapp", "wechat", "qq"}
"""Slots whose values are one of a kind."""

NEARLY_ALL = 0.8
"""Share of the words of a wish that a memory must say."""

FAMILY = "family"
"""The slot of everybody who belongs to a person."""

_OF_ALL_KIN = frozenset(tokens("forget the family families household relatives members 家 家人 家庭 家属 亲人 成员"))

_HOME, _OF_HOME = frozenset({"address", "city"}), frozenset(tokens("forget 住 我住 我住哪儿 居住 住处 地方"))
_LIVES = re.compile("住的地方|住处")
"""Where somebody lives, and words that ask for it besides those of the vocabulary."""

_BUT = re.compile(
    r"[,，;；]?\s*\b(?:but|and)?\s*(?:please\s+)?(?:keep|remember|don'?t forget|not|except(?: for)?|apart from|leave)\b"
    r"|[,，;；]?(?:但是?|不过|而)?(?:请)?(?:保留|留下|留着|记住|记得|别忘|不要忘|不要删|除了)",
    re.IGNORECASE,
)
_SAYING_NOTHING = (
    "forget forgotten delete remove erase drop clear please everything anything something all any every memory "
    "memories information info data know known tell told say said talk mention thing things stuff fact facts "
    "忘 忘记 忘掉 忘了 删 删除 删掉 清除 抹去 请 所有 全部 一切 任何 关于 信息 记忆 内容 资料 事情 东西 说 说过 "
    "提 提到 知道 事 告诉 的事"
)
_EVERYTHING = frozenset(token for word in _SAYING_NOTHING.split() for token in (word, *tokens(word)))


@dataclass(frozen=True, slots=True)
class Sought:
    """What one half of a wish names: slots, and words besides."""

    attributes: frozenset[str]
    words: frozenset[str]
    besides: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.attributes or self.words)

    def fills(self, node: MemoryNode, known: frozenset[str] = frozenset()) -> bool:
        """Whether the memory fills a slot that is named, and says whatever else is named with it, the `known` too."""
        return node.attribute in self.attributes and self._says_all(self.besides, _said(node) | known)

    def said_in(self, text: str, known: frozenset[str] = frozenset()) -> bool:
        """Whether the text says nearly all of the words, the `known` ones among them. Where only a slot is named, its
        name alone says nothing."""
        if not self.words or (self.attributes and not self.besides):
            return False
        said = frozenset(tokens(simplified(text))) | known
        return sum(says(word, said) for word in self.words) >= NEARLY_ALL * len(self.words)

    def is_only(self, name: str) -> bool:
        """Whether it names whoever has this name, and nothing besides but a word for what he is to one."""
        words = {word for word in self.words if not is_matter(word)} or self.words
        return bool(words) and words <= frozenset(tokens(simplified(name)))

    @property
    def of_kin(self) -> bool:
        """Whether it names somebody by a word for those who belong to one."""
        return bool(self.words) and all(map(is_matter, self.words))

    def _says_all(self, words: Collection[str], said: Collection[str]) -> bool:
        return all(says(word, said) for word in words)


@dataclass(frozen=True, slots=True)
class Wish:
    """What to forget, and what to keep of it. `former`: only values that hold no longer, such as an old number;
    `everything`: all that is known of whoever asks; `name`: all that it says, where that may be a name."""

    forget: Sought
    keep: Sought
    former: bool = False
    everything: bool = False
    name: str | None = None

    @property
    def of_contacts(self) -> bool:
        """Whether values are to be forgotten that are one of a kind."""
        return bool(self.forget.attributes & CONTACTS)

    def means(self, node: MemoryNode, now: datetime) -> bool:
        """Whether a memory fills a slot that is to be forgotten."""
        over = not node.is_valid(now) or not self.former
        return over and self.forget.fills(node) and not self.keep.fills(node)

    def naming(self, text: str, at: datetime, asked: Asked) -> list[tuple[int, int]]:
        """The clauses of what somebody said at a time that name a slot to be forgotten together with a value such as it
        has, whether or not anybody has made a fact of it; and a bare value behind one that names the slot. Of one that
        tells a value of another kind as well, that value alone."""
        found: list[tuple[int, int]] = []
        if self.forget.besides or not self.forget.attributes:
            return found
        text = simplified(text)
        for sentence in sentences(text):
            if not asked(sentence.text) & self.forget.attributes or asked(sentence.text) & self.keep.attributes:
                continue
            before = frozenset[str]()
            for start, end in pieces(text):
                if sentence.start <= start < sentence.end:
                    clause = text[start:end]
                    slots = asked(clause) or (before if is_bare(clause, at) else frozenset())
                    cuts, before = self._naming(clause, slots), slots
                    found += ((start + begin, start + stop) for begin, stop in cuts)
        return found

    def _naming(self, clause: str, slots: frozenset[str]) -> list[tuple[int, int]]:
        """The stretches of a clause, of a sentence that names what is to be forgotten, which tell a value of it."""
        whole = [(0, len(clause))]
        if not self.of_contacts:
            return whole if slots & self.forget.attributes and _has_digit(clause) else []
        if slots & CONTACTS and not slots & self.forget.attributes:
            return []
        codes = identifiers_in(clause)
        meant = [(begin, stop) for begin, stop, code in codes if self.may_be(code)]
        return whole if meant and len(meant) == len(codes) else meant

    def may_be(self, code: str) -> bool:
        """Whether an identifier has the form of a contact that is to be forgotten."""
        return bool(self.forget.attributes & (_MAIL if "@" in code else CONTACTS - _MAIL))

    def is_kept(self, clause: str, asked: Asked) -> bool:
        """Whether a clause of what was said says what is to be kept."""
        return bool(asked(simplified(clause)) & self.keep.attributes) or self.keep.said_in(clause)

    def keeps(self, node: MemoryNode) -> bool:
        """Whether a memory says what is to be kept."""
        return self.keep.said_in(node.content) or self.keep.fills(node)


def read_wish(text: str, asked: Asked, names: Collection[str] = (), *, own: bool = False) -> Wish:
    """The wish as it is understood; `names` are of those it may be about. Only one's `own` wish may mean everything.
    Raises `InvalidInput` for one that names nothing, or is too long."""
    if len(text) > MAX_CHARS:
        raise InvalidInput(f"what to forget takes {len(text)} characters, allowed: {MAX_CHARS}")
    known = frozenset(token for name in names for token in tokens(name))
    gone, kept = parted(simplified(text))
    if own and means_everything(_ASKING.sub("", gone)):
        return Wish(_NOTHING, _sought(kept, asked, known), everything=True)
    plain = _FORMER.sub(" ", gone)
    former = plain != gone and bool(asked(plain))
    sought = _sought(plain if former else gone, asked, known)
    wish = Wish(sought, _sought(kept, asked, known), former, name=named_alone(_ASKING.sub("", gone)))
    if not wish.forget:
        raise InvalidInput(f"{text[:60]!r} names nothing to forget; a person as a whole is forgotten by name")
    return wish


def each_of(text: str) -> list[str]:
    """A wish for several things, each of which a word names, as one wish each: "my son and my phone number"."""
    gone, kept = parted(text)
    parts = [part for part in _AND.split(gone) if part.strip()]
    if kept or len(parts) < 2 or not all(map(_is_named, parts)):
        return [text]
    return [parts[0], *(f"forget {part}" for part in parts[1:])]


def _is_named(part: str) -> bool:
    words = _words(simplified(part))
    return _is_slot(part) or (bool(words) and all(map(is_matter, words)))


def _is_slot(part: str) -> bool:
    return slot_of(_OWN.sub("", part.strip())) in VOCABULARY


def names_something(text: str) -> bool:
    """Whether a wish has a word of its own."""
    return bool(_words(simplified(text)))


_NOTHING = Sought(frozenset(), frozenset(), frozenset())
_ASKING = re.compile(
    r"^\s*(?:please\s+)?(?:forget|delete|erase|remove)\s+|^\s*请?(?:忘掉|忘记|忘了|删除|删掉|清除)", re.IGNORECASE
)
"""The word that asks."""


_KEPT_BEHIND = re.compile(
    r"[,，;；]\s*(?:but |and |但是?|不过|而)?(?:"
    r"(?P<en>(?:my|the|our) [\w' ]{1,40}?) (?:(?:can|should|may|must|has to|is to) )?"
    r"(?:(?P<stays>stays?|remains?)|be kept)"
    r"|(?P<zh>[^,，;；。]{1,12}?)(?:请|要|就|还是?|都|得|可以)*(?:保留|留着|留下|留|别删|不要删|别忘|不要忘)(?:着|吧|了|哦)*"
    r")[\s.。!！]*$",
    re.IGNORECASE,
)
"""What is to be kept, named before the word for it: "my address stays"."""
_DENIED = re.compile(r"\b(?:not|never|no longer)\b|n['’]t\b|[不别没勿]", re.IGNORECASE)
"""What says that it is not: "my address must not be kept"."""


def parted(text: str) -> tuple[str, str]:
    """What of a wish is to be forgotten, and what is to be kept; empty where nothing is."""
    gone, kept = kept_behind(text)
    parting = _BUT.search(text) if not kept else None
    return (text[: parting.start()], text[parting.end() :]) if parting else (gone, kept)


def kept_behind(text: str) -> tuple[str, str]:
    """The same where what is to be kept comes last and is named before the word for it."""
    found = _KEPT_BEHIND.search(text)
    kept = (found["en"] or found["zh"]) if found else ""
    is_kept = found and not _DENIED.search(kept) and (not found["stays"] or _is_slot(kept))
    return (text[: found.start()], kept) if found and is_kept else (text, "")


_FORMER = re.compile(
    r"\b(?:old|former|previous|earlier|past|outdated|ex|last|prior)\b[- ]?|\bi (?:used to have|had before)\b"
    r"|(?:以前|之前|从前|过去|原来|原先|先前|旧|老|上一个|前一个)的?"
    r"(?:那个)?(?=手机|电话|号码|号|邮箱|邮件|微信|地址|住址|预算|工作|公司|职业|城市|名字|家)",
    re.IGNORECASE,
)
"""What calls a value one that holds no longer."""

_AND = re.compile(r"\s*(?:,? and |,|，|、|和|跟|以及|还有)\s*", re.IGNORECASE)
_OWN = re.compile(r"^(?:forget\s+)?(?:(?:my|our|the)\s+|我们?的?)?", re.IGNORECASE)
_OF_A_SLOT = re.compile(
    r"\b(?:home|postal) (?=address)|(?<=手机|电话|微信)号码?|(?<=邮箱)地址|(?<=e-mail) address|(?<=email) address",
    re.IGNORECASE,
)
"""What may follow the name of a contact and names nothing besides it: an email address is no address."""


def _sought(text: str, asked: Asked, names: frozenset[str]) -> Sought:
    text = _OF_A_SLOT.sub("", text)
    attributes = asked(text) if text.strip() else frozenset[str]()
    attributes |= _HOME if _LIVES.search(text) else frozenset()
    words = _words(text) - names
    if words - _OF_ALL_KIN and attributes - {FAMILY}:
        attributes -= {FAMILY}
    if slot_of(_OWN.sub("", text.strip())) in attributes:
        words &= frozenset(token for attribute in attributes for token in tokens(words_of(attribute)))
    slots = frozenset(token for attribute in attributes for token in tokens(words_of(attribute)))
    slots |= _OF_HOME if attributes & _HOME else frozenset()
    if FAMILY in attributes:
        # One slot holds all kin and pets: which of them is meant, only the word for it tells.
        slots = (slots - frozenset(tokens(words_of(FAMILY)))) | _OF_ALL_KIN
    return Sought(attributes, words, words - slots)


def _words(text: str) -> frozenset[str]:
    # Stop words are left out only where something else is said, and forgetting always is.
    said = frozenset(word for word in tokens(f"forget {text}") if any(map(str.isalnum, word)))
    return said - _EVERYTHING


def _has_digit(text: str) -> bool:
    return bool(digits(text))


def _said(node: MemoryNode) -> frozenset[str]:
    return frozenset(tokens(simplified("\n".join((node.content, node.value or "", *node.key)))))


def identifies(value: str | None) -> bool:
    """Whether a value is one of a kind, such as a phone number or a mail address: where it stands, the fact is told."""
    return value is not None and ("@" in value or sum(map(len, digits(value))) >= 5)


_IDENTIFIER = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\d(?:[ .()/-]{0,2}\d){4,}")
_DATE = re.compile(r"(?:19|20)\d\d[ ./-]?\d\d?[ ./-]?\d\d?")
_WITHOUT_PREFIX = 7
"""Digits from which on a number is the same with a prefix, such as that of a country, and without."""


def identifiers_in(text: str) -> list[tuple[int, int, str]]:
    """Where mail addresses and numbers of five digits and more begin and end, and each as all its spellings have it."""
    found: list[tuple[int, int, str]] = []
    for match in _IDENTIFIER.finditer(text):
        said = match.group()
        if not _DATE.fullmatch(said):
            found.append((match.start(), match.end(), said.casefold() if "@" in said else "".join(digits(said))))
    return found


def says_any(text: str, identifiers: Collection[str]) -> list[tuple[int, int]]:
    """Where the text says one of these identifiers, however it is spelt."""
    if not identifiers:
        return []
    return [(start, end) for start, end, one in identifiers_in(text) if any(_same(one, each) for each in identifiers)]


def _same(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (shorter.isdigit() and len(shorter) >= _WITHOUT_PREFIX and longer.endswith(shorter))
