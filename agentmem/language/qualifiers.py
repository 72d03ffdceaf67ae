"""Words in a name that tell one of several from the others: the southern branch, the second phase, the London office.

Two names are told apart by them where both have such words and none in common. A word that stands before others in the
name (South of Acme South Bank, not West of Ada West) tells as well where the other name has none.
"""

from collections.abc import Collection
from typing import Final

from agentmem import patterns as re

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
