"""Attributes that a persona adds, as people speak of them: `my office size is 80 square metres`, 我最喜欢的植物是龟背竹.

An attribute is spoken of by its own name (`office_size`) and by the `words` that the persona gives it, in any language.
What is said in other ways, or of something that only resembles it, is left to the other rules.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import lexicon_en as en
from agentmem.adapters.cognition.rules import lexicon_zh as zh
from agentmem.adapters.cognition.rules.acquaintances import NO_PERSON
from agentmem.adapters.cognition.rules.findings import finding, told
from agentmem.adapters.cognition.rules.kinds import without_when
from agentmem.adapters.cognition.rules.model import (
    COMMA,
    Act,
    Clause,
    Discourse,
    Finding,
    Lang,
    OwnAttributes,
    Subject,
    Who,
    has_han,
)
from agentmem.adapters.cognition.rules.persons import is_person_zh
from agentmem.domain.attributes import VOCABULARY, Own, cardinality
from agentmem.domain.naming import fold, tidy
from agentmem.domain.persona import AttributePolicy
from agentmem.language.clauses import is_noun_phrase
from agentmem.language.numbers import parse_numbers

_I = re.IGNORECASE


def own_attributes(own: Own) -> OwnAttributes:
    """What the attributes are called, and which of them hold several values. One that is built in too is read by the
    rules for that; only the words which the persona gives it are new."""
    named: dict[str, str] = {}
    for attribute, policy in own.items():
        words = policy.words if isinstance(policy, AttributePolicy) else ()
        for name in (*(() if attribute in VOCABULARY else (attribute,)), *words):
            named.setdefault(_plain(name), attribute)
    named.pop("", None)
    several = (attribute for attribute in named.values() if cardinality(attribute, own) == "multi")
    return OwnAttributes(named, frozenset(several))


def _plain(name: str) -> str:
    """A name as it is compared: 的, an owner's `'s` and the plural make no difference."""
    words = tidy(re.sub(r"'s\b|s'(?=\s)|[_\-的]", " ", fold(name)))
    return words.replace(" ", "") if has_han(words) else _PLURAL.sub("", words)


_PLURAL = re.compile(r"(?<=[a-rt-z])s$")


@dataclass(frozen=True, slots=True)
class _Said:
    """What a clause says of an attribute: whose it is where it is not the speaker's, what it is called there, all that
    follows, and the value in that."""

    attribute: str
    owner: str | None
    name: str
    rest: str
    value: str


def kept(clause: Clause, discourse: Discourse) -> Iterable[Finding]:
    """The value of an attribute that the persona keeps."""
    said = _said(clause, discourse) if clause.act is Act.ASSERT and discourse.own.by_name else None
    if said is None:
        return
    content = _content(said, clause, discourse)
    if content is not None:
        yield finding(
            clause, discourse, content, said.attribute, 7, attribute=said.attribute, value=said.value, about=said.owner
        )


def adds(clause: Clause, discourse: Discourse) -> bool:
    """Whether the clause gives a value that stands beside others of its attribute, and ends none."""
    return any(found.attribute in discourse.own.several for found in kept(clause, discourse))


def answered(asked: str, text: str, discourse: Discourse) -> tuple[str, str, str] | None:
    """The attribute that a question asks for, the value that the answer `text` gives it, and both as a sentence."""
    found = (_ASKED_ZH if has_han(asked) else _ASKED_EN).match(asked)
    lang: Lang = "zh" if found is not None and has_han(found["name"]) else "en"
    attribute = discourse.own.by_name.get(_plain(found["name"])) if found is not None else None
    told = re.split(rf"{COMMA}|，", text)[0]
    value = _value(told, lang) if attribute is not None else None
    if found is None or attribute is None or value is None or not _names_value(told, value, lang):
        return None
    name = found["name"].strip()
    if lang == "zh":
        be = "" if _ROUGHLY_ZH.match(told) else "是"
        return attribute, value, f"{discourse.label}{_joint(name)}{name}{be}{told}"
    return (
        attribute,
        value,
        f"{discourse.label}'s {_lowered(name)} {'are' if _PLURAL.search(name) else 'is'} {_lowered(told, _SMALL)}",
    )


_ASKED_EN = re.compile(
    r"(?:what|which|who|where|how (?:large|big|much|many|old|long|high))(?: is| are|'s) (?:your|the|our) (?P<name>[a-z][\w' -]{1,60}?)(?: now| these days| currently| at the moment)?\??$",
    _I,
)
_ASKED_ZH = re.compile(
    r"(?:请问|那|那么)?(?:[您你]们?(?:公司|家)?)?的?(?P<name>[\u4e00-\u9fffA-Za-z]{2,16}?)(?:现在|目前|大概|大约|一般)*(?:是|有|为|叫)?(?:多少|多大|多[高长重远久]|什么|啥|哪.{0,3}|谁|几.{0,2}|呢|怎么样)[\u4e00-\u9fff]{0,3}[?？]?$"
)


def _names_value(told: str, value: str, lang: Lang) -> bool:
    """Whether a reply gives an amount or names a thing: a bare English word may be anything, and stays a reply."""
    if parse_numbers(value):
        return True
    return is_noun_phrase(value) if lang == "zh" else _ARTICLE.match(told.strip()) is not None


def _lowered(text: str, begins: re.Pattern | None = None) -> str:
    """The text with a small letter first, where it begins so, and with no abbreviation."""
    small = (begins or _NO_CODE).match(text) is not None
    return f"{text[:1].lower()}{text[1:]}" if small else text


_NO_CODE = re.compile("[A-Z][a-z]")
_SMALL = re.compile(
    r"(?:about|around|roughly|approximately|some|probably|just|only|nearly|almost|an?|the|my|our)\b", _I
)


def _joint(name: str) -> str:
    return "" if name[0] in "最喜爱想常" else "的"


def _said(clause: Clause, discourse: Discourse) -> _Said | None:
    zh_spoken = clause.lang == "zh"
    for found in _places(clause.text, zh_spoken):
        spoken = _of_in_front(found["name"])
        name = _longest(spoken, discourse.own.by_name)
        if name is None:
            continue
        owner = _owner(spoken[: len(spoken) - len(name)], clause, discourse)
        value = _value(found["value"], clause.lang)
        if owner is None or value is None or _may_be_a_state(name, found["value"]):
            return None
        rest = _COLON.sub("是" if zh_spoken else " is ", found["rest"])
        return _Said(discourse.own.by_name[_plain(name)], owner or None, _lowered(name), rest, value)
    return None


_COLON = re.compile(r"^: ?")


def _places(text: str, zh_spoken: bool) -> Iterator[re.Match]:
    for pattern in _IS_ZH if zh_spoken else _IS_EN:
        found = pattern.match(text)
        if found is not None:
            yield found


_BY_NOW = "(?: now| currently| still| also| actually| always| really| definitely)*"
_VALUE = r"(?P<value>(?:[^,;:]|(?<=\d),(?=\d\d\d)){1,120}?)"
_IS_EN = (
    re.compile(
        rf"(?:(?:and|so|now|currently|actually|also),? )?(?P<name>[a-z][\w' &-]{{1,80}}?)(?P<rest>(?: is| are){_BY_NOW} {_VALUE})$",
        _I,
    ),
    re.compile(
        rf"(?P<name>[a-z][\w' &-]{{1,80}}?)(?P<rest>(?: has| have|'s)?(?: now| just| recently)? (?:become|became|changed to|grown to|grew to|(?:gone|went|is|are) (?:up|down) to|increased to|decreased to|risen to|rose to|dropped to|fell to|fallen to|shrunk to|shrank to) {_VALUE})$",
        _I,
    ),
    re.compile(rf"(?P<name>[a-z][\w' &-]{{1,80}}?)(?P<rest>'s{_BY_NOW} {_VALUE})$", _I),
    re.compile(rf"(?P<name>[a-z][\w' &-]{{1,80}}?)(?P<rest>: ?{_VALUE})$", _I),
)
_IS_ZH = (
    re.compile(
        rf"(?P<name>[^,，:：\d是为叫]{{2,24}}?)(?P<rest>(?:现在|目前|如今|已经|还|也|就|都|一共|总共|大概|大约)*(?:是|为|叫|:|变成|变为|改成|改为|换成|扩大到|增加到|增加为|缩小到|减少到|涨到|升到|降到|调整为)了?{_VALUE})$"
    ),
    re.compile(
        r"(?P<name>[^,，:：\d是为叫]{2,24}?)(?P<rest>(?:现在|目前|如今|已经|还|也|就|都|一共|总共|大概|大约)*有?(?P<value>[约近]?[\d一二两三四五六七八九十百千万]+[^,，]{0,20}?))$"
    ),
)
"""How a value is given: what it is of, and the rest of the clause with it."""


def _of_in_front(name: str) -> str:
    """`the size of the office` as `office size`."""
    found = _OF.match(name)
    return name if found is None else f"{found['whose'] or ''}{found['of']} {found['name']}"


_OF = re.compile(r"(?:the )?(?P<name>[\w-]+(?: [\w-]+)?) of (?:the )?(?P<whose>(?:my|our) )?(?P<of>[\w' -]+)$", _I)


def _longest(spoken: str, names: Mapping[str, str]) -> str | None:
    """The end of the words that is the name of an attribute, the longest one."""
    starts = range(len(spoken)) if has_han(spoken) else [0, *(at.end() for at in re.finditer(r"\s+", spoken))]
    return next((spoken[at:] for at in starts if spoken[at] not in "的 " and _plain(spoken[at:]) in names), None)


def _owner(before: str, clause: Clause, discourse: Discourse) -> str | None:
    """Whose the attribute is by the words before its name: empty where it is the speaker's, None where nobody knows."""
    words = before.strip(" 的")
    if (_OWN_ZH if has_han(words) else _OWN_EN).fullmatch(words):
        return "" if _SELF.search(words) is not None or not discourse.elsewhere else None
    if clause.subject.who is Who.THIRD:
        return clause.subject.person
    name = words.removesuffix("'s").removesuffix("'")
    if name in (discourse.person.name, discourse.label):
        return ""
    if has_han(name):
        return name if is_person_zh(name) else None
    named = _CAPITAL.fullmatch(name) is not None and name.split()[0] not in NO_PERSON
    return name if named and name != words else None


_SELF = re.compile(r"我|本人|\b(?:my|our)\b", _I)
_CAPITAL = re.compile(r"[A-Z][\w-]+(?: [A-Z][\w-]+)?")
_OWN_EN = re.compile(
    r"(?:(?:my|our)(?: own)?|the)?(?: ?(?:new|current|present|actual|total|overall|whole|latest))*(?: ?(?:company|firm|team|family|household)(?:'s)?)?",
    _I,
)
_OWN_ZH = re.compile(
    r"(?:现在|目前|如今|其实|那|而且|另外)*(?:我们?|本人|咱们?)?(?:自己|这边|这里|公司|单位|团队|家里?|店里?)*的?(?:新|现在|目前|总|整个|全部|最新)*的?"
)


def _value(text: str, lang: Lang) -> str | None:
    """The value in the words behind the name, without how sure and since when; None where they give none."""
    told = text.strip(" .。")
    if lang == "zh":
        value = _ENDS_ZH.sub("", _ROUGHLY_ZH.sub("", told)).strip("的 ")
        return None if not value or _NO_VALUE_ZH.search(value) or _OPEN.search(value) else value
    value = _ARTICLE.sub("", _ROUGHLY_EN.sub("", without_when(told))).strip()
    value = _OR_SO.sub("", value)
    return None if not value or _NO_VALUE_EN.match(value) or _OPEN.search(value) else value


def _may_be_a_state(name: str, told: str) -> bool:
    """Whether one bare English word behind one that names a thing may as well say how it is: `my pet is ill`."""
    return re.fullmatch(r"[a-z]+", name.strip()) is not None and re.fullmatch(r"[a-z]+(?<!s)", told.strip()) is not None


_OR_SO = re.compile(r"\s+or(?: so\b.*)?$", _I)
_OPEN = re.compile(r"\b(?:or|either|i|we|me|us|you|yours)\b|或者?|还是|[我你您]", _I)
"""What leaves a choice, or tells of the two who speak: no value of the thing."""


_ROUGHLY_EN = re.compile(r"^(?:(?:about|around|roughly|approximately|some|probably|just|only|nearly|almost)\s+)+", _I)
_ARTICLE = re.compile(r"^(?:an?|the|my|our|that of)\s+", _I)
_ROUGHLY_ZH = re.compile(r"^(?:大概|大约|差不多|约|近|将近|一个?(?=[\u4e00-\u9fff]{2})|只有|就)+")
_ENDS_ZH = re.compile(r"(?:左右|上下)?(?:了|吧|啊|呢|哦|的)*$")
_NO_VALUE_EN = re.compile(
    rf"(?:not|no longer|never|none|nothing|anything|everything|something|someone|anyone|unknown|unclear|undecided|open|pending|secret|wrong|right|correct|fine|ok|okay|good|great|bad|perfect|nice|important|changing|growing|shrinking|increasing|decreasing|dying|dead|gone|missing|here|there|coming|going|getting|being|looking|doing|too|very|so|quite|pretty|rather|a bit|a little|up to|because|why|what|how|that|where|when|whether|if|it|this|these|those|he|she|they|his|her|their|you|your|always|often|sometimes|(?:in|on|at|from|under|over|with|by|for|to|near|like|as|than|of)(?! (?-i:[A-Z]))|{en.NEGATIVE})\b|\w+(?:n't)\b",
    _I,
)
"""What says how it is with the thing, and not what it is."""
_NO_VALUE_ZH = re.compile(
    rf"^(?:不|没|未|很|太|挺|非常|比较|特别|有点|怎|什么|哪|谁|多少|几个?$|这|那|它|他|她|你|您|真|好像|因为|为了|在(?!{zh.CITIES})|要|想|会|能|可以|由|被|对的?$|错的?$|秘密)|[吗么?？]$|(?:{zh.NEGATIVE})$"
)


def _content(said: _Said, clause: Clause, discourse: Discourse) -> str | None:
    """The clause told of its owner."""
    spoken = f"{said.name}{said.rest}"
    if said.owner is not None:
        return f"{said.owner}{_joint(said.name) if clause.lang == 'zh' else _S}{spoken}"
    mine = f"我{_joint(said.name)}" if clause.lang == "zh" else "my "
    return told(replace(clause, text=f"{mine}{spoken}", subject=Subject(Who.OWN, mine)), discourse)


_S = "'s "
