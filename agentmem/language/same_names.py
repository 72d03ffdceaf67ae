"""Whether two names are names of one thing, as far as the names, and sentences with both of them, can tell.

Two names too many are mended by a later word; one merge too many mixes what is known of two. So whatever speaks against
one thing decides: other digits, other qualifiers (North, 东), other closing nouns (平台, 公司), one Chinese character
in place of another.

Words that say one of several (the southern branch, the second phase, the London office) tell two names apart where
both have such words and none in common. A word that stands before others in the name (South of Acme South Bank, not
West of Ada West) tells as well where the other name has none.
"""

from collections.abc import Collection
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final, Literal

from agentmem import patterns as re
from agentmem.characters import is_han
from agentmem.domain.naming import canonical_name
from agentmem.language.clauses import sentences
from agentmem.language.names_en import closing_word
from agentmem.language.names_zh import closing_noun
from agentmem.language.normal import digits, trigram_similarity
from agentmem.language.word_lists import word_list

_KINDS: Final = tuple(
    frozenset(words.split())
    for words in (
        "north south east west northern southern eastern western northeast northwest southeast southwest central",
        "red green blue black white yellow orange purple brown grey gray pink silver gold golden",
        "one two three four five six seven eight nine ten first second third fourth fifth sixth seventh eighth",
        "upper lower inner outer left right old new junior senior",
    )
)
_QUALIFIERS: Final = frozenset[str]().union(*_KINDS)
_BRANCHES: Final = frozenset(("branch", "subsidiary", "division", "annex", "campus"))
_CITIES: Final = frozenset(
    re.findall(
        "[a-z]+",
        "london paris berlin munich hamburg frankfurt vienna zurich geneva rome milan madrid barcelona lisbon amsterdam"
        " brussels copenhagen stockholm oslo helsinki dublin edinburgh leeds manchester birmingham warsaw prague"
        " budapest athens istanbul moscow dubai delhi mumbai bangalore singapore tokyo osaka seoul sydney melbourne"
        " toronto vancouver chicago boston seattle dallas houston beijing shanghai shenzhen guangzhou hangzhou nanjing"
        " chengdu wuhan",
    )
)
_WORD: Final = re.compile(r"[a-z]+")

_CITIES_ZH: Final = re.compile(
    "北京|上海|天津|重庆|深圳|广州|杭州|南京|苏州|武汉|成都|西安|厦门|青岛|大连|宁波|长沙|郑州|济南|沈阳|哈尔滨|长春|昆明|南昌|合肥|福州"
    "|贵阳|南宁|海口|太原|石家庄|兰州|西宁|银川|乌鲁木齐|拉萨|呼和浩特|无锡|东莞|佛山|珠海|香港|澳门|台北"
)
_PLACES_ZH: Final = re.compile("中国|中华|河北|河南|山东|山西|湖北|湖南|广东|广西|江西|江苏|浙江|云南|海南|陕西")
_KINDS_ZH: Final = (
    re.compile("[东西南北中]"),
    re.compile("[红橙黄绿蓝紫黑白灰金银]"),
    re.compile("[上下左右内外新老旧前后]"),
)
_BRANCH_ZH: Final = re.compile("分公司|子公司|分行|支行|分店|分院|分校|分部|校区|院区|[东西南北中]区|[东西南北]部")


def told_apart(one: str, other: str, *, spelt_out: bool = True) -> bool:
    """Whether such words tell two names, in their canonical forms, apart. Not `spelt_out`: one of them is initials,
    which have no such words."""
    return _english_apart(one, other, spelt_out=spelt_out) or _chinese_apart(one, other)


def _english_apart(one: str, other: str, *, spelt_out: bool) -> bool:
    a, b = _WORD.findall(one), _WORD.findall(other)
    if any(_disjoint(kind.intersection(a), kind.intersection(b)) for kind in (*_KINDS, _CITIES)):
        return True
    if not spelt_out:
        return False
    before = (_QUALIFIERS.intersection(a[:-1]) - {*b}) | (_QUALIFIERS.intersection(b[:-1]) - {*a})
    return bool(before) or _BRANCHES.intersection(a) != _BRANCHES.intersection(b)


def _chinese_apart(one: str, other: str) -> bool:
    if _disjoint(_CITIES_ZH.findall(one), _CITIES_ZH.findall(other)):
        return True
    a, b = (_PLACES_ZH.sub(" ", _CITIES_ZH.sub(" ", name)) for name in (one, other))
    if any(_disjoint(kind.findall(a), kind.findall(b)) for kind in _KINDS_ZH):
        return True
    return set(_BRANCH_ZH.findall(a)) != set(_BRANCH_ZH.findall(b))


def _disjoint(some: Collection[str], others: Collection[str]) -> bool:
    return bool(some and others) and set(some).isdisjoint(others)


Short = Literal["company", "person", "initials"]
"""What a short form is: a company without its legal form, a part of a person's name, the first letters of words."""

NEAR: Final = 0.9

_NUMERAL: Final = re.compile("[〇零一二三四五六七八九十百甲乙丙丁]")
_LETTER: Final = re.compile(r"(?<![a-z0-9])(?:[a-z]|[ivx]+)(?![a-z0-9])")
_ENDING: Final = re.compile(r"[\W_]*|e?s")
_LEGAL_ZH: Final = re.compile(r"(?:股份有限公司|有限责任公司|有限公司|集团公司|公司)$")
_TRADE_ZH: Final = re.compile(
    r"(?:(?:信息|网络|电子|计算机|通信|智能|软件|数码|生物|医药|食品|贸易|商贸|实业|投资|控股|科技|技术|系统|工程|咨询|服务"
    r"|传媒|文化|教育|物流|汽车|集团)+(?:发展)?)?(?:[（(][^（）()]{1,6}[)）])?$"
)
_REGION_ZH: Final = re.compile(r"^(?:中国|北京|上海|天津|重庆|深圳|广州|杭州|南京|苏州|武汉|成都|西安|厦门|青岛)市?")
_LEGAL_EN: Final = re.compile(r"[ ,]+(?:inc|incorporated|ltd|limited|llc|corp|corporation|gmbh|ag|plc|co|company)\.?$")
_SURNAMES: Final = frozenset(word_list("surnames_zh", "common"))
_SMALL: Final = frozenset(("of", "the", "and", "for", "in", "&"))
_ACRONYM: Final = re.compile(r"[A-Z][A-Z0-9]{1,7}")
_ALSO_ZH: Final = (
    "(?:以下|也|又|亦)?(?:简称|缩写|又称|也称|亦称|又名|也叫|又叫|别名|别称|原名|曾用名|全称|英文名|俗称)"
    "(?:是|为|叫|作)?"
)
_ALSO_EN: Final = (
    r"(?:(?:is|are|was|were)\s+)?"
    r"(?:(?:also|formerly|previously|better|often|usually|sometimes)\s+(?:known\s+as|called|named)"
    r"|known\s+as|aka|a\.k\.a\.|short\s+for|stands\s+for|abbreviated\s+(?:as|to))(?:\s+the)?"
)
_ALSO: Final = rf"(?:{_ALSO_ZH}|{_ALSO_EN})"

_MAYBE: Final = re.compile(rf"[（(]|{_ALSO}", re.IGNORECASE)
"""What a text must have to say that two names are one; most have not, and a look for two names costs 0.06 ms."""


MAX_COMPARED: Final = 400
"""Characters of the longest name that is compared letter by letter: it takes the product of two lengths, and eighteen
characters may come of one, U+FDFA."""


def apart(one: str, other: str) -> bool:
    """Whether something in the names says that they name two things."""
    a, b = canonical_name(one), canonical_name(other)
    if a == b:
        return False
    return (
        digits(a) != digits(b)
        or _NUMERAL.findall(a) != _NUMERAL.findall(b)
        or (_LETTER.findall(a) != _LETTER.findall(b) and not _ACRONYM.fullmatch(one) and not _ACRONYM.fullmatch(other))
        or told_apart(a, b, spelt_out=not _ACRONYM.fullmatch(one) and not _ACRONYM.fullmatch(other))
        or _closed_otherwise(one, other)
        or _one_for_another(a, b)
    )


def near(one: str, other: str) -> bool:
    """Whether they are one name written in two ways: hardly a difference, and that in punctuation or a plural."""
    a, b = canonical_name(one), canonical_name(other)
    if a == b:
        return True
    if max(len(a), len(b)) > MAX_COMPARED or apart(one, other) or trigram_similarity(a, b) < NEAR:
        return False
    for tag, i, j, k, n in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        text, end = (a[i:j], a[j : j + 1]) if tag == "delete" else (b[k:n], b[n : n + 1])
        if tag != "equal" and (tag == "replace" or not _ENDING.fullmatch(text) or (text[-1].isalpha() and end.strip())):
            return False
    return True


def short_form(short: str, long: str) -> Short | None:
    """What kind of short form of the other the first name is, if it is one."""
    if len(canonical_name(short)) >= len(canonical_name(long)) or apart(short, long):
        return None
    if canonical_name(short) in _trading_names(long):
        return "company"
    if _first_letters(short, long):
        return "initials"
    return "person" if _part_of_person(short, long) else None


def said_to_be_one(text: str, one: str, other: str) -> bool:
    """Whether a sentence says outright that they are one: `X（简称Y）`, `X, also known as Y`, `X (ABC)`."""
    if not _MAYBE.search(text) or apart(one, other):
        return False
    a, b = re.escape(one), re.escape(other)
    gap = rf"[\s,，、(（]*{_ALSO}[\s:：“\"「《]*"
    said = re.compile(f"{a}{gap}{b}(?![A-Za-z])|{b}{gap}{a}(?![A-Za-z])", re.IGNORECASE)
    bracket = re.compile(rf"{a}\s*[（(]\s*{b}\s*[)）]|{b}\s*[（(]\s*{a}\s*[)）]")
    told = [sentence.text for sentence in sentences(text) if not sentence.is_question]
    if any(said.search(sentence) for sentence in told):
        return True
    return _abbreviates(one, other) and any(bracket.search(sentence) for sentence in told)


def has_legal_form(name: str) -> bool:
    """Whether a name ends as those of companies do: Ltd, 有限公司."""
    plain = canonical_name(name)
    return bool(_LEGAL_EN.search(plain) or _LEGAL_ZH.search(plain))


def _closed_otherwise(one: str, other: str) -> bool:
    """A platform is not the company that makes it."""
    ends = [closing_noun(name) or closing_word(name) for name in (one, other)]
    return None not in ends and ends[0] != ends[1] and not all(_LEGAL_EN.search(n.lower()) for n in (one, other))


def _one_for_another(a: str, b: str) -> bool:
    """张伟 is not 张玮, and 社保管理系统 is not 医保管理系统."""
    return len(a) == len(b) and any(x != y and is_han(x) and is_han(y) for x, y in zip(a, b, strict=True))


def _trading_names(name: str) -> set[str]:
    """What a company with this full name is called for short."""
    plain = canonical_name(name)
    if english := _LEGAL_EN.search(plain):
        return {plain[: english.start()]}
    if not (legal := _LEGAL_ZH.search(plain)):
        return set()
    core = plain[: legal.start()]
    brief = _TRADE_ZH.sub("", core)
    found = {core, brief, _REGION_ZH.sub("", brief), _REGION_ZH.sub("", core)}
    return {each for each in found if len(each) > 1 and not _REGION_ZH.fullmatch(each)}


def _first_letters(short: str, long: str) -> bool:
    words = [word for word in re.split(r"[\s-]+", long) if word and word.lower() not in _SMALL]
    return bool(_ACRONYM.fullmatch(short)) and len(words) > 1 and "".join(w[0] for w in words).upper() == short


def _part_of_person(short: str, long: str) -> bool:
    words = long.split()
    if 2 <= len(words) <= 4 and all(word[:1].isupper() and word.replace("-", "").isalpha() for word in words):
        return len(short) > 1 and short in (words[0], words[-1])
    return len(long) == 3 and all(map(is_han, long)) and long[0] in _SURNAMES and short == long[1:]


def _abbreviates(one: str, other: str) -> bool:
    """Whether one of them may be what the other is abbreviated to."""
    for short, long in ((one, other), (other, one)):
        if _ACRONYM.fullmatch(short) and (_first_letters(short, long) or _long_chinese(long)):
            return True
    return False


def _long_chinese(name: str) -> bool:
    """A name in Chinese that is worth abbreviating: what stands in brackets behind a shorter one may be anything."""
    return sum(map(is_han, name)) >= 4 and closing_noun(name) is not None


def shared_parts(name: str) -> set[str]:
    """What another name must have a part of to be worth a comparison: words, pairs of Chinese characters, initials."""
    plain = canonical_name(name)
    words = {word for word in re.split(r"[\W_]+", plain) if word.isascii() and len(word) > 1}
    initials = "".join(word[0] for word in plain.split() if word not in _SMALL)
    pairs = {a + b for a, b in pairwise(plain) if is_han(a) and is_han(b)}
    return words | pairs | ({initials} if len(initials) > 1 else set())


def telling_parts(name: str) -> set[str]:
    """The same without what kind of thing it is (School, 小学), which many have in common, unless that is all."""
    own = name.removesuffix(closing_noun(name) or "")
    return shared_parts(own) - {closing_word(name)} or shared_parts(name)
